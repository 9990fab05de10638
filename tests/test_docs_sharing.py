"""The guide to sharing is true: its commands run from top to bottom and print what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = Path(__file__).parent.parent / "docs" / "guides" / "sharing.md"


@pytest.mark.slow
def test_the_guide_to_sharing_runs_from_top_to_bottom(tmp_path: Path) -> None:
    commands = re.findall(r"^\$ (.+)\n((?:(?!\$ |```).*\n)*)", GUIDE.read_text(), re.MULTILINE)
    assert len(commands) == 9
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, shown in commands:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, capture_output=True, text=True,
            env=os.environ | {"PATH": path}, timeout=300, check=False,
        )  # fmt: skip
        said = done.stdout + done.stderr
        assert done.returncode == 0, f"{command}\n{said}"
        for line in shown.splitlines():
            assert line in said, f"{command} did not print {line!r} but\n{said}"

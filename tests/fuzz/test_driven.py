"""The driver: what was found is tried again until it is mended, and few inputs are a failure."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
BAD = "8f1c-not-by-chance"
# The driver with a table of one parser, whose faults the environment tells.
DRIVEN = f"""
import os, sys, time, types
sys.path[:0] = [{str(HERE)!r}, {str(HERE.parents[1])!r}]
from fuzz_target import Target

def feed(data):
    if {BAD!r}.encode() in data and "broken" in os.environ["IS"]:
        raise ValueError("bad")
    time.sleep(0.2 * ("slow" in os.environ["IS"]))

target = Target("one", feed, lambda: [b"good"], ("errors.py",))
sys.modules["fuzz_table"] = types.SimpleNamespace(TARGETS=(target,))
import drive

drive.__file__ = __file__
sys.exit(drive.main())
"""


def driven(folder: Path, state: str) -> tuple[int, dict[str, int], str]:
    """Fuzz that parser for a moment: the exit code, the last line, and all that was said."""
    script = folder / "driven.py"
    script.write_text(DRIVEN)
    command = [sys.executable, str(script), "--seconds", "2", "--findings", str(folder / "found")]
    done = subprocess.run(command, env=os.environ | {"IS": state}, check=False,
                          capture_output=True, text=True)  # fmt: skip
    return done.returncode, json.loads(done.stdout.splitlines()[-1]), done.stdout


def test_a_finding_counts_until_it_is_mended(tmp_path: Path) -> None:
    pytest.importorskip("atheris")
    kept = tmp_path / "found" / "one"
    kept.mkdir(parents=True)
    (kept / "error-0").write_text(BAD)  # found some time ago
    for _ in range(2):
        code, told, said = driven(tmp_path, "broken")
        assert (code, told["findings"]) == (1, 1), said
        assert "ValueError: bad" in said
    code, told, said = driven(tmp_path, "mended")
    assert (code, told["findings"]) == (0, 0), said
    assert (kept / "error-0").read_text() == BAD


def test_a_parser_that_got_few_inputs_was_not_fuzzed(tmp_path: Path) -> None:
    pytest.importorskip("atheris")
    code, told, said = driven(tmp_path, "slow")
    assert (code, told["findings"]) == (1, 1), said
    assert 0 < told["inputs"] < 200
    assert "too few inputs" in said

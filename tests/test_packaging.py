"""The wheel and the source archive: installed elsewhere, they run the demo with nothing else."""

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel and the source archive, built from a copy of what git tracks."""
    folder = tmp_path_factory.mktemp("build")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    copy = folder / "source"
    for name in filter(None, listed.stdout.decode().split("\0")):
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", folder / "dist", copy],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return folder / "dist"


@pytest.mark.slow
def test_the_archives_carry_the_demo_set_the_page_and_the_types(built: Path) -> None:
    (wheel,), (source,) = built.glob("*.whl"), built.glob("*.tar.gz")
    names = zipfile.ZipFile(wheel).namelist()
    assert "overpaint/py.typed" in names
    for part in ("overpaint/benchmarks/demo_set/", "overpaint/report/page/"):
        assert any(name.startswith(part) for name in names), f"the wheel lacks {part}"
    assert not any(name.startswith(("tests/", "docs/", "bench/")) for name in names)
    with tarfile.open(source) as archive:
        assert any(name.endswith("/LICENSE") for name in archive.getnames())


@pytest.mark.slow
def test_the_wheel_in_an_empty_environment_runs_the_demo(built: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "OVERPAINT"))}
    done = subprocess.run(
        [python, "-m", "overpaint", "demo", "--json", "-o", tmp_path / "demo"],
        cwd=tmp_path, env=clean, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert Path(found["page"]).is_file()
    assert {row["editor"] for row in found["table"]} >= {"identity", "blank", "truth"}
    assert all(row["cells"]["ssim"]["scored"] for row in found["table"])

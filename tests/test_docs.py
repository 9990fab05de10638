"""The documentation is true: guides run, the tutorial runs, the reference is current."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from overpaint import catalog, open_run
from overpaint.cli import main
from overpaint.cli.reference import reference

ROOT = Path(__file__).parent.parent
GUIDES = ROOT / "docs" / "guides"


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Three demo samples in the form that the benchmark guide reads."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for n, sample in enumerate(catalog.benchmark("demo").load(None).samples[:3]):
        for document, end in ((sample.request.source, ".png"), (sample.target, ".truth.png"),
                              (sample.masks[0], ".mask.png")):  # fmt: skip
            shutil.copy(document.path, folder / f"{n}{end}")
        (folder / f"{n}.txt").write_text(sample.request.instruction, encoding="utf-8")
    (folder / "lonely.txt").write_text("an instruction without a picture")
    return folder


@pytest.mark.slow
def test_the_three_guides_work_together(pictures: Path, tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    code = main([
        "run", f"{GUIDES}/my_benchmark.py:folder", "--data", str(pictures),
        "--editor", f"soft={GUIDES}/my_editor.py:Softener", "-o", run, "--workers", "1", "--quiet",
    ])  # fmt: skip
    assert code == 0
    measure = f"{GUIDES}/my_measure.py:warmth"
    assert main(["score", run, "--measure", measure, "--workers", "1", "--quiet"]) == 0
    cells = {row.editor: row.cells for row in open_run(run).table()}
    assert cells["soft"]["ssim"].scored == 3
    assert (
        cells["identity"]["ssim"].value > cells["soft"]["ssim"].value > cells["blank"]["ssim"].value
    )
    assert cells["identity"]["warmth"].value == 0.0
    assert cells["blank"]["warmth"].value > 0.0


@pytest.mark.parametrize(
    ("file", "most"), [("my_benchmark", 60), ("my_editor", 25), ("my_measure", 15)]
)
def test_a_guide_is_as_short_as_promised(file: str, most: int) -> None:
    assert len((GUIDES / f"{file}.py").read_text().splitlines()) <= most


def test_the_reference_is_current() -> None:
    assert (ROOT / "docs" / "reference.md").read_text() == reference()


def test_links_in_the_documentation_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"


def test_the_readme_fits_on_a_screen() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 60


@pytest.mark.slow
def test_the_tutorial_runs_from_top_to_bottom(tmp_path: Path) -> None:
    """Every `$ command` of the tutorial, in order, in an empty folder; what follows must appear."""
    text = (ROOT / "docs" / "tutorial.md").read_text()
    for name, content in re.findall(r"<!-- file: (\S+) -->\n```\w*\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(content)
    commands = re.findall(r"^\$ (.+)\n((?:(?!\$ |```).*\n)*)", text, re.MULTILINE)
    assert len(commands) >= 8
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, shown in commands:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, capture_output=True, text=True,
            env=os.environ | {"PATH": path}, timeout=300, check=False,
        )  # fmt: skip
        said = done.stdout + done.stderr
        assert done.returncode == 0, f"{command}\n{said}"
        for line in filter(str.strip, shown.splitlines()):
            for part in filter(str.strip, line.split("…")):  # "…" stands for what varies
                assert part.strip() in said, f"{command} did not print {part!r} but\n{said}"

"""`overpaint build` and `overpaint show --stats`: what they print, draw and refuse."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from conftest import make_sample

from overpaint.cli import main
from overpaint.document.pictures import encode_png
from overpaint.engines.corpus import Layout, describe
from overpaint.engines.vde import pages
from overpaint.report.heatmaps import heat_page, heat_svg
from overpaint.vision.page import Block, to_json

PAGE = (
    Block((10, 10, 190, 30), "Opening Hours", "title"),
    Block((10, 40, 190, 90), "The museum has 318 rooms. Dogs are not allowed in March."),
)


@pytest.fixture
def scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page, and OCR that knows it."""
    monkeypatch.setattr(pages, "blocks_on", lambda document, engine: PAGE)
    file = tmp_path / "page.png"
    file.write_bytes(encode_png(np.full((200, 200, 3), 255, np.uint8)))
    return file


@pytest.fixture
def made_set(tmp_path: Path) -> Path:
    """A VDE set of three samples from two kinds of documents."""
    folder = tmp_path / "set"
    rows = []
    for name, kind, word in (("a", "book", "text"), ("b", "book", "table"), ("c", "news", "text")):
        for part in ("inputs", "outputs"):
            (folder / part).mkdir(parents=True, exist_ok=True)
            pixels = np.full((200, 200, 3), 255 if part == "inputs" else 250, np.uint8)
            (folder / part / f"{name}.png").write_bytes(encode_png(pixels))
        for part in ("ocr", "ocr_local"):
            (folder / part).mkdir(exist_ok=True)
            blocks = (*PAGE, Block((10, 100, 190, 150), "x", word))
            (folder / part / f"{name}.json").write_text(json.dumps(to_json(blocks)))
        rows.append({
            "id": name, "image_input": f"inputs/{name}.png", "image_output": f"outputs/{name}.png",
            "instruction": 'In the paragraph, replace "300" with "318".', "language": "english",
            "instruction type": "text replacement", "data_source": kind,
            "label_output": [{"x": 5, "y": 20, "width": 90, "height": 25,
                              "original_width": 200, "original_height": 200}],
        })  # fmt: skip
    (folder / "samples.json").write_text(json.dumps(rows))
    return folder


def test_build_says_what_each_step_did_and_what_comes_next(
    scan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["build", "vde", str(scan), "-o", str(out), "--workers", "0", "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 pages         1 read (1 english), 0 left out"
    assert lines[1] == "2 instructions  3 accepted, 0 rejected or without a place"
    assert [line.split()[1] for line in lines[2:5]] == ["candidates", "people", "set"]
    assert lines[5].startswith("→ An editor is needed: overpaint build vde -o")
    asked = ["build", "vde", "-o", str(out), "--editor", "source-noise", "--workers", "0", "--json"]
    assert main([*asked, "--quiet"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["next"].startswith("People are needed: 9 ratings.")
    assert told["report"]["candidates"]["statuses"] == {"ok": 3}


def test_settings_are_kept_and_bad_answers_told_on_stderr(
    scan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out")
    begin = ["build", "vde", str(scan), "-o", out, "--seed", "3", "--workers", "0", "--quiet"]
    assert main(begin) == 0
    (tmp_path / "out" / "answers.jsonl").write_text("nonsense\n")
    assert main(["build", "vde", "-o", out, "--workers", "0", "--quiet"]) == 1
    assert "not taken: answers.jsonl, line 1:" in capsys.readouterr().err
    assert main(["build", "vde", "-o", out, "--seed", "4", "--workers", "0"]) == 2
    assert "begun with seed = 3, not 4" in capsys.readouterr().err
    assert main(["build", "vde", str(tmp_path / "no"), "-o", out, "--workers", "0"]) == 2
    assert "is not there" in capsys.readouterr().err


def test_generating_goes_alone(
    scan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["build", "vde", str(scan), "--generate", "2", "-o", str(tmp_path / "g")]
    assert main(asked) == 2
    assert "--generate makes its own pages and edits." in capsys.readouterr().err


def test_stats_of_a_set_as_text_json_and_drawings(
    made_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["show", "vde", "--stats", "--data", str(made_set)]
    page, drawing = tmp_path / "heat.html", tmp_path / "heat.svg"
    assert main([*asked, "-o", str(page)]) == 0
    text = capsys.readouterr().out
    assert "document  pages  density" in text
    assert "book          2" in text
    assert "target 1.00" in text  # "300" is gone from the truth, so it stood in the region
    assert main([*asked, "-o", str(drawing), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pages"] == {"book": 2, "news": 1}
    assert told["figures"]["book"]["richness"] == 3
    assert told["z"]["book"]["title"] is None  # all have the same titles
    assert "<svg" in page.read_text()
    ET.fromstring(drawing.read_text())
    assert main([*asked, "-o", str(tmp_path / "heat.png")]) == 2
    assert "is neither .html nor .svg" in capsys.readouterr().err


def test_heat_maps_that_cannot_be_written_are_a_sentence(
    made_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x")
    out = str(tmp_path / "file" / "heat.svg")
    assert main(["show", "vde", "--stats", "--data", str(made_set), "-o", out]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_set_without_blocks_has_no_stats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_sample(tmp_path / "data", "a/001", 1)
    toy = Path(__file__).parents[1] / "toy.py"
    assert main(["show", f"{toy}:toy", "--stats", "--data", str(tmp_path / "data")]) == 2
    assert "says which blocks stand on its page" in capsys.readouterr().err


def test_names_from_outside_are_text_in_the_drawings() -> None:
    evil = "<script>alert(1)</script>\x1b[2J"
    corpus = describe([
        Layout(evil, 100, 100, (Block((0, 0, 50, 50), "", evil),)),
        Layout("b", 100, 100, ()),
    ])  # fmt: skip
    for drawn in (heat_page(evil, corpus, {"target": 1.5}), heat_svg(corpus)):
        assert "<script>" not in drawn
        assert "\x1b" not in drawn
    ET.fromstring(heat_svg(corpus))

"""`overpaint build vde --ocr MODEL`: pages read by a model behind a server."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overpaint.cli import main
from overpaint.document.pictures import encode_png
from overpaint.engines.vde import pages, people
from overpaint.engines.vde.records import Place
from overpaint.measures.reading_model import reader
from overpaint.models import own
from overpaint.testing import Asked, FakeServer

Capture = pytest.CaptureFixture[str]
LINES = {
    "lines": [
        {"text": "Opening Hours", "box": [50, 50, 950, 150]},
        {"text": "The museum has 318 rooms. Dogs are not allowed.", "box": [50, 700, 950, 800]},
    ]
}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "cache_folder", lambda: tmp_path / "cache")


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    for name, shade in (("a", 255), ("b", 250)):
        path = tmp_path / "scans" / f"{name}.png"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(encode_png(np.full((200, 300, 3), shade, np.uint8)))
    return tmp_path / "scans"


def build(out: Path, *more: str) -> int:
    return main(["build", "vde", *more, "-o", str(out), "--workers", "0", "--quiet"])


def test_pages_are_shown_to_the_model_once_and_it_is_said_first(
    scans: Path, tmp_path: Path, capsys: Capture
) -> None:
    with FakeServer({"reply": LINES}, process=False) as server:
        model = f"{server.url}#vl"
        assert build(tmp_path / "out", str(scans), "--ocr", model) == 0
        told = capsys.readouterr()
        assert told.err.splitlines()[0] == (
            f"127.0.0.1:{server.port} is asked up to 2 questions of vl with 2 pictures of 300×200"
            " pixels; price: unknown (--prices FILE gives one)"
        )
        assert told.out.splitlines()[0] == "1 pages         2 read (2 english), 0 left out"
        assert build(tmp_path / "out") == 0  # goes on with the same reader, and reads no page again
        assert build(tmp_path / "again", str(scans), "--ocr", model) == 0
        assert server.counts().total == 2
    place = Place(tmp_path / "out")
    found = [block.text for block in place.blocks(next(iter(place.pages())))]
    assert found == [line["text"] for line in LINES["lines"]]


def test_a_page_that_could_not_be_read_is_read_the_next_time(
    scans: Path, tmp_path: Path, capsys: Capture
) -> None:
    def fickle(asked: Asked) -> Any:
        fickle.times += 1  # type: ignore[attr-defined]
        return LINES if fickle.times > 1 else "It is a page."  # type: ignore[attr-defined]

    fickle.times = 0  # type: ignore[attr-defined]
    with FakeServer(fickle, process=False) as server:
        more = ("--ocr", f"{server.url}#vl", "--in-flight", "1")
        build(tmp_path / "out", str(scans), *more)
        assert "1 read (1 english), 1 left out" in capsys.readouterr().out
        reasons = [page.reason for page in Place(tmp_path / "out").pages().values()]
        assert any("The reply has no JSON object" in reason for reason in reasons)
        build(tmp_path / "out", *more)
        assert "2 read (2 english), 0 left out" in capsys.readouterr().out
        assert server.counts().total == 3


def test_a_truth_is_shown_whole_and_its_region_by_itself(tmp_path: Path) -> None:
    (tmp_path / "truths").mkdir()
    (tmp_path / "truths" / "i.png").write_bytes(encode_png(np.full((200, 300, 3), 255, np.uint8)))
    with FakeServer({"reply": LINES}, process=False) as server, own.own_desk() as desk:
        asked = pages.Asked(reader(f"{server.url}#vl"), desk)
        found = people._read(tmp_path, ("i", (100, 50, 200, 150)), asked)
        assert server.counts().total == 2
    whole, part = (found[name]["parsing_res_list"] for name in people.PARTS)
    assert [block["block_bbox"] for block in whole] == [[15, 10, 285, 30], [15, 140, 285, 160]]
    assert part[0]["block_bbox"] == [105, 55, 195, 65]  # in the frame of the page


def test_a_cost_limit_stops_it(scans: Path, tmp_path: Path, capsys: Capture) -> None:
    with FakeServer({"reply": LINES}, process=False) as server:
        model, listed = f"{server.url}#vl", tmp_path / "prices.json"
        more = (str(scans), "--ocr", model, "--cost-limit", "0.001")
        assert build(tmp_path / "out", *more) == 2
        assert f"The price of {model} is not known" in capsys.readouterr().err
        listed.write_text(json.dumps({"dated": "today", "models": {model: {"in": 9, "out": 9}}}))
        assert build(tmp_path / "out", *more, "--prices", str(listed)) == 2
        assert "would be passed" in capsys.readouterr().err
        assert server.counts().total == 0


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("large", "There is no OCR engine called 'large'. Known: small, tiny, tesseract, or a"),
        ("my/model", "'my/model' names no model."),
        ("openai/gpt-4o-2024-11-20", "OPENAI_API_KEY is not set."),
        ("local/smollm2", "local/smollm2 cannot see pictures."),
    ],
)
def test_who_cannot_read_is_said(
    scans: Path, tmp_path: Path, name: str, told: str, capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert build(tmp_path / "out", str(scans), "--ocr", name) == 2
    assert told in capsys.readouterr().err

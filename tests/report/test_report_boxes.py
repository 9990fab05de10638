"""Boxes on pages: where the edit was, what the truth says, what was read; nothing read anew."""

import base64
import json
import time
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_pages import HIGH, WIDE, kept_reading, make_sample, page_of, paged_run
from made_run import HOSTILE, usual_run
from test_report_page import Reader
from test_report_view import serving

from overpaint.core import Edit, Evidence, Sample
from overpaint.measures import reading
from overpaint.report import deck as decks
from overpaint.report import write_report
from overpaint.report.boxes import as_json, blocks_of, engines_of, frame_of, packed
from overpaint.report.deck import blocks_at, make_deck
from overpaint.report.pictures import Shelf
from overpaint.report.tables import read_tables
from overpaint.store import Store, recall_evidence
from overpaint.vision import ocr


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return paged_run(tmp_path_factory.mktemp("pages"), samples=3)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return make_sample(tmp_path_factory.mktemp("page"), 0)


@pytest.fixture(autouse=True, scope="module")
def _nobody_reads() -> Iterator[None]:
    def read(*_: object) -> None:
        raise AssertionError("a report must not run OCR")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ocr, "read", read)
        yield


def blocks(run: Path, place: int = 0) -> tuple[dict[str, Any], dict[str, Any]]:
    """The card of a sample, and what stands where on its pages."""
    with Store.open(run) as store:
        deck = make_deck(store, read_tables(store), Shelf(run), limit=9)
        found = blocks_at(store, deck, place)
    assert found is not None
    return deck.body["samples"][place], found


def unpacked(line: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(line), -15))


# ── the frame ───────────────────────────────────────────────────────────────────────────────


def test_the_frame_is_the_truths_size_and_the_region_clipped_to_it(tmp_path: Path) -> None:
    assert frame_of(make_sample(tmp_path, 0)) == [WIDE, HIGH, 28, 112, 200, 136]
    beyond = make_sample(tmp_path, 0, region=[-5, 500.4, 9999, 9999])
    assert frame_of(beyond) == [WIDE, HIGH, 0, 500, WIDE, HIGH]


@pytest.mark.parametrize(
    "region", [None, "here", [1, 2, 3], [1, 2, 3, "x"], [float("nan")] * 4, [9, 9, 9, 9], {"x": 1}]
)
def test_a_region_that_is_none_leaves_the_page_and_its_blocks(
    tmp_path: Path, region: object
) -> None:
    assert frame_of(make_sample(tmp_path, 0, region=region)) == [WIDE, HIGH]


def test_samples_of_other_benchmarks_and_lost_truths_have_no_frame(tmp_path: Path) -> None:
    sample = make_sample(tmp_path, 0)
    assert frame_of(replace(sample, facts={})) is None
    assert frame_of(replace(sample, target=None)) is None
    (tmp_path / "p0" / "truth.png").write_bytes(b"no picture")
    assert frame_of(sample) is None


@given(st.dictionaries(st.sampled_from(["region", "page_blocks"]), st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=5) | st.dictionaries(st.text(max_size=5), inside),
    max_leaves=8,
)))  # fmt: skip
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_no_fact_makes_a_page_fail(page: Sample, facts: dict[str, Any]) -> None:
    blocks_of(replace(page, facts=facts), {}, lambda key: None, engines=["small"])


# ── the blocks ──────────────────────────────────────────────────────────────────────────────


def test_a_table_too_large_to_compare_does_not_cost_the_report(page: Sample) -> None:
    table = {"block_bbox": [0, 0, 9, 9], "block_label": "table", "block_content": "<td>" * 5_000}
    found = blocks_of(
        replace(page, facts={"page_blocks": [table]}), {}, lambda key: None, engines=["small"]
    )
    assert found is not None
    assert found["texts"][0].startswith("<td>")


def test_what_was_read_is_recalled_with_its_partners_in_the_truth(run: Path) -> None:
    card, found = blocks(run)
    assert found["texts"][found["truth"][4][4]] == "due on Monday, 0"
    assert found["truth"][4][:4] == [30, 116, 30 + 6 * 16, 132]
    by_editor = {
        n: found["read"].get(card["edits"][n][0]) for n in range(4)
    }  # half, worse, truth …
    half, worse, truth, identity = by_editor.values()
    assert half is not None
    assert [line[5:] for line in half] == [[n, int(n != 4)] for n in range(21)]
    assert found["texts"][half[4][4]] == "due on Monnay, 0"
    assert worse is not None
    assert worse[-1][:4] == [300, 420, 390, 500]
    assert [line[5] for line in worse] == [n for n in range(21) if n != 4] + [-1]
    assert truth is not None
    assert all(line[6] for line in truth)
    assert identity is not None
    assert [line[6] for line in identity].count(0) == 1


def test_a_text_that_several_pages_say_is_kept_once(run: Path) -> None:
    _, found = blocks(run)
    assert len(set(found["texts"])) == len(found["texts"]) <= 21 + 4


def test_without_annotation_the_truth_is_as_it_was_read(tmp_path: Path) -> None:
    sample = make_sample(tmp_path, 1)
    known = {key: fact for key, fact in sample.facts.items() if "blocks" not in key}
    assert sample.target is not None
    assert sample.target.path is not None
    kept = kept_reading(sample.target, page_of(1, changed="due on Monday, 1"))
    pictures = {f"{sample.target.key}.png": sample.target.path}
    found = blocks_of(replace(sample, facts=known), pictures, kept.get, engines=["small"])
    assert found is not None
    assert len(found["truth"]) == 21
    assert [line[5] for line in found["read"][0]] == list(range(21))
    nobody = blocks_of(replace(sample, facts=known), pictures, lambda key: None, engines=["small"])
    assert nobody is None


def test_an_output_of_another_size_gets_no_boxes_that_are_not_its_own(tmp_path: Path) -> None:
    sample = make_sample(tmp_path, 1)
    output = page_of(1).save(tmp_path / "small.png", size=(WIDE // 2, HIGH // 2))
    assert output.path is not None
    kept = kept_reading(output, page_of(1))
    pictures = {f"{output.key}.png": output.path}
    found = blocks_of(sample, pictures, kept.get, engines=["small"])
    assert found is not None
    assert found["read"] == {}
    assert len(found["truth"]) == 21


def test_an_output_that_was_resized_to_be_read_is_found_by_what_it_became(tmp_path: Path) -> None:
    sample = make_sample(tmp_path, 1)
    output = page_of(1).save(tmp_path / "small.png", size=(WIDE // 2, HIGH // 2))
    assert sample.target is not None
    evidence = Evidence()
    edit = Edit(sample, "ours", "ok", output)
    views, _ = reading.views(edit, evidence, "global")
    kept = evidence.fresh | kept_reading(views, page_of(1))
    pictures = {f"{d.key}.png": d.path for d in (sample.target, output) if d.path}
    found = blocks_of(sample, pictures, kept.get, engines=["small"])
    assert found is not None
    assert len(found["read"][1]) == 21


def test_the_engines_asked_for_are_those_of_the_measures() -> None:
    assert engines_of(["cdm_local", "ssim@official"]) == ["small"]
    assert engines_of(["cdm_local@tiny"]) == ["small", "tiny"]


def test_long_and_hostile_texts_are_shortened_and_made_plain(tmp_path: Path) -> None:
    listed = [
        {"block_bbox": [0, 9 * n, 50, 9 * n + 8], "block_content": text, "block_label": "text"}
        for n, text in enumerate([*HOSTILE, "long " * 999])
    ]
    found = blocks_of(make_sample(tmp_path, 0, page_blocks=listed), {}, str, engines=[])
    assert found is not None
    assert max(map(len, found["texts"])) == 300
    assert not any("\n" in text or "\x1b" in text for text in found["texts"])
    assert unpacked(packed(found)) == json.loads(as_json(found))


# ── on the page ─────────────────────────────────────────────────────────────────────────────


def test_the_page_carries_the_blocks_of_each_sample(run: Path, tmp_path: Path) -> None:
    with Store.open(run) as store:
        read = Reader(write_report(store, tmp_path))
    lines = next(text for _, told, text in read.inside if told.get("id") == "blocks").split("\n")
    assert len(lines) == 3
    found = unpacked(lines[1])
    assert found["texts"][found["truth"][4][4]] == "due on Monday, 1"
    assert read.deck["samples"][0]["frame"] == [WIDE, HIGH, 28, 112, 200, 136]
    assert sum(map(len, lines)) < 3 * 2000


def test_a_page_without_documents_carries_none(tmp_path: Path) -> None:
    with Store.open(usual_run(tmp_path)) as store:
        read = Reader(write_report(store, tmp_path / "report"))
    assert ("id", "blocks") not in read.attributes
    assert not any("frame" in card for card in read.deck["samples"])


def test_blocks_end_where_their_room_does(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decks, "ROOM", 1900)
    with Store.open(run) as store:
        read = Reader(write_report(store, tmp_path))
    lines = next(text for _, told, text in read.inside if told.get("id") == "blocks").split("\n")
    assert 0 < len(lines) < 3
    assert sum(map(len, lines)) <= 1900


@pytest.mark.slow
def test_a_served_page_is_told_the_blocks_of_a_sample_when_it_asks(run: Path) -> None:
    with serving(run) as server:
        assert b'id="blocks"' not in server.read("/")[1]
        status, body = server.read("/blocks/1")
        assert status == 200
        assert json.loads(body)["truth"][4][:2] == [30, 116]
        for other in ("/blocks/0", "/blocks/4", "/blocks/x", "/blocks/-1", "/blocks/9999999"):
            assert server.read(other)[0] == 404


def test_looking_blocks_up_is_quick(run: Path) -> None:
    with Store.open(run) as store:
        deck = make_deck(store, read_tables(store), Shelf(run), limit=9)
        sample = store.sample("page/000")
    pictures = dict(zip(deck.body["samples"][0]["pictures"], deck.strips[0], strict=True))
    recall = partial(recall_evidence, run.resolve())
    started = time.perf_counter()
    for _ in range(20):
        blocks_of(sample, pictures, recall, engines=["small"])
    assert time.perf_counter() - started < 4  # of 20 samples with five pictures each

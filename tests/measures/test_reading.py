"""Edits judged by reading them: local and global, one frame of coordinates, and what is empty."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from overpaint import catalog, weights
from overpaint.core import Edit, Evidence, Request, Sample, Score
from overpaint.document import Document
from overpaint.measures import reading
from overpaint.measures.aggregate import summarize
from overpaint.vision.page import Block, to_json

LINES = ("The committee met on Friday", "and approved the budget of 1,250", "for the coming year.")
REGION = (30, 96, 470, 136)  # the second line, with some air
TEXT = ("cdm", "bleu4", "teds_like")


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """Shared, so that each picture is read once for all tests."""
    return Evidence()


def page(*lines: str) -> np.ndarray:
    """Three paragraphs of one line each, far enough apart to be three blocks."""
    image = Image.new("RGB", (520, 260), "white")
    font = ImageFont.truetype(str(weights.find("font-serif")), 26)
    for at, line in enumerate(lines):
        ImageDraw.Draw(image).text((40, 30 + 72 * at), line, font=font, fill="black")
    return np.asarray(image)


def inked(pixels: np.ndarray, at: int) -> tuple[float, float, float, float]:
    rows = slice(20 + 72 * at, 80 + 72 * at)
    y, x = np.nonzero(pixels[rows].min(axis=2) < 200)
    return (float(x.min()), rows.start + float(y.min()), x.max() + 1.0, rows.start + y.max() + 1.0)


TRUTH = page(*LINES)
SOURCE = page(LINES[0], "and approved the budget of 9,870", LINES[2])
BLOCKS = [Block(inked(TRUTH, at), line) for at, line in enumerate(LINES)]


def edit_of(pixels: np.ndarray | None, **facts: Any) -> Edit:
    known = {
        "region": REGION, "regions": [REGION], "instruction type": "text replacement",
        "page_blocks": to_json(BLOCKS)["parsing_res_list"],
        "region_blocks": to_json(BLOCKS[1:2])["parsing_res_list"],
    }  # fmt: skip
    facts = {key: value for key, value in (known | facts).items() if value is not None}
    sample = Sample("s", Request(Document.of(SOURCE), "…"), Document.of(TRUTH), facts=facts)
    output = None if pixels is None else Document.of(pixels)
    return Edit(sample, "e", "ok" if output else "no_output", output)


def score(name: str, edit: Edit, evidence: Evidence) -> Score:
    (found,) = catalog.measure(name).score([edit], evidence)
    return found


def value(name: str, edit: Edit, evidence: Evidence) -> float:
    found = score(name, edit, evidence)
    assert found.value is not None, found.reason
    return found.value


@pytest.mark.parametrize("where", ["local", "global"])
@pytest.mark.parametrize("name", [*TEXT, "iou"])
def test_the_truth_is_read_as_the_truth(name: str, where: str, evidence: Evidence) -> None:
    assert value(f"{name}_{where}", edit_of(TRUTH), evidence) >= 0.97
    assert value(f"cer_{where}", edit_of(TRUTH), evidence) <= 0.02


@pytest.mark.parametrize("name", TEXT)
def test_an_edit_not_made_shows_most_where_it_was_to_be_made(name: str, evidence: Evidence) -> None:
    local = value(f"{name}_local", edit_of(SOURCE), evidence)
    whole = value(f"{name}_global", edit_of(SOURCE), evidence)
    assert local < whole < value(f"{name}_global", edit_of(TRUTH), evidence)
    assert 1 - whole == pytest.approx((1 - local) / 3, abs=0.02)  # one block of three


def test_an_output_of_another_size_is_read_in_the_truths_frame(evidence: Evidence) -> None:
    large = np.asarray(Image.fromarray(TRUTH).resize((1040, 520), Image.Resampling.LANCZOS))
    assert value("iou_global", edit_of(large), evidence) >= 0.8
    found = score("cdm_local", edit_of(large), evidence)
    assert found.value == 1.0
    assert found.notes == ("resized from 1040×520 to 520×260 (Lanczos)",)


@pytest.mark.parametrize("name", [*TEXT, "iou"])
def test_nothing_read_where_nothing_stands_is_right_and_anything_else_is_wrong(
    name: str, evidence: Evidence
) -> None:
    blank = page()
    assert value(f"{name}_local", edit_of(blank, region_blocks=[]), evidence) == 1.0
    assert value(f"{name}_local", edit_of(TRUTH, region_blocks=[]), evidence) == 0.0
    assert value(f"{name}_local", edit_of(blank), evidence) == 0.0
    empty = score("cer_local", edit_of(blank, region_blocks=[]), evidence)
    assert empty.status == "not_applicable"


def test_blocks_too_far_apart_are_not_each_others(evidence: Evidence) -> None:
    away = [Block((40.0, 900.0, 400.0, 930.0), LINES[1])]
    far = edit_of(TRUTH, page_blocks=to_json(away)["parsing_res_list"])
    assert value("cdm_global", far, evidence) == 0.0
    assert value("cdm_global@paper", far, evidence) > 0.0


def test_without_an_ocr_file_the_truth_is_read_and_the_score_says_so(evidence: Evidence) -> None:
    for name, fact in (("cdm_local", "region_blocks"), ("cdm_global@official", "page_blocks")):
        found = score(name, edit_of(SOURCE, **{fact: None}), evidence)
        assert found.value is not None
        assert 0 < found.value < 1
        assert found.notes == ("what the truth says was read by OCR, not annotated",)


def test_without_a_box_there_are_no_local_scores(evidence: Evidence) -> None:
    for region in (None, (900, 0, 950, 10)):
        found = score("cdm_local", edit_of(TRUTH, region=region), evidence)
        assert found.status == "not_applicable", found
    assert value("cdm_global", edit_of(TRUTH, region=None), evidence) >= 0.97


def test_teds_is_asked_of_tables_alone_and_a_table_not_found_is_nothing(
    evidence: Evidence,
) -> None:
    assert score("teds_global", edit_of(TRUTH), evidence).status == "not_applicable"
    table = Block(BLOCKS[1].box, "<table><tr><td>1</td></tr></table>", "table")
    truth = to_json([BLOCKS[0], table])["parsing_res_list"]
    assert value("teds_global", edit_of(TRUTH, page_blocks=truth), evidence) == 0.0


def test_a_true_table_that_is_no_html_is_nobodys_fault(evidence: Evidence) -> None:
    table = Block(BLOCKS[1].box, "no tags at all", "table")
    truth = to_json([BLOCKS[0], table])["parsing_res_list"]
    found = score("teds_global", edit_of(TRUTH, page_blocks=truth), evidence)
    assert found.status == "not_applicable", found


def test_pixels_are_compared_on_the_page_and_in_the_region(evidence: Evidence) -> None:
    local, whole = (value(f"ssim_{where}", edit_of(SOURCE), evidence) for where in reading.SETTINGS)
    assert local < whole < 1
    assert score("psnr_local", edit_of(TRUTH), evidence).reason == "identical"


def test_a_page_is_read_once_for_all_measures_and_later_runs(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fresh = Evidence()
    value("cdm_global", edit_of(TRUTH), fresh)
    kept = dict(fresh.fresh)
    monkeypatch.setattr("overpaint.vision.ocr.read", lambda *_: pytest.fail("read again"))
    for name in ("bleu4_global", "iou_global", "cer_global", "cdm_global@paper"):
        value(name, edit_of(TRUTH), fresh)
    assert value("cdm_global", edit_of(TRUTH), Evidence(kept.get)) >= 0.97


# ── the paper's and the scripts' ways ───────────────────────────────────────────────────


@pytest.mark.slow
def test_the_scripts_compare_boxes_in_two_frames_where_sizes_differ(evidence: Evidence) -> None:
    large = np.asarray(Image.fromarray(TRUTH).resize((1040, 520), Image.Resampling.LANCZOS))
    assert value("iou_global@official", edit_of(TRUTH), evidence) >= 0.97
    assert value("iou_global@official", edit_of(large), evidence) < 0.3
    assert value("iou_global", edit_of(large), evidence) >= 0.8


def test_the_scripts_keep_whole_blocks_that_touch_the_box(evidence: Evidence) -> None:
    corner = (0, 0, 60, 60)  # touches the first line only
    found = score("cdm_local@official", edit_of(SOURCE, regions=[corner]), evidence)
    assert (found.value, found.weight) == (1.0, 1.0)
    assert value("cdm_local", edit_of(SOURCE, regions=[corner]), evidence) < 1.0


def test_the_scripts_pool_blocks_so_a_score_weighs_as_many_as_it_stands_for(
    evidence: Evidence,
) -> None:
    assert score("iou_global@official", edit_of(SOURCE), evidence).weight == 3.0
    assert score("cdm_global", edit_of(SOURCE), evidence).weight == 1.0


def test_the_scripts_call_a_missing_deletion_a_success_and_we_do_not(evidence: Evidence) -> None:
    missing = edit_of(None, **{"instruction type": "text deletion", "region_blocks": []})
    assert value("success@official", missing, evidence) == 1.0
    assert value("success@official", edit_of(None), evidence) == 0.0
    assert catalog.measure("success@official").asks_all
    assert not catalog.measure("cdm_local").asks_all  # its row is no_edit, inside the count


def test_the_paper_leaves_out_a_sample_without_a_match_and_we_count_it(evidence: Evidence) -> None:
    blank = edit_of(page())
    assert score("cdm_local@paper", blank, evidence).status == "not_applicable"
    assert value("cdm_local", blank, evidence) == 0.0


def test_the_scripts_leave_perfect_psnr_out_of_the_mean_and_we_count_it_as_no_error(
    evidence: Evidence,
) -> None:
    rows = []
    for name in ("psnr_global", "psnr_mean_global"):
        found = [score(name, edit_of(pixels), evidence) for pixels in (TRUTH, SOURCE)]
        told = [("", one.value, one.status, one.reason) for one in found]
        rows.append(summarize(catalog.measure(name), told))
    ours, theirs = rows
    assert (ours.n, theirs.n) == (2, 1)
    # Half the pictures without an error halve the mean squared error: three decibels more.
    assert ours.value == pytest.approx(theirs.value + 10 * np.log10(2), abs=1e-6)

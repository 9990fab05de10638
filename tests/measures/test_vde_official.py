"""Every quirk of VDE Bench's released scripts: there in `vde_official`, absent from the defaults.

The scripts themselves, eval_unified.py in both modes and eval_text_region.py at commit 27ce881,
were run on six sets of 60 random OCR files (English, Chinese, broken tables, empty and missing
files, boxes without an area): all counts, region texts and successes were the same, and all means
within 1e-15. The golden file keeps their numbers for four small pages.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage.metrics import structural_similarity

from overpaint.errors import DataError
from overpaint.measures import pixel, text
from overpaint.measures import vde_official as official
from overpaint.measures.reading import paired
from overpaint.vision.page import Block, Box, from_json

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "vde_official.json").read_text())
HERE: Box = (0.0, 0.0, 100.0, 20.0)


def table(cells: str) -> Block:
    rows = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row.split("|")) + "</tr>"
        for row in cells.split("/")
    )
    return Block(HERE, f"<table>{rows}</table>", "table")


def blocks(listed: list[dict[str, Any]]) -> tuple[Block, ...]:
    return from_json({"parsing_res_list": listed})


# ── golden ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("mode", ["global", "local"])
def test_the_pool_has_the_numbers_of_the_released_script(mode: str) -> None:
    pages = []
    for page in GOLDEN["pages"]:
        sides = [page["predicted"], page["true"]]
        found = [None if side is None else list(blocks(side)) for side in sides]
        if mode == "local":
            box = tuple(map(float, page["box"]))
            found = [None if side is None else official.touching(side, [box]) for side in found]
        pages.append(tuple(found))
    pooled, theirs = official.pool(pages), GOLDEN[mode]
    for ours, name in (
        ("iou", "avg_iou"), ("cdm", "avg_cdm"), ("bleu", "avg_bleu"),
        ("teds", "avg_teds"),
    ):  # fmt: skip
        assert pooled.means[ours] == pytest.approx(theirs[name], abs=1e-9)
    assert (pooled.true, pooled.matched) == (theirs["gt_blocks"], theirs["matched_blocks"])
    assert pooled.predicted - pooled.matched == theirs["unmatched_pred"]
    assert pooled.tables == theirs["teds_count"]


def test_edits_succeed_as_the_released_region_script_says() -> None:
    for page, success in zip(GOLDEN["pages"], GOLDEN["successes"], strict=True):
        found = official.succeeds(
            blocks(page["predicted"] or []),
            blocks(page["true"]),
            tuple(map(float, page["box"])),
            instruction_type=page["type"],
        )
        assert found == success


# ── matching ────────────────────────────────────────────────────────────────────────────


def test_quirk_blocks_beside_each_other_are_never_matched_however_near() -> None:
    below = (0.0, 20.0, 100.0, 40.0)
    assert official.match_official([below], [HERE]) == []
    assert text.match_blocks([below], [HERE], cap=30) == [(0, 0)]


def test_quirk_the_largest_share_of_area_wins_and_not_the_nearest_centre() -> None:
    wide, narrow = (0.0, 0.0, 100.0, 40.0), (40.0, 5.0, 60.0, 15.0)
    assert official.match_official([narrow, wide], [HERE])[0].candidate == 1
    assert text.match_blocks([narrow, wide], [HERE], cap=None) == [(0, 0)]


def test_quirk_the_kinds_of_blocks_do_not_matter() -> None:
    words, cells = Block(HERE, "a b c d e"), table("a b c d e")
    assert official.page([cells], [words]).cdm == 1
    assert paired([cells], [words], diagonal=1000) == ()
    assert paired([cells, words], [words, cells], diagonal=1000) == ((1, 0), (0, 1))


def test_quirk_equal_boxes_without_an_area_are_not_matched() -> None:
    line = (0.0, 5.0, 100.0, 5.0)
    assert official.match_official([line], [line]) == []
    assert text.match_blocks([line], [line], cap=0) == [(0, 0)]
    assert text.iou(line, line) == 1


def test_quirk_boxes_are_compared_in_two_frames_when_the_output_has_another_size() -> None:
    """Ours are brought to the truth's size before they are read; here nothing is rescaled."""
    true = [Block((200.0, 200.0, 300.0, 220.0), "the same words on both")]
    twice = [Block((400.0, 400.0, 600.0, 440.0), "the same words on both")]
    assert official.page(twice, true).matched == 0
    halved = [tuple(corner / 2 for corner in twice[0].box)]
    assert text.iou(halved[0], true[0].box) == 1  # type: ignore[arg-type]


def test_a_tie_goes_to_the_earlier_truth_and_candidate() -> None:
    found = official.match_official([HERE, HERE], [HERE, HERE])
    assert [match[:2] for match in found] == [(0, 0), (1, 1)]


# ── BLEU ────────────────────────────────────────────────────────────────────────────────


def test_quirk_an_identical_chinese_sentence_has_a_bleu_of_two_in_ten_million() -> None:
    sentence = "今天下午三点在大会议室开会"
    assert official.bleu4_official(sentence, sentence) == pytest.approx(1.8e-7, rel=0.02)
    assert official.bleu4_official(sentence, sentence) == pytest.approx(1e-27**0.25)
    assert official.bleu4_paper(sentence, sentence) == 0
    assert text.bleu4(sentence, sentence) == 1


def test_quirk_ten_unrelated_words_have_a_bleu_of_a_tenth() -> None:
    mine = "one two three four five six seven eight nine ten"
    true = "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    assert official.bleu4_official(mine, true) == pytest.approx(0.106, abs=5e-4)
    assert official.bleu4_official(mine, true) == pytest.approx((1 / (11 * 10 * 9 * 8)) ** 0.25)
    assert official.bleu4_paper(mine, true) == official.bleu4_official(mine, true)
    assert text.bleu4(mine, true) == 0


def test_quirk_punctuation_belongs_to_the_word_before_it() -> None:
    mine, true = "a b c d, e", "a b c d e"
    assert official.bleu4_official(mine, true) < 0.8
    assert text.teds_like(mine, true) == pytest.approx(5 / 6)


@given(st.lists(st.sampled_from("abc"), min_size=4), st.lists(st.sampled_from("abcd")))
@settings(deadline=None)
def test_paper_and_script_have_one_bleu_for_texts_of_four_words_and_more(
    mine: list[str], true: list[str]
) -> None:
    candidate, reference = " ".join(mine), " ".join(true)
    found = official.bleu4_official(candidate, reference)
    assert official.bleu4_paper(candidate, reference) == found
    assert 0 <= found <= 1


def test_the_papers_token_similarity_knows_no_parts_of_a_chinese_block() -> None:
    mine, true = "今天下午三点开会", "今天下午四点开会"
    assert official.teds_like_paper(mine, true) == 0
    assert text.teds_like(mine, true) == 7 / 8
    assert official.teds_like_paper("a b, c", "a b c") == pytest.approx(2 / 3)
    assert official.teds_like_paper("", " ") == 1


def test_the_paper_shortens_a_text_that_is_not_longer_than_the_truth() -> None:
    true = "a b c d e f g h"
    short = math.exp(1 - 8 / 4)
    assert official.bleu4_paper("a b c d", true) == pytest.approx(short)
    assert official.bleu4_paper("", "") == 1
    assert official.bleu4_paper("", true) == official.bleu4_paper(true, "") == 0


# ── tables ──────────────────────────────────────────────────────────────────────────────


def test_quirk_each_tag_becomes_a_space_before_characters_are_compared() -> None:
    assert official.plain(table("a|b")) == "a  b"
    written = Block(HERE, "a b", "text")
    assert official.page([written], [table("a|b")]).cdm == pytest.approx(3 / 4)
    assert official.plain(Block(HERE, "<b>x</b>", "text")) == "<b>x</b>"
    assert text.cdm("<td>a</td>", "a") == pytest.approx(0.1)  # ours takes a text as it stands


def test_quirk_teds_is_for_html_table_blocks_alone() -> None:
    words, grid = Block(HERE, "a b", "text"), table("a|b")
    assert official.teds_official(words, words) is None
    assert official.teds_official(words, grid) == official.teds_official(grid, words) == 0
    assert official.teds_official(Block(HERE, grid.text, "text"), words) is None
    assert official.teds_official(Block(HERE, "a b", "table"), words) is None
    assert text.teds_like("a b", "a b") == 1


def test_quirk_spans_are_not_seen_by_its_teds() -> None:
    plain = table("a|b")
    wide = Block(HERE, plain.text.replace("<td>a", "<td colspan=2>a"), "table")
    assert official.teds_official(wide, plain) == 1
    assert text.teds(wide.text, plain.text) < 1


def test_quirk_its_teds_takes_out_whole_branches_where_one_node_would_do() -> None:
    plain = table("a|b/c|d")
    wrapped = Block(HERE, plain.text.replace("table>", "tbody>"), "table")
    wrapped = Block(HERE, f"<table>{wrapped.text}</table>", "table")
    # The section is one node more; top-down, its rows are gone and come again below the table.
    assert official.teds_official(wrapped, plain) == 0
    assert text.teds(wrapped.text, plain.text) == pytest.approx(1 - 1 / 7)


def test_quirk_a_line_break_swallows_the_cells_after_it() -> None:
    plain = table("a|b|c")
    broken = Block(HERE, plain.text.replace("a</td>", "a<br></td>"), "table")
    found = official.teds_official(broken, plain)
    assert found is not None
    assert found < 0.7
    assert text.teds(broken.text, plain.text) == 1


def test_quirk_of_several_tables_the_last_one_counts() -> None:
    one, other = table("a|b"), table("c|d")
    both = Block(HERE, one.text + other.text, "table")
    assert official.teds_official(both, other) == 1
    assert text.teds(both.text, other.text) < 1


def test_what_breaks_the_script_is_refused_with_a_sentence() -> None:
    deep = Block(HERE, "<b>" * 401, "table")
    with pytest.raises(DataError, match="more than 400 tags inside one another"):
        official.teds_official(deep, deep)
    large = table("/".join(["x"] * 1001))
    with pytest.raises(DataError, match="Tables of 2,003 and 2,003 tags are too large"):
        official.teds_official(large, large)
    with pytest.raises(DataError, match="too long for difflib"):
        official.ratio("a" * 10_001, "b" * 10_001)


@given(
    st.text(st.characters(exclude_categories=()), max_size=30), st.sampled_from(["", "<", "<td>"])
)
@settings(deadline=None)
def test_no_text_makes_a_page_raise(words: str, start: str) -> None:
    block = Block(HERE, start + words, "table")
    found = official.page([block], [block])
    assert (found.matched, found.iou, found.cdm) == (1, 1, 1)
    assert found.teds in (0, 1)


# ── regions and pools ───────────────────────────────────────────────────────────────────


def test_quirk_local_scores_are_of_whole_blocks_that_touch_the_box() -> None:
    column = Block((0.0, 0.0, 100.0, 1000.0), "a long column of which one line was edited")
    beside = Block((100.0, 0.0, 200.0, 20.0), "shares an edge, no area")
    box = (0.0, 990.0, 100.0, 1000.0)
    assert official.touching([column, beside], [box]) == [column]
    assert official.touching([beside], [(0.0, 0.0, 100.0, 20.0)]) == []


def test_quirk_an_empty_region_is_a_successful_deletion_even_without_a_file() -> None:
    true = [Block(HERE, "what should remain")]
    for kind in ("text deletion", "table deletion", "Text Deletion"):
        assert official.succeeds([], true, HERE, instruction_type=kind)
    assert not official.succeeds(true, true, HERE, instruction_type="text deletion")
    assert text.cdm("", "what should remain") == 0
    assert text.overlap([], [HERE], []).over_true == 0


def test_quirk_other_edits_succeed_where_difflib_finds_four_fifths_alike() -> None:
    true = [Block(HERE, "abcdefghij")]
    for found, success in (("abcdefghXY", True), ("abcdefgXYZ", False)):
        mine = [Block(HERE, found)]
        assert official.succeeds(mine, true, HERE, instruction_type="text addition") == success
    assert official.succeeds([], [], HERE, instruction_type="text replacement")  # nothing = nothing


def test_quirk_a_small_block_in_a_large_region_is_not_read() -> None:
    small = Block((0.0, 0.0, 9.0, 20.0), "still here")
    assert official.region_text([small], HERE) == ""
    assert official.succeeds([small], [], HERE, instruction_type="text deletion")
    assert text.match_blocks([small.box], [HERE], cap=None) == [(0, 0)]


def test_texts_of_a_region_come_by_their_share_of_it() -> None:
    half, whole = Block((0.0, 0.0, 50.0, 20.0), "half"), Block(HERE, "whole <b>")
    assert official.region_text([half, Block(HERE, " "), whole], HERE) == "whole <b> half"


def test_quirk_a_page_of_many_blocks_outweighs_the_others() -> None:
    many = [Block((0.0, 40.0 * k, 100.0, 40.0 * k + 20), "one two three four") for k in range(9)]
    wrong = [Block(HERE, "zzzz")]
    pooled = official.pool([(many, many), (wrong, [Block(HERE, "aaaa")])])
    assert pooled.means["cdm"] == pytest.approx(0.9)
    by_page = [official.page(many, many), official.page(wrong, [Block(HERE, "aaaa")])]
    assert sum(page.means["cdm"] or 0 for page in by_page) / 2 == pytest.approx(0.5)


def test_quirk_missing_predictions_are_left_out_of_all_means() -> None:
    page = [Block(HERE, "one two three four")]
    assert official.pool([(page, page), (None, page)]).means["iou"] == 1
    assert official.pool([(page, page), ([], page)]).means["iou"] == 0.5


def test_quirk_text_scores_ignore_unmatched_blocks_while_iou_counts_true_ones() -> None:
    page = [Block(HERE, "one two three four")]
    missed = [*page, Block((0.0, 500.0, 100.0, 520.0), "never found")]
    means = official.page(page, missed).means
    assert (means["iou"], means["cdm"], means["bleu"]) == (0.5, 1, 1)
    extra = official.page(missed, page).means
    assert (extra["iou"], extra["cdm"]) == (1, 1)
    pairs = text.match_blocks([b.box for b in missed], [HERE], cap=None)
    assert text.overlap([b.box for b in missed], [HERE], pairs).over_all == 0.5


def test_quirk_a_mean_of_nothing_is_nought_and_that_of_teds_is_none() -> None:
    means = official.pool([]).means
    assert means == {"iou": 0, "cdm": 0, "bleu": 0, "teds": None}
    assert text.overlap([], [], []).over_true == 1


def test_sums_and_counts_of_pages_add_up() -> None:
    pages = [
        (list(blocks(page["predicted"] or [])), list(blocks(page["true"])))
        for page in GOLDEN["pages"]
    ]
    parts = [official.page(*page) for page in pages]
    assert official.pool(pages) == sum(parts, official.Pooled())


def test_the_scripts_ssim_is_scikit_images_and_ours_is_wangs() -> None:
    rng = np.random.default_rng(4)
    a = rng.integers(0, 256, (40, 57, 3), np.uint8)
    b = np.clip(a + rng.normal(0, 30, a.shape), 0, 255).astype(np.uint8)
    theirs = structural_similarity(a, b, data_range=255, channel_axis=-1)
    assert official.ssim_official(a, b) == pytest.approx(theirs, abs=1e-12)
    assert pixel.ssim(a, b) != pytest.approx(theirs, abs=1e-4)

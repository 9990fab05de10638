"""Text measures: laws, sacrebleu as reference, matching against a plain table of distances."""

import math
import time
import tracemalloc
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from overpaint.errors import DataError, NotApplicable
from overpaint.measures import text
from overpaint.vision.page import Box

# Short alphabets, so that texts have words in common; and now and then anything at all.
WORDS = ["the", "cat", "sat", "12", "3.5", ",.", "今天", "天", "気", "don't", "ab"]
words = st.lists(st.sampled_from(WORDS)).map(" ".join)
anything = st.text(st.characters(exclude_categories=()), max_size=40)  # lone surrogates too
texts = st.one_of(words, anything)
number = st.integers(0, 12).map(float)
boxes = st.lists(st.tuples(number, number, number, number), max_size=8)

FORMULAS = (text.cdm, text.bleu4, text.teds_like)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@given(texts)
@settings(deadline=None)
def test_a_text_compared_with_itself_has_the_best_score(one: str) -> None:
    for formula in FORMULAS:
        assert formula(one, one) == 1
    assert text.cer(one, one) == 0


@given(texts, texts)
@settings(deadline=None)
def test_every_score_lies_between_nought_and_one_and_only_bleu_has_a_direction(
    one: str, other: str
) -> None:
    for formula in FORMULAS:
        assert 0 <= formula(one, other) <= 1
    assert text.cdm(one, other) == text.cdm(other, one)
    assert text.teds_like(one, other) == text.teds_like(other, one)


@given(st.lists(st.tuples(texts, texts), max_size=6))
@settings(deadline=None)
def test_many_pairs_at_once_have_the_scores_of_one_by_one(pairs: list[tuple[str, str]]) -> None:
    found = text.compare([a for a, _ in pairs], [b for _, b in pairs])
    for likeness, (a, b) in zip(found, pairs, strict=True):
        assert likeness == tuple(formula(a, b) for formula in FORMULAS)


def test_more_damage_is_never_better() -> None:
    true = "The quick brown fox jumps over the lazy dog; 敏捷的棕色狐狸跳过了懒狗。"
    rng = np.random.default_rng(0)
    damaged, order = list(true), rng.permutation(len(true))
    before = [1.0, 1.0, 1.0]
    for place in order:
        damaged[place] = "#"
        now = [formula("".join(damaged), true) for formula in FORMULAS]
        assert now[0] <= before[0]
        assert now[2] <= before[2]
        before = now
    assert before[0] == 0


@pytest.mark.parametrize("formula", FORMULAS)
def test_two_empty_texts_are_alike_and_one_is_like_nothing(formula: object) -> None:
    assert callable(formula)
    assert formula("", "") == 1
    assert formula("", "a") == formula("a", "") == 0


def test_an_error_rate_counts_by_the_truth_and_needs_one() -> None:
    assert text.cer("kitten", "sitting") == pytest.approx(3 / 7)
    assert text.cer("abcdef", "ab") == 2
    assert text.cer("", "") == 0
    with pytest.raises(NotApplicable, match="The truth has no text"):
        text.cer("a", "")


# ── tokens and normal forms ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("written", "tokens"),
    [
        ("The cat, sat.", ["The", "cat", ",", "sat", "."]),
        ("don't it’s 'no'", ["don't", "it’s", "'", "no", "'"]),
        ("1,024.5 3.14, v2.0 A4 50%", ["1,024.5", "3.14", ",", "v2.0", "A4", "50", "%"]),
        ("well-known snake_case", ["well", "-", "known", "snake_case"]),
        ("今天Monday下午3点。", ["今", "天", "Monday", "下", "午", "3", "点", "。"]),
        ("ひらカナ한국어", list("ひらカナ한국어")),
        ("e\u0301te\u0301 n\u0303", ["e\u0301te\u0301", "n\u0303"]),
        ("か\u3099く", ["か\u3099", "く"]),
        ("葛\U000e0100城", ["葛\U000e0100", "城"]),
        ("שלום עולם, مرحبا", ["שלום", "עולם", ",", "مرحبا"]),
        ("क्षि नमस्ते", ["क्षि", "नमस्ते"]),
        ("ＡＢＣ１２", ["ＡＢＣ１２"]),
        ("a\x00b \ud800", ["a", "\x00", "b", "\ud800"]),
        ("𠀀𠀁", ["𠀀", "𠀁"]),
        (" \t\n\u3000", []),
    ],
)
def test_tokens_are_words_or_single_characters_by_script(written: str, tokens: list[str]) -> None:
    assert text.tokens(written) == tokens


@given(texts)
@settings(deadline=None)
def test_tokens_hold_every_visible_character_in_its_order(one: str) -> None:
    assert "".join(text.tokens(one)) == "".join(one.split())


@given(texts)
@settings(deadline=None)
def test_a_normal_form_is_its_own_normal_form(one: str) -> None:
    assert text.normalised(text.normalised(one)) == text.normalised(one)


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("Ｔｏｔａｌ：１２％", "Total:12%"),
        ("  two\n\tlines\u3000here ", "two lines here"),
        ("“quoted” – ‘so’ — ok…", "\"quoted\" - 'so' - ok..."),
        ("ﬁn\u00adal\u200b \ufeffx", "final x"),
        ("今天 下午 3 点 ok", "今天下午3点ok"),
        ("a\x00b\x07c", "abc"),
        ("cafe\u0301", "caf\u00e9"),
        ("CASE stays", "CASE stays"),
    ],
)
def test_what_no_reader_of_the_page_could_see_is_folded(written: str, normal: str) -> None:
    assert text.normalised(written) == normal


def test_normal_forms_are_a_choice_of_the_caller() -> None:
    assert text.cdm("Ｔｏｔａｌ", "Total") == 0
    assert text.cdm(text.normalised("Ｔｏｔａｌ"), text.normalised("Total")) == 1


# ── references ──────────────────────────────────────────────────────────────────────────

SACREBLEU = BLEU(smooth_method="exp", effective_order=True, tokenize="none")


@pytest.mark.slow
@given(texts, texts)
@settings(max_examples=300, deadline=None)
def test_bleu_equals_that_of_sacrebleu_on_the_same_tokens_to_nine_digits(
    candidate: str, reference: str
) -> None:
    mine, theirs = text.tokens(candidate), text.tokens(reference)
    if not mine and not theirs:
        return  # 1 by our decision, 0 in sacrebleu
    expected = SACREBLEU.sentence_score(" ".join(mine), [" ".join(theirs)]).score / 100
    assert text.bleu4(candidate, reference) == pytest.approx(expected, abs=1e-9)


@given(texts, texts)
@settings(deadline=None)
def test_distances_equal_the_textbook_recursion(candidate: str, reference: str) -> None:
    longer = max(len(candidate), len(reference), 1)
    assert text.cdm(candidate, reference) == 1 - plain_distance(candidate, reference) / longer
    mine, theirs = text.tokens(candidate), text.tokens(reference)
    longer = max(len(mine), len(theirs), 1)
    expected = 1 - plain_distance(mine, theirs) / longer
    assert text.teds_like(candidate, reference) == expected


def plain_distance(a: list[str] | str, b: list[str] | str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row = row, [i]
        for j, y in enumerate(b):
            row.append(min(above[j + 1] + 1, row[j] + 1, above[j] + (x != y)))
    return row[-1]


# ── hostile input ───────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize(
    "long",
    [
        "word " * 20_000,
        "字" * 100_000,
        "a" + "\u0316\u0300" * 50_000,  # to be put in order, one by one, by a normal form
        "\ud800" * 100_000,
        "\x00" * 100_000,
        "שלום " * 20_000,
        "1." * 50_000,
        "a'" * 50_000,
    ],
    ids=["words", "Chinese", "marks", "surrogates", "NUL", "RTL", "points", "apostrophes"],
)
def test_a_hundred_thousand_characters_of_anything_take_little_time(long: str) -> None:
    start = time.process_time()
    for formula in FORMULAS:
        assert 0 <= formula(long, long[::-1]) <= 1
    text.normalised(long)
    assert time.process_time() - start < 5


def test_texts_too_long_to_be_compared_are_refused_with_their_lengths() -> None:
    with pytest.raises(DataError, match="Texts of 1,000,001 and 1,000,001 characters"):
        text.cdm("a" * 1_000_001, "b" * 1_000_001)
    assert text.cdm("a" * 1_000_001, "a" * 1_000_001) == 1


# ── blocks ──────────────────────────────────────────────────────────────────────────────


def plain_matching(
    candidate: list[Box], reference: list[Box], cap: float | None
) -> list[tuple[int, int]]:
    """All distances in one table, sorted."""
    table = sorted(
        ((a[0] + a[2] - b[0] - b[2]) ** 2 + (a[1] + a[3] - b[1] - b[3]) ** 2, true, mine)
        for mine, a in enumerate(candidate)
        for true, b in enumerate(reference)
    )
    pairs: dict[int, int] = {}
    for squared, true, mine in table:
        near = cap is None or squared <= (2 * cap) ** 2
        if near and true not in pairs and mine not in pairs.values():
            pairs[true] = mine
    return sorted(((mine, true) for true, mine in pairs.items()), key=lambda pair: pair[1])


@pytest.mark.slow
@given(boxes, boxes, st.one_of(st.none(), st.integers(0, 12).map(float)))
@settings(max_examples=300, deadline=None)
def test_blocks_are_matched_as_by_a_sorted_table_of_all_distances(
    candidate: list[Box], reference: list[Box], cap: float | None
) -> None:
    found = text.match_blocks(candidate, reference, cap=cap)
    assert found == plain_matching(candidate, reference, cap)


def test_ties_go_to_the_earlier_truth_and_then_to_the_earlier_candidate() -> None:
    same = (0.0, 0.0, 2.0, 2.0)
    assert text.match_blocks([same] * 3, [same] * 2, cap=None) == [(0, 0), (1, 1)]


def test_a_cap_leaves_far_blocks_unmatched_and_none_leaves_no_block_on_the_shorter_side() -> None:
    here, there = (0.0, 0.0, 2.0, 2.0), (100.0, 0.0, 102.0, 2.0)
    assert text.match_blocks([there], [here], cap=None) == [(0, 0)]
    assert text.match_blocks([there], [here], cap=100) == [(0, 0)]
    assert text.match_blocks([there], [here], cap=99.9) == []


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e300])
def test_a_box_without_a_place_is_matched_with_nothing(bad: float) -> None:
    good = (0.0, 0.0, 2.0, 2.0)
    assert text.match_blocks([(bad, 0, 2, 2), good], [good, (0, bad, 2, 2)], cap=None) == [(1, 0)]


@pytest.mark.slow
def test_ten_thousand_blocks_on_both_sides_need_neither_minutes_nor_gigabytes() -> None:
    rng = np.random.default_rng(0)
    page = [tuple(box) for box in rng.uniform(0, 3000, (10_000, 4)).tolist()]
    gaps = np.cumsum(np.arange(10_000.0)).tolist()  # each nearest to the one before: long chains
    line = [(x, 0.0, x, 0.0) for x in gaps]
    tracemalloc.start()
    start = time.process_time()
    assert len(text.match_blocks(page, page[:500], cap=None)) == 500
    assert len(text.match_blocks(page, page[::-1], cap=50)) == 10_000
    assert len(text.match_blocks(line[::2], line[1::2], cap=None)) == 5000
    assert time.process_time() - start < 10
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()


@given(boxes, boxes)
@settings(deadline=None)
def test_shares_of_area_are_symmetric_and_best_for_the_same_box(
    one: list[Box], other: list[Box]
) -> None:
    for a, b in zip(one, other, strict=False):
        assert 0 <= text.iou(a, b) <= 1
        assert text.iou(a, b) == text.iou(b, a)
        assert text.iou(a, a) == 1


def test_the_three_summaries_of_iou_differ_in_what_they_divide_by() -> None:
    true = [(0.0, 0.0, 10.0, 10.0), (20.0, 0.0, 30.0, 10.0)]
    found = [(0.0, 0.0, 10.0, 5.0), (100.0, 0.0, 110.0, 10.0), (200.0, 0.0, 210.0, 10.0)]
    pairs = text.match_blocks(found, true, cap=15)
    assert pairs == [(0, 0)]
    assert text.overlap(found, true, pairs) == (0.25, 0.5, 0.125)


def test_no_blocks_on_either_side_agree_and_on_one_side_do_not() -> None:
    box = (0.0, 0.0, 1.0, 1.0)
    assert text.overlap([], [], []) == (1, None, 1)
    assert text.overlap([box], [], []) == (0, None, 0)
    assert text.overlap([], [box], []) == (0, None, 0)


def test_unicode_has_no_composed_form_that_escapes_the_normal_one() -> None:
    every = (
        chr(place) for place in range(0x20, 0x3000) if unicodedata.category(chr(place)) != "Cn"
    )
    for char in every:
        assert text.normalised(text.normalised(char)) == text.normalised(char)

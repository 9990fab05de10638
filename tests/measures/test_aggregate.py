"""Tables: denominators, bounds, pooled PSNR, slices, and what no number may hide."""

import math
import time
from typing import NamedTuple, get_args

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from rows_read import read_columns, tabulate

from overpaint.core import IDENTICAL, Measure, Request, Sample, ScoreStatus
from overpaint.document import Document
from overpaint.measures.aggregate import Contrast, contrasts, summarize
from overpaint.stats.bootstrap import cluster, interval, intervals
from overpaint.store import SetRow

FAILED = [status for status in get_args(ScoreStatus) if status not in ("ok", "not_applicable")]
REQUEST = Request(Document(), "change nothing")


def nothing(edits, evidence):
    return []


SSIM = Measure("ssim", nothing, True, worst=-1.0, best=1.0)
MSE = Measure("mse", nothing, False, worst=65025.0, best=0.0)
OPEN = Measure("open", nothing, True, worst=0.0, best=None)
PSNR = Measure("psnr", nothing, True, worst=0.0, best=None, pool="psnr")
PLAIN = Measure("psnr-mean", nothing, True, worst=0.0, best=None)


class Row(NamedTuple):
    sample: str
    editor: str
    measure: str
    value: float | None
    status: str = "ok"
    reason: str = ""
    weight: float = 1.0
    notes: tuple[str, ...] = ()


def ok(*values: float) -> list[tuple[str, float | None, str, str]]:
    return [(f"source {i}", value, "ok", "") for i, value in enumerate(values)]


def lost(status: str = "no_edit") -> tuple[str, None, str, str]:
    return ("lost", None, status, "the editor made nothing")


def outside(reason: str = "no window left") -> tuple[str, None, str, str]:
    return ("outside", None, "not_applicable", reason)


SAME = outside(IDENTICAL)


# ── denominators and bounds ─────────────────────────────────────────────────────────────


def test_the_mean_is_of_the_scored_and_the_denominator_is_of_all() -> None:
    found = summarize(SSIM, [*ok(0.5, 0.7), lost(), outside()])
    assert (found.n, found.scored, found.coverage) == (3, 2, pytest.approx(2 / 3))
    assert found.value == pytest.approx(0.6)
    assert found.median == pytest.approx(0.6)
    assert (found.if_worst, found.if_best) == pytest.approx(((1.2 - 1) / 3, (1.2 + 1) / 3))


@pytest.mark.parametrize("status", [*FAILED, "missing"])
def test_every_failure_stays_in_the_denominator(status: str) -> None:
    found = summarize(SSIM, [*ok(0.5), lost(status)])
    assert (found.n, found.scored) == (2, 1)


def test_for_an_error_the_worst_bound_is_the_high_one() -> None:
    found = summarize(MSE, [*ok(10.0, 20.0), lost()])
    assert (found.if_worst, found.if_best) == pytest.approx(((30 + 65025) / 3, 10.0))


def test_an_infinite_bound_is_none_and_only_when_something_is_missing() -> None:
    assert summarize(OPEN, [*ok(1.0, 2.0), lost()]).if_best is None
    assert summarize(OPEN, [*ok(1.0, 2.0), lost()]).if_worst == pytest.approx(1.0)
    assert summarize(OPEN, ok(1.0, 2.0)).if_best == pytest.approx(1.5)


def test_nothing_scored_has_no_value_but_bounds() -> None:
    found = summarize(SSIM, [lost(), lost("unavailable")])
    assert found.value is found.low is found.median is None
    assert (found.n, found.coverage, found.if_worst, found.if_best) == (2, 0.0, -1.0, 1.0)
    assert found.notes == ("none of 2 samples has a score",)


@pytest.mark.parametrize("rows", [[], [outside()]])
def test_where_the_question_never_arises_there_is_no_coverage_either(rows) -> None:
    found = summarize(SSIM, rows)
    assert (found.n, found.coverage, found.value, found.if_worst) == (0, None, None, None)
    assert found.notes == ("the question arises for none of the samples",)


def test_fewer_than_five_sources_say_why_there_is_no_interval() -> None:
    found = summarize(SSIM, [("one poster", v, "ok", "") for v in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)])
    assert (found.low, found.high, found.clusters) == (None, None, 1)
    assert found.notes == ("no interval: it needs 5 sources and has 1",)


def test_rows_that_name_no_source_are_sources_of_their_own() -> None:
    anonymous = summarize(SSIM, [("", v, "ok", "") for v in (0.1, 0.9, 0.3, 0.4, 0.5)])
    assert anonymous == summarize(SSIM, ok(0.1, 0.9, 0.3, 0.4, 0.5))
    assert anonymous.clusters == 5
    assert anonymous.low is not None
    assert 0.1 <= anonymous.low < anonymous.value < anonymous.high <= 0.9


def test_the_seed_moves_the_interval_and_nothing_else() -> None:
    rows = ok(*np.random.default_rng(0).random(30).tolist())
    one, two = summarize(SSIM, rows, seed=1), summarize(SSIM, rows, seed=2)
    assert one == summarize(SSIM, rows, seed=1)
    assert one.low != two.low
    assert (one.value, one.median, one.if_worst) == (two.value, two.median, two.if_worst)


# ── PSNR ────────────────────────────────────────────────────────────────────────────────


def decibels(mse: float) -> float:
    return 10 * math.log10(255**2 / mse)


def test_psnr_is_that_of_the_mean_squared_error() -> None:
    errors = np.random.default_rng(0).gamma(1.0, 100.0, 40)
    found = summarize(PSNR, ok(*map(decibels, errors)))
    assert found.value == pytest.approx(decibels(errors.mean()), abs=1e-9)
    assert found.median == pytest.approx(np.median([decibels(e) for e in errors]))
    mse = summarize(MSE, ok(*errors))
    assert found.low == pytest.approx(decibels(mse.high), abs=1e-9)
    assert found.high == pytest.approx(decibels(mse.low), abs=1e-9)


def test_identical_pictures_count_as_no_error_and_swallow_no_mean() -> None:
    found = summarize(PSNR, [*ok(decibels(30.0), decibels(60.0)), SAME])
    assert (found.n, found.scored, found.identical, found.coverage) == (3, 3, 1, 1.0)
    assert found.value == pytest.approx(decibels(30.0))
    assert found.median == pytest.approx(decibels(30.0))


def test_a_median_among_identical_pictures_is_none_and_says_so() -> None:
    found = summarize(PSNR, [*ok(decibels(30.0)), SAME])
    assert found.median is None
    assert found.value == pytest.approx(decibels(15.0))
    assert "half of the pictures or more are identical: the median PSNR is infinite" in found.notes


def test_all_identical_has_no_value_and_the_count_to_print_instead() -> None:
    found = summarize(PSNR, [SAME] * 7)
    assert (found.value, found.low, found.high, found.median) == (None, None, None, None)
    assert (found.n, found.scored, found.identical) == (7, 7, 7)
    assert found.notes[0] == "every scored picture is identical to its reference: PSNR is infinite"


def test_a_missing_psnr_is_bounded_by_black_on_white_and_by_identity() -> None:
    found = summarize(PSNR, [*ok(decibels(30.0)), lost()])
    assert found.if_worst == pytest.approx(decibels((30 + 65025) / 2))
    assert found.if_best == pytest.approx(decibels(15.0))
    assert summarize(PSNR, [SAME, lost()]).if_best is None


def test_an_interval_that_reaches_identity_has_no_upper_end() -> None:
    rows = [(str(i), None, "not_applicable", "identical") for i in range(30)]
    found = summarize(PSNR, [*rows, *ok(decibels(30.0))])
    assert found.low is not None
    assert found.high is None
    assert "the interval has no upper end: it reaches all pictures being identical" in found.notes


def test_only_the_exact_reason_makes_a_row_an_identical_pair() -> None:
    found = summarize(PSNR, [*ok(20.0), outside("identical twins were asked for")])
    assert (found.n, found.identical) == (1, 0)


def test_other_rows_outside_stay_outside_a_pooled_psnr() -> None:
    assert summarize(PSNR, [*ok(20.0), outside()]).n == 1


def test_the_papers_mean_of_psnr_counts_identical_pictures_beside_it() -> None:
    found = summarize(PLAIN, [*ok(20.0, 40.0), SAME, SAME])
    assert (found.value, found.n, found.scored, found.identical) == (pytest.approx(30.0), 2, 2, 2)


# ── laws ────────────────────────────────────────────────────────────────────────────────

value = st.floats(-1, 1)
row = st.one_of(
    st.tuples(st.sampled_from("abcdefgh"), value, st.just("ok"), st.just("")),
    st.tuples(st.sampled_from("abcdefgh"), st.none(), st.sampled_from(FAILED), st.just("")),
    st.tuples(
        st.sampled_from("abcdefgh"), st.none(), st.just("not_applicable"),
        st.sampled_from(["", "identical"]),
    ),
)  # fmt: skip
rows = st.lists(row, max_size=30)


def as_psnr(rows):
    return [(c, v if v is None else 30 + 10 * v, s, r) for c, v, s, r in rows]


@settings(max_examples=80, deadline=None)
@given(rows)
def test_a_value_and_its_interval_lie_within_the_bounds(rows) -> None:
    for measure, given_rows in ((SSIM, rows), (PSNR, as_psnr(rows))):
        found = summarize(measure, given_rows, draws=40)
        assert found.coverage is None or 0 <= found.coverage <= 1
        assert found.scored <= found.n <= len(rows)
        if found.value is not None:
            assert found.if_worst <= found.value + 1e-9
            assert found.if_best is None or found.value <= found.if_best + 1e-9
        if found.low is not None and found.high is not None:
            assert found.low <= found.high


@settings(max_examples=60, deadline=None)
@given(rows, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(rows, random) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    for measure, shape in ((SSIM, list), (PSNR, as_psnr)):
        before = summarize(measure, shape(rows), draws=40)
        assert summarize(measure, shape(shuffled), draws=40) == before


@settings(max_examples=60, deadline=None)
@given(rows, st.integers(0, 29))
def test_losing_a_score_widens_the_bounds_and_lowers_the_coverage(rows, at) -> None:
    scored = [place for place, one in enumerate(rows) if one[2] == "ok"]
    if not scored:
        return
    place = scored[at % len(scored)]
    fewer = [*rows[:place], (rows[place][0], None, "no_edit", ""), *rows[place + 1 :]]
    before, after = summarize(SSIM, rows, draws=2), summarize(SSIM, fewer, draws=2)
    assert after.n == before.n
    assert after.coverage < before.coverage
    assert after.if_worst <= before.if_worst + 1e-12
    assert after.if_best >= before.if_best - 1e-12


# ── tables ──────────────────────────────────────────────────────────────────────────────


def samples(count: int, *, per_source: int = 1) -> list[Sample]:
    kinds = ("sign", "label", "poster")
    return [
        Sample(f"s{i}", REQUEST, tags={"kind": kinds[i % 3]}, cluster=f"c{i // per_source}")
        for i in range(count)
    ]


def scores(editor: str, count: int, seed: int = 0, measure: str = "ssim") -> list[Row]:
    values = np.random.default_rng(seed).random(count).tolist()
    return [Row(f"s{i}", editor, measure, v) for i, v in enumerate(values)]


def test_a_table_has_a_row_an_editor_and_a_cell_a_measure() -> None:
    made = [*scores("typeset", 12), *scores("identity", 12, 1), *scores("typeset", 12, 2, "mse")]
    table = tabulate([SSIM, MSE], made, samples(12))
    assert [(row.editor, row.slice) for row in table] == [("typeset", "all"), ("identity", "all")]
    assert all(list(row.cells) == ["ssim", "mse"] for row in table)
    assert (table[1].cells["mse"].n, table[1].cells["mse"].scored) == (12, 0)


def test_a_cell_is_what_summarize_gives_for_the_same_rows() -> None:
    made = scores("typeset", 30)
    made[4] = made[4]._replace(value=None, status="no_edit")
    made[7] = made[7]._replace(value=None, status="not_applicable")
    cell = tabulate([SSIM], made, samples(30, per_source=2), seed=5)[0].cells["ssim"]
    rows = [(f"c{i // 2}", r.value, r.status, r.reason) for i, r in enumerate(made)]
    assert cell == summarize(SSIM, rows, seed=5)


def test_a_sample_without_a_row_is_missing_and_a_row_without_a_sample_is_not_counted() -> None:
    made = [*scores("typeset", 10)[:7], Row("stranger", "typeset", "ssim", 0.1)]
    cell = tabulate([SSIM], made, samples(10))[0].cells["ssim"]
    assert (cell.n, cell.scored) == (10, 7)


def test_a_row_scored_again_replaces_the_first() -> None:
    made = [*scores("typeset", 3), Row("s1", "typeset", "ssim", None, "measure_failed")]
    cell = tabulate([SSIM], made, samples(3))[0].cells["ssim"]
    assert (cell.n, cell.scored) == (3, 2)


def test_samples_without_a_source_are_sources_of_their_own() -> None:
    alone = [Sample(f"s{i}", REQUEST) for i in range(9)]
    assert tabulate([SSIM], scores("typeset", 9), alone)[0].cells["ssim"].clusters == 9


def test_slices_are_the_values_of_a_tag_and_add_up() -> None:
    untagged = Sample("s12", REQUEST)
    table = tabulate([SSIM], scores("typeset", 13), [*samples(12), untagged], by="kind")
    assert [row.slice for row in table] == ["label", "no kind", "poster", "sign"]
    assert [row.cells["ssim"].n for row in table] == [4, 1, 4, 4]
    values = [row.value for row in scores("typeset", 13)]
    assert table[3].cells["ssim"].value == pytest.approx(np.mean(values[0:12:3]))


def test_no_rows_make_an_empty_table() -> None:
    assert tabulate([SSIM], [], samples(3)) == []


@pytest.mark.slow
def test_a_hundred_thousand_rows_make_a_table_in_less_than_two_seconds() -> None:
    """About 0.15 s on an idle core (a million rows: 1.3 s); the rest is for a busy one."""
    many = samples(10_000, per_source=2)
    made = [row for e in "abcde" for m in ("ssim", "mse") for row in scores(e, 10_000, 0, m)]
    start = time.perf_counter()
    table = tabulate([SSIM, MSE], iter(made), many)
    assert time.perf_counter() - start < 2
    assert len(table) == 5


# ── contrasts ──────────────────────────────────────────────────────────────────


def contrast(measures: list[Measure], made, of, pairs) -> list[Contrast]:
    return contrasts(read_columns(measures, made, of), measures, pairs)


def contrasted(measure: Measure, a: list[float | None], b: list[float | None]):
    made = [
        Row(f"s{i}", editor, measure.name, v, "ok" if v is not None else "not_applicable",
            "" if v is not None else "identical")
        for editor, values in (("ours", a), ("theirs", b))
        for i, v in enumerate(values)
    ]  # fmt: skip
    return contrast([measure], made, samples(len(a)), [("ours", "theirs")])[0]


def test_a_contrast_names_the_better_editor_by_the_measures_direction() -> None:
    low, high = [0.1 + 0.01 * i for i in range(12)], [0.5 + 0.02 * i for i in range(12)]
    assert contrasted(SSIM, low, high).better == "theirs"
    assert contrasted(MSE, low, high).better == "ours"
    assert contrasted(SSIM, low, low).better is None


def test_a_contrast_says_whether_what_is_missing_could_reverse_it() -> None:
    def against(lost: int, low: float) -> Contrast:
        made = [*scores("theirs", 40, 0), *scores("ours", 40, 0)]
        made = [r._replace(value=r.value / 4 + (low if r.editor == "ours" else 0)) for r in made]
        kept = [r for at, r in enumerate(made) if at >= 40 + lost or r.editor == "theirs"]
        kept = [r._replace(value=r.value + at * 1e-4) for at, r in enumerate(kept)]
        return contrast([SSIM], kept, samples(40), [("ours", "theirs")])[0]

    whole, little, much = against(0, 0.5), against(2, 0.5), against(20, 0.5)
    assert [one.better for one in (whole, little, much)] == ["ours"] * 3
    assert [one.reversible for one in (whole, little, much)] == [False, False, True]


def test_a_contrast_of_psnr_is_of_the_pooled_values_in_decibels() -> None:
    random = np.random.default_rng(0)
    a, b = random.gamma(3, 10, 20), random.gamma(3, 20, 20)
    ours = [None, *map(decibels, a)]
    theirs = [*map(decibels, b), None]
    found = contrasted(PSNR, ours, theirs).found
    assert (found.pairs, found.missing_a, found.missing_b) == (21, 0, 0)
    table = (summarize(PSNR, [SAME, *ok(*map(decibels, x))]).value for x in (a, b))
    assert found.difference == pytest.approx(next(table) - next(table))
    assert found.low < found.difference < found.high


def test_samples_outside_for_either_editor_are_no_pair_and_not_missing() -> None:
    made = [
        *scores("ours", 8),
        *scores("theirs", 8, 1)[1:],
        Row("s0", "theirs", "ssim", None, "not_applicable", "no window left"),
        Row("s1", "ours", "ssim", None, "refused"),
    ]
    found = contrast([SSIM], made, samples(8), [("ours", "theirs")])[0].found
    assert (found.pairs, found.missing_a, found.missing_b) == (6, 1, 0)
    assert found.if_worst < found.difference < found.if_best


def test_the_correction_is_over_all_contrasts_asked_for() -> None:
    made = [row for seed, e in enumerate("abc") for row in scores(e, 12, seed)]
    pairs = [("a", "b"), ("a", "c"), ("b", "c"), ("a", "nobody")]
    found = [one.found for one in contrast([SSIM], made, samples(12), pairs)]
    assert found[3].p is found[3].p_holm is None
    assert found[3].missing_b == 12
    alone = [contrast([SSIM], made, samples(12), [pair])[0].found for pair in pairs[:3]]
    for one, by_itself in zip(found, alone, strict=False):
        factor = (scipy.stats.t.ppf(1 - 0.05 / 6, 11) + scipy.stats.t.ppf(0.8, 11)) / (
            scipy.stats.t.ppf(0.975, 11) + scipy.stats.t.ppf(0.8, 11)
        )
        assert one.detectable == pytest.approx(factor * by_itself.detectable)
    assert min(one.p_holm for one in found[:3]) == pytest.approx(3 * min(o.p for o in found[:3]))


# ── pooled blocks ───────────────────────────────────────────────────────────────────────


def test_a_weighted_measure_pools_the_blocks_of_all_samples() -> None:
    cdm = Measure("cdm", nothing, True, worst=0.0, best=1.0, pool="weighted")
    rows = [Row("s0", "ours", "cdm", 1.0, weight=9.0), Row("s1", "ours", "cdm", 0.0, weight=1.0)]
    (row,) = tabulate([cdm], rows, samples(2))
    assert row.cells["cdm"].value == pytest.approx(0.9)
    assert (row.cells["cdm"].if_worst, row.cells["cdm"].if_best) == (0.9, 0.9)


def test_what_is_missing_has_no_weight_so_a_weighted_mean_has_no_bounds() -> None:
    cdm = Measure("cdm", nothing, True, worst=0.0, best=1.0, pool="weighted")
    (row,) = tabulate([cdm], [Row("s0", "ours", "cdm", 1.0, weight=9.0)], samples(2))
    assert row.cells["cdm"].coverage == 0.5
    assert (row.cells["cdm"].if_worst, row.cells["cdm"].if_best) == (None, None)


def test_the_interval_of_a_weighted_mean_is_that_of_its_blocks_drawn_by_source() -> None:
    random = np.random.default_rng(5)
    weights = random.integers(1, 6, 30)
    values = random.random(30)
    blocks = np.repeat(values, weights)
    whole = interval(blocks, np.repeat(np.arange(30), weights), seed=3)
    found = intervals([cluster(values, np.arange(30), weights)], seed=3)[0]
    assert found == pytest.approx(whole)


# ── weights of the user's own ───────────────────────────────────────────────────────────


def by(which: str, *, editor: str = "ours", at: int = 0, who: str = "CLIP") -> Row:
    return Row(f"s{at}", editor, "ssim", 0.5, notes=(f"by {who} {which}",))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tiny (sha256 0123456789ab)", "tiny (sha256 ba9876543210)"),
        ("1+0123456789ab", "1+ba9876543210"),
    ],
)
def test_scores_with_different_weights_do_not_stand_in_one_column_unsaid(
    one: str, other: str
) -> None:
    made = [by(one), by(other, editor="theirs")]
    told = (
        f"its scores were made with different weights of CLIP and do not compare: {one}, {other}",
    )
    for row in tabulate([SSIM, MSE], made, samples(1)):
        assert row.cells["ssim"].notes[-1:] == told
        assert told[0] not in row.cells["mse"].notes
    (found,) = contrast([SSIM], made, samples(1), [("ours", "theirs")])
    assert found.mixed == told
    sets = [SetRow("ours", "ssim", tag, "all", 1, 0.5, "ok", "", (f"by CLIP {which}",))
            for tag, which in (("", one), ("kind", other))]  # fmt: skip
    assert read_columns([SSIM], [], samples(1), sets=sets).mixed == {"ssim": told}


def test_other_finders_and_what_a_judge_says_are_no_other_weights() -> None:
    words = Row("s2", "ours", "ssim", 0.5, notes=("by the look of it: dead0beef1234",))
    alike = [by("1+0123456789ab"), by("1+0123456789ab", at=1), by("2+ba9876543210", who="dwpose")]
    more = [words, words._replace(notes=("by the way",)), by("1", at=3), by("2", at=4)]
    missing = by("1+000000000000", at=5)._replace(value=None, status="measure_failed")
    assert not read_columns([SSIM], [*alike, *more, missing], samples(6)).mixed

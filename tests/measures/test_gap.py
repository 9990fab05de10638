"""The share of the gap between the source and the truth that an editor closed."""

from typing import NamedTuple

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from rows_read import read_gaps

from overpaint.core import IDENTICAL, Measure, Request, Sample
from overpaint.document import Document
from overpaint.measures.gap import DRAWS, Gap, local_first

REQUEST = Request(Document(), "change nothing")


def nothing(edits, evidence):
    return []


SSIM = Measure("ssim_local", nothing, True, worst=0.0, best=1.0)
MSE = Measure("mse", nothing, False, worst=65025.0, best=0.0)
PSNR = Measure("psnr", nothing, True, worst=0.0, best=None, pool="psnr")
PLAIN = Measure("psnr_mean", nothing, True, worst=0.0, best=None)
POOLED = Measure("cdm_local@official", nothing, True, worst=0.0, best=1.0, pool="weighted")
ENDS = {"identity": "identity", "truth": "truth"}


class Row(NamedTuple):
    sample: str
    editor: str
    measure: str
    value: float | None
    status: str = "ok"
    reason: str = ""
    weight: float = 1.0
    notes: tuple[str, ...] = ()


def found(
    measure: Measure, *, per_source: int = 1, seed: int = 0, **values: list
) -> dict[str, Gap]:
    """The gap of each editor, from each one's values sample by sample; a row stands as it is."""
    count = len(values["identity"])
    samples = [Sample(f"s{n}", REQUEST, cluster=f"c{n // per_source}") for n in range(count)]
    rows = [
        Row(f"s{n}", name, measure.name, *(value if isinstance(value, tuple) else (value,)))
        for name, column in values.items()
        for n, value in enumerate(column)
        if value is not None
    ]
    editors = ENDS | {name: f"outputs:{name}" for name in values if name not in ENDS}
    return {gap.editor: gap for gap in read_gaps([measure], rows, samples, editors, seed=seed)}


IDENTITY = [0.8, 0.82, 0.78, 0.81, 0.79, 0.8]
TRUTH = [1.0, 0.98, 1.0, 0.99, 1.0, 1.0]


def between(share: float) -> list[float]:
    return [a + share * (b - a) for a, b in zip(IDENTITY, TRUTH, strict=True)]


# ── what the share says ─────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0, -0.75, 1.2])
def test_the_source_is_at_nothing_the_truth_at_all_and_half_way_at_a_half(share: float) -> None:
    gap = found(SSIM, identity=IDENTITY, truth=TRUTH, ours=between(share))["ours"]
    assert (gap.share, gap.low, gap.high) == pytest.approx((share, share, share))
    assert (gap.n, gap.scored, gap.clusters, gap.notes) == (6, 6, 6, ())
    assert (gap.if_worst, gap.if_best) == (gap.share, gap.share)


def test_worse_than_doing_nothing_is_negative_whichever_way_is_better() -> None:
    errors = {"identity": [10.0, 12.0, 9.0, 11.0, 10.0], "truth": [0.0] * 5}
    gap = found(MSE, **errors, ours=[20.0, 24.0, 18.0, 22.0, 20.0])["ours"]
    assert gap.share == pytest.approx(-1)
    assert gap.gap == pytest.approx(-10.4)


def test_a_pooled_psnr_takes_its_share_of_the_squared_error() -> None:
    def decibels(error: float) -> float:
        return float(10 * np.log10(255**2 / error))

    same = (None, "not_applicable", IDENTICAL)
    gap = found(
        PSNR, identity=[decibels(e) for e in (100, 60, 80, 120, 90)], truth=[same] * 5,
        ours=[decibels(50), decibels(30), decibels(40), decibels(60), decibels(45)],
    )["ours"]  # fmt: skip
    assert (gap.share, gap.gap) == pytest.approx((0.5, -90.0))


def test_a_plain_mean_of_psnr_has_no_truth_to_go_to() -> None:
    same = (None, "not_applicable", IDENTICAL)
    gap = found(PLAIN, identity=[30.0] * 5, truth=[same] * 5, ours=[31.0] * 5)["ours"]
    assert gap.share is None
    assert gap.notes == ("no sample has a number for truth",)


def test_a_weighted_measure_compares_the_means_that_its_table_has() -> None:
    identity, truth = [(0.5, "ok", "", 1.0), (0.9, "ok", "", 9.0)], [(1.0, "ok", "", 1.0)] * 2
    gap = found(POOLED, identity=identity, truth=truth, ours=[(0.93, "ok", "", 4.0)] * 2)["ours"]
    assert gap.share == pytest.approx((0.93 - 0.86) / (1 - 0.86))


# ── what is missing ─────────────────────────────────────────────────────────────────────


def test_only_samples_that_all_three_have_are_compared_and_the_rest_is_counted() -> None:
    ours = [*between(0.5)[:4], None, (None, "no_edit", "it failed")]
    gap = found(SSIM, identity=IDENTITY, truth=[*TRUTH[:3], None, *TRUTH[4:]], ours=ours)["ours"]
    assert (gap.n, gap.scored) == (5, 3)
    assert gap.share == pytest.approx(0.5)
    assert gap.low is None
    assert gap.notes == ("no interval: it needs 5 sources and has 3",)


def test_what_the_editor_lacks_bounds_the_share_from_below_and_above() -> None:
    gap = found(SSIM, identity=[0.8] * 8, truth=[1.0] * 8, ours=[0.9] * 6 + [None] * 2)["ours"]
    assert gap.share == pytest.approx(0.5)
    assert gap.if_worst == pytest.approx((6 * 0.1 + 2 * -0.8) / (8 * 0.2))
    assert gap.if_best == pytest.approx((6 * 0.1 + 2 * 0.2) / (8 * 0.2))


def test_a_question_that_did_not_arise_is_not_counted() -> None:
    ours = [*between(0.5)[:5], (None, "not_applicable", "no text there")]
    gap = found(SSIM, identity=IDENTITY, truth=TRUTH, ours=ours)["ours"]
    assert (gap.n, gap.scored) == (5, 5)


def test_no_sample_in_common_is_a_sentence() -> None:
    halves = {"identity": IDENTITY, "truth": [*TRUTH[:3], *[None] * 3]}
    gap = found(SSIM, **halves, ours=[*[None] * 3, *between(0.5)[3:]])["ours"]
    assert (gap.share, gap.scored) == (None, 0)
    assert gap.notes == ("no sample has a number for all of ours, identity, truth",)


# ── no gap ──────────────────────────────────────────────────────────────────────────────


def test_a_gap_that_is_not_clear_of_nothing_has_no_shares() -> None:
    truth = [0.9, 0.7, 0.9, 0.7, 0.95, 0.75]
    gap = found(SSIM, identity=[0.8] * 6, truth=truth, ours=[0.85] * 6)["ours"]
    assert (gap.share, gap.low, gap.high, gap.if_worst) == (None, None, None, None)
    assert gap.notes[0].startswith("the gap between identity and truth is not clear of 0 (95 %")


@pytest.mark.parametrize("identity", [1.0, 1.0 - 1e-9])
def test_where_the_source_is_as_good_as_the_truth_there_is_no_gap_to_close(identity: float) -> None:
    gap = found(SSIM, identity=[identity] * 6, truth=[1.0] * 6, ours=[0.5] * 6)["ours"]
    assert gap.share is None
    assert gap.notes == ("truth is no better than identity: there is no gap to close",)


def test_a_truth_that_is_worse_than_the_source_gives_no_share_either() -> None:
    gap = found(MSE, identity=[0.0] * 6, truth=[5.0] * 6, ours=[2.0] * 6)["ours"]
    assert gap.notes == ("truth is no better than identity: there is no gap to close",)


@pytest.mark.parametrize("lacking", ["identity", "truth"])
def test_a_run_without_one_of_the_ends_has_no_gaps(lacking: str) -> None:
    editors = {name: spec for name, spec in ENDS.items() if name != lacking} | {"ours": "outputs:x"}
    assert read_gaps([SSIM], [], [], editors) == []


def test_the_ends_are_known_by_their_specs_whatever_they_are_called() -> None:
    samples = [Sample(f"s{n}", REQUEST) for n in range(6)]
    names = {"as it was": IDENTITY, "gold": TRUTH, "truth": between(0.25)}
    rows = [Row(f"s{n}", k, "ssim_local", v) for k, c in names.items() for n, v in enumerate(c)]
    specs = {"truth": "outputs:truth", "as it was": "identity", "gold": "truth"}
    (gap,) = read_gaps([SSIM], rows, samples, specs)
    assert (gap.editor, gap.share) == ("truth", pytest.approx(0.25))


# ── the interval ────────────────────────────────────────────────────────────────────────


def test_the_interval_is_that_of_whole_sources_drawn_for_all_three_at_once() -> None:
    random = np.random.default_rng(8)
    identity, ours = 0.7 + 0.1 * random.random(24), 0.75 + 0.2 * random.random(24)
    truth = 0.95 + 0.05 * random.random(24)
    gap = found(
        SSIM, per_source=2, seed=3,
        identity=identity.tolist(), truth=truth.tolist(), ours=ours.tolist(),
    )["ours"]  # fmt: skip
    # The same draws taken sample by sample, and percentiles with Student's t from scipy.
    sources = 12
    drawn = np.random.default_rng(3).integers(0, sources, (DRAWS, sources), dtype=np.uint32)
    shares = []
    for clusters in drawn:
        these = np.concatenate([[2 * c, 2 * c + 1] for c in clusters.astype(int)])
        shares.append((ours - identity)[these].sum() / (truth - identity)[these].sum())
    t = scipy.stats.t.ppf(0.975, sources - 1)
    tail = scipy.stats.norm.cdf(-t * np.sqrt(sources / (sources - 1)))
    assert (gap.low, gap.high) == pytest.approx(np.quantile(shares, [tail, 1 - tail]), abs=1e-9)
    assert gap.low < gap.share < gap.high


def test_a_share_does_not_depend_on_which_others_are_asked_for() -> None:
    random = np.random.default_rng(1)
    ends = {"identity": IDENTITY, "truth": TRUTH}
    ours, other = (random.random(6).tolist() for _ in range(2))
    alone = found(SSIM, **ends, ours=ours)["ours"]
    assert found(SSIM, **ends, other=[*other[:5], None], ours=ours)["ours"] == alone


unit = st.floats(0, 1, allow_subnormal=False)


@given(st.lists(st.tuples(unit, unit), min_size=5, max_size=12), st.floats(-2, 3))
@settings(max_examples=60, deadline=None)
def test_an_editor_that_goes_the_same_share_of_every_way_has_that_share(
    pairs: list[tuple[float, float]], share: float
) -> None:
    identity = [0.5 * low for low, _ in pairs]
    truth = [0.6 + 0.4 * high for _, high in pairs]
    ours = [a + share * (b - a) for a, b in zip(identity, truth, strict=True)]
    gap = found(SSIM, identity=identity, truth=truth, ours=ours)["ours"]
    assert gap.share == pytest.approx(share, abs=1e-9)
    assert (gap.low, gap.high) == pytest.approx((share, share), abs=1e-9)


@given(st.lists(unit, min_size=5, max_size=12), st.floats(0.1, 9), st.floats(-5, 5))
@settings(max_examples=60, deadline=None)
def test_stretching_or_moving_or_turning_the_scale_leaves_the_share(
    ours: list[float], stretch: float, move: float
) -> None:
    down = Measure("down", nothing, False, worst=None, best=None)
    ends = {"identity": [0.2] * len(ours), "truth": [0.9] * len(ours)}
    plain = found(SSIM, **ends, ours=ours)["ours"]
    turned = {name: [move - stretch * v for v in c] for name, c in (ends | {"ours": ours}).items()}
    after = found(down, **turned)["ours"]
    assert (plain.share, plain.low, plain.high) == pytest.approx(
        (after.share, after.low, after.high), abs=1e-6
    )


def test_local_measures_come_first_then_global_ones_then_the_others() -> None:
    names = ("psnr", "iou_global", "cdm_local", "iou_local@paper", "locality", "cdm_global@paper")
    measures = [Measure(name, nothing, True, 0.0, 1.0) for name in names]
    assert [m.name for m in local_first(measures)] == [
        "cdm_local", "iou_local@paper", "iou_global", "cdm_global@paper", "psnr", "locality",
    ]  # fmt: skip

"""FSIM against piq, the laws it keeps, and what a mask may do."""

import importlib
import importlib.util
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from natural_pictures import blurred, noisy, photograph

from overpaint import catalog
from overpaint.core import Edit, Evidence, Request, Sample
from overpaint.document import Document
from overpaint.errors import NotApplicable, UserMistake
from overpaint.measures.fsim import fsim, fsimc

BOTH = pytest.mark.parametrize("formula", [fsim, fsimc])
# The median of an even number of values: piq takes the lower of the middle two, we their mean.
CLOSE = 2e-5


@pytest.fixture(scope="module")
def piq() -> Iterator[Any]:
    """piq's FSIM; its package as a whole asks for torchvision, which this does not need."""
    pytest.importorskip("torch")
    spec = importlib.util.find_spec("piq")
    if spec is None or spec.submodule_search_locations is None:
        pytest.skip("piq is missing: pip install --no-deps piq==0.8.0")
    before = {name: sys.modules[name] for name in sys.modules if name.split(".")[0] == "piq"}
    package = types.ModuleType("piq")
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules["piq"] = package
    yield importlib.import_module("piq.fsim")
    for name in [name for name in sys.modules if name.split(".")[0] == "piq"]:
        del sys.modules[name]
    sys.modules.update(before)


def theirs(piq: Any, a: np.ndarray, b: np.ndarray, *, chromatic: bool) -> float:
    import torch

    x, y = (torch.from_numpy(p.copy()).permute(2, 0, 1)[None].double() for p in (a, b))
    return float(piq.fsim(x, y, data_range=255, chromatic=chromatic))


# ── references ──────────────────────────────────────────────────────────────────────────

# What piq 0.8.0 gave in double precision for FSIM and FSIMc: blurred (sigma 2), with noise (20).
PIQ = {
    ("astronaut", 512, 512): ((0.9182745, 0.917856), (0.9373173, 0.9310165)),
    ("coffee", 200, 178): ((0.7246148, 0.724165), (0.8375741, 0.8236201)),
    ("chelsea", 251, 201): ((0.8341623, 0.8339922), (0.8153435, 0.7997532)),
}


@pytest.mark.parametrize("which", PIQ, ids=[name for name, *_ in PIQ])
def test_fsim_and_fsimc_are_what_piq_has_given(which):
    """FSIMc to 2e-4: piq takes the size, not the real part, where noise inverts a colour."""
    name, height, width = which
    a = np.ascontiguousarray(photograph(name)[:height, :width])
    for b, (grey, colour) in zip((blurred(a, 2), noisy(a, 20)), PIQ[which], strict=True):
        assert fsim(a, b) == pytest.approx(grey, abs=CLOSE)
        assert fsimc(a, b) == pytest.approx(colour, abs=2e-4)


WHOLE, EVEN, ODD, WIDE = np.s_[:], np.s_[:200, :178], np.s_[:251, :201], np.s_[100:164, :300]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "crop"),
    [("astronaut", WHOLE), ("coffee", EVEN), ("chelsea", ODD), ("rocket", WIDE)],
    ids=["halved", "even", "odd", "wide"],
)
def test_fsim_equals_piq_in_double_precision(piq, name, crop):
    a = np.ascontiguousarray(photograph(name)[crop])
    close = 1e-9 if crop == ODD else CLOSE  # an odd number of values has one median
    for b in (blurred(a, 2), noisy(a, 20)):
        assert fsim(a, b) == pytest.approx(theirs(piq, a, b, chromatic=False), abs=close)


@pytest.mark.slow
def test_fsimc_equals_piq_where_no_colour_turned_into_its_opposite(piq):
    """To 1e-4: piq's digits of YIQ are a little other than the authors'."""
    for name in ("astronaut", "coffee"):
        a = np.ascontiguousarray(photograph(name)[:240, :240])
        b = blurred(a, 3)
        assert fsimc(a, b) == pytest.approx(theirs(piq, a, b, chromatic=True), abs=1e-4)


def test_of_opposite_colours_the_real_part_counts_as_with_the_authors():
    """The same luma everywhere, with the chroma of red against that of cyan."""
    grey = photograph("camera")[:, :, 0].astype(float) / 4 + 100
    tint = np.array([60.0, -24.77, -29.82])  # no luma: only I and Q
    a, b = (np.rint(grey[:, :, None] + side * tint).astype(np.uint8) for side in (1, -1))
    i, q = (2 * np.dot(row, tint) for row in ((0.596, -0.274, -0.322), (0.211, -0.523, 0.312)))
    shades = [(200 - (v / 2) ** 2 * 2) / (200 + (v / 2) ** 2 * 2) for v in (i, q)]
    expected = (complex(shades[0] * shades[1]) ** 0.03).real
    assert shades[0] < 0
    assert fsim(a, b) > 0.99
    assert fsimc(a, b) / fsim(a, b) == pytest.approx(expected, abs=2e-3)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@BOTH
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10**6), height=st.integers(48, 90), width=st.integers(48, 90))
def test_equal_pictures_have_exactly_1_and_swapped_ones_the_same(formula, seed, height, width):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 256, (height, width, 3), dtype=np.uint8)
    b = noisy(a, float(rng.uniform(1, 60)))
    assert formula(a, a) == 1.0
    assert 0 < formula(a, b) < 1
    assert formula(a, b) == formula(b, a)


@BOTH
@pytest.mark.parametrize("damage", [blurred, noisy])
def test_more_damage_to_a_photograph_is_never_better(formula, damage):
    for name in ("astronaut", "chelsea"):
        whole = np.ascontiguousarray(photograph(name)[:160, 100:260])
        steps = (0.7, 1.5, 3, 6) if damage is blurred else (4, 10, 20, 40)
        found = [1.0, *(formula(whole, damage(whole, step)) for step in steps)]
        assert found == sorted(found, reverse=True)


def some_mask(shape: tuple[int, ...]) -> np.ndarray:
    mask = np.ones(shape[:2], bool)
    mask[40:120, 70:150] = False
    mask[-9:, :30] = False
    return mask


@BOTH
def test_what_does_not_count_changes_no_score(formula):
    a = np.ascontiguousarray(photograph("coffee")[:200, :200])
    b, mask = noisy(a, 15), some_mask(a.shape)
    score = formula(a, b, mask)
    for paint in (0, 255):
        x, y = a.copy(), b.copy()
        x[~mask], y[~mask] = paint, 255 - paint
        assert formula(x, y, mask) == score
    assert formula(a, a, mask) == 1.0


def test_a_mask_of_everything_is_no_mask():
    a = np.ascontiguousarray(photograph("coffee")[:200, :200])
    b = noisy(a, 15)
    assert fsim(a, b, np.ones((200, 200), bool)) == fsim(a, b)


def test_leaving_out_a_region_hides_no_damage_elsewhere():
    """Filled in smoothly, it has no edge that would count as a feature alike in both."""
    a = np.ascontiguousarray(photograph("chelsea")[:256, :256])
    b = noisy(a, 25)
    everywhere, mask = fsim(a, b), np.ones((256, 256), bool)
    mask[60:200, 60:200] = False
    assert fsim(a, b, mask) == pytest.approx(everywhere, abs=0.05)


# ── what may come in ────────────────────────────────────────────────────────────────────


def test_grey_pictures_are_pictures_of_three_equal_channels():
    a = np.ascontiguousarray(photograph("camera")[:128, :128])
    b = noisy(a[:, :, :1], 20)[:, :, 0]
    assert fsim(a[:, :, 0].copy(), b) == fsim(a, np.stack([b] * 3, axis=2))


def test_flat_pictures_have_no_features_to_compare():
    white, grey = (np.full((64, 64, 3), level, np.uint8) for level in (255, 90))
    for other in (white, grey):
        with pytest.raises(NotApplicable, match="has none in either picture"):
            fsim(white, other)


@pytest.mark.parametrize(
    ("shape", "reason"), [((47, 300, 3), "waves of up to 48 pixels; this picture has 300×47")]
)
def test_a_picture_too_small_for_the_longest_wave_is_not_applicable(shape, reason):
    small = np.zeros(shape, np.uint8)
    with pytest.raises(NotApplicable, match=reason):
        fsim(small, small)


def test_a_mask_that_leaves_no_cell_is_not_applicable_and_wrong_pictures_are_mistakes():
    a = np.ascontiguousarray(photograph("camera")[:64, :64])
    with pytest.raises(NotApplicable, match="No cell"):
        fsim(a, a, np.zeros((64, 64), bool))
    with pytest.raises(UserMistake, match="differ in shape"):
        fsim(a, a[:60])


# ── the measure ─────────────────────────────────────────────────────────────────────────


def test_an_output_is_held_against_the_source_where_there_is_no_target():
    source = np.ascontiguousarray(photograph("coffee")[:200, :240])
    sample = Sample("a", Request(Document.of(source), "…"))
    edits = [Edit(sample, "e", "ok", Document.of(p)) for p in (source, noisy(source, 20))]
    same, worse = catalog.measure("fsim").score(edits, Evidence())
    assert same.value == 1.0
    assert worse.value == pytest.approx(fsim(source, noisy(source, 20)))


def test_a_blank_output_of_a_photograph_is_bad_and_does_not_leave_the_table():
    source = np.ascontiguousarray(photograph("coffee")[:200, :240])
    sample = Sample("a", Request(Document.of(source), "…"))
    blank = Document.of(np.full_like(source, 255))
    (row,) = catalog.measure("fsim").score([Edit(sample, "e", "ok", blank)], Evidence())
    assert row.status == "ok"
    assert row.value is not None
    assert row.value < 0.7

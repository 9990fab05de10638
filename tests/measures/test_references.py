"""Whether references were obeyed: formulas by hand, and real extractors on drawn pictures."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint import catalog
from overpaint.benchmarks import multiref
from overpaint.core import Edit, Evidence, Request, Sample, Score
from overpaint.document import Document
from overpaint.errors import Unavailable, Undecided
from overpaint.measures import references
from overpaint.measures.references import boxes_alike, masks_alike
from overpaint.vision import clip
from overpaint.vision import references as vision
from overpaint.vision.references import KINDS, Box, Hints, Reference, extractor
from overpaint.vision.references.drawing import drawn
from overpaint.vision.references.told import Told, facts_of

WIDE, HIGH = 160, 120


def scene(*, shift: int = 0, colour: int = 240) -> np.ndarray:
    """Two blocks on a ground that darkens downwards."""
    made = np.repeat(np.linspace(90, 60, HIGH)[:, None], WIDE, axis=1)
    pixels = np.repeat(made[:, :, None], 3, axis=2).astype(np.uint8)
    pixels[20:70, 30 + shift : 70 + shift] = (colour, 190, 60)
    pixels[50:100, 100:140] = (40, 60, 210)
    return pixels


def asked(*found: Reference, texts: Sequence[str] = (), **told: str) -> Sample:
    """A sample with these references drawn, and with these captions."""
    size = (WIDE, HIGH)
    facts = [
        Told(
            one.kind, f"<{n}>", n, "", told.get("method", one.method),
            told.get("version", one.version),
        )
        for n, one in enumerate(found)
    ]  # fmt: skip
    facts += [Told("caption", "", None, text) for text in texts]
    pictures = tuple(Document.of(drawn(one, size)) for one in found)
    grey = Document.of(np.full((HIGH, WIDE, 3), 128, np.uint8))
    truth = Document.of(scene())
    return Sample("one", Request(grey, "…", pictures), target=truth, facts=facts_of(facts))


def scored(name: str, sample: Sample, pixels: np.ndarray) -> Score:
    edit = Edit(sample, "me", "ok", Document.of(pixels))
    (score,) = catalog.measure(name).score([edit], Evidence())
    return score


def found_in(kind: str, pixels: np.ndarray) -> list[Reference]:
    return list(extractor(kind).find(pixels, Hints()))


# ── formulas ────────────────────────────────────────────────────────────────────────────

BOXES = st.lists(
    st.builds(
        lambda x, y, w, h: Box(x, y, x + w, y + h),
        *[st.integers(0, 20)] * 2, *[st.integers(1, 15)] * 2,
    ),
    max_size=4,
)  # fmt: skip


def filled(box: Box) -> np.ndarray:
    mask = np.zeros((40, 40), bool)
    mask[int(box.top) : int(box.bottom), int(box.left) : int(box.right)] = True
    return mask


def best_by_hand(one: Sequence[np.ndarray], other: Sequence[np.ndarray]) -> float:
    """The best sum of IoU over every way of matching."""
    few, many = sorted((list(one), list(other)), key=len)
    return max(
        sum((a & b).sum() / (a | b).sum() for a, b in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )


@settings(max_examples=60, deadline=None)
@given(BOXES, BOXES)
def test_boxes_are_matched_for_the_largest_sum(one: list[Box], other: list[Box]) -> None:
    best = best_by_hand([*map(filled, one)], [*map(filled, other)])
    most = max(len(one), len(other))
    assert boxes_alike(one, other) == pytest.approx(best / most if most else 1.0, abs=1e-12)
    assert boxes_alike(other, one) == pytest.approx(boxes_alike(one, other), abs=1e-12)
    assert boxes_alike(one, one) == 1.0


@settings(max_examples=40, deadline=None)
@given(BOXES.filter(bool), BOXES)
def test_every_mask_asked_for_counts_and_those_too_many_do_not(
    one: list[Box], other: list[Box]
) -> None:
    masks, there = [*map(filled, one)], [*map(filled, other)]
    best = best_by_hand(masks, there)
    assert masks_alike(masks, there) == pytest.approx(best / len(masks), abs=1e-12)
    assert masks_alike(masks, [*there, *masks]) == 1.0


def test_a_box_too_many_and_one_too_few_both_cost() -> None:
    one, two = Box(0, 0, 10, 10), Box(20, 20, 30, 30)
    assert boxes_alike([one], [one, two]) == boxes_alike([one, two], [one]) == 0.5
    assert boxes_alike([one], []) == 0.0


# ── real extractors ─────────────────────────────────────────────────────────────────────

OFFLINE = ("bbox", "mask", "semantic_map", "canny", "sketch")


@pytest.mark.parametrize("kind", OFFLINE)
def test_the_truth_obeys_its_own_references_and_damage_shows(kind: str) -> None:
    sample = asked(*found_in(kind, scene()))
    truth = scored(f"ref_{kind}", sample, scene())
    assert truth.value == pytest.approx(1, abs=0.01)
    by = extractor(kind)
    assert f"by {by.method} {by.version}" in truth.notes
    values = [scored(f"ref_{kind}", sample, scene(shift=n)).value for n in (0, 4, 12, 25)]
    assert max(values[1:]) < values[0]
    if kind not in ("canny", "sketch"):  # a thin line is missed whole by a step to the side
        assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("kind", ["bbox", "mask"])
def test_nothing_found_where_something_was_asked_for_is_0(kind: str) -> None:
    sample = asked(*found_in(kind, scene()))
    score = scored(f"ref_{kind}", sample, np.full((HIGH, WIDE, 3), 128, np.uint8))
    assert score.value == 0
    assert "asked for, 0 found" in score.notes[0]


def test_regions_that_are_missing_cost_although_the_ground_is_met() -> None:
    reference = found_in("semantic_map", scene())[0]
    score = scored("ref_semantic_map", asked(reference), np.full((HIGH, WIDE, 3), 128, np.uint8))
    regions = int(reference.value.max())
    assert score.notes[0] == f"1 regions met, {regions - 1} missing, 0 extra"
    assert score.value < 1 / (1 + (regions - 1) / 2)


def test_an_output_of_another_size_is_resized_and_says_so() -> None:
    sample = asked(*found_in("canny", scene()))
    score = scored("ref_canny", sample, np.repeat(np.repeat(scene(), 2, axis=0), 2, axis=1))
    assert "resized from 320×240 to 160×120 (Lanczos)" in score.notes
    assert score.value > 0.95


def test_a_reference_of_another_size_is_read_at_the_wanted_one() -> None:
    (reference,) = found_in("mask", scene())[:1]
    sample = asked(reference)
    small = Document.of(sample.request.references[0].rgb[::2, ::2])
    request = Request(sample.request.source, "…", (small,))
    smaller = Sample("one", request, target=sample.target, facts=sample.facts)
    assert scored("ref_mask", smaller, scene()).value > 0.9


@pytest.mark.parametrize("kind", ["canny", "sketch"])
def test_maps_are_told_as_errors_too(kind: str) -> None:
    sample = asked(*found_in(kind, scene()))
    (mine,), (theirs,) = found_in(kind, scene()), found_in(kind, scene(shift=20))
    by_hand = np.square((mine.value / 255.0) - (theirs.value / 255.0)).mean()
    error = scored(f"ref_{kind}_mse", sample, scene(shift=20))
    assert error.value == pytest.approx(by_hand, rel=1e-5)
    whole = scored(f"ref_{kind}", sample, scene(shift=20))
    assert whole.value == pytest.approx(1 - by_hand, rel=1e-5)
    assert f"MSE {by_hand:.4f}" in whole.notes


def test_who_looks_is_said_where_it_is_not_who_found() -> None:
    (reference,) = found_in("canny", scene())
    drawn_by_hand = scored("ref_canny", asked(reference, method="drawn"), scene())
    assert "the reference was made by drawn" in drawn_by_hand.notes
    unknown = scored("ref_canny", asked(reference, method="", version=""), scene())
    assert "the reference was found by nobody knows whom" in unknown.notes
    older = scored("ref_canny", asked(reference, version="0"), scene())
    assert "the reference was found by version 0" in older.notes
    assert {one.value for one in (drawn_by_hand, unknown, older)} == {1.0}


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_without_that_kind_does_not_raise_the_question(kind: str) -> None:
    score = scored(f"ref_{kind}", asked(), scene())
    assert (score.status, score.value) == ("not_applicable", None)
    assert score.reason == f"The sample has no {kind} among its references."


@pytest.mark.parametrize("kind", ["bbox", "mask", "semantic_map", "pose"])
def test_a_reference_that_shows_nothing_asks_for_nothing(kind: str) -> None:
    facts = facts_of([Told(kind, "<it>", 0, method=extractor(kind).method)])
    black = Document.of(np.zeros((HIGH, WIDE, 3), np.uint8))
    sample = Sample("one", Request(black, "…", (black,)), facts=facts)
    try:
        extractor(kind).find(scene(), Hints())
    except Unavailable as error:
        pytest.skip(str(error))
    score = scored(f"ref_{kind}", sample, scene())
    assert (score.status, score.value) == ("not_applicable", None)
    assert f"shows no {kind}" in score.reason


# ── CLIP and its like ───────────────────────────────────────────────────────────────────


def by_name(likeness: dict[bytes, float]) -> object:
    """A likeness that goes by the first pixel of the reference."""
    return lambda evidence, one, other: likeness[one.rgb[0, 0].tobytes()]


def coloured(*values: int, kind: str) -> Sample:
    pictures = [np.full((8, 8, 3), value, np.uint8) for value in values]
    return asked(*(Reference(kind, one, "made", "1") for one in pictures))


@pytest.mark.parametrize("kind", ["subject", "style"])
def test_all_subjects_and_styles_are_scored(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cosines = {bytes([n] * 3): value for n, value in ((1, 0.9), (2, 0.5), (3, -0.4))}
    # No package carries CLIP's weights: the arithmetic round it is what is tried here.
    monkeypatch.setattr(clip, "picture_likeness", by_name(cosines))
    monkeypatch.setattr(clip, "notes", lambda evidence: ("by a script",))
    score = scored(f"ref_{kind}", coloured(1, 2, 3, kind=kind), scene())
    assert score.value == pytest.approx((0.9 + 0.5 + 0) / 3)
    assert score.notes == ("0.900, 0.500, -0.400", "by a script")


@pytest.mark.parametrize(("cosine", "value"), [(0.3, 0.75), (0.5, 1.0), (-0.2, 0.0), (0.0, 0.0)])
def test_a_captions_cosine_is_scaled_and_ends_at_1(
    cosine: float, value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clip, "text_likeness", lambda evidence, text, document: cosine)
    monkeypatch.setattr(clip, "notes", lambda evidence, text: (f"read {text}",))
    score = scored("ref_caption", asked(texts=["a red block"]), scene())
    assert score.value == value
    assert score.notes == (f"cosine {cosine:.3f}", "read a red block")


@pytest.mark.parametrize("kind", ["caption", "subject", "style"])
def test_without_clip_it_is_unavailable_and_never_a_number(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OVERPAINT_CLIP", "OVERPAINT_OPEN_CLIP", "OVERPAINT_CLIP_MODEL"):
        monkeypatch.delenv(name, raising=False)
    sample = asked(texts=["a block"]) if kind == "caption" else coloured(1, kind=kind)
    score = scored(f"ref_{kind}", sample, scene())
    assert (score.status, score.value) == ("unavailable", None)


def test_depth_without_weights_is_unavailable() -> None:
    depth = Reference("depth", np.zeros((HIGH, WIDE), np.uint8), "depth-anything-v2", "1")
    try:
        extractor("depth").find(scene(), Hints())
    except Unavailable:
        score = scored("ref_depth", asked(depth), scene())
        assert (score.status, score.value) == ("unavailable", None)
    else:
        pytest.skip("Depth Anything is here")


def test_a_measure_is_the_same_whatever_weights_a_machine_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERPAINT_DEPTH", str(tmp_path / "depth.onnx"))
    without = extractor("depth").exact
    (tmp_path / "depth.onnx").write_bytes(b"weights")
    assert extractor("depth").exact.startswith(f"{without}+"), "a score's notes tell them apart"
    spec = spec_from_file_location("loaded_again", references.__file__)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(again := module_from_spec(spec))
    for name in ("ref_depth", "ref_depth_mse"):
        assert getattr(again, name).version == "1+depth-anything-v2/1"
        assert getattr(again, name).version == catalog.measure(name).version


def test_style_statistics_know_a_picture_from_another() -> None:
    sample = asked(Reference("style", scene(), "made", "1"))
    other = np.random.default_rng(0).integers(0, 256, scene().shape, np.uint8)
    assert scored("style_statistics", sample, scene()).value == pytest.approx(1)
    assert scored("style_statistics", sample, other).value < 0.9


def test_own_named_measures_stay_out_of_the_average() -> None:
    parts = catalog.measure("ref_average").parts
    assert not {"subject_features", "style_statistics"} & set(parts)
    for name in ("subject_features", "style_statistics"):
        assert "no CLIP score, in no average" in catalog.measure(name).about


def test_where_no_depth_is_found_nobody_can_tell() -> None:
    seen = references.Looked((np.zeros((HIGH, WIDE), np.uint8),), (), (WIDE, HIGH), ())
    with pytest.raises(Undecided, match="No depth is found in the output"):
        references.map_error("depth", seen)


@pytest.mark.parametrize("kind", ["canny", "sketch"])
def test_the_error_beside_its_score_is_found_in_the_same_look(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample, by = asked(*found_in(kind, scene())), extractor(kind)
    looks = list[tuple[int, ...]]()

    def watched(pixels: np.ndarray, hints: Hints) -> Sequence[Reference]:
        looks.append(pixels.shape)
        return by.find(pixels, hints)

    monkeypatch.setattr(vision, "extractor", lambda *named: replace(by, find=watched))
    edit, evidence = Edit(sample, "me", "ok", Document.of(scene(shift=9))), Evidence()
    columns = (f"ref_{kind}", f"ref_{kind}_mse")
    (score,), (error,) = (catalog.measure(name).score([edit], evidence) for name in columns)
    assert {*columns} <= {*multiref.MEASURES}, "both are told"
    assert score.value == 1 - error.value
    assert len(looks) == 1


def test_an_output_without_a_line_has_a_map_without_lines() -> None:
    plain = np.full((HIGH, WIDE, 3), 128, np.uint8)
    lines = np.zeros((HIGH, WIDE), np.uint8)
    lines[10] = 255
    edges = asked(Reference("canny", lines, "opencv", "1"))
    assert scored("ref_canny", edges, plain).value == pytest.approx(1 - 1 / HIGH)
    sketch = asked(Reference("sketch", 255 - lines, "xdog", "1"))
    assert scored("ref_sketch", sketch, plain).value == pytest.approx(1 - 1 / HIGH)


def test_large_maps_of_regions_are_held_together_at_a_bounded_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sample = asked(*[one for one in found_in("semantic_map", scene()) if not one.maybe])
    at_once = scored("ref_semantic_map", sample, scene(shift=4))
    assert not any("looked at in" in note for note in at_once.notes)
    seen = list[tuple[int, ...]]()
    monkeypatch.setattr(references, "LONGEST", 80)
    monkeypatch.setattr(references, "compared", _watched(references.compared, seen))
    truth, moved = (
        scored("ref_semantic_map", sample, pixels) for pixels in (scene(), scene(shift=4))
    )
    assert set(seen) == {(60, 80)}
    assert "looked at in 80×60" in truth.notes
    assert truth.value == 1, "a map and itself are the same at any size"
    assert moved.value == pytest.approx(at_once.value, abs=0.05)


def _watched(compare: Callable[..., Any], seen: list[tuple[int, ...]]) -> Callable[..., Any]:
    """The same, which writes down how large the maps are."""

    def watched(asked: np.ndarray, found: np.ndarray, maybe: Sequence[np.ndarray]) -> Any:
        seen.extend(one.shape for one in (asked, found, *maybe))
        return compare(asked, found, maybe)

    return watched


def test_second_thoughts_can_meet_boxes_and_masks_and_are_never_too_much() -> None:
    box, other = references.Box(2, 2, 20, 20), references.Box(30, 30, 50, 50)
    mask = np.zeros((60, 60), bool)
    mask[2:20, 2:20] = True
    unsure = [Reference("bbox", (box, other), "test", "1", maybe=True)]
    assert references.met("bbox", references.Looked.at([(box,)], unsure, (60, 60))) == 1
    sure = [Reference("bbox", (box, other), "test", "1")]
    assert references.met("bbox", references.Looked.at([(box,)], sure, (60, 60))) == 0.5
    seen = [Reference("mask", mask, "test", "1", maybe=True)]
    assert references.met("mask", references.Looked.at([mask], seen, (60, 60))) == 1

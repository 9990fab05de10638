"""Consolidation: fewer layers, the very same pixels; what cannot be merged safely is left alone."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from overpaint.document import Document, Layer, Picture, Pixels
from overpaint.document.layers import BLENDS, Group, Mask, Shape
from overpaint.document.render import _blend_rows, render
from overpaint.engines.milde.consolidate import consolidated
from overpaint.vision.layers import KINDS, Kind

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
from milde_consolidate import speckled, stack

SIZE = (21, 17)


@st.composite
def layers(draw: st.DrawFn, *, deep: int = 1) -> Layer:
    """A layer of any sort: sparse pixels of any alpha, anywhere, in any mode."""
    seed = draw(st.integers(0, 2**32 - 1))
    noise = np.random.default_rng(seed)
    high, wide = draw(st.integers(1, 20)), draw(st.integers(1, 24))
    left, top = draw(st.integers(-8, 18)), draw(st.integers(-8, 14))
    plain = draw(st.integers(0, 3)) > 0  # most are such as can be merged
    content: Any = Picture(speckled(noise, high, wide, draw(st.sampled_from([0.05, 0.3, 1.0]))))
    sort = draw(st.sampled_from(["picture", "picture", "shape", "group"] if deep else ["picture"]))
    if sort == "shape":
        content = Shape("ellipse", wide, high, (200, 40, 90, 180))
    if sort == "group":
        content = Group(tuple(draw(st.lists(layers(deep=deep - 1), max_size=3))))
    mask = Mask(noise.integers(0, 256, (9, 9), np.uint8), 3, 2, 255) if not plain else None
    layer = Layer(
        content, "", "", left, top,
        opacity=draw(st.sampled_from([1.0, 1.0, 0.6])),
        blend="normal" if plain else draw(st.sampled_from(BLENDS)),
        visible=draw(st.integers(0, 9)) > 0,
        clip=draw(st.integers(0, 9)) == 0,
        mask=mask if draw(st.booleans()) else None,
    )  # fmt: skip
    if sort == "group" and draw(st.booleans()):
        return replace(layer, blend="pass-through")
    return replace(layer, left=left + 0.5) if draw(st.integers(0, 9)) == 0 else layer


@st.composite
def stacks(draw: st.DrawFn) -> tuple[Document, dict[str, Kind]]:
    """A stack of layers and the class of each."""
    counter = iter(range(10_000))

    def numbered(layer: Layer) -> Layer:
        if isinstance(layer.content, Group):
            inner = tuple(numbered(one) for one in layer.content.layers)
            layer = replace(layer, content=Group(inner))
        return replace(layer, id=str(next(counter)))

    made = tuple(numbered(layer) for layer in draw(st.lists(layers(), max_size=9)))
    document = Document(made=made, canvas=SIZE)
    names = [layer.id for layer in document]
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=len(names), max_size=len(names)))
    return document, dict(zip(names, kinds, strict=True))


def assert_identical(given: tuple[Document, dict[str, Kind]]) -> None:
    document, kinds = given
    found = consolidated(document, kinds)
    assert np.array_equal(render(document.layers, SIZE), render(found.document.layers, SIZE))
    assert np.array_equal(document.rgb, found.document.rgb)
    merged = [name for names in found.members.values() for name in names]
    assert len(merged) == len(set(merged))
    kept = {id(layer) for layer in document}
    for layer in found.document:
        if layer.id in found.members and len(found.members[layer.id]) == 1:
            assert id(layer) in kept or layer.clip is False


any_stack = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(stacks())
@settings(any_stack, max_examples=60)
def test_no_pixel_changes(given: tuple[Document, dict[str, Kind]]) -> None:
    assert_identical(given)


@pytest.mark.slow
@given(stacks())
@settings(any_stack, max_examples=1000)
def test_no_pixel_changes_in_a_thousand_stacks(given: tuple[Document, dict[str, Kind]]) -> None:
    assert_identical(given)


def test_what_is_clear_leaves_a_canvas_as_it_is_to_the_last_bit() -> None:
    noise = np.random.default_rng(0)
    canvas = noise.random((64, 64, 4), np.float32)
    source, alpha = noise.random((64, 64, 3), np.float32), np.zeros((64, 64), np.float32)
    alpha[0, 0] = 0.5  # a source that is clear all over is not even looked at
    for blend in BLENDS:
        laid = canvas.copy()
        _blend_rows(laid, source, alpha, blend)
        laid[0, 0] = canvas[0, 0]
        assert np.array_equal(laid, canvas)


# ── what is merged with what ────────────────────────────────────────────────────────────


def block(name: str, *, at: tuple[int, int], size: tuple[int, int] = (4, 4), **more: Any) -> Layer:
    pixels: Pixels = np.full((size[1], size[0], 4), (10, 200, 90, 255), np.uint8)
    return Layer(Picture(pixels), name, name, *at, **more)


def merged(layers: list[Layer], kinds: str) -> dict[str, tuple[str, ...]]:
    """What was merged; the kinds by their first letters, in the order of the layers."""
    known: dict[str, Kind] = {"t": "text", "i": "image", "d": "decoration"}
    classes = {layer.id: known[k] for layer, k in zip(layers, kinds, strict=True)}
    found = consolidated(Document(made=tuple(layers), canvas=SIZE), classes)
    return dict(found.members)


def test_layers_of_one_class_that_do_not_overlap_become_one() -> None:
    found = merged([block("a", at=(0, 0)), block("b", at=(6, 0))], "tt")
    assert found == {"a": ("a", "b")}
    assert merged([block("a", at=(0, 0)), block("b", at=(3, 0))], "tt") == {
        "a": ("a",),
        "b": ("b",),
    }


def test_boxes_may_overlap_where_pixels_do_not() -> None:
    ring = np.full((9, 9, 4), 255, np.uint8)
    ring[2:7, 2:7, 3] = 0
    outer = Layer(Picture(ring), "ring", "ring", 0, 0)
    assert merged([outer, block("b", at=(2, 2))], "dd") == {"ring": ("ring", "b")}
    assert len(merged([outer, block("b", at=(1, 2))], "dd")) == 2


def test_a_layer_moves_past_what_it_does_not_overlap_and_past_nothing_else() -> None:
    low, between, high = block("a", at=(0, 0)), block("x", at=(6, 6)), block("b", at=(12, 0))
    assert merged([low, between, high], "tit") == {"a": ("a", "b"), "x": ("x",)}
    across = block("x", at=(10, 0), size=(6, 6))
    assert merged([low, across, high], "tit") == {"a": ("a",), "x": ("x",), "b": ("b",)}


def test_the_nearest_group_below_is_taken() -> None:
    first, cover = block("a", at=(0, 0)), block("x", at=(0, 0), size=(8, 8))
    second, third = block("b", at=(2, 2)), block("c", at=(14, 0))
    found = merged([first, cover, second, third], "titt")
    assert found == {"a": ("a",), "x": ("x",), "b": ("b", "c")}


def test_what_one_picture_cannot_stand_for_is_left_alone() -> None:
    far = block("b", at=(12, 0))
    mask = Mask(np.full((17, 21), 128, np.uint8))
    for other in (
        block("a", at=(0, 0), mask=mask), block("a", at=(0, 0), opacity=0.5),
        block("a", at=(0, 0), blend="multiply"), block("a", at=(0, 0), visible=False),
    ):  # fmt: skip
        assert len(merged([other, far], "tt").get("b", ())) == 1
    over = block("c", at=(0, 0), clip=True)
    assert "a" not in merged([block("a", at=(0, 0)), over, far], "ttt")


def test_layers_of_one_opacity_and_mode_are_merged_with_it() -> None:
    pair = [block(name, at=at, opacity=0.5, blend="multiply")
            for name, at in (("a", (0, 0)), ("b", (9, 9)))]  # fmt: skip
    document = Document(made=(block("x", at=(0, 0), size=SIZE), *pair), canvas=SIZE)
    found = consolidated(document, {"a": "text", "b": "text"}).document
    assert [layer.opacity for layer in found.layers] == [1.0, 0.5]
    assert np.array_equal(found.rgb, document.rgb)


def test_folders_are_opened_and_other_groups_are_not() -> None:
    inner = (block("a", at=(0, 0), clip=True), block("b", at=(9, 9)))
    folder = Layer(Group(inner), "folder", "g", blend="pass-through")
    document = Document(made=(block("x", at=(0, 0), size=(3, 3)), folder), canvas=SIZE)
    found = consolidated(document, dict.fromkeys("abx", "text"))
    assert found.members == {"x": ("x",), "a": ("a", "b")}
    assert np.array_equal(found.document.rgb, document.rgb)
    kept = document.having(replace(folder, blend="normal"))
    assert consolidated(kept, {"a": "text", "b": "text"}).document == kept


def test_layers_without_a_class_and_documents_without_layers_stay_as_they_are() -> None:
    document = Document(made=(block("a", at=(0, 0)), block("b", at=(9, 9))), canvas=SIZE)
    assert consolidated(document, {}).document == document
    assert consolidated(Document(made=(), canvas=SIZE), {}).members == {}


def test_two_hundred_layers_of_one_class_become_one_and_names_stay_short() -> None:
    made = tuple(
        Layer(Picture(np.full((1, 1, 4), 255, np.uint8)), f"layer {n}", str(n), n % 21, n // 21)
        for n in range(200)
    )
    document = Document(made=made, canvas=SIZE)
    (only,) = consolidated(document, dict.fromkeys(map(str, range(200)), "text")).document.layers
    assert only.id == "0"
    assert len(only.name) == 80
    assert np.array_equal(Document(made=(only,), canvas=SIZE).rgb, document.rgb)


@pytest.mark.slow
def test_fifty_layers_of_2048_pixels_a_side_take_under_three_seconds() -> None:
    from milde_consolidate import measure

    found = [measure(layers=50, side=2048) for _ in range(3)]
    assert all(one["identical"] for one in found)
    assert min(one["seconds"] for one in found) < 3  # the others may have waited for the machine


def test_the_bench_makes_stacks_that_can_be_merged() -> None:
    document, kinds = stack(layers=8, side=128)
    assert len(consolidated(document, kinds).document.layers) < 8

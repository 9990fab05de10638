"""Documents for tests: pictures, texts, shapes and groups, drawn by hand or by hypothesis."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import BLENDS, Group, Mask, Run, Shape, Stroke, Style, Text

SIZE = (60, 40)


def poster() -> Document:
    """A ground, a shape, three texts and a picture in a group, 320×200."""
    ground = np.full((200, 320, 4), 255, np.uint8)
    ground[:, :, 0] = np.linspace(200, 255, 320).astype(np.uint8)
    badge = np.zeros((30, 30, 4), np.uint8)
    badge[5:25, 5:25] = (20, 120, 200, 255)
    title = Style("PT Sans", 32, 700, align="centre")
    return Document(
        made=(
            Layer(Picture(ground), "ground", "1"),
            Layer(Shape("rectangle", 300, 50, (250, 220, 120, 255)), "band", "2", 10, 20),
            Layer(Text((Run("Summer Sale", title),)), "title", "3", 160, 56),
            Layer(Text((Run("Friday at noon", Style(size=18)),)), "when", "4", 20, 110),
            Layer(
                Text((Run("Bring a ", Style(size=14)), Run("friend", Style(size=14, weight=700)))),
                "note", "5", 20, 140,
            ),
            Layer(
                Group((Layer(Picture(badge), "badge", "7", 270, 150),)), "extras", "6",
                blend="pass-through",
            ),
        ),
        canvas=(320, 200),
    )  # fmt: skip


def pictures(most: int = 24) -> st.SearchStrategy[Picture]:
    """Small RGBA pictures."""
    sides = st.integers(1, most)
    shape = st.tuples(sides, sides, st.just(4))
    return shape.flatmap(lambda s: arrays.arrays(np.uint8, s)).map(Picture)


def colours() -> st.SearchStrategy[tuple[int, int, int, int]]:
    """Any colour."""
    byte = st.integers(0, 255)
    return st.tuples(byte, byte, byte, byte)


def shapes() -> st.SearchStrategy[Shape]:
    """Rectangles and ellipses, some with an outline."""
    side = st.integers(1, 30).map(float)
    stroke = st.none() | st.builds(Stroke, colours(), st.integers(1, 4).map(float))
    kinds = st.sampled_from(["rectangle", "ellipse"])
    return st.builds(Shape, kinds, side, side, colours(), stroke)


def masks() -> st.SearchStrategy[Mask]:
    """Small masks."""
    pixels = arrays.arrays(np.uint8, st.tuples(st.integers(1, 20), st.integers(1, 20)))
    place = st.integers(-5, 30)
    return st.builds(Mask, pixels, place, place, st.sampled_from([0, 255]))


def layers(*, deep: bool = True) -> st.SearchStrategy[Layer]:
    """Layers of any kind that needs no font."""
    content: st.SearchStrategy[object] = pictures() | shapes()
    if deep:
        inner = st.lists(layers(deep=False), max_size=3).map(lambda found: Group(tuple(found)))
        content = content | inner
    place = st.integers(-10, 50).map(float)
    return st.builds(
        Layer, content, st.text(max_size=6), left=place, top=place,
        opacity=st.sampled_from([0.0, 0.25, 0.5, 1.0]), blend=st.sampled_from(BLENDS),
        visible=st.booleans(), clip=st.booleans(), mask=st.none() | masks(),
    )  # fmt: skip


def documents() -> st.SearchStrategy[Document]:
    """Documents of up to four layers, every layer with an id of its own."""
    return st.lists(layers(), min_size=1, max_size=4).map(_numbered)


def _numbered(found: list[Layer]) -> Document:
    count = iter(range(1, 10_000))

    def named(layer: Layer) -> Layer:
        layer = replace(layer, id=str(next(count)))
        if isinstance(layer.content, Group):
            layer = replace(layer, content=Group(tuple(map(named, layer.content.layers))))
        return layer

    return Document(made=tuple(map(named, found)), canvas=SIZE)

"""Random documents for the laws of the formats: small, with everything the model can hold."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from overpaint.document import Document
from overpaint.document.layers import (
    Align,
    Blend,
    Colour,
    Content,
    Edges,
    Glyph,
    Gradient,
    Group,
    Layer,
    Mask,
    Picture,
    Run,
    Shadow,
    Shape,
    Stroke,
    Style,
    Text,
    walk,
)

CANVAS = (24, 18)
BLENDS: list[Blend] = [b for b in Blend.__args__ if b != "pass-through"]  # type: ignore[attr-defined]
NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), max_size=12
) | st.sampled_from(["标题 · 春季", "Überschrift", "🎉 sale", "a" * 300])


@st.composite
def pixels(draw: st.DrawFn, channels: int = 4, smallest: int = 0) -> NDArray[np.uint8]:
    """Pixels of any small size, some of it empty."""
    high, wide = draw(st.integers(smallest, 9)), draw(st.integers(smallest, 9))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    made = rng.integers(0, 256, (high, wide, 4), dtype=np.uint8)
    if draw(st.booleans()):
        made[:, :, 3] = 255
    return made if channels == 4 else np.ascontiguousarray(made[:, :, 1])


masks = st.builds(
    Mask, pixels(1), st.integers(-5, 20), st.integers(-5, 20), st.sampled_from([0, 255])
)
numbers = st.floats(-50, 50).map(lambda v: round(v, 3))
small = st.floats(0.5, 20).map(lambda v: round(v, 3))
colours: st.SearchStrategy[Colour] = st.tuples(*[st.integers(0, 255)] * 4)
gradients = st.builds(
    Gradient, st.tuples(st.tuples(st.just(0.0), colours), st.tuples(st.just(1.0), colours)), numbers
)
strokes = st.builds(Stroke, colours, small)
styles = st.builds(
    Style, family=NAMES, size=small, weight=st.sampled_from([100, 400, 900]), italic=st.booleans(),
    colour=colours, align=st.sampled_from(list(Align.__args__)), spacing=numbers,
    underline=st.booleans(), stroke=st.none() | strokes,
    shadow=st.none() | st.builds(Shadow, colours, numbers, numbers, small),
    gradient=st.none() | gradients, edges=st.sampled_from(list(Edges.__args__)),
)  # fmt: skip
texts = st.builds(
    Text,
    st.lists(st.builds(Run, NAMES, styles), min_size=1, max_size=2).map(tuple),
    st.none() | small,
    pixels(smallest=1),
    st.tuples(numbers, numbers),
    st.none() | st.dictionaries(st.characters(codec="utf-8"), st.builds(
        Glyph, pixels(1), numbers, numbers, numbers), max_size=2),
)  # fmt: skip
shapes = st.builds(
    Shape, st.sampled_from(["rectangle", "ellipse"]), small, small,
    colours | gradients, st.none() | strokes, small,
) | st.builds(
    Shape, st.just("path"), small, small, colours,
    outlines=st.lists(st.lists(st.tuples(small, small), min_size=3, max_size=4).map(tuple),
                      max_size=2).map(tuple),
)  # fmt: skip
pictures = st.builds(Picture, pixels())


def layers(
    contents: st.SearchStrategy[Content], *, exact: bool, clip: bool = True
) -> st.SearchStrategy[tuple[Layer, ...]]:
    """Layers and groups of such contents; `exact`: on whole pixels, in steps of opacity."""
    places = st.integers(-9, 20).map(float) if exact else numbers
    opacities = st.integers(0, 255).map(lambda v: v / 255) if exact else st.floats(0, 1)
    common = {
        "name": NAMES, "left": places, "top": places, "opacity": opacities,
        "blend": st.sampled_from(BLENDS), "visible": st.booleans(), "mask": st.none() | masks,
        "clip": st.booleans() if clip else st.just(False),
        "angle": st.just(0.0) if exact else st.sampled_from([0.0, 0.0, 30.0]),
    }  # fmt: skip
    leaf = st.builds(Layer, contents, **common)
    grouped = {
        **common, "left": st.just(0.0), "top": st.just(0.0), "angle": st.just(0.0),
        "blend": st.sampled_from([*BLENDS, "pass-through"]),
    }  # fmt: skip
    nested = st.recursive(
        leaf,
        lambda inner: st.builds(
            Layer, st.builds(Group, st.lists(inner, max_size=3).map(tuple)), **grouped
        ),
        max_leaves=5,
    )
    return st.lists(nested, min_size=1, max_size=3).map(tuple)


def documents(
    contents: st.SearchStrategy[Content] = pictures, *, exact: bool = False, clip: bool = True
) -> st.SearchStrategy[Document]:
    """Documents whose layers have ids of their own."""
    return layers(contents, exact=exact, clip=clip).map(
        lambda made: Document(made=numbered(made), canvas=CANVAS)
    )


def numbered(made: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """The layers with ids 1, 2, 3 …, bottom first."""
    ids = iter(range(1, 1 + sum(1 for _ in walk(made))))

    def one(layer: Layer) -> Layer:
        name, content = str(next(ids)), layer.content
        if isinstance(content, Group):
            content = Group(tuple(one(inner) for inner in content.layers))
        return replace(layer, id=name, content=content)

    return tuple(one(layer) for layer in made)

"""The page as rules see it: which line is the title, the date, the place; which layer the frame."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from overpaint.document import Layer
from overpaint.document.layers import Text
from overpaint.editors.agent.deciding import Scene
from overpaint.editors.agent.rules import shapes as shapes
from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.lines import FACTS, called, roles_of, says, thing
from overpaint.vision.layers import Seen

MOST_LINES = 600  # of a document that are looked at
LONGEST_LINE = 300
_LARGE = 0.75  # of the largest letters: so large is the title's
_BREAK = re.compile(r"[\r\n\v]+")
_SMALL = 0.15  # of the canvas: a sticker's box is no larger
_MIDDLE = 0.25  # of a sticker: so far from its edges its words stand


@dataclass(frozen=True)
class Line:
    """One line of a text layer, and how high its letters are."""

    layer: Seen
    text: str
    size: float
    number: int


@dataclass(frozen=True)
class Page:
    """A scene with its lines and layers sorted by what they are for, each thing found out once."""

    scene: Scene

    # ── lines ───────────────────────────────────────────────────────────────────────────

    @cached_property
    def texts(self) -> tuple[Seen, ...]:
        """The layers that say something."""
        return tuple(layer for layer in self.scene.layers if says(layer))

    @cached_property
    def figures(self) -> tuple[Seen, ...]:
        """All other layers."""
        return tuple(layer for layer in self.scene.layers if not says(layer))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines of all texts, bottom layer first."""
        found = [line for layer in self.texts for line in self._lines(layer)]
        return tuple(found[:MOST_LINES])

    @cached_property
    def _layers(self) -> dict[str, Layer]:
        return {layer.id: layer for layer in self.scene.document}

    def _lines(self, layer: Seen) -> Iterator[Line]:
        said = [text.strip() for text in _BREAK.split(layer.words) if text.strip()]
        sizes = self._sizes(layer, said)
        flat = (layer.box[3] - layer.box[1]) / max(1, len(said)) / 1.3
        for number, text in enumerate(said):
            yield Line(layer, text[:LONGEST_LINE], sizes[number] if sizes else flat, number)

    def _sizes(self, layer: Seen, said: Sequence[str]) -> list[float]:
        """How high the letters of each line are, where that can be told."""
        own = self._layers.get(layer.id)
        if own is None:
            return []
        if not isinstance(own.content, Text):
            return shapes.line_heights(own, len(said)) if len(said) > 1 else []
        sizes = [
            run.style.size
            for run in own.content.runs
            for part in _BREAK.split(run.words)
            if part.strip()
        ]
        return sizes if len(sizes) == len(said) else []

    def roles(self, line: Line) -> frozenset[str]:
        """What a line is for."""
        return self._roles[line.layer.id, line.number]

    @cached_property
    def _roles(self) -> dict[tuple[str, int], frozenset[str]]:
        titles = {(line.layer.id, line.number) for line in self.title}
        return {
            (line.layer.id, line.number): frozenset(roles_of(line.text) - {"organiser"} | {"title"})
            if (line.layer.id, line.number) in titles
            else frozenset(roles_of(line.text))
            for line in self.lines
        }

    def having(self, role: str) -> tuple[Line, ...]:
        """The lines of a role."""
        if role == "title":
            return self.title
        if role == "place":
            return self.places
        if role == "subtitle":
            return self._named("subtitle") or self._second
        found = tuple(line for line in self.lines if role in self.roles(line))
        return found or self._named(role)

    def _named(self, role: str) -> tuple[Line, ...]:
        """The lines of the layer that is called after a role."""
        return tuple(line for line in self.lines if called(line.layer.name) == role)

    @cached_property
    def title(self) -> tuple[Line, ...]:
        """The lines in the largest letters, which stand in one layer; stickers have no title."""
        on_stickers = {text.id for text in self.on_stickers}
        lines = [line for line in self.lines if line.layer.id not in on_stickers] or list(
            self.lines
        )
        if not lines:
            return ()
        named = [line for line in lines if called(line.layer.name) == "title"]
        largest = max(named or lines, key=lambda line: line.size)
        own = [line for line in lines if line.layer is largest.layer]
        found = [largest]
        for line in own[own.index(largest) + 1 :]:
            if line.size < _LARGE * largest.size or roles_of(line.text) & FACTS:
                break
            found.append(line)
        return tuple(found)

    @property
    def _second(self) -> tuple[Line, ...]:
        rest = [line for line in self.lines if not self.roles(line)]
        return tuple(rest[:1])

    @cached_property
    def places(self) -> tuple[Line, ...]:
        """The lines that say where: called so, labelled so, or else what sounds most like it."""
        named = [line for line in self.lines if called(line.layer.name) == "place"]
        if named:
            return tuple(named)
        free = [line for line in self.lines if line.layer not in self.on_stickers]
        bare = [line for line in free if not self.roles(line)]
        scored = [(self._placed(line), line) for line in bare]
        best = max((score for score, _ in scored), default=0.0)
        short = [
            line for line in bare if not words.ACTING.search(line.text) and len(line.text) < 20
        ]
        return tuple(one for score, one in scored if score == best > 0) or tuple(short[:1])

    def _placed(self, line: Line) -> float:
        """How much a line sounds like a place."""
        if words.ACTING.search(line.text):
            return 0.0
        score = 2.0 * bool(words.VENUE.search(line.text))
        names = re.findall(r"[A-Za-z][\w'’]*", line.text)
        if names:
            score += all(name[0].isupper() or len(name) < 4 for name in names) - 0.5
        elif len(line.text) > 12:
            score -= 1
        before = [one for one in self.lines if "date" in self.roles(one)]
        after = any(one.layer is line.layer and one.number == line.number - 1 for one in before)
        return score + 0.8 * after if score > 0 or after else 0.0

    # ── figures ─────────────────────────────────────────────────────────────────────────

    @cached_property
    def ground(self) -> tuple[Seen, ...]:
        """The layer that all else stands on."""
        named = [layer for layer in self.figures if called(layer.name) == "ground"]
        whole = [layer for layer in self.figures if layer.covers >= 0.85]
        return tuple((named or whole)[:1])

    @cached_property
    def stickers(self) -> tuple[Seen, ...]:
        """Small round things with words of their own on them."""
        named = [f for f in self.figures if called(f.name) == "sticker" and f not in self.ground]
        return tuple(named) or tuple(
            figure
            for figure in self.figures
            if figure not in self.ground
            and is_round(figure)
            and _area(figure) < _SMALL * self.scene.document.size[0] * self.scene.document.size[1]
            and any(rests_on(text, figure, margin=_MIDDLE) for text in self.texts)
        )

    @cached_property
    def on_stickers(self) -> tuple[Seen, ...]:
        """The texts on stickers."""
        return tuple(
            text for text in self.texts
            if any(rests_on(text, one, margin=_MIDDLE) for one in self.stickers)
        )  # fmt: skip

    def figures_of(self, role: str) -> tuple[Seen, ...]:
        """The layers of a role that has no words."""
        if role == "ground":
            return self.ground
        if role == "sticker":
            return self.stickers
        if role == "picture":
            return self.pictures
        named = [figure for figure in self.figures if called(figure.name) == role]
        if named:
            return tuple(named)
        free = [
            f for f in self.figures
            if not called(f.name) and not thing(f.name) and f not in self.ground
        ]  # fmt: skip
        return tuple(figure for figure in free if self._form(figure) == role)

    def _form(self, figure: Seen) -> str:
        """What a layer is by its outline: a frame, a band, a pattern; nothing where it is none."""
        (wide, high), (left, top, right, bottom) = self.scene.document.size, figure.box
        across, down = (right - left) / wide, (bottom - top) / high
        layer = self._layers.get(figure.id)
        if layer is None:
            return ""
        if across > 0.8 and down > 0.8:
            return "frame" if shapes.is_ring(layer) else "corners"
        if across > 0.7 and down < 0.35:
            if shapes.is_solid(layer):
                return "rule" if down < 0.02 else "band"
            return "pattern" if shapes.is_scattered(layer) else "bunting"
        if right - left > 2.5 * (bottom - top):
            return "rule" if shapes.is_solid(layer) else "ribbon"
        return "frame" if shapes.is_ring(layer) and across * down > 0.2 else ""

    @cached_property
    def pictures(self) -> tuple[Seen, ...]:
        """The layers that show something, the largest first; what decorates is none of them."""
        rest = [f for f in self.figures if f not in self.ground and f not in self.stickers]
        found = [
            f for f in rest if called(f.name) == "picture" or not (called(f.name) or self._form(f))
        ]
        named = [f for f in found if called(f.name) == "picture" and not _is_small(f.name)]
        return tuple(sorted(found, key=lambda f: (f not in named, -_area(f))))

    def named_in(self, text: str) -> tuple[Seen, ...]:
        """The layers without words whose name some words say, whole: "the moon"."""
        return tuple(one for one in self.figures if _says_name(text.casefold(), one.name))

    @cached_property
    def unnamed(self) -> tuple[Seen, ...]:
        """The pictures whose names do not tell what they show, so that it may be anything."""
        return tuple(one for one in self.pictures if not thing(one.name))

    def shows(self, said: str) -> tuple[Seen, ...]:
        """The pictures that may show what is spoken of: called so, or else not called anything."""
        named = [one for one in self.pictures if _says_name(said.casefold(), one.name)]
        return tuple(named) or self.unnamed

    @cached_property
    def themed(self) -> tuple[Seen, ...]:
        """Patterns of small pictures; dots and bunting show nothing."""
        found = (f for f in self.figures_of("pattern") if f.id in self._layers)
        return tuple(
            f for f in found if len(f.colours) > 1 or not shapes.is_dotted(self._layers[f.id])
        )


def _says_name(text: str, name: str) -> bool:
    """Whether a name stands in some words; in Chinese words have no ends to be looked for."""
    said = thing(name)
    edge = r"(?<![a-z0-9]){}(?:e?s)?(?![a-z0-9])"
    return bool(said) and re.search(edge.format(re.escape(said)), text) is not None


def _is_small(name: str) -> bool:
    return "small" in name.casefold() or "小" in name


def _area(layer: Seen) -> int:
    left, top, right, bottom = layer.box
    return (right - left) * (bottom - top)


def is_round(layer: Seen) -> bool:
    """Whether a layer is about as wide as high."""
    left, top, right, bottom = layer.box
    return 0.6 < (right - left) / max(1, bottom - top) < 1.7


def rests_on(text: Seen, figure: Seen, *, margin: float = 0.0) -> bool:
    """Whether a text's middle is on a figure, so far from its edges, and it is hardly larger."""
    a, b, c, d = text.box
    left, top, right, bottom = figure.box
    x, y = (a + c) / 2, (b + d) / 2
    wide, high = right - left, bottom - top
    across = left + margin * wide < x < right - margin * wide
    down = top + margin * high < y < bottom - margin * high
    return across and down and c - a < 1.1 * wide and d - b < 1.1 * high

"""Text of SVG: <text> and <tspan> as text layers, lines joined where they follow each other."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from overpaint.document.decoding import Reader as Values
from overpaint.document.layers import Align, Colour, Gradient, Run, Stroke, Style, Text
from overpaint.document.svg.geometry import Matrix, length, numbers, turn_of
from overpaint.document.svg.shaping import paint, tidy
from overpaint.document.svg.source import Element, Words
from overpaint.document.svg.styles import Sheet, colour, computed, share
from overpaint.document.svg.styles import Style as Rules
from overpaint.errors import PictureError

ONLY_OURS = ("leading", "stretch", "shadow", "swell", "edges", "blur", "gap", "align")
EMPTY = "\u200b"  # stands in a line that says nothing, or it would not be there at all
_ANCHORS: dict[str, Align] = {"start": "left", "middle": "centre", "end": "right"}
_GENERIC = {"sans-serif": "sans", "serif": "serif", "monospace": "mono", "cursive": "handwritten",
            "fantasy": "display", "system-ui": "sans"}  # fmt: skip
_WEIGHTS = {"normal": 400, "bold": 700, "bolder": 700, "lighter": 300}


@dataclass(eq=False)
class Piece:
    """Words of one stretch of the source, in one style."""

    part: Words
    words: str
    style: Style
    element: Element
    kept: bool = False  # whether its white space stays as it is
    ours: bool = False  # whether it says how far lines are apart


@dataclass
class Chunk:
    """Words that begin at a place of their own, in the element's units."""

    x: float
    y: float
    owner: Element
    pieces: list[Piece] = field(default_factory=list)
    soft: bool = False  # goes on with the line before, which was too long

    @property
    def words(self) -> str:
        """All it says."""
        return "".join(piece.words for piece in self.pieces)


@dataclass(frozen=True)
class Block:
    """A text layer to be: its content, where it begins, and what it was made of."""

    text: Text
    x: float
    y: float
    chunks: tuple[Chunk, ...]


class Letters:
    """Reads one <text> element, of no more than so many parts: `spare` is what is left of them."""

    def __init__(
        self, sheet: Sheet, ctm: Matrix, paints: Mapping[str, Element], notes: dict[str, None],
        *, spare: int,
    ) -> None:  # fmt: skip
        self.sheet, self.paints, self.notes = sheet, paints, notes
        turned = turn_of(ctm)
        if turned is None:
            notes["slanted or mirrored text is drawn upright"] = None
        across, down = math.hypot(ctm[0], ctm[1]), math.hypot(ctm[2], ctm[3])
        self.scale, self.stretch = down, across / down if down else 1.0
        self.chunks: list[Chunk] = []
        self.spare = spare
        self.spaced = True  # whether a space would be one too many

    def read(self, element: Element, style: Rules) -> list[Block]:
        """The text layers of an element: one, or several where lines stand apart."""
        style = {**style, "data-style": element.get("data-style")}
        self._walk(element, style, 1.0, keep=False)
        if self.spare < 0:
            return []  # the reader refuses it
        for chunk in self.chunks:
            _strip(chunk)
        shown = [chunk for chunk in self.chunks if chunk.words or chunk.owner.get("data-line")]
        width = length(element.get("data-width")) if element.get("data-width") else None
        wide = None if width is None else tidy(width * self.scale * self.stretch)
        return [_block(group, wide, self.scale) for group in _grouped(shown, self.scale)]

    def _walk(self, element: Element, style: Rules, opacity: float, *, keep: bool) -> None:
        self.spare -= 1
        if self.spare < 0:
            return
        keep = {"preserve": True, "default": False}.get(element.get("xml:space"), keep)
        keep = keep or style.get("white-space", "").startswith("pre")
        self._place(element, style)
        for part in element.parts:
            if isinstance(part, Words):
                self._say(part, element, style, (opacity, keep))
            elif part.tag in ("tspan", "a"):
                own = computed(part, style, self.sheet)
                if own.get("display") == "none":
                    continue
                own.setdefault("text-decoration", style.get("text-decoration", ""))
                own["data-style"] = part.get("data-style") or style.get("data-style", "")
                self._walk(part, own, opacity * share(own.get("opacity", "1")), keep=keep)
            elif part.tag not in ("title", "desc"):
                self.notes[f"<{part.tag}> in text is not drawn; its format keeps it"] = None

    def _place(self, element: Element, style: Rules) -> None:
        """Begin a new chunk where the element has a place."""
        em = length(style.get("font-size", "16px")) or 16.0
        last = self.chunks[-1] if self.chunks else None
        xs, ys = (self._lengths(element, name, em) for name in ("x", "y"))
        dx, dy = (self._lengths(element, name, em) for name in ("dx", "dy"))
        if max(len(xs), len(ys), len(dx), len(dy)) > 1:
            self.notes["letters that are placed one by one are set in a row"] = None
        if last is not None and not xs and not ys:
            if dy and dy[0]:
                self.notes["raised and lowered words are set on the line"] = None
            return
        x = (xs[0] if xs else last.x if last else 0.0) + (dx[0] if dx else 0.0)
        y = (ys[0] if ys else last.y if last else 0.0) + (dy[0] if dy else 0.0)
        self.chunks.append(Chunk(x, y, element, soft=bool(element.get("data-soft"))))
        self.spaced = True

    def _lengths(self, element: Element, name: str, em: float) -> list[float]:
        parts = element.get(name).replace(",", " ").split()[:1000]
        return [value for part in parts if (value := length(part, em=em)) is not None]

    def _say(self, part: Words, element: Element, style: Rules, more: tuple[float, bool]) -> None:
        opacity, keep = more
        if keep:
            words = part.text.replace("\n", " ").replace("\t", " ").replace("\r", "")
        else:
            words = _collapsed(part.text, self.spaced)
            self.spaced = words.endswith(" ") if words else self.spaced
        if words == EMPTY:
            words = ""
        made = self.style(style, opacity)
        ours = "leading" in style.get("data-style", "")
        if words or part.text == EMPTY:
            self.chunks[-1].pieces.append(Piece(part, words, made, element, keep, ours))

    # ── how words look ──────────────────────────────────────────────────────────────────

    def style(self, style: Rules, opacity: float) -> Style:
        """The style of words, in pixels."""
        size = length(style.get("font-size", "16px")) or 16.0
        filled = paint(style.get("fill", "black"), style, self.paints, _ROOM)
        shade = filled if isinstance(filled, tuple) else (0, 0, 0, 255)
        decoration = style.get("text-decoration", "") + style.get("text-decoration-line", "")
        made = Style(
            family=_family(style.get("font-family", "")), size=tidy(size * self.scale),
            weight=_weight(style.get("font-weight", "400")),
            italic=style.get("font-style", "").startswith(("italic", "oblique")),
            colour=_faded(shade, opacity),
            align=_ANCHORS.get(style.get("text-anchor", "start").strip(), "left"),
            spacing=self._spacing(style, "letter-spacing", size),
            gap=self._spacing(style, "word-spacing", size), stretch=tidy(self.stretch),
            underline="underline" in decoration, strike="line-through" in decoration,
            stroke=self._stroke(style),
            gradient=filled if isinstance(filled, Gradient) else None,
        )  # fmt: skip
        return _ours(made, style.get("data-style", ""))

    def _spacing(self, style: Rules, name: str, size: float) -> float:
        return tidy((length(style.get(name, "0"), em=size) or 0.0) * self.scale)

    def _stroke(self, style: Rules) -> Stroke | None:
        paint_ = colour(style.get("stroke", "none"), style, "stroke-opacity")
        wide = (length(style.get("stroke-width", "1")) or 0.0) * self.scale
        return Stroke(paint_, tidy(wide)) if paint_ and 0 < wide < 1000 else None


_ROOM = ((1.0, 0.0, 0.0, 1.0, 0.0, 0.0), ((0.0, 0.0, 1.0, 1.0), (1.0, 1.0)))


def _faded(shade: Colour, opacity: float) -> Colour:
    return shade if opacity == 1 else (*shade[:3], round(shade[3] * opacity))


def _family(text: str) -> str:
    name = text.split(",")[0].strip().strip("'\"").strip()
    return _GENERIC.get(name.lower(), name[:200]) or Style().family


def _weight(text: str) -> int:
    name = text.strip().lower()
    if name in _WEIGHTS:
        return _WEIGHTS[name]
    found = numbers(name, 1)
    return int(min(900, max(100, round(found[0])))) if found else 400


def _ours(style: Style, text: str) -> Style:
    """The style with what a file of ours says beside what SVG knows."""
    if not text:
        return style
    try:
        said = json.loads(text[:10_000])
        known = said.items() if isinstance(said, dict) else ()
        kept = {name: value for name, value in known if name in (*ONLY_OURS, "colour")}
        made: Any = Values(Path("data-style"), _nothing).object(Style, kept, "style")
    except (ValueError, RecursionError, PictureError):
        return style
    return replace(style, **{name: getattr(made, name) for name in kept})


def _nothing(name: str) -> bytes:
    raise PictureError(f"{name} is not in a style.")


# ── words and lines ─────────────────────────────────────────────────────────────────────


def _collapsed(words: str, spaced: bool) -> str:
    """White space as one space, none at the start where one was just before."""
    made = " ".join(words.split())
    if words[:1].isspace() and not spaced:
        made = " " + made
    if words[-1:].isspace() and made.strip():
        made += " "
    return made if made.strip() else ("" if spaced else " " if words else "")


def _strip(chunk: Chunk) -> None:
    """Take away the space that ends a line, unless spaces are to be kept."""
    if not chunk.pieces:
        return
    last = next((piece for piece in reversed(chunk.pieces) if piece.words), chunk.pieces[-1])
    if not last.kept:
        last.words = last.words.removesuffix(" ")


def _grouped(chunks: Sequence[Chunk], scale: float) -> list[list[Chunk]]:
    """Chunks that are lines of one text: one below the other at even distances."""
    groups: list[list[Chunk]] = []
    for chunk in chunks:
        if groups and _follows(groups[-1], chunk, scale):
            groups[-1].append(chunk)
        else:
            groups.append([chunk])
    return groups


def _follows(lines: Sequence[Chunk], chunk: Chunk, scale: float) -> bool:
    first, last = lines[0], lines[-1]
    if not chunk.pieces or not first.pieces:
        return False
    if chunk.owner.get("data-line"):
        return True
    size = first.pieces[0].style.size / max(scale, 1e-9)
    gap = chunk.y - last.y
    if abs(chunk.x - first.x) > 0.05 * size or not 0.7 * size < gap < 3 * size:
        return False
    return len(lines) < 2 or abs(gap - (lines[1].y - first.y)) < 0.05 * size


def _block(lines: Sequence[Chunk], width: float | None, scale: float) -> Block:
    first = lines[0]
    ours = any(piece.ours for piece in first.pieces)
    leading = None
    if len(lines) > 1 and first.pieces and not ours:
        leading = tidy((lines[1].y - first.y) * scale / max(1e-6, first.pieces[0].style.size))
    runs: list[Run] = []
    for number, line in enumerate(lines):
        if number and not line.soft:
            runs[-1] = Run(runs[-1].words + "\n", runs[-1].style)
        for piece in line.pieces:
            style = replace(piece.style, leading=leading) if leading else piece.style
            if runs and runs[-1].style == style:
                runs[-1] = Run(runs[-1].words + piece.words, style)
            else:
                runs.append(Run(piece.words, style))
    kept = [run for run in runs if run.words] or runs[:1]
    return Block(Text(tuple(kept), width), first.x, first.y, tuple(lines))

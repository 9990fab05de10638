"""Printed: a line of a picture as it was set: its words, font, place, ink and ground."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from overpaint.document.boxes import rounded
from overpaint.document.layers import Glyph, Layer, Pixels, Point, Run, Style, Text
from overpaint.document.text.drawing import advance
from overpaint.document.text.fonts import Face, Library
from overpaint.document.text.glyphs import compose, harvest, pens
from overpaint.document.text.matching import Match, match
from overpaint.document.text.plainest import plainest
from overpaint.document.text.seen import look
from overpaint.document.text.settling import Settled, draw_over
from overpaint.document.where import short
from overpaint.editors.typeset.changes import Change
from overpaint.editors.typeset.fills import Fill
from overpaint.editors.typeset.unmix import Lifted, Plane, colour_under, lift
from overpaint.errors import Refused
from overpaint.vision.page import Box

LEAST = 0.5  # words are not set in a font that is less like their line than this
UNLIKE = 0.75  # a font that is less like it looks like another, or its ink was not found
WORSE = 0.1  # a line that the same font is less like by more is in another
LIKE = 0.9  # a font this like tells more of the ink than the picture does
ALL_BUT = 0.95  # a font this like has all letters if the picture lacks one
MISSED = 0.1  # of full cover: so much ink must be gone when words are erased


@dataclass(frozen=True)
class Printed:
    """A line of a picture and what it takes to print more of the same."""

    words: str
    face: Face
    style: Style
    pen: Point  # on the picture: where the line begins, on its baseline
    exact: bool  # whether the font is known for sure
    likeness: float  # of the line drawn in this font to the line itself
    lifted: Lifted
    match: Match  # the font, as it was found
    glyphs: Mapping[str, Glyph] | None = None  # letters cut from the picture, for other fonts
    places: tuple[float, ...] = ()  # where the pen was before each letter, in another font
    choosy: bool = True  # whether a font that is not at all like the line is refused

    def wide(self, words: str) -> float:
        """How far the pen moves over some words."""
        if self.glyphs is None:
            return advance(words, self.face, self.style)
        return sum(self._step(a, b) for a, b in zip(words, words[1:] + " ", strict=True))

    def _step(self, letter: str, after: str) -> float:
        assert self.glyphs is not None
        own = self.glyphs.get(letter)
        if own is None:
            return advance(letter, self.face, self.style)
        return own.advance + own.kerns.get(after, 0.0) + self.style.spacing

    def styled(self, style: Style, face: Face) -> "Printed":
        """The same line in another style; in another family it need not be like what it was."""
        same = face.family == self.face.family
        choosy = self.choosy and same
        if not same and not self.exact:
            # What made the nearest font more like the line would only spoil the other.
            style = replace(style, spacing=0.0, gap=0.0, stretch=1.0, swell=0.0)
        return replace(self, style=style, face=face, glyphs=None, places=(), choosy=choosy)

    def pen_at(self, words: str, at: int) -> float:
        """Where the pen stands before a letter of words that begin where the line does."""
        if at < len(self.places) and words[:at] == self.words[:at]:
            return self.places[at]
        return self.pen[0] + self.wide(words[:at])

    def text(self, words: str, x: float, name: str) -> Layer:
        """Some words of the line as a live layer, the pen at a place of the picture.

        `Refused` where no font is at all like the line: what came out would be wrong.
        """
        if self.choosy and self.likeness < LEAST and self.glyphs is None:
            raise Refused(
                f"The font of “{short(self.words)}” cannot be made out; {self.told}, is nearest and"
                f" only {self.likeness:.0%} like it.",
                f"{LEAST:.0%} was expected.",
                "Is it one line, in one font? A larger or cleaner picture may help.",
            )
        content = Text((Run(words, self.style),), glyphs=self.glyphs)
        return Layer(content, name, name, x, self.pen[1])

    @property
    def doubtful(self) -> bool:
        """Whether the font is so little like the line that its ink may be something else."""
        return self.likeness < UNLIKE

    @property
    def told(self) -> str:
        """The font in words, for people."""
        bold = " bold" if self.style.weight >= 600 else ""
        lean = " italic" if self.style.italic else ""
        return f"{self.style.family}{bold}{lean}, {round(self.style.size, 1):g} px"


def understand(
    pixels: Pixels, box: Box, words: str, library: Library, *, keep: tuple[Box, ...] = ()
) -> Printed:
    """The line of words in a box: lifted off the picture, and its font found."""
    lifted = lift(pixels, rounded(box), keep=tuple(map(rounded, keep)))
    found = match(lifted.cover, words, library)
    if found.likeness > LIKE:
        drawn = _drawn(found, words, lifted.cover.shape)
        lifted = _with_overlooked(lifted, drawn)
        if found.exact:
            lifted = _with_colour(pixels, lifted, drawn)
    fill = lifted.fill
    style = replace(
        found.style, colour=fill.colour, stroke=fill.stroke, shadow=fill.shadow,
        gradient=fill.gradient, swell=found.style.swell + _swollen(fill, found.style.size),
    )  # fmt: skip
    pen = (lifted.left + found.left, lifted.top + found.baseline)
    return Printed(words, found.face, style, pen, found.exact, found.likeness, lifted, found)


def _swollen(fill: Fill, size: float) -> float:
    """By how much letters grow, in sizes, so that all of their outline is outside."""
    return fill.stroke.width / 2 / size if fill.stroke and fill.outside else 0.0


def adapted(line: Printed, words: str, others: Sequence[tuple[str, Lifted]]) -> Printed:
    """The line with letters for these words, cut from it and from other lines in its font.

    Letters that are on none of them come from the nearest font, and where that is nearly the
    right one, so do all: better one font than two. Where it is not, as many as can are cut.
    """
    lines = [(line.words, line.lifted.cover, line.match)]
    for said, lifted in others:
        if (seen := look(lifted.cover, said)) and (laid := plainest([line.face], seen)):
            best = laid[0]
            if best.likeness < line.likeness - WORSE:
                continue
            other = replace(line.match, style=best.style, left=best.left, baseline=best.baseline)
            lines.append((said, lifted.cover, other))
    taken = harvest(lines)
    if line.likeness > ALL_BUT and _lacks(line.words, words, taken):
        return line
    glyphs = compose(f"{line.words} {words}", taken, line.match)
    at = pens(line.words, line.lifted.cover, line.match, taken)
    places = tuple(line.lifted.left + x for x in at)
    # Letters cut from the picture are as soft as it is; spaces are as wide as the line has them.
    style = replace(line.style, blur=0.0)
    spaces = [b - a for letter, a, b in zip(line.words, at, at[1:], strict=False) if letter == " "]
    if spaces:
        more = float(np.median(spaces)) - advance(" ", line.face, style)
        style = replace(style, gap=style.gap + more)
    return replace(line, style=style, glyphs=glyphs, places=places)


def _lacks(old: str, new: str, taken: Container[str]) -> bool:
    """Whether any of the new letters could not be taken from the picture."""
    change = Change.between(old, new)
    letters = new[change.head : len(new) - change.tail]
    return any(letter not in taken for letter in letters if not letter.isspace())


def _drawn(found: Match, words: str, shape: tuple[int, ...]) -> Plane:
    """The words as they were found to be set, as cover of the lifted window."""
    settled = Settled(found.face, found.style, found.left, found.baseline)
    return draw_over(settled, words, (shape[0], shape[1]))


def _with_colour(pixels: Pixels, lifted: Lifted, drawn: Plane) -> Lifted:
    """The same with the ink's own colour, where noise or a photograph hid it."""
    high, wide = lifted.cover.shape
    window = pixels[lifted.top : lifted.top + high, lifted.left : lifted.left + wide]
    fill = lifted.fill
    clean = lifted.kind == "flat" and lifted.noise.nothing
    if clean or fill != Fill(fill.colour):
        return lifted
    colour = colour_under(window, lifted, drawn)
    return replace(lifted, colour=colour, fill=replace(fill, colour=colour))


def _with_overlooked(lifted: Lifted, drawn: Plane) -> Lifted:
    """The same with ink gone that the font tells of and the picture did not."""
    missed = (drawn > MISSED) & ~lifted.hole
    if not missed.any():
        return lifted
    import cv2

    around = cv2.dilate(missed.astype(np.uint8), np.ones((3, 3), np.uint8))
    ground = np.asarray(cv2.inpaint(lifted.ground, around, 3, cv2.INPAINT_TELEA), np.uint8)
    return replace(lifted, ground=ground, hole=lifted.hole | (around > 0))

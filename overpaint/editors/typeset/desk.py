"""Desk: a flat picture being edited: its lines, their fonts, and what was done to it."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from overpaint.document.boxes import rounded
from overpaint.document.layers import Align, Layer, Pixels
from overpaint.document.text.fonts import Library
from overpaint.editors.typeset.even import tight
from overpaint.editors.typeset.legible import legible
from overpaint.editors.typeset.locate import Page, Spot, read_page, spot
from overpaint.editors.typeset.paragraphs import align_of, number_of
from overpaint.editors.typeset.pressing import pressed
from overpaint.editors.typeset.printed import LEAST, Printed, adapted, understand
from overpaint.editors.typeset.room import room_of
from overpaint.editors.typeset.unmix import Lifted, lift
from overpaint.vision.ink import bulleted, ink_on_plain
from overpaint.vision.letters import Type
from overpaint.vision.page import Box, Line

# Lines that letters are taken from, how much larger or smaller they may be where they have letters
# that are missing, and else; and how many letters tell how much room each takes.
MOST_OTHERS, UNLIKE, ALIKE, ENOUGH = 10, 1.25, 1.1, 300
FAR = 2.0  # rooms: words so wide in the font that is nearest to a line's fit there in none
PAPER = 190  # levels in every colour: a ground as bright as this is paper, even in uneven light


@dataclass(frozen=True, eq=False)
class Desk:
    """A picture as it is now. Lines and fonts are those of the picture as it came."""

    pixels: Pixels
    library: Library
    adapt: bool = True  # whether letters of unknown fonts are cut from the picture
    strip: Align | None = None  # how it is aligned, where it is but one line, made upright
    notes: tuple[str, ...] = ()
    came: Pixels | None = None  # the picture before the op that is at work, where it has changed
    _known: dict[int, Printed] = field(default_factory=dict, repr=False)

    @cached_property
    def page(self) -> Page:
        """The lines of the picture as it came."""
        return read_page(self.pixels if self.came is None else self.came)

    def now(self, pixels: Pixels, *notes: str) -> "Desk":
        """The same desk with a changed picture on it."""
        came = self.pixels if self.came is None else self.came
        kept = tuple(dict.fromkeys((*self.notes, *notes)))
        changed = replace(self, pixels=pixels, notes=kept, came=came)
        changed.__dict__["page"] = self.page
        return changed

    # ── lines ───────────────────────────────────────────────────────────────────────────

    def line(self, number: int) -> Line:
        """A line with its box around its letters, without a bullet before them."""
        text = self.page.line(number).text
        return spot(self.page, number, 0, len(text)).line

    def printed(self, number: int) -> Printed:
        """A line with its font."""
        if number not in self._known:
            line = self.line(number)
            self._known[number] = understand(
                self.page.pixels, line.box, line.text, self.library, keep=self.others(line.box)
            )
            if not self.adapt:
                self._known[number] = replace(self._known[number], choosy=False)
        return self._known[number]

    def fit_for(self, number: int, words: str, room: float) -> Printed:
        """A line with letters for other words: of an unknown font, those that the picture has.

        None are cut for words far too long for their room, wider by far or of more letters than
        it has pixels: to read whether they are legible would take milliseconds a letter.
        """
        line = self.printed(number)
        outlined = line.style.stroke and line.likeness >= LEAST  # cut letters have no outline
        endless = len(words) > room or line.wide(words) > FAR * room
        if line.exact or not self.adapt or outlined or endless:
            return line
        cut = adapted(line, words, self._in_its_size(number, words))
        return cut if legible(cut, words) else line

    def _in_its_size(self, number: int, words: str) -> list[tuple[str, Lifted]]:
        """Lines about as high as one: enough to tell its letters' room, or that have new ones."""
        missing, letters = set(words) - set(self.page.line(number).text), 0
        found: list[tuple[str, Lifted]] = []
        for near in sorted(range(len(self.page)), key=lambda n: self._unlike(number, n)):
            unlike = self._unlike(number, near)
            if len(found) == MOST_OTHERS or unlike > UNLIKE:
                break
            said = self.page.line(near).text if near != number else ""
            if said and (missing & set(said) or (unlike < ALIKE and letters < ENOUGH)):
                box = self.line(near).box
                lifted = lift(
                    self.page.pixels, rounded(box), keep=tuple(map(rounded, self.others(box)))
                )
                found.append((said, lifted))
                missing -= set(said)
                letters += len(said)
        return found

    def _unlike(self, number: int, other: int) -> float:
        """How many times higher one line is than another."""
        one, two = (self.page.boxes[n, 3] - self.page.boxes[n, 1] for n in (number, other))
        return float(max(one, two) / max(1.0, min(one, two)))

    def align(self, number: int) -> Align:
        """How a line is aligned; a strip, where it stands alone, was told."""
        return self.strip or align_of(self.page, number)

    def share(self, number: int) -> float:
        """What of a line is in line with others: 0 its beginning, ½ its middle, 1 its end."""
        return {"centre": 0.5, "right": 1.0}.get(self.align(number), 0.0)

    def number(self, spot: Spot) -> int:
        """Which line some words are part of."""
        return number_of(self.page, spot.line)

    def by_line(self, spots: Iterable[Spot]) -> dict[int, list[Spot]]:
        """Words by the line they are part of, from its beginning: a line is set once for all."""
        lines: dict[int, list[Spot]] = {}
        for one in sorted(spots, key=lambda one: one.start):
            lines.setdefault(self.number(one), []).append(one)
        return dict(sorted(lines.items()))

    def room(self, number: int) -> Box:
        """How far a line may reach."""
        lifted = self.printed(number).lifted
        paper = lifted.kind == "flat" or int(np.median(lifted.ground, axis=(0, 1)).min()) > PAPER
        return room_of(self.page, number, self.line(number).box, pictured=not paper)

    def lifted(self, spot: Spot) -> Lifted:
        """The ink of some words; the rest of their line and all other lines are not theirs."""
        left, top, right, bottom = spot.line.box
        before, after = spot.line.text[: spot.start].strip(), spot.line.text[spot.end :].strip()
        rest = ((before, (left, top, spot.box[0], bottom)),
                (after, (spot.box[2], top, right, bottom)))  # fmt: skip
        beside = tuple(box for words, box in rest if words and box[2] - box[0] > 1)
        keep = tuple(map(rounded, (*self.others(spot.line.box), *beside)))
        return lift(self.pixels, rounded(spot.box), keep=keep)

    def bullet(self, number: int) -> Spot | None:
        """The dot, square or dash that stands before a line, as a spot without words."""
        line = self.line(number)
        # The detector takes some bullets for lines of their own.
        said = [any(map(str.isalnum, self.page.text(n))) for n in range(len(self.page))]
        said[number] = False
        others = self.page.boxes[said]
        if not line.text or not bulleted(self.page.pixels, line, others):
            return None
        size, middle = Type(line).size, Type(line).middle
        left, right = line.box[0] - 2.2 * size, line.box[0] - 0.2 * size
        box = tight(self.page.pixels, (left, middle - 0.5 * size, right, middle + 0.5 * size))
        return Spot(box, "", Line(box, ""), 0, 0, room=box)

    def others(self, box: Box) -> tuple[Box, ...]:
        """The boxes of all lines whose middle is not in a box."""
        x, y = (self.page.boxes[:, [0, 1]] + self.page.boxes[:, [2, 3]]).T / 2
        own = (x > box[0]) & (x < box[2]) & (y > box[1]) & (y < box[3])
        return tuple(
            (float(a), float(b), float(c), float(d)) for a, b, c, d in self.page.boxes[~own]
        )

    # ── what is free ────────────────────────────────────────────────────────────────────

    def free(self, box: Box) -> bool:
        """Whether nothing stands in a box: no line, no rule, and no ink where paper is plain."""
        high, wide = self.pixels.shape[:2]
        left, top, right, bottom = box
        if left < 0 or top < 0 or right > wide or bottom > high:
            return False
        taken: Iterable[Box] = (
            *self.others((0, 0, 0, 0)),
            *self.page.rules[0],
            *self.page.rules[1],
        )
        if any(_overlap(box, other) for other in taken):
            return False
        inked = ink_on_plain(self.pixels, box)
        window = self.pixels[int(top) : int(bottom) + 1, int(left) : int(right) + 1]
        return inked is None or not bool(np.asarray(inked(window)).mean() > 0.002)

    def with_layers(self, layers: list[Layer], like: Lifted, *notes: str) -> "Desk":
        """The desk with layers laid on what is free, as rough as the words they are like."""
        return self.now(pressed(self.pixels, None, layers, noise=like.noise), *notes)


def _overlap(one: Box, other: Box) -> bool:
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > 1
        and min(one[3], other[3]) - max(one[1], other[1]) > 1
    )

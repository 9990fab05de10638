"""Looks: the colour and size of words, measured where they stand out, and compared where clear."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.measures.evidence.judged import Verdict
from overpaint.measures.evidence.searching import Spot
from overpaint.measures.evidence.sight import Sight, cut
from overpaint.measures.evidence.words import breadth
from overpaint.vision.letters import Type
from overpaint.vision.page import Box, Line

STANDS_OUT: Final = 60.0  # RGB distance of letters from their ground, at least
SAME: Final = 45.0  # RGB distance of two measurements of one colour, at most
OTHER: Final = 100.0  # and of two colours that nobody takes for one, at least
SMALLER: Final = 0.78  # ratios of sizes that are clearly not one size
LARGER: Final = 1.3
GREY: Final = 0.22  # saturation below which a colour has no hue
NEUTRAL: Final = 14.0  # of 255: the spread of channels of a colour that has no tint at all
HUE: Final = 32.0  # degrees that a colour may be off the one asked for
OTHER_HUE: Final = 55.0


@dataclass(frozen=True)
class Ink:
    """Letters and their ground: which pixels, and both colours."""

    mask: NDArray[np.bool_]
    colour: NDArray[np.float64]
    ground: NDArray[np.float64]


def ink(picture: Pixels, box: Box) -> Ink | None:
    """The letters in a box, told by standing out from what runs around it; None where none do."""
    part = cut(picture, box, 2).astype(np.float64)
    if min(part.shape[:2]) < 5:
        return None
    rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    ground = np.median(rim, axis=0)
    far = np.linalg.norm(part - ground, axis=2)
    if np.percentile(np.linalg.norm(rim - ground, axis=1), 80) > STANDS_OUT / 2:
        return None  # the ground is a picture
    most = float(np.percentile(far, 97))
    if most < STANDS_OUT:
        return None
    core = far >= 0.8 * most
    if core.mean() > 0.7:
        return None
    return Ink(far >= 0.5 * most, np.median(part[core], axis=0), ground)


def gone(sight: Sight, spot: Spot) -> float | None:
    """The share of the letters of some words that no longer stand there; None if unknown."""
    shares = []
    for box in spot.boxes:
        letters = ink(sight.pair.reference, box)
        if letters is None:
            return None
        shares.append(float((cut(sight.apart, box, 2)[letters.mask] >= 16).mean()))
    return float(np.mean(shares)) if shares else None


def partly_left(sight: Sight, spot: Spot) -> bool:
    """Whether a quarter of some words, in one piece, stands as it stood and the rest is gone."""
    for box in spot.boxes:
        letters = ink(sight.pair.reference, box)
        if letters is None:
            return False
        off = (cut(sight.apart, box, 2) >= 16) & letters.mask
        inked = letters.mask.sum(axis=0)
        columns = np.flatnonzero(inked)
        left = off.sum(axis=0)[columns] <= 0.1 * inked[columns]
        longest = run = 0
        for still in left:
            run = run + 1 if still else 0
            longest = max(longest, run)
        if 0.25 * len(columns) < longest < 0.9 * len(columns):
            return True
    return False


def coloured(sight: Sight, spot: Spot, asked: tuple[int, int, int]) -> Verdict:
    """Whether words of the output have the colour that was asked for."""
    found = ink(sight.pair.output, spot.box)
    if found is None:
        return Verdict(None, ("the colour of the words cannot be told from their ground",))
    said = f"asked for {_hex(asked)}, measured {_hex(found.colour)}"
    wanted = np.array(asked, np.float64)
    away, (hue, grey) = float(np.linalg.norm(wanted - found.colour)), _hue(wanted)
    own, dull = _hue(found.colour)
    if grey or dull:
        far = away > OTHER + 40 and (_spread(found.colour) < NEUTRAL or away > 2 * OTHER)
        far = far and (grey or _spread(found.colour) < NEUTRAL)
        return Verdict(True if grey and dull and away < OTHER else False if far else None, (said,))
    off = abs((hue - own + 180) % 360 - 180)
    passed = True if off <= HUE else False if off >= OTHER_HUE else None
    return Verdict(passed, (f"{said}: {off:.0f}° of hue apart",))


def _spread(colour: NDArray[np.float64]) -> float:
    return float(colour.max() - colour.min())


def _hue(colour: NDArray[np.float64]) -> tuple[float, bool]:
    """The hue of a colour in degrees, and whether it is a grey that has none."""
    import colorsys

    hue, _, _ = colorsys.rgb_to_hsv(*(float(c) / 255 for c in colour))
    return hue * 360, _spread(colour) / 255 < GREY


def _hex(colour: object) -> str:
    red, green, blue = (round(float(c)) for c in np.asarray(colour)[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"


def differs(sight: Sight, old: Spot, new: Spot) -> Verdict:
    """Whether new words clearly differ in colour or size (failed), agree in both, or neither."""
    before, after = ink(sight.pair.reference, old.box), ink(sight.pair.output, new.box)
    ratios = [other / max(1.0, one) for one, other in zip(_sizes(old), _sizes(new), strict=True)]
    other_size = max(ratios) < SMALLER or min(ratios) > LARGER
    sizes = f"letters {ratios[0]:.2f} times as high and {ratios[1]:.2f} times as wide"
    if before is None or after is None:
        note = "the colours cannot be told from their ground"
        return Verdict(False, (sizes, note)) if other_size else Verdict(None, (note, sizes))
    away = float(np.linalg.norm(before.colour - after.colour))
    colours = f"colour {_hex(before.colour)} before, {_hex(after.colour)} now"
    if other_size or away >= OTHER:
        return Verdict(False, (colours, sizes) if away >= OTHER else (sizes, colours))
    ground = float(np.linalg.norm(before.ground - after.ground))
    agree = away <= SAME and ground <= SAME / 2 and all(0.88 <= r <= 1.14 for r in ratios)
    return Verdict(True if agree else None, (colours, sizes))


def _sizes(spot: Spot) -> tuple[float, float]:
    """The size of letters by their height, and by the room each takes."""
    line = Line(spot.boxes[0], spot.text)
    room = sum((box[2] - box[0]) for box in spot.boxes) / max(1.0, breadth(spot.text))
    return Type(line).size, room

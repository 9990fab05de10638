"""One person looked at in many ways: what most looks agree on, and how much they agree.

A picture that is stored again looks the same and is not the same to a network: left and right
change places, and grain becomes somebody. So nobody is believed at one look: the person is seen
also in a mirror, softened, nearer, and turned a little, and the joints are the middle of
all that is seen. Which side is left is put to the vote.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from overpaint.document import Pixels
from overpaint.vision.references.blazepose_nets import (
    OTHER_SIDE,
    SURE,
    Body,
    Floats,
    Square,
    body_in,
)

# BlazePose's landmarks in COCO's order: nose, eyes, ears, shoulders, elbows, wrists, hips, knees,
# ankles, left before right.
COCO = [0, 2, 5, 7, 8, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28]
UPPER = COCO[:7]  # the head and the shoulders
SWAPPED = list(OTHER_SIDE[:33])
SETTLING = 4  # looks until the square stays, every other one in the mirror
LEAST = 5  # joints of somebody that are in the picture
FORGIVEN = 0.03  # sides of the square that a joint may be off from look to look


class View(NamedTuple):
    """A way of looking at a square; lengths in its sides, softness in pixels that are seen."""

    mirrored: bool
    soft: float
    larger: float = 1.0
    across: float = 0.0
    turned: float = 0.0


# Nearer rather than farther: the face tells front from back, and is lost first.
VIEWS = (
    View(False, 0.0), View(True, 0.6, 0.94, -0.02),
    View(False, 0.6, 0.88, 0.02), View(True, 0.8, 1.0, 0.0, -0.07),
    View(False, 0.8, 0.82), View(True, 0.0),
    View(False, 0.6, 0.94, -0.02), View(True, 0.6, 0.88, 0.02),
    View(False, 0.8, 1.0, 0.0, 0.07), View(True, 0.8, 0.82),
)  # fmt: skip
FEW = 4  # views after which nobody is nobody
NOBODY = 0.45  # how sure and at one those are, at least, of somebody
# Of the head and the shoulders alone, where the views are not at one which side is left.
CLOSER = tuple(View(mirrored, 0.6, larger) for larger in (0.58, 0.62, 0.66, 0.7)
               for mirrored in (False, True))  # fmt: skip
UNCLEAR = 0.45  # mean of votes that are 1 for one side and -1 for the other, at most
WEIGHT = 1.5  # of closer looks' votes against the others', at which fewest people turned round
LOWER = 0.25  # of the trunk that the middle of a closer look is below the shoulders


def person_in(pixels: Pixels, square: Square) -> Body | None:
    """The person in a settled square, as most looks have it; none if it is clearly nobody."""
    high, wide = pixels.shape[:2]
    looks = [seen_in(pixels, square, view) for view in VIEWS[:FEW]]
    if agreed(looks, square, (wide, high))[0].score < NOBODY:
        return None
    looks += [seen_in(pixels, square, view) for view in VIEWS[FEW:]]
    body, vote = agreed(looks, square, (wide, high))
    if abs(vote) < UNCLEAR:
        vote += WEIGHT * _closer(pixels, body)
    return body if vote >= 0 else replace(body, points=body.points[SWAPPED])


def settled(pixels: Pixels, square: Square) -> Square | None:
    """The square that the person in it is best looked at in; none if there is clearly nobody."""
    scores = []
    for look in range(SETTLING):
        body = body_in(pixels, square, mirrored=look % 2 == 1)
        scores.append(body.score)
        if body.square.side <= 1 or (look and np.mean(scores[-2:]) < SURE):
            return None
        square = body.square if look == 0 else between([square, body.square])
    return square


def between(squares: Sequence[Square]) -> Square:
    """The middle of some squares."""
    x, y = (float(np.mean([getattr(one, name) for one in squares])) for name in "xy")
    up = np.mean([[one.side * math.sin(one.angle), one.side * math.cos(one.angle)]
                  for one in squares], axis=0)  # fmt: skip
    side = float(np.mean([one.side for one in squares]))
    return Square(x, y, side, math.atan2(up[0], up[1]))


def seen_in(pixels: Pixels, square: Square, view: View) -> Body:
    """The person in the square as seen in that way."""
    other = Square(
        square.x + view.across * square.side, square.y,
        square.side * view.larger, square.angle + view.turned,
    )  # fmt: skip
    return body_in(pixels, other, mirrored=view.mirrored, soft=view.soft)


def agreed(looks: Sequence[Body], square: Square, size: tuple[int, int]) -> tuple[Body, float]:
    """What several looks at one square agree on, and the vote that its left is its left.

    The score is how sure and how much at one they are, whichever side they take for the left;
    joints count as they are visible, and those past the rim of a picture of that size do not.
    """
    points = np.stack([look.points for look in looks])
    reach, shown = FORGIVEN * square.side, points[:, COCO, 2].mean(axis=0)
    straight = _alike(points[:, COCO], points[:, COCO], reach, shown)
    crossed = _alike(points[:, COCO], points[:, SWAPPED][:, COCO], reach, shown)
    either = np.maximum(straight, crossed)
    chosen = int(either.mean(axis=1).argmax())
    turned = (crossed > straight)[chosen]
    aligned = np.where(turned[:, None, None], points[:, SWAPPED], points)
    middle: Floats = np.median(aligned, axis=0)
    sure = np.mean([look.score for look in looks]) * _visible(middle[COCO], size)
    body = Body(float(sure * either[chosen].mean()), middle, square)
    return body, float((straight - crossed)[chosen].mean())


def _visible(joints: Floats, size: tuple[int, int]) -> float:
    """How visible the joints are that lie in the picture; not at all where few do."""
    inside = ((joints[:, :2] >= 0) & (joints[:, :2] < size)).all(axis=1)
    return float(joints[inside, 2].mean()) if inside.sum() >= LEAST else 0.0


def _closer(pixels: Pixels, body: Body) -> float:
    """The vote of looks at the upper body alone."""
    shoulders, hips = (body.points[pair, :2].mean(axis=0) for pair in ([11, 12], [23, 24]))
    x, y = shoulders + LOWER * (hips - shoulders)
    square = Square(float(x), float(y), body.square.side, body.square.angle)
    points = np.stack([seen_in(pixels, square, view).points for view in CLOSER])
    reach = FORGIVEN * square.side
    both = np.stack([body.points, body.points[SWAPPED]])
    alike = _alike(points[:, UPPER], both[:, UPPER], reach, np.ones(len(UPPER)))
    straight, crossed = alike.mean(axis=0)
    return float(straight - crossed)


def _alike(points: Floats, others: Floats, reach: float, counts: Floats) -> Floats:
    """How alike each of some people is to each of others, 0–1; joints count so much each."""
    apart = np.square(points[:, None, :, :2] - others[None, :, :, :2]).sum(axis=-1)
    near = np.exp(-apart / (2 * reach**2))
    return np.asarray(np.average(near, axis=-1, weights=counts))

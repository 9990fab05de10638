"""Drawn people: full bodies with clothes and faces, in many postures, whose joints are known.

The joints are COCO's, where annotators put them: in the middle of the limb where it bends. A
network that was trained on photographs finds these people, as it does not find stick figures.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.engines.scenes import people_body as body
from overpaint.engines.scenes.people_body import Points
from overpaint.engines.scenes.people_clothes import Look, look
from overpaint.engines.scenes.people_paint import EMPTY, Canvas, Part
from overpaint.engines.scenes.people_parts import parts
from overpaint.errors import UserMistake
from overpaint.vision.references.skeletons import JOINTS

FINE = 2  # pixels painted to each side of one that is shown
SMALL = 240  # pixels of height below which it is one more
SKIN_DEEP = {"shoulder": 0.05, "elbow": 0.036, "wrist": 0.03, "hip": 0.115, "knee": 0.056,
             "ankle": 0.045}  # fmt: skip
ON_FACE = 0.02  # how far in front of an eye, an ear or a nose its own head may be


@dataclass(frozen=True, eq=False)
class Figure:
    """One drawn person, and where the joints are."""

    height: float  # pixels from crown to sole of the person standing upright
    points: Points  # in heights of the body
    look: Look
    posture: str
    seated: bool = False

    @property
    def name(self) -> str:
        """In words: "a woman in a blue coat"."""
        return self.look.name

    def draw(self, scale: float = 1.0) -> Pixels:
        """The person as RGBA, tightly boxed."""
        left, top, right, bottom = self._box
        wide = max(1, math.ceil((right - left) * scale))
        high = max(1, math.ceil((bottom - top) * scale))
        return self._canvas(scale, (left, top), (wide, high)).picture()

    @cached_property
    def joints(self) -> NDArray[np.float64]:
        """COCO's joints, 17×3, in pixels of the picture at scale 1; hidden ones have a 0."""
        left, top, right, bottom = self._box
        near = self._canvas(1.0, (left, top), (right - left, bottom - top), fine=1).near
        rows = []
        for name in JOINTS:
            x, y, z = self.points[name] * self.height - (left, top, 0)
            rows.append((x, y, float(self._shown(name, z, _around(near, x, y)))))
        joints = np.array(rows)
        joints.flags.writeable = False  # whoever asks again gets the same ones
        return joints

    def turned(self, joint: str, degrees: float) -> "Figure":
        """The same person with what hangs on one joint turned about it, clockwise as seen."""
        side, _, name = joint.partition("_")
        if side not in body.SIDES or name not in body.HANGS_ON:
            known = ", ".join(f"left_{name}" for name in body.HANGS_ON)
            raise UserMistake(
                f"Nothing hangs on {joint!r}.", f"Joints that turn are {known}, and the right ones."
            )
        return replace(self, points=body.turned(self.points, joint, degrees))

    def _shown(self, name: str, z: float, near: float) -> bool:
        deep = SKIN_DEEP.get(name.split("_")[-1], ON_FACE)
        return near <= z + (deep * self.look.build.girth) * self.height

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        return tuple(parts(self.points, self.look, seated=self.seated))

    @cached_property
    def _box(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of what is painted at scale 1, in whole pixels."""
        ends = np.array([(p.start, p.end) for p in self._parts])[:, :, :2] * self.height
        reach = np.array([max(p.widths) for p in self._parts])[:, None, None] * self.height
        low = np.floor((ends - reach).min(axis=(0, 1)) - 1).astype(int)
        high = np.ceil((ends + reach).max(axis=(0, 1)) + 1).astype(int)
        wide, tall = high - low
        there = self._canvas(1.0, (low[0], low[1]), (wide, tall), fine=1).near > EMPTY
        rows, columns = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
        return (
            int(low[0] + columns[0]), int(low[1] + rows[0]),
            int(low[0] + columns[-1] + 1), int(low[1] + rows[-1] + 1),
        )  # fmt: skip

    def _canvas(
        self, scale: float, corner: tuple[int, int], size: tuple[int, int], fine: int = 0
    ) -> Canvas:
        fine = fine or (FINE if self.height * scale >= SMALL else FINE + 1)
        canvas = Canvas.of(size[0], size[1], fine)
        unit = self.height * scale
        shift = np.array([corner[0] * scale, corner[1] * scale, 0.0])
        for part in self._parts:
            canvas.paint(
                replace(
                    part,
                    start=part.start * unit - shift,
                    end=part.end * unit - shift,
                    widths=[w * unit for w in part.widths],
                    laid=part.laid * unit,
                )
            )
        return canvas


def person(rng: np.random.Generator, *, height: float) -> Figure:
    """Somebody, so many pixels high when standing."""
    if not 8 <= height <= 4096:
        raise UserMistake(
            f"A person of {height} pixels cannot be drawn.", "From 8 to 4096 pixels were expected."
        )
    clothes = look(rng)
    posture = body.posture(rng)
    points = body.bones(posture, clothes.build)
    return Figure(height, points, clothes, posture.name, posture.seated)


def _around(near: NDArray[np.float32], x: float, y: float) -> float:
    """How near the picture is at a place."""
    row, column = (int(np.clip(v, 0, n - 1)) for v, n in zip((y, x), near.shape, strict=True))
    return float(near[row, column])

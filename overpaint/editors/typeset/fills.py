"""Fills: how letters are painted beyond one colour: outline, shadow, gradient."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from overpaint.document.layers import Colour, Gradient, Pixels, Shadow, Stroke

if TYPE_CHECKING:
    from overpaint.editors.typeset.unmix import Lifted


@dataclass(frozen=True)
class Fill:
    """The fields of a style that say how letters are painted."""

    colour: Colour
    stroke: Stroke | None = None
    shadow: Shadow | None = None
    gradient: Gradient | None = None


def recognise(window: Pixels, lifted: "Lifted") -> Fill:
    """How the lifted letters are painted."""
    return Fill(lifted.colour)

"""Asking: how the requests of drawn scenes are worded."""

from collections.abc import Mapping

from overpaint.engines.scenes.sheet import Piece
from overpaint.engines.scenes.wording import listed

__all__ = ["GROUNDS", "WORDINGS", "listed", "the", "where"]

WORDINGS: Mapping[str, tuple[str, ...]] = {
    "element replacement": (
        "In <image1>, replace {items}. Leave everything else as it is.",
        "Please exchange {items} in <image1>, on the same spot and about as large.",
        "I like <image1>, but swap {items}; the rest should not change.",
        "Show me <image1> again, but replace {items}.",
    ),
    "element addition": (
        "Add {items} to <image1>.",
        "<image1> looks empty. Put in {items}, and keep what is there.",
        "Please place {items} into <image1>, with fitting light and shadow.",
        "Make one picture out of these: <image1> as it is, plus {items}.",
    ),
    "spatial/environment": (
        "Put {items} {place}.",
        "Show {items} {place}, as if seen there.",
        "Make a picture with {items} {place}. Nothing else should be in it.",
        "Cut out {items}, and set it all down {place}.",
    ),
    "attribute transfer": (
        "Draw <image1> once more, with {items}.",
        "In <image1>, I want {items}. Shapes and places stay the same.",
        "Recolour <image1> so that it has {items}.",
        "Keep <image1> as it is, except for this: {items}.",
    ),
    "style/appearance": (
        "Draw <image1> in the style of {items}.",
        "Keep all that <image1> shows, but let it look as if made like {items}.",
        "Give <image1> the technique and the colours of {items}; its things stay where they are.",
        "Repaint <image1> by the hand that made {items}.",
    ),
}
GROUNDS: Mapping[str, str] = {
    "meadow": "on the meadow", "beach": "on the beach", "street": "on the street",
    "room": "in the room", "table": "on the table", "studio": "in front of the plain wall",
}  # fmt: skip
_FLOORS: Mapping[str, str] = {
    "meadow": "on the grass", "beach": "on the sand", "street": "on the pavement",
    "room": "on the floor", "table": "on the table", "studio": "on the ground",
}  # fmt: skip
_SITES: Mapping[str, str] = {"air": "in the sky", "water": "in the sea", "road": "on the road"}
_SIDES = ("on the left", "in the middle", "on the right")


def the(name: str) -> str:
    """ "a red kite" is "the red kite"."""
    first, _, rest = name.partition(" ")
    return f"the {rest if first in ('a', 'an') else name}"


def where(piece: Piece, place: str, size: tuple[int, int]) -> str:
    """Where in its picture a piece is, in words."""
    left, _, right, _ = piece.box
    side = _SIDES[min(2, int(1.5 * (left + right) / size[0]))]
    return f"{_SITES.get(piece.site) or _FLOORS[place]} {side}"

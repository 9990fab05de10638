"""Kinds of things: how each is drawn, in which colours, how tall it is and where it may be."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from overpaint.engines.milde.brush import Brush
from overpaint.engines.milde.figures import MOTIFS
from overpaint.engines.scenes.motifs_held_out import HELD_OUT
from overpaint.engines.scenes.motifs_known import KNOWN

# What people call a main colour; all of them are far from one another.
COLOURS: Mapping[str, str] = {
    "red": "#cf4338", "blue": "#3a78b5", "green": "#4a9a4f", "yellow": "#ecc043",
    "orange": "#e6832f", "purple": "#8455a8", "pink": "#e283a4", "teal": "#2f9690",
    "brown": "#a06a3a", "white": "#f2ece0", "grey": "#8d9099", "black": "#3b383d",
}  # fmt: skip
BRIGHT = ("red", "blue", "green", "yellow", "orange", "purple", "pink", "teal")
WOOD = ("brown", "white", "teal", "red")


@dataclass(frozen=True)
class Kind:
    """One kind of thing; `tall` counts in heights of a grown person."""

    word: str
    paint: Callable[[Brush, str], None]
    colours: tuple[str, ...]
    tall: float
    near: tuple[float, float]  # between which it stands: 0 far, 1 near
    places: tuple[str, ...]
    site: str = "floor"  # or "air", "water", "road"; a road is a floor where there is none
    turn: float = 0.0  # up to how many degrees it may lean
    named: bool = True  # whether its colour is said: that of a cow's spots is not


LAND = ("meadow", "beach", "street", "studio")

KNOWN_KINDS = (
    Kind("house", KNOWN["house"], ("red", "brown", "blue", "teal"), 2.5, (0.26, 0.42),
         ("meadow",), named=False),
    Kind("tree", KNOWN["tree"], ("green",), 2.3, (0.3, 0.5), ("meadow", "street"), named=False),
    Kind("kite", MOTIFS["kite"][0], BRIGHT, 1.3, (0.22, 0.36), ("meadow", "beach"), "air", 20),
    Kind("hot-air balloon", MOTIFS["hot-air balloon"][0], BRIGHT, 2.6, (0.12, 0.2),
         ("meadow", "beach"), "air", 4),
    Kind("dog", KNOWN["dog"], ("brown", "grey", "black"), 0.52, (0.6, 0.95), (*LAND, "room")),
    Kind("sheep", KNOWN["sheep"], ("white",), 0.6, (0.5, 0.9), ("meadow", "studio"), named=False),
    Kind("bus", MOTIFS["bus"][0], ("yellow", "red", "blue", "green"), 1.5, (0.4, 0.56),
         ("street", "studio"), "road"),
    Kind("ball", MOTIFS["basketball"][0], BRIGHT, 0.3, (0.65, 0.95), (*LAND, "room"), turn=40),
    Kind("sailing boat", KNOWN["sailing boat"], BRIGHT, 1.5, (0.2, 0.3), ("beach",), "water", 3),
    Kind("parasol", KNOWN["parasol"], BRIGHT, 1.35, (0.5, 0.7), ("beach",), turn=9),
    Kind("armchair", MOTIFS["armchair"][0], (*BRIGHT, "grey"), 0.72, (0.52, 0.8),
         ("room", "studio")),
    Kind("floor lamp", KNOWN["floor lamp"], BRIGHT, 1.05, (0.48, 0.7), ("room",)),
    Kind("wardrobe", KNOWN["wardrobe"], WOOD, 1.15, (0.46, 0.56), ("room",)),
    Kind("mug", KNOWN["mug"], BRIGHT, 0.3, (0.5, 0.9), ("table", "studio")),
    Kind("apple", MOTIFS["apple"][0], ("red", "green", "yellow"), 0.22, (0.5, 0.95), ("table",),
         turn=12),
    Kind("vase", MOTIFS["vase"][0], BRIGHT, 0.48, (0.45, 0.75), ("table", "studio")),
    Kind("gift", MOTIFS["gift"][0], BRIGHT, 0.36, (0.5, 0.85), ("table", "room", "studio")),
    Kind("clock", MOTIFS["clock"][0], BRIGHT, 0.34, (0.45, 0.85), ("table",)),
    Kind("cake", MOTIFS["cake"][0], ("pink", "yellow", "purple"), 0.32, (0.5, 0.9), ("table",),
         named=False),
)  # fmt: skip

HELD_OUT_KINDS = (
    Kind("castle", MOTIFS["castle"][0], ("grey", "brown"), 2.9, (0.24, 0.38), ("meadow",),
         named=False),
    Kind("fir tree", MOTIFS["fir tree"][0], ("green",), 1.9, (0.32, 0.55),
         ("meadow", "street", "room"), named=False),
    Kind("plane", MOTIFS["plane"][0], BRIGHT, 2.2, (0.14, 0.24), ("meadow", "beach", "street"),
         "air", 6),
    Kind("football", MOTIFS["football"][0], ("black", "blue"), 0.28, (0.65, 0.95),
         (*LAND, "room"), turn=40, named=False),
    Kind("cat", HELD_OUT["cat"], ("orange", "grey", "black"), 0.46, (0.6, 0.95), (*LAND, "room")),
    Kind("cow", HELD_OUT["cow"], ("black", "brown"), 0.9, (0.45, 0.75), ("meadow", "studio"),
         named=False),
    Kind("car", HELD_OUT["car"], BRIGHT, 0.95, (0.45, 0.62), ("street", "studio"), "road"),
    Kind("tractor", HELD_OUT["tractor"], ("red", "green", "blue", "orange"), 1.2, (0.42, 0.6),
         ("meadow", "street"), "road"),
    Kind("duck", HELD_OUT["duck"], ("yellow", "white"), 0.36, (0.62, 0.95),
         ("meadow", "beach", "studio")),
    Kind("lighthouse", HELD_OUT["lighthouse"], ("red", "blue", "green"), 3.2, (0.22, 0.3),
         ("beach",), "water"),
    Kind("balloons", MOTIFS["balloons"][0], BRIGHT, 1.2, (0.24, 0.4), ("beach", "street"), "air",
         5),
    Kind("chair", HELD_OUT["chair"], WOOD, 0.62, (0.5, 0.85), ("room", "studio")),
    Kind("piano", MOTIFS["piano"][0], ("brown", "black", "red"), 0.8, (0.48, 0.62), ("room",)),
    Kind("drum", MOTIFS["drum"][0], BRIGHT, 0.46, (0.55, 0.9), ("room", "studio")),
    Kind("robot", MOTIFS["robot"][0], BRIGHT, 0.8, (0.5, 0.8), ("room", "street")),
    Kind("cactus", MOTIFS["cactus"][0], ("green", "teal"), 0.5, (0.5, 0.8),
         ("room", "table", "studio"), named=False),
    Kind("teapot", MOTIFS["teapot"][0], BRIGHT, 0.34, (0.5, 0.85), ("table", "studio")),
    Kind("pear", HELD_OUT["pear"], ("green", "yellow", "red"), 0.27, (0.5, 0.95), ("table",),
         turn=10),
    Kind("pumpkin", MOTIFS["pumpkin"][0], ("orange",), 0.32, (0.5, 0.9), ("table", "meadow"),
         named=False),
    Kind("strawberry", MOTIFS["strawberry"][0], ("red", "pink"), 0.22, (0.55, 0.95), ("table",),
         turn=14),
    Kind("camera", MOTIFS["camera"][0], ("grey", "black", "red", "teal"), 0.27, (0.5, 0.9),
         ("table",)),
)  # fmt: skip

KINDS: Mapping[str, tuple[Kind, ...]] = {"known": KNOWN_KINDS, "held-out": HELD_OUT_KINDS}


def name_of(kind: Kind, colour: str) -> str:
    """What to call a thing: "a red kite", "an orange cat", "three blue balloons"."""
    words = f"{colour} {kind.word}" if kind.named else kind.word
    if kind.word.endswith("oons"):
        return words
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"

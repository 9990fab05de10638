"""The picture of which references go together: `python -m overpaint.engines.refblend.graph`.

It is drawn from the table: a line joins kinds that go together, an arrow leads to those of which
one is needed, and kinds of one box exclude each other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from overpaint.engines.refblend.compatibility import GROUPS, TABLE
from overpaint.vision.references import Kind

WIDE, HIGH = 1000, 590
NODE = (158, 46)  # width and height of a kind
_FONT = "font-family=\"system-ui,'Segoe UI','Noto Sans',sans-serif\""
_NAMES: Mapping[Kind, str] = {
    "bbox": "bounding boxes", "semantic_map": "semantic map", "canny": "canny edges",
    "depth": "depth map",
}  # fmt: skip
# Those in the middle join all others, each in a colour of its own.
_COLOURS: Mapping[Kind, str] = {"caption": "#2f6f9f", "subject": "#7a4fa3", "style": "#c2417c"}
_GROUND: Mapping[str, tuple[str, str]] = {
    "global structure": ("#e8f0e4", "#4c7a3d"), "local": ("#fdf0d8", "#a8701a"),
    "content": ("#e6eef6", "#2f6f9f"), "look": ("#fae6ef", "#c2417c"),
}  # fmt: skip
_NOTES: Mapping[str, str] = {
    "global structure": "at most one, and no local one", "local": "at most one kind",
    "content": "", "look": "",
}  # fmt: skip


@dataclass(frozen=True)
class Box:
    """Where a group stands: its middle across, its top, and its kinds from there down."""

    middle: int
    top: int
    step: int
    head: int = 72  # from the top to the middle of the first kind
    title: int = 28  # and to the group's name

    def place(self, number: int) -> tuple[int, int]:
        """The middle of a kind's node."""
        return self.middle, self.top + self.head + number * self.step


_BOXES: Mapping[str, Box] = {
    "global structure": Box(150, 120, 92), "local": Box(850, 160, 104),
    "content": Box(500, 96, 104), "look": Box(500, 400, 0, 46, 96),
}  # fmt: skip


def svg() -> str:
    """The picture."""
    places = {
        kind: _BOXES[group].place(number)
        for group, kinds in GROUPS.items() for number, kind in enumerate(kinds)
    }  # fmt: skip
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" {_FONT}>',
        f'<rect width="{WIDE}" height="{HIGH}" rx="18" fill="#fffdf9"/>',
        _text(WIDE // 2, 44, "Which references go together", 24, "#222", weight=650),
        *(_group(group, kinds) for group, kinds in GROUPS.items()),
        *(_line(places, one, other) for one, other in _pairs()),
        *(_node(kind, places[kind]) for kind in places),
        *_legend(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _pairs() -> Iterator[tuple[Kind, Kind]]:
    """Every two kinds that go together; those that need first, so that their arrows lie below."""
    kinds = tuple(TABLE)
    both = [(one, other) for one, other in combinations(kinds, 2)
            if TABLE[one][other] in ("possible", "needs")]  # fmt: skip
    yield from sorted(both, key=lambda pair: TABLE[pair[0]][pair[1]] != "needs")


def _group(name: str, kinds: Sequence[Kind]) -> str:
    box, (ground, ink) = _BOXES[name], _GROUND[name]
    high = 72 + (len(kinds) - 1) * box.step + NODE[1] // 2 + 22  # room for kinds and the name
    left, wide = box.middle - 108, 216
    note = _text(box.middle, box.top + high + 20, _NOTES[name], 13, "#777") if _NOTES[name] else ""
    return (
        f'<rect x="{left}" y="{box.top}" width="{wide}" height="{high}" rx="16" fill="{ground}"/>'
        + _text(box.middle, box.top + box.title, name, 15, ink, weight=600) + note
    )  # fmt: skip


def _node(kind: Kind, place: tuple[int, int]) -> str:
    x, y = place
    several = TABLE[kind][kind] == "possible"
    behind = _pill(x + 5, y - 5, kind) if several else ""
    name = _NAMES.get(kind, kind) + (" × n" if several else "")
    return behind + _pill(x, y, kind) + _text(x, y + 5, name, 15, "#222")


def _pill(x: int, y: int, kind: Kind) -> str:
    wide, high = NODE
    ink = next(_GROUND[group][1] for group, kinds in GROUPS.items() if kind in kinds)
    return (
        f'<rect x="{x - wide // 2}" y="{y - high // 2}" width="{wide}" height="{high}"'
        f' rx="{high // 2}" fill="#fff" stroke="{ink}" stroke-width="1.6"/>'
    )


def _line(places: Mapping[Kind, tuple[int, int]], one: Kind, other: Kind) -> str:
    """A curve between two kinds; an arrow where the first needs the second or another."""
    needs = TABLE[one][other] == "needs"
    hub = other if other in _COLOURS else one
    colour = "#d9822b" if needs else _COLOURS.get(hub, "#888")
    (x, y), (to_x, to_y) = places[one], places[other]
    if x == to_x:
        return _upright(places, (one, other), colour)
    side = 1 if to_x > x else -1
    room = (15 if TABLE[other][other] == "possible" else 10) if needs else 0  # for its head
    x, to_x = x + side * NODE[0] // 2, to_x - side * (NODE[0] // 2 + room)
    bend = side * 110
    head = ""
    if needs:
        head = f'<path d="M{to_x + side * 9} {to_y} l{-side * 12} -6 v12 z" fill="{colour}"/>'
    return (
        f'<path d="M{x} {y} C{x + bend} {y} {to_x - bend} {to_y} {to_x} {to_y}" fill="none"'
        f' stroke="{colour}" stroke-width="{2.6 if needs else 1.5}"'
        f' stroke-opacity="{1 if needs else 0.62}"/>{head}'
    )


def _upright(places: Mapping[Kind, tuple[int, int]], pair: tuple[Kind, Kind], colour: str) -> str:
    """A line between kinds that stand above each other, around those between them."""
    (x, y), (_, to_y) = sorted(places[kind] for kind in pair)
    between = any(y < other[1] < to_y and other[0] == x for other in places.values())
    bend = 140 if between else 0
    x, y, to_y = x + (NODE[0] // 2 if between else 0), y, to_y
    if not between:
        y, to_y = y + NODE[1] // 2, to_y - NODE[1] // 2
    return (
        f'<path d="M{x} {y} C{x + bend // 2} {y} {x + bend // 2} {to_y} {x} {to_y}" fill="none"'
        f' stroke="{colour}" stroke-width="1.5" stroke-opacity="0.62"/>'
    )


def _legend() -> Iterator[str]:
    y = HIGH - 26
    yield f'<path d="M176 {y - 5} h40" stroke="#2f6f9f" stroke-width="1.5"/>'
    yield _text(226, y, "goes with", 14, "#555", anchor="start")
    yield f'<path d="M334 {y - 5} h34" stroke="#d9822b" stroke-width="2.6"/>'
    yield f'<path d="M378 {y - 5} l-12 -6 v12 z" fill="#d9822b"/>'
    yield _text(388, y, "needs one of these", 14, "#555", anchor="start")
    yield _text(560, y, "× n  several may go together", 14, "#555", anchor="start")


def _text(
    x: int, y: int, words: str, size: int, ink: str, *, anchor: str = "middle", weight: int = 400
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{ink}" text-anchor="{anchor}"'
        f' font-weight="{weight}">{words}</text>'
    )


if __name__ == "__main__":
    print(svg(), end="")

"""Which references go together: the paper's Table 2 as data, and what its rules allow.

Two global references never go together, nor a global with a local one; boxes, mask and pose exclude
each other; boxes and mask need a caption or a subject. The paper's own data has 32 combinations.
They are a preset of their own (`PAPER`): mask+style is among them although the table forbids a mask
without a caption or a subject, and caption+style, pose+style and subject+style are not.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import combinations_with_replacement
from typing import Any, Literal

from overpaint.vision.references import KINDS, Kind

Relation = Literal["possible", "impossible", "needs", "not offered"]
Combination = tuple[Kind, ...]  # by name, in alphabetical order; several subjects count each
SIZES = (2, 3, 4)
GROUPS: Mapping[str, tuple[Kind, ...]] = {
    "global structure": ("semantic_map", "depth", "canny", "sketch"),
    "local": ("bbox", "mask", "pose"),
    "content": ("caption", "subject"),
    "look": ("style",),
}

_SIGNS: Mapping[str, Relation] = {
    "+": "possible", "x": "impossible", ">": "needs", "-": "not offered",
}  # fmt: skip


def _loaded() -> Mapping[str, Any]:
    text = files(__package__).joinpath("compatibility.json").read_text(encoding="utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found


def _table(data: Mapping[str, Any]) -> dict[Kind, dict[Kind, Relation]]:
    columns: Sequence[Kind] = data["kinds"]
    return {
        row: {kind: _SIGNS[sign] for kind, sign in zip(columns, told.split(), strict=True)}
        for row, told in data["table"].items()
    }


def _combination(name: str) -> Combination:
    parts = name.split("+")
    return tuple(kind for part in parts for kind in KINDS if kind == part)


_DATA = _loaded()
TABLE: Mapping[Kind, Mapping[Kind, Relation]] = _table(_DATA)
PAPER: tuple[Combination, ...] = tuple(sorted(map(_combination, _DATA["paper"])))


def name_of(combination: Sequence[Kind]) -> str:
    """A combination as the paper writes it: canny+caption."""
    return "+".join(combination)


def allowed(combination: Sequence[Kind]) -> bool:
    """Whether the table's rules allow these references together."""
    pairs = ((one, other) for at, one in enumerate(combination) for other in combination[at + 1 :])
    return all(_together(one, other) for one, other in pairs) and not any(
        _lacks(kind, combination) for kind in combination
    )


def needed(kind: Kind) -> tuple[Kind, ...]:
    """The kinds of which a reference of this kind needs one beside it."""
    return tuple(other for other, relation in TABLE[kind].items() if relation == "needs")


def combinations(
    offered: Mapping[Kind, int], sizes: Sequence[int] = SIZES
) -> tuple[Combination, ...]:
    """Every combination of those sizes that the rules allow, of what a source offers."""
    return tuple(found for size in sizes for found in _of_size(offered, size) if allowed(found))


def papers(offered: Mapping[Kind, int]) -> tuple[Combination, ...]:
    """The paper's combinations that a source has all references for."""
    return tuple(one for one in PAPER if _there(one, offered))


def _of_size(offered: Mapping[Kind, int], size: int) -> Iterator[Combination]:
    kinds = sorted(kind for kind, count in offered.items() if count > 0)
    for found in combinations_with_replacement(kinds, size):
        if _there(found, offered):
            yield found


def _there(combination: Combination, offered: Mapping[Kind, int]) -> bool:
    return all(combination.count(kind) <= offered.get(kind, 0) for kind in set(combination))


def _together(one: Kind, other: Kind) -> bool:
    return all(sign in ("possible", "needs") for sign in (TABLE[one][other], TABLE[other][one]))


def _lacks(kind: Kind, combination: Sequence[Kind]) -> bool:
    wanted = needed(kind)
    return bool(wanted) and not any(other in combination for other in wanted)

"""Direction: the order in which letters of right-to-left and left-to-right scripts stand.

The rules are those of Unicode's bidirectional algorithm (UAX #9), without the invisible marks
that embed one direction in another; those count as nothing.
"""

import unicodedata
from collections.abc import Sequence

_PAIRS = (
    "()",
    "[]",
    "{}",
    "〈〉",
    "⟨⟩",
    "《》",
    "「」",
    "『』",
    "【】",
    "〔〕",
    "（）",
    "［］",
    "｛｝",
)
_MIRRORED_ALSO = ("<>", "«»", "‹›", "≤≥", "≪≫", "⊂⊃", "⊆⊇", "∈∋", "≺≻")
_MIRROR = {p[i]: p[1 - i] for p in (*_PAIRS, *_MIRRORED_ALSO) for i in (0, 1)}
_CLOSING = {pair[0]: pair[1] for pair in _PAIRS}
_NEUTRAL = {"B", "S", "WS", "ON"}
_INVISIBLE = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI", "BN"}
_DEEP = 63  # brackets open at once


def levels(words: str) -> tuple[int, ...]:
    """How deep each letter is embedded: odd runs right to left."""
    kinds = [unicodedata.bidirectional(letter) or "L" for letter in words]
    if not {"R", "AL", "AN"} & set(kinds):
        return (0,) * len(words)
    base = _base(kinds)
    seen = [i for i, kind in enumerate(kinds) if kind not in _INVISIBLE]
    resolved = _resolved([words[i] for i in seen], [kinds[i] for i in seen], base)
    found = [base] * len(words)
    for i, kind in zip(seen, resolved, strict=True):
        found[i] = base + _deeper(kind, base)
    _reset(found, kinds, base)
    return tuple(found)


def visual(depths: Sequence[int]) -> list[int]:
    """The order, from the left, in which things of these levels stand in a line."""
    order = list(range(len(depths)))
    for level in range(max(depths, default=0), 0, -1):
        start = None
        for at in range(len(order) + 1):
            deep = at < len(order) and depths[order[at]] >= level
            if deep and start is None:
                start = at
            elif not deep and start is not None:
                order[start:at] = order[start:at][::-1]
                start = None
    return order


def turned(words: str) -> str:
    """Signs that run right to left as they are to be drawn left to right: mirrored, reversed."""
    return "".join(_MIRROR.get(letter, letter) for letter in reversed(words))


def strong(words: str) -> bool:
    """Whether a letter among them has a direction of its own."""
    return any(unicodedata.bidirectional(letter) in ("L", "R", "AL") for letter in words)


def _base(kinds: Sequence[str]) -> int:
    first = next((kind for kind in kinds if kind in ("L", "R", "AL")), "L")
    return 0 if first == "L" else 1


def _deeper(kind: str, base: int) -> int:
    if base == 0:
        return {"R": 1, "AN": 2, "EN": 2}.get(kind, 0)
    return 1 if kind in ("L", "EN", "AN") else 0


def _reset(found: list[int], kinds: Sequence[str], base: int) -> None:
    """Spaces at the end of the line, and those before a tab, run as the paragraph does."""
    trailing = True
    for at in range(len(kinds) - 1, -1, -1):
        if kinds[at] in ("S", "B"):
            trailing = True
        if not trailing or kinds[at] not in ("WS", "S", "B", *_INVISIBLE):
            trailing = False
            continue
        found[at] = base


def _resolved(letters: Sequence[str], kinds: list[str], base: int) -> list[str]:
    edge = "R" if base else "L"
    original = list(kinds)
    _weak(kinds, edge)
    _brackets(letters, kinds, original, edge)
    _neutral(kinds, edge)
    return kinds


def _weak(kinds: list[str], edge: str) -> None:
    """Rules W1–W7: marks, numbers and what goes with numbers."""
    last = edge
    for at, kind in enumerate(kinds):  # W1
        if kind == "NSM":
            kinds[at] = last
        last = kinds[at]
    letter = edge
    for at, kind in enumerate(kinds):  # W2
        if kind in ("L", "R", "AL"):
            letter = kind
        elif kind == "EN" and letter == "AL":
            kinds[at] = "AN"
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]  # W3
    for at in range(1, len(kinds) - 1):  # W4
        before, after = kinds[at - 1], kinds[at + 1]
        if before == after and (
            (before == "EN" and kinds[at] in ("ES", "CS")) or (before == "AN" and kinds[at] == "CS")
        ):
            kinds[at] = before
    _terminators(kinds)
    kinds[:] = ["ON" if kind in ("ES", "ET", "CS") else kind for kind in kinds]  # W6
    letter = edge
    for at, kind in enumerate(kinds):  # W7
        if kind in ("L", "R"):
            letter = kind
        elif kind == "EN" and letter == "L":
            kinds[at] = "L"


def _terminators(kinds: list[str]) -> None:
    """Rule W5: signs beside a number, as of money, are part of it."""
    at = 0
    while at < len(kinds):
        end = at
        while end < len(kinds) and kinds[end] == "ET":
            end += 1
        if end > at and "EN" in (kinds[at - 1 : at] + kinds[end : end + 1]):
            kinds[at:end] = ["EN"] * (end - at)
        at = max(end, at + 1)


def _side(kind: str) -> str:
    """The direction a neutral sees in its neighbour; numbers count as right to left."""
    return "R" if kind in ("R", "EN", "AN") else kind


def _brackets(letters: Sequence[str], kinds: list[str], original: Sequence[str], edge: str) -> None:
    """Rule N0: both brackets of a pair take the direction of what is in them."""
    for start, end in _matched(letters, kinds):
        inside = {_side(kind) for kind in kinds[start + 1 : end]} & {"L", "R"}
        if edge in inside:
            found = edge
        elif inside:
            back = (_side(kinds[at]) for at in range(start - 1, -1, -1))
            found = next((side for side in back if side in ("L", "R")), edge)
        else:
            continue
        for at in (start, end):
            kinds[at] = found
            following = at + 1
            while following < len(kinds) and original[following] == "NSM":
                kinds[following] = found
                following += 1


def _matched(letters: Sequence[str], kinds: Sequence[str]) -> list[tuple[int, int]]:
    waiting: list[tuple[str, int]] = []
    pairs = []
    for at, letter in enumerate(letters):
        if kinds[at] != "ON":
            continue
        if letter in _CLOSING:
            if len(waiting) == _DEEP:
                break
            waiting.append((_CLOSING[letter], at))
        for depth in range(len(waiting) - 1, -1, -1):
            if waiting[depth][0] == letter:
                pairs.append((waiting[depth][1], at))
                del waiting[depth:]
                break
    return sorted(pairs)


def _neutral(kinds: list[str], edge: str) -> None:
    """Rules N1 and N2: between two of one direction they take it, else the paragraph's."""
    at = 0
    while at < len(kinds):
        end = at
        while end < len(kinds) and kinds[end] in _NEUTRAL:
            end += 1
        if end > at:
            before = _side(kinds[at - 1]) if at else edge
            after = _side(kinds[end]) if end < len(kinds) else edge
            kinds[at:end] = [before if before == after else edge] * (end - at)
        at = max(end, at + 1)

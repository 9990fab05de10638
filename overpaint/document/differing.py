"""Differing: which letters of a text stayed and which were replaced, in time that is bounded."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

LONG = 2000  # letters: what differs in more than these is replaced as a whole
Step = tuple[str, int, int, int, int]  # equal, replace, insert or delete; from, to; from, to


def steps(old: str, new: str) -> Iterator[Step]:
    """How one text becomes another, from left to right, as difflib counts."""
    start = alike(old, new)
    end = alike(old[start:][::-1], new[start:][::-1])
    a, b, c, d = start, len(old) - end, start, len(new) - end
    if start:
        yield "equal", 0, start, 0, start
    if max(b - a, d - c) > LONG or a == b or c == d:
        if a < b or c < d:
            yield ("insert" if a == b else "delete" if c == d else "replace"), a, b, c, d
    else:
        for op, i, j, k, m in SequenceMatcher(None, old[a:b], new[c:d], False).get_opcodes():
            yield op, a + i, a + j, c + k, c + m
    if end:
        yield "equal", b, len(old), d, len(new)


def line_steps(old: str, new: str) -> Iterator[Step]:
    """The same, where lines that stay at the beginning and the end keep the break before them."""
    lines, other = (re.findall(r"^[^\n]*|\n[^\n]*", text) for text in (old, new))
    first = alike(lines, other)
    last = alike(lines[first:][::-1], other[first:][::-1])
    start = sum(map(len, lines[:first]))
    end = sum(map(len, lines[len(lines) - last :]))
    if start:
        yield "equal", 0, start, 0, start
    for op, a, b, c, d in steps(old[start : len(old) - end], new[start : len(new) - end]):
        yield op, start + a, start + b, start + c, start + d
    if end:
        yield "equal", len(old) - end, len(old), len(new) - end, len(new)


def alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many letters or lines two texts begin with in common."""
    most = min(len(one), len(other))
    return next((i for i in range(most) if one[i] != other[i]), most)

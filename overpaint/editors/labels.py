"""Instructions that call pictures by name: which is spoken of when, and where the caption is."""

import re

from overpaint.core import Request

_CAPTION = re.compile(r"\bcaption\s*[:：]\s*", re.IGNORECASE)
_NAME = re.compile(r"<?\s*([a-z]+(?:_[a-z]+)*?)(?:_image)?_?(\d*)\s*>?", re.IGNORECASE)
# Words that lead to a caption and mean nothing without it: "…, following the caption: …".
_LEADING = frozenset((
    "a", "according", "and", "as", "by", "described", "follow", "following", "follows",
    "fulfilling", "given", "in", "its", "match", "matches", "matching", "of", "per", "satisfying",
    "text", "that", "the", "this", "to", "under", "using", "with",
))  # fmt: skip
_LONGEST_CLAUSE = 10  # words of a clause that only leads to a caption


def parted(instruction: str) -> tuple[str, str]:
    """The instruction without its caption, and the caption: all that stands after “caption:”."""
    found = _CAPTION.search(instruction)
    if found is None:
        return instruction, ""
    before = instruction[: found.start()]
    end = max(map(before.rfind, ",;.!?"))
    clause = before[end + 1 :]
    if end >= 0 and "<" not in clause and len(clause.split()) <= _LONGEST_CLAUSE:
        before = before[: end + 1]  # "…, with the scene itself following the"
    words = before.split()
    while words and words[-1].strip(",;:").casefold() in _LEADING:
        words.pop()
    before = " ".join(words).rstrip(",;: ")
    caption = instruction[found.end() :].strip().strip("\"“”'")
    return (f"{before}." if before[-1:].isalnum() or before.endswith(">") else before), caption


def stem(label: str) -> str:
    """What kind of thing a label names: canny of <canny_image>, subject of <subject_1>."""
    found = _NAME.fullmatch(label.strip())
    return found[1].lower() if found else ""


def in_order(request: Request) -> tuple[int, ...]:
    """The places of the references, in the order in which the instruction first names them.

    Those that it does not name come last, as they stand.
    """
    said, labels = request.instruction, request.labels
    never = len(said)

    def first(place: int) -> tuple[int, int]:
        at = said.find(labels[place]) if place < len(labels) and labels[place] else -1
        return (at if at >= 0 else never, place)

    return tuple(sorted(range(len(request.references)), key=first))

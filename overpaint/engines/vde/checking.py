"""Whether an instruction may go to an editor: every rule it breaks, in words."""

from collections.abc import Mapping, Sequence

from overpaint.engines.released import TYPES
from overpaint.engines.vde.ambiguity import Openness, ambiguity
from overpaint.engines.vde.wording import quotations, standing
from overpaint.engines.vde.writer import NO_TEXT
from overpaint.vision.page import Block

LONGEST = 1_000  # characters; nobody carries out more than that in one place


def faults(
    instruction: str, kind: str, blocks: Sequence[Block], language: str
) -> tuple[tuple[str, ...], Mapping[str, Openness]]:
    """What speaks against an instruction of that kind on that page, and how open it is.

    Its target must be quoted and stand on the page once, in a table for table kinds and outside
    tables and pictures for text kinds; one operation in one place; the page's main language.
    """
    if not instruction.strip() or len(instruction) > LONGEST or not instruction.isprintable():
        return (f"it is empty, longer than {LONGEST:,} characters, or does not print",), {}
    if kind not in TYPES:
        return (f"its type {kind!r} is none of the seven",), {}
    found = ambiguity(instruction, blocks, language)
    wrong = [
        f"{dimension}: {one.reason}"
        for dimension, one in found.items()
        if not one.clear or (dimension == "target" and one.score > 1)
    ]
    if not wrong and (misplaced := _misplaced(instruction, kind, blocks)):
        wrong.append(misplaced)
    return tuple(wrong), found


def _misplaced(instruction: str, kind: str, blocks: Sequence[Block]) -> str:
    """Why the quoted target stands in the wrong sort of block, or nothing."""
    anchors = [quote.text for quote in quotations(instruction) if not quote.new]
    (place,) = next(found for text in anchors if len(found := standing(text, blocks)) == 1)
    where = blocks[place].kind
    if kind.startswith("table") and where != "table":
        return f"target: a {kind} is asked of a {where} block, not of a table"
    if kind.startswith("text") and where in NO_TEXT:
        return f"target: a {kind} is asked of a {where}, not of headings or running text"
    return ""

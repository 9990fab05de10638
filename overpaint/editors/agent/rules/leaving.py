"""Leaving: what of an instruction led to no decision, and how that is told."""

import re
from collections.abc import Iterable, Iterator, Sequence

from overpaint.document.instruct import parse
from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.finding import found
from overpaint.editors.agent.rules.glue import VERB, is_idle
from overpaint.editors.agent.rules.names import TEXTS
from overpaint.editors.agent.rules.page import Page
from overpaint.editors.agent.rules.pointing import roles_in
from overpaint.editors.agent.rules.prompts import Hit
from overpaint.editors.agent.rules.reading import Clause
from overpaint.editors.agent.rules.wording import adds
from overpaint.errors import OverpaintError

# After a bare comma an English clause goes on with a remark, unless with a verb.
_PIECE = re.compile(
    rf",?\s+(?:and|but)\s+|\s*[，;；]\s*|,\s+(?={VERB}\s)"
    r"|\s+(?=(?:in|at) (?:the|an?|our) |on \w+day\b)|并且?|同时|[和与、]",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"(?:many )?(?:thanks|thank you|cheers|hi|hello|dear|(?:kind |best )?regards|good (?:morning"
    r"|day|evening)|(?:that|it|this) (?:will |would )?looks? (?:great|good|nice|lovely|fine))\b"
    r"|谢谢|多谢|辛苦|你好|您好",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"\b(?:move|put|shift|place|align)\b.*\b(?:left|right|top|bottom|middle|centre|center|corner|up"
    r"|down)\b|\bswap\b|too (?:small|large|big|dark|light|bright)\b|[移挪放].*[左右上下顶底中]",
    re.IGNORECASE,
)
_MODEL = "A model may know what is meant: agent:VENDOR/MODEL"


def unused(clause: Clause, hits: Sequence[Hit], *, chinese: bool) -> list[Clause]:
    """What of a clause came to nothing: all of it, or what no hit says a word of, unlike others."""
    if not hits:
        return [clause] if _asks(clause, chinese=chinese) else []
    used = " ".join(f"{hit.prompt} {hit.why}" for hit in hits).casefold()
    every = [clause.only(piece) for piece in _PIECE.split(clause.without("but").text)]
    idle = [piece for piece in every if not _is_in(piece, used)]
    if len(idle) == len(every):
        return []  # it was understood otherwise than by its words
    return [one for one in idle if _asks(one, chinese=chinese)]


def _asks(clause: Clause, *, chinese: bool) -> bool:
    """Whether a clause asks for something, and is neither idle nor polite."""
    said = clause.full(clause.text)
    idle = is_idle(said, chinese=chinese) and not _MOVES.search(said)
    return not idle and not _COURTESY.match(clause.text)


def _is_in(piece: Clause, used: str) -> bool:
    """Whether anything that a piece says, or a part of the design that it names, is used."""
    text = piece.full(piece.text).casefold()
    if set(roles_in(text)) & set(roles_in(used)) - {"text"}:
        return True
    return any(one in used for one in _said(text))


def _said(text: str) -> Iterator[str]:
    """The words of a text that are no mere glue; of Chinese, any two letters."""
    for word in re.findall(r"\d+|[a-z][\w'’-]+", text):
        if not is_idle(word, chinese=False):
            yield word
    for run in re.findall(r"[\u3400-\u9fff]+", text):
        yield from (run[n : n + 2] for n in range(len(run) - 1))


def told(page: Page, left: Iterable[Clause]) -> list[str]:
    """What was left undone, as a user is told: what is not there apart from what is not clear."""
    absent, unsure, unclear = list[str](), list[str](), list[str]()
    for clause in left:
        said = clause.said.replace("“", "‘").replace("”", "’")
        known = unsure if _is_there(page, clause) else absent
        (known if is_act(clause) else unclear).append(f"“{said}”")
    notes = []
    if unsure:
        notes.append(f"Nothing was done about {', '.join(unsure)}: the rules could not tell what"
                     " to do.")  # fmt: skip
    if absent:
        notes.append(f"Nothing was done about {', '.join(absent)}: no layer is known to be, say or"
                     " show what is meant.")  # fmt: skip
    if unclear:
        notes.append(f"Not understood: {', '.join(unclear)}; nothing was done about it.")
    return [f"{' '.join(notes)} {_MODEL}"] if notes else []


def _is_there(page: Page, clause: Clause) -> bool:
    """Whether the page has what a clause speaks of: a part of it, a thing, or words."""
    if quotes := clause.of("quote"):
        return adds(clause) or any(found(page, one) for one in quotes)
    if clause.of("but") or page.named_in(clause.text):
        return True
    valued = [role for kind, role in _VALUES.items() if role and clause.of(kind)]
    return any(
        page.having(role) if role in TEXTS
        else page.unnamed if role == "picture" else page.figures_of(role)
        for role in (*roles_in(clause.text), *valued) if role != "text"
    )  # fmt: skip


# What says by its kind what to do, and of what.
_VALUES = {
    "colour": "", "date": "date", "time": "time", "price": "price",
    "percent": "discount", "zhe": "discount",
}  # fmt: skip


def is_act(clause: Clause) -> bool:
    """Whether it is clear what to do, so that only what to do it to is not."""
    if words.REMOVE.search(clause.text) or any(map(clause.of, _VALUES)):
        return True
    try:
        return bool(parse(clause.said))
    except OverpaintError:
        return False

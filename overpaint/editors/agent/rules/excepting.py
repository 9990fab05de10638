"""Exceptions: what a wish leaves out, as "all text except the title" or 除了标题."""

import re
from collections.abc import Sequence

from overpaint.editors.agent.rules import names as parts
from overpaint.editors.agent.rules.glue import names as part_names
from overpaint.editors.agent.rules.page import Page
from overpaint.editors.agent.rules.pointing import roles_in
from overpaint.editors.agent.rules.prompts import Hit
from overpaint.editors.agent.rules.reading import FIRST, MARK, Clause

_SAVE = r"(?:except(?:ing)?(?: for)?|apart from|aside from|other than|excluding|save for)"
_LETTERS = r"[^\W\d_]{1,20}(?:['’-][^\W\d_]{1,20})?"
_STOP = r"(?:to|into|in|should|must|is|are|be|which|that|it|an?|and|or)\b"
_NOUN = rf"{_LETTERS}(?: (?!{_STOP}){_LETTERS}){{0,3}}"
_NOUNS = rf"(?:the |our |its )?{_NOUN}(?:,? ?(?:and|or)? (?:the|our|its) {_NOUN}){{0,3}}"
# What a wish leaves out: "all text except the title", "everything but the frame", 除了标题.
_BUT = re.compile(
    rf",?\s*\b{_SAVE} {_NOUNS}"
    rf"|,? but not (?=(?:the|our) (?:{part_names().pattern})){_NOUNS}"
    rf"|\b(?:any \w{{1,20}}|anything) but {MARK}"
    rf"|(?P<lead>\b(?:everything|anything|(?:all|every)(?: \w{{1,20}}){{0,2}})) but(?: for| not)?"
    rf" (?=the |our |its ){_NOUNS}"
    r"|(?<![删去清移剔解免])除了[^，,。；;]{1,20}?(?:之外|以外|外|(?=[，,])|$)[，,]?"
    r"|(?<![删去清移剔解免])除[^了掉去此非，,。；;]{1,20}?(?:之外|以外|外)[，,]?"
    r"|[，,]?[^，,。；;]{1,12}除外",
    re.IGNORECASE,
)
# "All stays as it is except the date, which is now 3 May" is a wish about the date.
_SAME = re.compile(
    rf"(?:^|(?<=[.!?;] ))[^.;:,]{{0,20}}\b(?:everything|all)\b[^.;:,]{{0,40}}?\b(?:{_SAVE}|but)"
    r" (?:that )?(?P<what>(?:the|our|its) [\w ]{2,30}), (?:which|that|it|this)"
    r"(?= (?:is|are|should|must|will|needs|has)\b)",
    re.IGNORECASE,
)


def excepted(whole: Clause) -> Clause:
    """An instruction in which each exception is a mark of its own."""
    text, marks = _SAME.sub(r"\g<what>", whole.text), list(whole.marks)

    def mark(found: re.Match[str]) -> str:
        lead = found["lead"] or ""
        marks.append(("but", whole.full(found[0][len(lead) :].strip())))
        return f"{lead} {chr(FIRST + len(marks) - 1)}"

    return Clause(_BUT.sub(mark, text), tuple(marks))


def spared(page: Page, clause: Clause, hits: Sequence[Hit]) -> list[Hit]:
    """What a clause asks of those that it does not except; nothing where that is not sure.

    All texts are surely meant by "all text but the title"; by "everything but the title" it is
    not told whether also the background is.
    """
    saved = [_meant(page, one) for one in clause.of("but")]
    if not all(saved) or "text" not in roles_in(clause.text):
        return []
    kept = {layer for own in saved for layer in own}
    return [hit for hit in hits if hit.layer not in kept]


def _meant(page: Page, said: str) -> set[str]:
    """The layers that an exception names; none unless every part of it does."""
    found = set[str]()
    for item in filter(None, re.split(r"[,，]\s*| and | or |[、和与及]", said)):
        own = {layer.id for layer in page.named_in(item)}
        for role in roles_in(item):
            lines = page.having(role) if role in parts.TEXTS else ()
            own |= {line.layer.id for line in lines}
            own |= {layer.id for layer in page.figures_of(role) if role in parts.FIGURES}
        if not own:
            return set()
        found |= own
    return found

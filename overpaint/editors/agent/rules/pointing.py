"""Pointing: which parts of a design a clause speaks of, by what people call them."""

import re
from functools import cache
from itertools import zip_longest

from overpaint.editors.agent.rules import names as parts
from overpaint.editors.agent.rules.glue import names
from overpaint.editors.agent.rules.page import Page
from overpaint.editors.agent.rules.reading import MARK, Clause


@cache
def _role(name: str) -> str:
    if name == "days":
        return ""  # "sunny days" are no date
    for role, known in parts.CALLED.items():
        if name in known:
            return role
    return _role(name[:-1]) if name.endswith("s") else ""


def _is_head(role: str, gap: str) -> bool:
    """Whether a part that follows another is the one meant: the band photo is a photo, no band."""
    return role in parts.FIGURES and gap in ("", " ")


def roles_in(text: str) -> list[str]:
    """The roles that a clause names, in its order, each once."""
    every = [(match, _role(match[0].casefold())) for match in names().finditer(text)]
    plain = [
        role for (match, role), after in zip_longest(every, every[1:])
        if not (after and _is_head(after[1], text[match.end() : after[0].start()]))
    ]  # fmt: skip
    return list(dict.fromkeys(role for role in plain if role))


_IT = re.compile(
    r"^(?P<verb>(?:please )?(?:make|colou?r|paint|move|put|shift|place|rotate)) it"
    r"(?! (?:an?|into|the|about|for|say|read)\b)",
    re.IGNORECASE,
)

_BARE = re.compile(rf"^(?:改|换|变|设|调)[成为作]?{MARK}$")  # of what, the wish before says


def with_it(clause: Clause, spoken: str) -> Clause:
    """A clause in which "it", or nothing, is what the wish before it spoke of."""
    if spoken and _BARE.match(clause.text):
        return clause.only(f"把{spoken.removeprefix('the ')}{clause.text}")
    return clause.only(_IT.sub(rf"\g<verb> {spoken}", clause.text)) if spoken else clause


def thing_of(page: Page, clause: Clause) -> str:
    """The one part or thing of a page that a clause names, as it can be said again."""
    named = [f"the {layer.name}" for layer in page.named_in(clause.text)]
    parts_ = [f"the {match[0]}" for match in names().finditer(clause.text)]
    return (named + parts_)[0] if len(named + parts_) == 1 else ""

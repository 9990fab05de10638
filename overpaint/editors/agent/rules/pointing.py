"""Pointing: which parts of a design a clause speaks of, by what people call them."""

from functools import cache
from itertools import zip_longest

from overpaint.editors.agent.rules import names as parts
from overpaint.editors.agent.rules.glue import names

_HEADS = ("picture", "logo", "code")  # the band photo is a photo, and no band


@cache
def _role(name: str) -> str:
    for role, known in parts.CALLED.items():
        if name in known:
            return role
    return _role(name[:-1]) if name.endswith("s") else ""


def roles_in(text: str) -> list[str]:
    """The roles that a clause names, in its order, each once."""
    every = [(match, _role(match[0].casefold())) for match in names().finditer(text)]
    plain = [
        role for (match, role), after in zip_longest(every, every[1:])
        if not (after and after[1] in _HEADS and text[match.end() : after[0].start()] == " ")
    ]  # fmt: skip
    return list(dict.fromkeys(role for role in plain if role))

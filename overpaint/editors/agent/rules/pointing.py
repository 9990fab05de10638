"""Pointing: which parts of a design a clause speaks of, by what people call them."""

from functools import cache

from overpaint.editors.agent.rules import names as parts
from overpaint.editors.agent.rules.glue import names


@cache
def _role(name: str) -> str:
    for role, known in parts.CALLED.items():
        if name in known:
            return role
    return _role(name[:-1]) if name.endswith("s") else ""


def roles_in(text: str) -> list[str]:
    """The roles that a clause names, in its order, each once."""
    found = (_role(match[0].casefold()) for match in names().finditer(text))
    return list(dict.fromkeys(role for role in found if role))

"""Binding: which look is for which thing, where one sentence has several of both.

A look is for what stands right before it: "the title red and 'Page 25' bold" are two wishes, "the
title and the date red and bold" is one.
"""

from overpaint.document.instruct.lexing import Token, Tokens

_WORN = ("look", "colour", "shade", "family", "align", "grow", "factor", "much", "points", "unit")


def bound(after: Tokens) -> list[Tokens]:
    """The wishes of a sentence, each a list of things and then of looks; one where it is one."""
    found: list[Tokens] = []
    start = 0
    for n, token in enumerate(after):
        joins = token.has("and", "comma")
        if joins and _ends_worn(after[start:n]) and names_worn(after[n + 1 :]):
            found.append(after[start:n])
            start = n + 1
    return [*found, after[start:]]


def _ends_worn(part: Tokens) -> bool:
    """Whether a thing is named, and a look after it."""
    named = next((n for n, t in enumerate(part) if names(t)), len(part))
    return any(_worn(t) for t in part[named:]) and not (part and names(part[-1]))


def names_worn(part: Tokens) -> bool:
    """Whether a thing is named before any look, and a look after it."""
    named = next((n for n, t in enumerate(part) if names(t)), len(part))
    worn = [n for n, t in enumerate(part) if _worn(t)]
    return bool(worn) and named < worn[0]


def _worn(token: Token) -> bool:
    return token.has(*_WORN) and not names(token)


def names(token: Token) -> bool:
    """Whether a word names a thing of the page."""
    return token.has("quote", "role", "layer") and not token.has("look", "colour", "family")

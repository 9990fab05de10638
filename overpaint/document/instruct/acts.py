"""Acts: what each verb makes of its clause. Here: changing, deleting and adding words."""

from dataclasses import dataclass, replace
from typing import Any, cast

from overpaint.document.instruct.clauses import Clause
from overpaint.document.instruct.lexing import Token, Tokens, cut
from overpaint.document.instruct.phrases import chunks, content
from overpaint.document.instruct.refusal import refuse
from overpaint.document.instruct.several import targets
from overpaint.document.ops import Delete, Op, Restyle
from overpaint.document.where import Where

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".svg", ".gif", ".bmp", ".tif", ".tiff")
_OFF: dict[str, dict[str, Any]] = {
    "bold": {"weight": 400},
    "italic": {"italic": False},
    "underline": {"underline": False},
    "strike": {"strike": False},
}


@dataclass(frozen=True)
class Told:
    """What was said before: what "it" is, and what a clause that had no end was about."""

    it: Where | None = None
    table: bool = False


def words(tokens: Tokens) -> str:
    """What a clause said, for a refusal."""
    return cut(tokens)


def quoted(tokens: Tokens) -> list[str]:
    """What is quoted, in order."""
    return [token.get("quote") for token in tokens if token.has("quote")]


def check_quotes(tokens: Tokens, kind: str) -> None:
    """Refuse '' where words of the page, or new ones, are meant."""
    if "" in quoted(tokens):
        raise refuse(words(tokens), kind, why="nothing stands in its quotation marks")


def aim(tokens: Tokens, told: Told, *, kind: str) -> tuple[Where, ...]:
    """Everything a phrase points at, "it" included; refuses where that cannot be told."""
    named = [
        t
        for t in content(tokens)
        if t.has("quote", "role", "page", "layer", "number") or not t.senses
    ]
    if told.it and any(t.has("it") for t in tokens) and not named:
        return (told.it,)
    if not quoted(tokens) and (item := _item(tokens)):
        why = f"“{item.text}” is told by its words, and none are quoted"
        raise refuse(words(tokens), kind, why=why)
    found = tuple(targets(tokens, table=told.table))
    if not found or any(where is None for where in found):
        if told.it and not content(tokens):
            return (told.it,)
        bare = kind == "change" and bool(content(tokens)) and not quoted(tokens)
        why = "which words are meant cannot be told" if bare else "what it is about cannot be told"
        raise refuse(words(tokens) or kind, kind, why=why)
    return cast(tuple[Where, ...], found)


def _item(tokens: Tokens) -> Token | None:
    """A word for one of a list, which nobody can count on a page."""
    return next((token for token in tokens if token.of("role", "item")), None)


def without_attrs(tokens: Tokens) -> Tokens:
    """Without "the font of", "the colour of": what has them stays."""
    kept: list[Token] = []
    for n, token in enumerate(tokens):
        follows = n > 0 and tokens[n - 1].has("attr") and token.of("prep", "of")
        if not (token.has("attr") or follows):
            kept.append(token)
    return tuple(kept)


# ── delete ──────────────────────────────────────────────────────────────────────────────


def delete(clause: Clause, told: Told) -> tuple[Op, ...]:
    """Take away what is named before the verb or after it."""
    tokens = clause.tokens
    again = next((n for n, t in enumerate(clause.after) if t.of("verb", "delete")), -1)
    if again > 0 and quoted(clause.after[again:]):
        return _emptied(clause.after[:again], clause.after[again + 1 :], told)
    worn = {t.get("look") for part in chunks(clause.after)[:1] for t in content(part.tokens)}
    if worn and worn <= set(_OFF):
        bare = tuple(t for t in tokens if not t.has("look"))
        return tuple(
            Restyle(w, **_OFF[name]) for w in aim(bare, told, kind="look") for name in sorted(worn)
        )
    found = aim(tokens, told, kind="delete")
    if clause.said.lower() in ("clear", "empty", "清空") and _names_field(tokens):
        found = tuple(Where(side="right", of=where) for where in found)
    if any(where == Where(role="picture") for where in found) and not quoted(tokens):
        raise refuse(words(tokens), "delete", why="what it is about cannot be told")
    return tuple(Delete(where) for where in found)


def _names_field(tokens: Tokens) -> bool:
    return any(t.text.lower() in ("field", "一栏", "栏", "该栏") for t in tokens)


def _emptied(field: Tokens, entry: Tokens, told: Told) -> tuple[Op, ...]:
    """ "clear the field 'Name' by removing 'Ann'"."""
    label = aim(field, told, kind="delete")[0]
    return tuple(
        Delete(replace(where, side="right", of=label)) for where in aim(entry, told, kind="delete")
    )

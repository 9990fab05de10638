"""Dressing: another look for what stands there."""

from collections.abc import Callable
from dataclasses import replace

from overpaint.document.instruct.acts import (
    Told,
    aim,
    check_quotes,
    quoted,
    without_attrs,
)
from overpaint.document.instruct.binding import bound
from overpaint.document.instruct.clauses import Clause
from overpaint.document.instruct.counts import counts_lane
from overpaint.document.instruct.lexing import Token, Tokens, cut, tokens_of_plain
from overpaint.document.instruct.looks import (
    VERBS,
    Look,
    alignment,
    both,
    look,
    sized,
    worn_in,
)
from overpaint.document.instruct.phrases import content, of_page, plain
from overpaint.document.instruct.refusal import refuse
from overpaint.document.ops import Op, ReplaceText
from overpaint.document.where import Where


def made(clause: Clause, told: Told) -> tuple[Op, ...]:
    """ "make the title bold", "change the font of 'X'", "set 'X' in italics"."""
    if len(parts := bound(clause.after)) > 1:
        return _each(clause, parts, made, told)
    clause = replace(clause, after=worn_in(_unquoted(clause.after)))
    tokens = clause.tokens
    check_quotes(tokens, "look")
    if quoted(tokens) and any(t.has("case") for t in clause.after):
        return _cased(tuple(t for t in tokens if not t.has("case")), clause.after, told)
    wanted = both(look(clause.after), sized(clause.after))
    attrs = {t.get("attr") for t in tokens if t.has("attr")}
    vague = any(t.has("vague") for t in tokens)
    if not wanted.said and attrs == {"font"} and not vague:
        wanted = replace(wanted, fields={"family": "other"})
    if any(t.text.lower() == "like" for t in tokens):
        raise refuse(cut(tokens), "look", why="what it should be like is not given")
    if not wanted.said or vague:
        raise refuse(cut(tokens), "change", why="it does not say what should stand there")
    owned = without_attrs(tokens)
    bare = tuple(
        t
        for n, t in enumerate(tokens)
        if t in owned and (t.has("quote") or not t.has(*_WORN) or counts_lane(tokens, n))
    )
    return tuple(op for where in _all_text(bare, told) for op in wanted.ops(where))


def _each(
    clause: Clause, parts: list[Tokens], act: Callable[[Clause, Told], tuple[Op, ...]], told: Told
) -> tuple[Op, ...]:
    """The same verb for each of several things, each with its own look."""
    before = (clause.before, *[()] * len(parts))
    each = (replace(clause, before=b, after=part) for b, part in zip(before, parts, strict=False))
    return tuple(op for one in each for op in act(one, told))


def _unquoted(after: Tokens) -> Tokens:
    """With a quoted font as a font: "set 'X' in 'Open Sans'"."""
    found: list[Token] = []
    for n, token in enumerate(after):
        said = tokens_of_plain(token.get("quote")) if token.has("quote") else ()
        named = len(said) == 1 and said[0].has("family")
        inside = n > 0 and (after[n - 1].of("prep", "in", "with") or after[n - 1].has("attr"))
        found.append(said[0] if named and inside and n > 1 else token)
    return tuple(found)


def dress(clause: Clause, told: Told) -> tuple[Op, ...]:
    """A verb that is itself a look: bold, underline, colour, centre."""
    if len(parts := bound(clause.after)) > 1:
        return _each(clause, parts, dress, told)
    into = next((n for n, t in enumerate(clause.before) if t.has("into")), len(clause.before))
    wanted = look(clause.before[into:] + clause.after)  # 改为红色加粗
    fields = dict(wanted.fields) | dict(VERBS.get(clause.verb, {}))
    if clause.verb == "align" and (side := alignment(clause.said, clause.after)):
        fields["align"] = side
    if clause.verb == "upper":
        return _cased(clause.tokens, (Token("", 0, 0, {"case": "upper"}),), told)
    if not fields:
        raise refuse(cut(clause.tokens), "look", why="it does not say how it should look")
    worn = ("look", "colour", "shade", "family", "align", "attr", "dir")
    bare = tuple(t for t in clause.tokens if t.has("quote") or not t.has(*worn))
    return tuple(op for where in _all_text(bare, told) for op in Look(fields).ops(where))


def dressed(subject: Tokens, result: Tokens, told: Told, *, name: str = "") -> tuple[Op, ...]:
    """Another look; none where the result asks for no look."""
    attrs = {t.get("attr") for t in subject if t.has("attr")}
    sizes = sized((*_size_words(subject), *result)) if _about_size(subject, result) else Look()
    wanted = both(look(result), sizes)
    if "font" in attrs and name and any(not t.senses for t in result):
        wanted = _family_of(result)
    elif "font" in attrs and not wanted.said and (name or plain(result)):
        wanted = replace(wanted, fields={"family": name or plain(result)})
    if any(t.has("case") for t in result):
        return _cased(subject, result, told)
    if not wanted.said or (unclear(result) and not attrs):
        return ()
    at = next((n for n, t in enumerate(subject) if t.of("prep", "from")), len(subject))
    bare = without_attrs(subject[:at])
    return tuple(op for where in _all_text(bare, told) for op in wanted.ops(where))


def _family_of(result: Tokens) -> Look:
    """A font that is quoted by its name, with the looks before or after it: 'Foo Sans bold'."""
    name = tuple(t for t in result if not t.has("look"))
    worn = look(tuple(t for t in result if t.has("look")))
    return Look({**worn.fields, "family": cut(name)})


def _about_size(subject: Tokens, result: Tokens) -> bool:
    """Whether a number is a size: 20 px and 2 times are, 20 % and 3/4 may be words of the page."""
    if any(t.of("attr", "size") for t in subject + result):
        return True
    return any(t.has("grow", "factor", "points") or t.of("unit", "px", "pt", "x") for t in result)


def _size_words(subject: Tokens) -> Tokens:
    """That "the size of" was said, and the "to" that the number follows."""
    size = tuple(t for t in subject if t.of("attr", "size"))
    return (*size, Token("to", 0, 0, {"prep": "to"})) if size else ()


_WORN = (
    "look", "colour", "shade", "family", "align", "grow", "much", "factor", "unit", "attr",
    "number",
)  # fmt: skip


_DRESS = (
    "colour", "look", "family", "align", "shade", "grow", "factor", "much", "unit", "number", "and",
    "attr", "prep", "role", "it", "into", "points", "comma", "verb", "then", "page", "post",
)  # fmt: skip


def unclear(result: Tokens) -> bool:
    """Whether a result says more than a look: "a dark red" does not, "Georgia State" may."""
    return any(not t.has(*_DRESS) or t.has("guess") for t in content(result))


def _all_text(subject: Tokens, told: Told) -> tuple[Where, ...]:
    """What a look is for; all text where nothing is named: "change the font colour to pink"."""
    if told.it and all(t.has("it") for t in content(subject)):
        return (told.it,)
    if (whole := of_page(subject)) is not None:
        return (whole,)
    return aim(subject, told, kind="look")


def _cased(subject: Tokens, result: Tokens, told: Told) -> tuple[Op, ...]:
    """Capital or small letters, for words that are quoted."""
    upper = any(t.of("case", "upper") for t in result)
    found = aim(subject, told, kind="change")
    if any(not where.text for where in found):
        raise refuse(cut(subject), "change", why="only quoted words can be put in capitals")
    return tuple(ReplaceText(w, w.text.upper() if upper else w.text.lower()) for w in found)

"""Clauses: an instruction cut into single wishes, each with one verb; what asks for nothing is left
out, and a statement ("The field 'Name' is empty.") goes before the clause that acts on it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from overpaint.document.instruct.instead import Turned, is_look, turned
from overpaint.document.instruct.lexing import Token, Tokens, cut
from overpaint.document.instruct.refusal import refuse
from overpaint.document.instruct.wishes import folded

# Verbs that are as often nouns: they begin a clause only where nothing else can be meant.
_NOUNS = frozenset({
    "place", "type", "print", "scale", "center", "centre", "show", "colour", "color", "fill",
    "position", "cut", "set", "drop", "order", "bold", "input", "paint", "tint", "highlight",
    "align", "trade", "switch", "shift", "turn", "transfer", "have", "give", "comes", "double",
    "take", "extend", "reduce", "continue", "include",
})  # fmt: skip


@dataclass(frozen=True)
class Clause:
    """One thing asked for: what stands before its verb, the verb, and what stands after it."""

    before: Tokens
    verb: str
    after: Tokens
    said: str = ""  # the verb as it was written
    whole: str = ""  # all of it as it was written

    @property
    def tokens(self) -> Tokens:
        return self.before + self.after


def clauses(parts: Iterable[Tokens]) -> list[Clause]:
    """The clauses that ask for something, in the order they are said."""
    found: list[Clause] = []
    waiting: Tokens = ()  # a statement that the next clause is about
    for part in parts:
        other = turned(part)
        part = part if other else _wished(part)
        if not _content(part):
            continue
        said = waiting + _unjoined(part, after=waiting)
        clause = _instead(other) if other else _clause(said)
        if clause and clause.verb == "change" and found and not _content(clause.tokens):
            continue  # "…, please correct it": said already
        if clause is not None:
            found.append(clause)
            waiting = ()
        elif found and not waiting and any(token.has("quote") for token in part):
            last = found.pop()
            found.append(replace(last, after=last.after + part))
        elif found and not _states(part):
            raise refuse(_said(part))
        elif not (_states(part) or _points(part)):
            raise refuse(cut(part))
        else:
            waiting += part
    if waiting and (not found or any(token.has("quote") for token in waiting)):
        raise refuse(_said(waiting))
    return found


def _unjoined(part: Tokens, *, after: Tokens) -> Tokens:
    """Without the "and", "then" and comma that join it; a statement's comma ends the statement."""
    at = next((n for n, t in enumerate(part) if not t.has("and", "then", "comma")), len(part))
    return part[at:] if not after else tuple(t for t in part[:at] if t.has("comma")) + part[at:]


def _content(part: Tokens) -> bool:
    return any(not token.has("filler", "comma", "stop", "and", "then", "article") for token in part)


def _states(part: Tokens) -> bool:
    """Whether words say how things are, and so ask for nothing by themselves."""
    return any(token.has("says", "it", "close") for token in part)


def _points(part: Tokens) -> bool:
    """Whether words name what the next clause is about: "For the title:", "In the line 'B'."."""
    if any(token.has("quote") for token in part):
        return True
    first = next((t for t in part if not t.has("filler", "comma", "article")), None)
    return first is not None and first.has("prep", "role", "page", "layer") and not _goes_on(part)


def _said(part: Tokens) -> str:
    return " ".join(token.text for token in part)


# ── cutting ─────────────────────────────────────────────────────────────────────────────


def parts(tokens: Tokens) -> Iterator[Tokens]:
    """Cut at stops, and wherever a joining word or a comma is followed by a verb."""
    tokens, start = folded(tokens), 0
    for n, token in enumerate(tokens):
        if token.has("colon") and _is_heading(tokens, start, n):
            start = n + 1
        elif token.has("stop") or (n > start and _begins_another(tokens, start, n)):
            yield tokens[start:n]
            start = n + 1 if token.has("stop") else n
    yield tokens[start:]


def _is_heading(tokens: Tokens, start: int, n: int) -> bool:
    """Whether a colon ends a heading: "Relocate the brand: move 'A' up, move 'B' down"."""
    here = tokens[start:n]
    quotes = any(token.has("quote") for token in here)
    return not quotes and tokens[n + 1 : n + 2] != () and tokens[n + 1].has("verb") and _acts(here)


def _begins_another(tokens: Tokens, start: int, n: int) -> bool:
    if not tokens[n].has("comma", "and", "then"):
        return False
    here = tokens[start:n]
    wishing = any(token.has("wish") for token in here)
    after = n + 1
    while after < len(tokens) and tokens[after].has("and", "then", "filler") and after < n + 5:
        if tokens[after].has("verb"):
            break
        after += 1
    if after >= len(tokens):
        return False
    next_one = tokens[after]
    if next_one.has("quote") and _acts(here) and _chinese_wish(tokens, n, after):
        return True
    if next_one.of("prep", "ba") and _acts(here) and _acts_too(tokens[after:]):
        return True
    if next_one.of("verb", "delete") and any(_clears(token) for token in here):
        return False
    if wishing and tokens[n].has("comma") and next_one.chinese and _asks_too(tokens[after:]):
        return True
    if next_one.has("wish"):
        return tokens[n].has("comma") or not wishing
    if next_one.has("verb") and not _acts(here) and _orders(here):
        return True
    if not next_one.has("verb") or not _acts(here):
        over = not wishing or here[-1].has("wish")
        return tokens[n].has("comma") and next_one.chinese and _acts(here) and over
    if next_one.has("look") and not _has_object(tokens, after):
        return False
    doubtful = wishing or any(token.has("quote") for token in tokens[n:after])
    return not (doubtful and next_one.text.lower() in _NOUNS)


def _chinese_wish(tokens: Tokens, n: int, at: int) -> bool:
    """Whether what is quoted after a mark has its own verb: "，“乙”改成蓝色", "、“丙”加粗"."""
    if tokens[n].text not in ("，", ",", "、"):
        return False
    for token in tokens[at + 1 :]:
        if token.has("comma", "stop", "and", "quote"):
            return False
        if token.chinese and (token.has("verb") or token.of("into", "should")):
            return True
    return False


def _acts_too(rest: Tokens) -> bool:
    """Whether what begins with 把 or 在 has its own verb: "并把“丙”改成“丁”"."""
    end = next((n for n, t in enumerate(rest) if t.has("comma", "stop")), len(rest))
    return _acts(rest[:end])


def _asks_too(rest: Tokens) -> bool:
    """Whether what follows the mark after a wish asks for something: "，票价改成免费"."""
    end = next((n for n, t in enumerate(rest) if t.has("comma", "stop")), len(rest))
    wishes = any(token.has("wish") for token in rest[:end])
    return not wishes and any(t.has("verb") or t.of("into", "should") for t in rest[:end])


def _has_object(tokens: Tokens, verb: int) -> bool:
    """Whether something to act on follows: "and bold the title", but not "and bold"."""
    return verb + 1 < len(tokens) and tokens[verb + 1].has("article", "quote", "role", "it")


def _clears(token: Token) -> bool:
    """Whether a verb empties a field, so that what it says may be named next."""
    return token.text.lower() in ("clear", "empty", "清空")


def _acts(part: Tokens) -> bool:
    return any(token.has("verb", "wish") or token.of("into", "should") for token in part)


def _wished(part: Tokens) -> Tokens:
    """Without wishes; refused where what follows one is more than a list of what stays."""
    bare = _without_wishes(part)
    for n in range(len(bare) + 1, len(part)):
        if part[n].has("comma", "and", "then") and _goes_on(part[n + 1 :]):
            raise refuse(cut(part[n + 1 :]))
    return bare


def _goes_on(rest: Tokens) -> bool:
    """Whether words up to the next mark ask for something by a verb that no table knows.

    "sing a song" and 把日期推迟一周 do, "the spacing" and 人物 name what stays.
    """
    end = next((n for n, t in enumerate(rest) if t.has("comma", "stop", "and", "wish")), len(rest))
    said = tuple(t for t in rest[:end] if not t.has("filler", "then"))
    if not said or (end < len(rest) and rest[end].has("wish")):
        return False
    if _orders(said) or any(t.of("into", "should") for t in said):
        return True
    named = next((n for n, t in enumerate(said) if t.has("role", "attr")), len(said))
    strange = [n for n, t in enumerate(said) if not t.senses]
    return said[0].chinese and bool(strange) and strange[-1] > named


def _orders(said: Tokens) -> bool:
    """Whether words begin as an order does: "sing a …", "Postpone the …", 把…."""
    said = tuple(t for t in said if not t.has("filler", "then", "and", "comma"))
    if not said or said[0].text in ("把", "将", "將"):
        return bool(said)
    verb = not said[0].senses and (said[0].text.islower() or not said[0].start)
    return verb and said[1:2] != () and said[1].has("article")


def _without_wishes(part: Tokens) -> Tokens:
    """Without "keep the same font", "instead of the old one", and what follows that."""
    for n, token in enumerate(part):
        if (token.has("wish") and not _meant(part, n)) or (n and token.has("instead")):
            return part[:n]
    return part


def _meant(part: Tokens, n: int) -> bool:
    """Whether a word of wishes is a part of something else: "in the same line"."""
    if part[n].has("same"):  # "with the same text 'B'", but not "with the same font"
        return not any(token.has("attr", "kept") for token in part[n + 1 : n + 3])
    return n > 0 and part[n - 1].of("prep", "to", "from") and not part[n].has("verb")


# ── the verb ────────────────────────────────────────────────────────────────────────────


def _clause(part: Tokens) -> Clause | None:
    """The clause of the first word that can be its verb; none where nothing is asked for."""
    verbs = [n for n in range(len(part)) if _is_verb(part, n)]
    sure = [n for n in verbs if part[n].text.lower() not in _NOUNS]
    firm = [n for n, token in enumerate(part) if token.of("into", "should")]
    if verbs and (verbs[0] in sure or _leads(part, verbs[0]) or not sure):
        at = verbs[0]
    elif sure:
        at = sure[0]
    elif firm:
        return Clause(_stated(part[: firm[0]]), "change", part[firm[0] :], "", cut(part))
    else:
        return None
    if firm and _soft(part[at]) and firm[0] < at:
        return Clause(part[: firm[0]], "change", part[firm[0] :])
    return Clause(part[:at], part[at].get("verb"), part[at + 1 :], part[at].text, cut(part))


def _stated(before: Tokens) -> Tokens:
    """What "it" is in "the price is wrong, it should be $20": what the statement is about."""
    says = next((n for n, t in enumerate(before) if t.has("says")), 0)
    return before[:says] if says and before[-1].has("it") else before


def _instead(said: Turned) -> Clause:
    """The new for the old: "use 'Y' instead of 'X'"; a look is for all, or for what it says."""
    old, new = _without_wishes(said.old), _without_wishes(said.new)
    if is_look(new):
        at = next((n for n, t in enumerate(old) if t.of("prep", "for", "in")), len(old))
        return Clause(said.lead, "change", new + old[at:], "use")
    turn = Token("to", new[0].start, new[0].start, {"into": "should"}, new[0].source)
    return Clause(said.lead, "change", (*old, turn, *new), "replace")


def _soft(token: Token) -> bool:
    return token.of("verb", "change") or token.text.lower() in _NOUNS


def _is_verb(part: Tokens, n: int) -> bool:
    """Whether a verb stands where one can: not after "the", "of", "in" or a number."""
    if not part[n].has("verb"):
        return False
    before = part[n - 1] if n else None
    if before is None or part[n].chinese:
        return True
    if before.has("article", "number", "quote", "ord", "all", "attr", "role") and not _comes(
        part[n]
    ):
        return before.has("quote", "role") and part[n].text.lower() not in _NOUNS
    if before.has("says") and not before.of("into", "should"):
        return False
    if before.has("prep", "side"):
        return before.of("prep", "by") and part[n].text.endswith("ing")
    return True


def _comes(token: Token) -> bool:
    return token.text.lower() == "comes"


def _leads(part: Tokens, n: int) -> bool:
    """Whether only fillers, or a phrase that a comma ends, stand before the verb."""
    before = [token for token in part[:n] if not token.has("filler", "then", "and")]
    return not before or before[-1].has("comma", "colon", "stop") or part[n].chinese

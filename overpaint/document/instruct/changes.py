"""Changes: other words, another look or another picture for what stands there."""

from collections.abc import Callable
from dataclasses import replace

from overpaint.document.instruct.acts import (
    ALL_TEXT,
    PICTURES,
    Told,
    aim,
    check_quotes,
    quoted,
    without_attrs,
)
from overpaint.document.instruct.binding import bound, names_worn
from overpaint.document.instruct.clauses import Clause
from overpaint.document.instruct.counts import counts_lane
from overpaint.document.instruct.families import ENDINGS, ONE_WORD
from overpaint.document.instruct.instead import is_look
from overpaint.document.instruct.labels import check_no_label
from overpaint.document.instruct.lexing import Token, Tokens, cut, tokens_of_plain
from overpaint.document.instruct.looks import (
    VERBS,
    Look,
    alignment,
    both,
    check_known,
    look,
    sized,
    undressed,
    worn_in,
)
from overpaint.document.instruct.pairs import attr_too, each_its_own, likewise, pairs, turning
from overpaint.document.instruct.phrases import chunks, content, is_page, plain
from overpaint.document.instruct.refusal import refuse
from overpaint.document.instruct.tables import crossed
from overpaint.document.ops import Delete, Op, ReplacePicture, ReplaceText
from overpaint.document.where import WORDLESS, Where


def change(clause: Clause, told: Told) -> tuple[Op, ...]:
    """New words, another look, or another picture for what stands there."""
    if clause.said.lower() == "use" and (at := _used_too(clause.after)):
        other = Clause((), "change", clause.after[at + 1 :], clause.said)
        return change(replace(clause, after=clause.after[:at]), told) + change(other, told)
    subject, result = _used(clause) if clause.said.lower() == "use" else _sides(clause)
    if not result:
        return made(clause, told)
    subject, result = _placed_last(subject, result)
    says = quoted(result)
    check_quotes(subject, "change")
    if any(t.has("same") for t in subject + result[:2]) or _compares(clause.after, result):
        raise refuse(cut(clause.tokens), "look", why="what it should be like is not given")
    last = clause.after[-len(result) :] == result
    if last and (others := pairs(result)):
        first = replace(clause, after=clause.after[: -len(others)])
        return change(first, told) + change(likewise(subject, others[1:]), told)
    if last and says and (others := attr_too(result)):
        done = change(replace(clause, after=clause.after[: -len(others)]), told)
        same = replace(told, it=done[-1].where)
        return done + change(Clause((), "change", others[1:]), same)
    if last and says and (others := _worn_too(result)):
        first = replace(clause, after=clause.after[: -len(others)])
        return change(first, told) + made(Clause((), "change", others[1:], "make"), told)
    if nothing(result):
        return _gone(subject, result, told)
    if any(t.has("vague") for t in clause.tokens) and (not says or clause.said.lower() == "use"):
        raise refuse(cut(clause.tokens), "change", why="the new words are not given")
    file = _file(result)
    attrs = {t.get("attr") for t in subject if t.has("attr")}
    if file:
        return tuple(ReplacePicture(where, file) for where in aim(subject, told, kind="picture"))
    if says and attrs & {"font", "colour"} and not quoted(result)[1:]:
        named = _dressed(subject, tokens_of_plain(says[0]), told, name=says[0])
        worn = _worn_as_well(result)
        return named + (_dressed(subject, worn, told) if worn else ())
    if says and _goes_on(result):
        aim(_origin(subject), told, kind="change")  # what is changed is told first
        raise refuse(cut(result), "change", why="what is said after the new words is not clear")
    if new := each_its_own(subject, result):
        found = aim(_origin(subject), told, kind="change")
        if len(found) == len(new):
            return tuple(ReplaceText(w, one) for w, one in zip(found, new, strict=True))
    if says:
        tail, worn = undressed(_tail(result))
        done = _worded(subject + tail, says[0], told, every=_everywhere(result))
        return done + _worn(worn or tail or _worn_as_well(result), says[0])
    return _dressed(subject, result, told) or _plainly(subject, result, told)


def _compares(after: Tokens, result: Tokens) -> bool:
    """Whether a look is said to be that of something else: "as big as 'B'", "the font of 'B'"."""
    as_as = sum(t.of("prep", "as") for t in after) > 1 or result[0].text.lower() == "that"
    end = next((n for n, t in enumerate(result) if t.has("and", "comma")), len(result))
    attr = next((n for n, t in enumerate(result[:end]) if t.has("attr")), end)
    owned = any(t.of("prep", "of") for t in result[attr:end])
    return as_as or (owned and bool(quoted(result[attr:end])))


def _sides(clause: Clause) -> tuple[Tokens, Tokens]:
    """What is changed, and into what; the second is empty where no word stands between them."""
    after = clause.after
    at = turning(after)
    if at < 0:
        return clause.before + after, ()
    subject, result = clause.before + after[:at], after[at + 1 :]
    if clause.verb == "change" and after[at].of("prep", "for"):
        return result, subject
    return subject, result


def _placed_last(subject: Tokens, result: Tokens) -> tuple[Tokens, Tokens]:
    """With a place that is said after plain new words as the old ones': "20% to 30% in 'A'"."""
    at = next((n for n, t in enumerate(result) if t.has("quote", "side") or t.of("prep", "in")), 0)
    if at and not result[at].has("quote") and quoted(result[at:]) and plain(result[:at]):
        return subject + result[at:], result[:at]
    return subject, result


def _used(clause: Clause) -> tuple[Tokens, Tokens]:
    """ "use Arial for the title", or "use 'Y' for 'X'"."""
    font = Token("font", 0, 0, {"attr": "font"})
    after = clause.after
    ways = [n for n, t in enumerate(after) if t.of("prep", "for", "in")]
    ways = ways or [n for n, t in enumerate(after) if t.of("prep", "as")]
    at = ways[0] if ways else len(after)
    new, old = after[:at], after[at + 1 :]
    says = quoted(new)
    worded = bool(says) and not _is_font(says[0], new, old)
    if old and after[at].of("prep", "for", "as") and (worded or nothing(new)):
        return clause.before + old, new
    return (*clause.before, font, *old), new


def _used_too(after: Tokens) -> int:
    """Where another pair is joined: "'Y' for 'X' and 'Z' for 'W'"; 0: nowhere."""
    pairs = [n for n, t in enumerate(after) if t.of("prep", "for")]
    between = range(pairs[0], pairs[1]) if len(pairs) > 1 else range(0)
    return next((n for n in between if after[n].has("and", "comma")), 0)


def _is_font(name: str, new: Tokens, old: Tokens) -> bool:
    """Whether what is quoted is the name of a font, rather than words of the page."""
    if any(t.of("attr", "font") for t in new + old):
        return True
    if name.lower() in ONE_WORD:
        return not quoted(old)
    said = tokens_of_plain(name)
    known = len(said) == 1 and said[0].has("family")
    return known and (not said[0].has("guess") or name.lower().endswith(ENDINGS))


def _file(result: Tokens) -> str:
    said = quoted(result)[0] if quoted(result) else cut(result).rstrip(".,;!。 ").split(" ")[-1]
    return said if said.lower().endswith(PICTURES) and " " not in said else ""


def _worded(subject: Tokens, new: str, told: Told, *, every: bool) -> tuple[Op, ...]:
    """New words for old ones."""
    found = crossed(aim(_origin(subject), told, kind="change"))
    check_no_label(subject, found)
    return tuple(ReplaceText(replace(w, every=w.every or every), new) for w in found)


def nothing(result: Tokens) -> bool:
    """Whether new words are none: '', nothing, 空."""
    if says := quoted(result):
        return not says[0]
    said = [t for t in result if not t.has("article", "stop", "comma")]
    return cut(tuple(said)) == "空" or (bool(said) and all(t.has("empty") for t in said))


def _gone(subject: Tokens, result: Tokens, told: Told) -> tuple[Op, ...]:
    """ "replace 'X' with ''": what stands there goes."""
    if any(t.has("attr") for t in subject):
        raise refuse(cut(subject + result), "look", why="it does not say how it should look")
    about = _origin(subject + (_tail(result) if quoted(result) else ()))
    found = aim(about, told, kind="delete")
    every = _everywhere(result)
    return tuple(Delete(replace(w, every=w.every or every)) for w in found)


def _worn_too(result: Tokens) -> Tokens:
    """What is said after new words of the look of something else: "to 'B' and the title red"."""
    at = next(n for n, t in enumerate(result) if t.has("quote"))
    rest = result[at + 1 :]
    joined = bool(rest) and rest[0].has("and", "comma")
    unclear = _unclear(tuple(t for t in rest if not t.has("quote")))
    return rest if joined and names_worn(rest[1:]) and not unclear else ()


def _worn_as_well(result: Tokens) -> Tokens:
    """What is said after new words of their own look: "to 'B' and red"."""
    at = next(n for n, t in enumerate(result) if t.has("quote"))
    rest = result[at + 1 :]
    joined = bool(rest) and rest[0].has("and", "comma")
    return rest if joined and is_look(rest[1:]) else ()


def _goes_on(result: Tokens) -> bool:
    """Whether something unknown is asked for after the new words: "to 'B' and dance"."""
    at = next(n for n, t in enumerate(result) if t.has("quote"))
    rest = result[at + 1 :]
    after = content(tuple(t for t in rest if not t.has("and", "then")))
    joined = bool(rest) and rest[0].has("and", "then", "comma")
    return joined and bool(after) and not after[0].senses


def _worn(tail: Tokens, new: str) -> tuple[Op, ...]:
    """The look of new words: "to 'Y' in red"."""
    wanted = look(tail)
    plain_look = (
        wanted.said and not _unclear(tail) and not any(t.of("role", "background") for t in tail)
    )
    return wanted.ops(Where(text=new)) if plain_look else ()


def _tail(result: Tokens) -> Tokens:
    """What is said of the place after the new words: "… in the second paragraph"."""
    at = next(n for n, t in enumerate(result) if t.has("quote"))
    rest = result[at + 1 :]
    known = bool(rest) and rest[0].has("prep", "side") and not any(t.has("and") for t in rest)
    beside = bool(rest) and (rest[0].has("side") or rest[0].of("prep", "in"))
    quotes = quoted(rest)
    plain_place = len(quotes) == 1 and beside and not _is_font(quotes[0], (), rest)
    return rest if known and (not quotes or plain_place) else ()


def _everywhere(result: Tokens) -> bool:
    return any(t.of("all", "all") for t in result)


def _origin(subject: Tokens) -> Tokens:
    """ "the title from 'A'" is about 'A'; so is "the time from 5:00"."""
    at = next((n for n, t in enumerate(subject) if t.of("prep", "from")), -1)
    said = subject[at + 1 :] if at >= 0 else ()
    if quoted(said) or (said and plain(said)):
        every = tuple(t for t in subject[:at] if t.of("all", "all"))
        return every + said
    return subject


def _dressed(subject: Tokens, result: Tokens, told: Told, *, name: str = "") -> tuple[Op, ...]:
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
    if not wanted.said or (_unclear(result) and not attrs):
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


def _unclear(result: Tokens) -> bool:
    """Whether a result says more than a look: "a dark red" does not, "Georgia State" may."""
    return any(not t.has(*_DRESS) or t.has("guess") for t in content(result))


def _all_text(subject: Tokens, told: Told) -> tuple[Where, ...]:
    """What a look is for; all text where nothing is named: "change the font colour to pink"."""
    if told.it and all(t.has("it") for t in content(subject)):
        return (told.it,)
    if is_page(subject):
        return (ALL_TEXT,)
    return aim(subject, told, kind="look")


def _cased(subject: Tokens, result: Tokens, told: Told) -> tuple[Op, ...]:
    """Capital or small letters, for words that are quoted."""
    upper = any(t.of("case", "upper") for t in result)
    found = aim(subject, told, kind="change")
    if any(not where.text for where in found):
        raise refuse(cut(subject), "change", why="only quoted words can be put in capitals")
    return tuple(ReplaceText(w, w.text.upper() if upper else w.text.lower()) for w in found)


def _plainly(subject: Tokens, result: Tokens, told: Told) -> tuple[Op, ...]:
    """Words without quotes for words or for a role: change 5% to 20%."""
    check_known(subject, result)
    new = plain(_off_page(result))
    vague = result[:1] and (result[0].has("article") or any(t.has("it") for t in result))
    vague = vague or any(t.has("vague") for t in subject + result)
    if not new or vague or len(chunks(result)) > 2:
        raise refuse(cut(subject + result), "change", why="the new words are not given")
    found = crossed(aim(_origin(subject), told, kind="change"))
    check_no_label(subject, found)
    if any(where.role in WORDLESS for where in found):
        raise refuse(cut(subject + result), "picture", why="a picture does not say words")
    return tuple(ReplaceText(where, new) for where in found)


def _off_page(result: Tokens) -> Tokens:
    """New words without "in the picture" after them."""
    at = max((n for n, t in enumerate(result) if t.of("prep", "in", "of")), default=-1)
    return result[:at] if at > 0 and is_page(result[at + 1 :]) else result


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


# ── dress ───────────────────────────────────────────────────────────────────────────────


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

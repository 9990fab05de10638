"""Changes: other words, another look or another picture for what stands there."""

import re
from dataclasses import replace

from overpaint.document.instruct.acts import (
    PICTURES,
    Told,
    aim,
    check_quotes,
    quoted,
)
from overpaint.document.instruct.binding import names_worn
from overpaint.document.instruct.clauses import Clause
from overpaint.document.instruct.dressing import dressed, made, unclear
from overpaint.document.instruct.families import ENDINGS, ONE_WORD
from overpaint.document.instruct.instead import is_look
from overpaint.document.instruct.labels import check_no_label
from overpaint.document.instruct.lexing import Token, Tokens, cut, tokens_of_plain
from overpaint.document.instruct.looks import (
    check_known,
    look,
    properties,
    undressed,
)
from overpaint.document.instruct.pairs import (
    attr_too,
    each_its_own,
    likewise,
    pairs,
    turning,
    wished_too,
)
from overpaint.document.instruct.phrases import chunks, content, is_page, plain
from overpaint.document.instruct.refusal import refuse
from overpaint.document.instruct.tables import crossed
from overpaint.document.ops import Delete, Op, ReplacePicture, ReplaceText
from overpaint.document.roles import PATTERNS
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
    if file:
        return tuple(ReplacePicture(where, file) for where in aim(subject, told, kind="picture"))
    if len(says) == 1 and (named := _named_look(subject, says[0], told)):
        worn = _worn_as_well(result)
        return named + (dressed(subject, worn, told) if worn else ())
    if says:
        check_known(subject, result)
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
    return dressed(subject, result, told) or _plainly(subject, result, told)


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
    return _rewritten(_old(subject, told), new, every=every)


def _rewritten(found: tuple[Where, ...], new: str, *, every: bool) -> tuple[Op, ...]:
    """New words for each; "the time" is the date where it becomes one: 时间改到5月3日."""
    day = PATTERNS["date"].search(new) and not PATTERNS["time"].search(new)
    days = (replace(w, role="date") if day and w.role == "time" else w for w in found)
    return tuple(ReplaceText(replace(w, every=w.every or every), new) for w in days)


def _old(subject: Tokens, told: Told) -> tuple[Where, ...]:
    """The words that go; Callout alone is a word, not a shape."""
    found = crossed(aim(_origin(subject), told, kind="change"))
    check_no_label(subject, found)
    alone = len(subject) == 1 and subject[0].text[:1].isupper() and not subject[0].has("quote")
    return tuple(Where(text=cut(subject)) if alone and w.role in WORDLESS else w for w in found)


def _named_look(subject: Tokens, name: str, told: Told) -> tuple[Op, ...]:
    """A look that is quoted: "the font of 'A' to 'Lora'"; none where words are meant."""
    attrs = {t.get("attr") for t in subject if t.has("attr")}
    owned = {"size", "weight", "align"}.intersection(properties(subject))
    said = tokens_of_plain(name)
    asked = attrs & {"font", "colour"} or (owned and not unclear(said))
    return dressed(subject, said, told, name=name) if asked else ()


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
    more = unclear(tuple(t for t in rest if not t.has("quote")))
    return rest if joined and names_worn(rest[1:]) and not more else ()


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
        wanted.said and not unclear(tail) and not any(t.of("role", "background") for t in tail)
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


def _plainly(subject: Tokens, result: Tokens, told: Told) -> tuple[Op, ...]:
    """Words without quotes for words or for a role: change 5% to 20%."""
    check_known(subject, result)
    every = len(result) > 1 and " ".join(result[-1].text.lower().split()) in _EVERYWHERE
    result = result[:-1] if every else result
    new = plain(_off_page(result))
    vague = result[:1] and (result[0].has("article") or any(t.has("it") for t in result))
    vague = vague or any(t.has("vague") for t in subject + result)
    if not new or vague or len(chunks(result)) > 2:
        raise refuse(cut(subject + result), "change", why="the new words are not given")
    if wish := wished_too(result):
        raise refuse(wish, "change", why="it may be new words or another wish; quote the words")
    if re.fullmatch(r"[\u3400-\u9fff]{1,4}色", new):
        raise refuse(cut(subject + result), "look", why=f"the colour {new} is not known")
    found = _old(subject, told)
    if any(where.role in WORDLESS for where in found):
        raise refuse(cut(subject + result), "picture", why="a picture does not say words")
    return _rewritten(found, new, every=every)


# Said last, they tell where new words are to stand and are none of them.
_EVERYWHERE = ("everywhere", "wherever it occurs", "on every layer", "on all layers")


def _off_page(result: Tokens) -> Tokens:
    """New words without "in the picture" after them."""
    at = max((n for n, t in enumerate(result) if t.of("prep", "in", "of")), default=-1)
    return result[:at] if at > 0 and is_page(result[at + 1 :]) else result

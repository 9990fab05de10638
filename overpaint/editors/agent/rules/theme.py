"""Themes: what a design is about, in every text that names it and in the picture that shows it."""

import re
from collections import Counter
from functools import cache
from itertools import pairwise

from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.finding import Found, found, plural, replaced, singular, stands
from overpaint.editors.agent.rules.glue import core, is_idle
from overpaint.editors.agent.rules.lines import FACTS, roles_of, thing
from overpaint.editors.agent.rules.page import Page
from overpaint.editors.agent.rules.prompts import Hit, Tongue
from overpaint.editors.agent.rules.reading import Clause, Scope
from overpaint.editors.agent.rules.topics import EVENTS, EVENTS_CHINESE, SIGNS, TOPICS, family_of
from overpaint.vision.layers import Seen

_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_SMALL = frozenset(
    """a an the and or of for with in on at by to from our your all every big new great grand long
    last best only more most free open live town city national local annual first second kids kids'
    junior young old little join come see try meet discover learn visit love enjoy you we us it is
    are this that
    """.split()  # noqa: SIM905
)


def themed(page: Page, pair: tuple[str, str], scope: Scope, tongue: Tongue) -> list[Hit]:
    """The new topic wherever the old one is named, and where it is shown."""
    old, new = pair
    hits: list[Hit] = []
    if scope.words and old:
        places = [one for one in _named(page, old) if not _is_address(one)]
        hits += replaced(places, old, new, tongue, f"it names “{old}”, which becomes “{new}”")
    if scope.pictures:
        hits += shown(page, pair, tongue)
    return hits


def shown(page: Page, pair: tuple[str, str], tongue: Tongue) -> list[Hit]:
    """The main picture, and patterns of small pictures, with the new topic."""
    old, new = pair
    why = f"it shows {old or 'the old topic'}, which becomes {new}"
    return [
        Hit(one.id, tongue.theme(old, new), why) for one in (*_showing(page, old), *page.themed)
    ]


def _showing(page: Page, old: str) -> tuple[Seen, ...]:
    """The main picture, unless its name says that it shows something else than the old topic."""
    main = page.pictures[:1]
    if not main or not thing(main[0].name):
        return main
    signs = (old, singular(old), plural(old), *SIGNS.get(old.casefold(), ()))
    return main if any(one and stands(main[0].name, one) for one in signs) else ()


def _named(page: Page, old: str) -> list[Found]:
    """Where a topic is named: as said, or else as one or as many of it."""
    for form in dict.fromkeys((old, singular(old), plural(old))):
        if here := found(page, form, inflected=True):
            return [one for one in here if one.layer in page.texts]
    return []


_ADDRESS = (
    r"(?: +[A-Z][\w'’]*){0,2} +(?:Road|Street|Lane|Avenue|Hall|House|Court|Close|Drive|Terrace)\b"
)


def _is_address(place: Found) -> bool:
    """Whether the word belongs to a name: “Rose Lane 5” is no rose."""
    if re.search(re.escape(place.piece) + _ADDRESS, place.layer.words):
        return True
    chinese = re.escape(place.piece) + r"[\u4e00-\u9fff]{0,2}[路街巷]"
    return bool(re.search(chinese, place.layer.words))


def kin(page: Page, clause: Clause) -> tuple[str, str]:
    """Two topics of one family of which the page names one: it goes, whatever the wording."""
    said = _topics_said(clause.full(clause.text))
    old = [word for word in said if _named(page, word)]
    for word in old:
        for new in said:
            if new not in old and new in family_of(word) and singular(new) != singular(word):
                return word, new
    return "", ""


def _topics_said(text: str) -> list[str]:
    """The known topics in some words, the longest of those that overlap."""
    if text.isascii():
        here = (m for m in _english_topics().finditer(text) if not _is_name(text, m))
        found_ = [match[0].casefold() for match in here]
    else:
        found_ = [match[0] for match in _chinese_topics().finditer(text)]
    return list(dict.fromkeys(found_))


def _is_name(text: str, match: re.Match[str]) -> bool:
    """Whether a topic belongs to a name: “City Library”, but not “Summer Sale”."""
    if not match[0][0].isupper():
        return False
    after = re.match(r" (?:& )?([A-Z][\w'’]*)", text[match.end() :])
    before = re.search(r"[a-z:,] [A-Z][\w'’]* $", text[: match.start()])
    return bool(before) or (after is not None and after[1].casefold() not in EVENTS)


@cache
def _english_topics() -> re.Pattern[str]:
    known = sorted((word for word in TOPICS if word.isascii()), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, known))})\b", re.IGNORECASE)


@cache
def _chinese_topics() -> re.Pattern[str]:
    known = sorted((w for w in TOPICS if not w.isascii() and len(w) > 1), key=len, reverse=True)
    return re.compile("|".join(known))


def lone_topic(page: Page, clause: Clause) -> tuple[str, str]:
    """A topic that the page does not name, of the family of one that it does."""
    for new in _topics_said(clause.full(clause.text)):
        if not _named(page, new) and (old := topic_of(page, new, known=True)):
            return old, new
    return "", ""


def stray(page: Page, clause: Clause) -> tuple[str, str]:
    """A word of the title and one that the page does not have, in words that no form has."""
    words_ = [w for w in _WORD.findall(clause.text) if not is_idle(w, chinese=False)]
    title = " ".join(line.text for line in page.title)
    old = [w for w in words_ if w.casefold() not in EVENTS | _SMALL and stands(title, w)]
    new = [w for w in words_ if w.casefold() not in EVENTS | _SMALL and not _named(page, w)]
    sure = len(old) == len(new) == 1 or words.THEME.search(clause.text)
    return (old[0].casefold(), new[-1].casefold()) if old and new and sure else ("", "")


def without_event(page: Page, new: str, old: str) -> str:
    """A new topic without the event that the title has already, where the old one is without."""
    if not new.isascii() or " " in old or " " not in new or new != new.lower():
        return new
    return _without_event(page, new, chinese=False)


# ── a new topic alone ───────────────────────────────────────────────────────────────────


def asked_for(clause: Clause, *, chinese: bool) -> str:
    """What a clause wants a design to be: "winter sale"."""
    text = clause.full(clause.text)
    return _asked_chinese(text) if chinese else _asked_english(text)


def new_topic(page: Page, clause: Clause, tongue: Tongue) -> tuple[str, str]:
    """The topic that a clause wants, and the one that the page has; nothing where it wants none."""
    text = clause.full(clause.text)
    phrase = asked_for(clause, chinese=tongue.chinese)
    new = _without_event(page, phrase, chinese=tongue.chinese)
    told = words.THEME.search(text) or (_wants(text) and len(phrase) > len(new))
    if not (new.casefold() in TOPICS or told) or not _is_short(new, chinese=tongue.chinese):
        return "", ""
    if stands(_all(page), new):
        return "", ""
    return topic_of(page, new, phrase), new


def _is_short(new: str, *, chinese: bool) -> bool:
    """Whether words can be a topic: a few, and none that only lead to others."""
    if chinese:
        return 0 < len(new) <= 8 and not is_idle(new, chinese=True)
    said = new.split()
    return 0 < len(said) <= 3 and not any(is_idle(word, chinese=False) for word in said)


_ASKED = re.compile(
    r"\b(?:into|about|for|as|become|becomes|be|advertise|advertises|promote|promotes|announce"
    r"|announces|theme of|theme to|topic to|subject to|with|to|on|need|needs|want|like|make (?:it"
    r"|this)) (?:a |an |our |the |my |your |be |about |for |all |new |next "
    r"|some )*(?P<new>[A-Za-z][^,.;:!?]{1,50}?)(?: instead| please| now| too| rather| theme"
    r"| version| edition| design)*$",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"^[^:：]{1,30}[:：] ?(?:a |an |the )?(?P<new>[A-Za-z][^,.;:!?]{1,40})$")
_GIVE = re.compile(
    r"\b(?:a|an|our|the) (?P<new>[A-Za-z][A-Za-z' -]{1,40}?)[ -](?:version|edition|counterpart"
    r"|theme|themed|look|variant|topic)\b",
    re.IGNORECASE,
)


def _wants(text: str) -> bool:
    return bool(
        re.search(
            r"\b(?:need|want|would like|let's have|make|give|should be|must be|will be|is now"
            r"|do)\b|要|需要|想|改成|换成|改为|做",
            text,
        )
    )


def _asked_english(text: str) -> str:
    """What comes last: “turn this into a winter sale”, “a winter version of it”."""
    if match := _GIVE.search(text) or _LABELLED.match(text):
        return core(match["new"], chinese=False)
    last = ""
    for at in re.finditer(r"\b(?=\w)", text):
        match_ = _ASKED.match(text, at.start())
        if match_:
            last = match_["new"]
    return core(last, chinese=False) if last else ""


def _asked_chinese(text: str) -> str:
    match = re.search(
        r"(?:改成|换成|改为|做成|变成|办成|换为|改做|改办|转为|转成|变为|用于|用来|宣传|介绍|关于"
        r"|给|为|要|是|做|办|出)(?:一[张个份场])?(?P<new>[^，,。；：]{1,20})$",
        text,
    )
    return core(match["new"], chinese=True) if match else ""


def _all(page: Page) -> str:
    return "\n".join(text.words for text in page.texts)


def _without_event(page: Page, phrase: str, *, chinese: bool) -> str:
    """The topic of a phrase: “winter” of “winter sale”."""
    if not chinese:
        tokens = phrase.split()
        while (
            len(tokens) > 1
            and " ".join(tokens).casefold() not in TOPICS
            and (tokens[-1].casefold() in EVENTS or stands(_all(page), tokens[-1]))
        ):
            tokens = tokens[:-1]
        return " ".join(tokens)
    title = "".join(line.text for line in page.title)
    if phrase in TOPICS:
        return phrase
    ends = [
        end for n in range(2, len(phrase)) if (end := phrase[n:]) in title or end in EVENTS_CHINESE
    ]
    return phrase.removesuffix(ends[0]).removesuffix("的") if ends else phrase


def topic_of(page: Page, new: str, phrase: str = "", *, known: bool = False) -> str:
    """The word for what a page is about, as far as can be told from what is to take its place.

    `known`: only if it is of the same family.
    """
    family = family_of(new) or family_of(singular(new)) or family_of(plural(new))
    if new.isascii():
        return _english_topic(page, family, phrase, known=known)
    return _chinese_topic(page, family, phrase.removeprefix(new), known=known)


def _english_topic(page: Page, family: frozenset[str], phrase: str, *, known: bool) -> str:
    """The word that is kin to the new one, else stands before the event, else is said most."""
    title = " ".join(line.text for line in page.title)
    said = Counter(word.casefold() for line in page.lines for word in set(_WORD.findall(line.text)))
    title_words: list[str] = [
        word for word in _WORD.findall(title) if word.casefold() not in _SMALL
    ]
    events = {word.casefold() for word in phrase.split()[1:]} | EVENTS
    for text in (title, *(line.text for line in page.lines)):
        for match in _english_topics().finditer(text):  # the longest: New Year, and not Year
            if match[0].casefold() in family:
                return match[0].casefold()
    if known:
        return ""
    for before, word in pairwise(title_words):
        if word.casefold() in {one.casefold() for one in phrase.split()[1:]}:
            return before.casefold()
    if family or any(roles_of(line.text) & FACTS for line in page.title):
        return ""
    open_ = [word for word in title_words if word.casefold() not in events] or title_words
    return max(open_, key=lambda word: said[word.casefold()], default="").casefold()


def _chinese_topic(page: Page, family: frozenset[str], event: str, *, known: bool) -> str:
    """The word that is kin to the new one, else what title and lines share, else what leads it."""
    said, title = _all(page), "".join(line.text for line in page.title)
    kin_ = sorted(
        (word for word in family if word in said), key=lambda w: (w not in title, -len(w))
    )
    if kin_ or known or (family and not event):
        return kin_[0] if kin_ else ""
    rest = [line.text for line in page.lines if line not in page.title]
    if shared := _shared(title, rest):
        return shared
    for end in (event, *EVENTS_CHINESE):
        before = _lead(title.split(end)[0]) if end and end in title else ""
        if len(before) == 2 or (len(before) > 2 and len(end) > 1):
            return before
    return _lead(title)[:2]


def _shared(title: str, lines: list[str]) -> str:
    """The longest words of two to five letters that a title has in common with other lines."""
    title = title[:40]
    parts = {title[a : a + n] for n in range(2, 6) for a in range(len(title) - n + 1)}
    both = {part for part in parts if any(part in line for line in lines)}
    return max(both, key=lambda part: (len(part), part), default="")


_MODIFIERS = re.compile(
    r"^(?:周末|周[一二三四五六日]|老城|城市|社区|全城|青年|少年|少儿|亲子|校园|街角|邻里|街坊|郊野"
    r"|全国|第.届|本地|首届|春日|都市)+"
)


def _lead(title: str) -> str:
    """A title without what only says where, when or for whom, nor how great it is."""
    return _MODIFIERS.sub("", title).removesuffix("大").removesuffix("新")

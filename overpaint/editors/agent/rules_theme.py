"""Themes: what a design is about, in every text that names it and in the picture that shows it."""

import re
from collections import Counter

from overpaint.editors.agent import rules_words as words
from overpaint.editors.agent.rules_finding import Found, found, plural, replaced, singular, stands
from overpaint.editors.agent.rules_page import Page
from overpaint.editors.agent.rules_pairs import core
from overpaint.editors.agent.rules_prompts import Hit, Tongue
from overpaint.editors.agent.rules_reading import Clause, Scope
from overpaint.editors.agent.rules_topics import EVENTS, EVENTS_CHINESE, TOPICS, family_of

_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_SMALL = frozenset(
    """a an the and or of for with in on at by to from our your all every big new great grand long last
    best only more most free open live town city national local annual first second kids kids' junior
    young old little join come see you we us it is are this that
    """.split()  # noqa: SIM905: a list of words is read as prose
)


def themed(page: Page, pair: tuple[str, str], scope: Scope, tongue: Tongue) -> list[Hit]:
    """The new topic wherever the old one is named, and where it is shown."""
    old, new = pair
    hits: list[Hit] = []
    if scope.words and old:
        places = [one for one in _named(page, old) if not _is_address(one, old)]
        hits += replaced(places, old, new, tongue, f"it names “{old}”, which becomes “{new}”")
    if scope.pictures:
        hits += shown(page, pair, tongue)
    return hits


def shown(page: Page, pair: tuple[str, str], tongue: Tongue) -> list[Hit]:
    """The main picture, and patterns of small pictures, with the new topic."""
    old, new = pair
    why = f"it shows {old or 'the old topic'}, which becomes {new}"
    return [Hit(one.id, tongue.theme(old, new), why) for one in (*page.pictures[:1], *page.themed)]


def _named(page: Page, old: str) -> list[Found]:
    """Where a topic is named: as said, or else as one or as many of it."""
    for form in dict.fromkeys((old, singular(old), plural(old))):
        if here := found(page, form, inflected=True):
            return [one for one in here if one.layer in page.texts]
    return []


def _is_address(place: Found, old: str) -> bool:
    """Whether the word belongs to a name: “Rose Lane 5” is no rose."""
    after = r"(?:\s+[A-Z][\w'’]*){0,2}\s+(?:Road|Street|Lane|Avenue|Hall|House|Court|Close|Drive|Terrace)\b"
    if re.search(re.escape(place.piece) + after, place.layer.words):
        return True
    chinese = re.escape(place.piece) + r"[\u4e00-\u9fff]{0,2}[路街巷]"
    return bool(re.search(chinese, place.layer.words))


# ── a new topic alone ───────────────────────────────────────────────────────────────────


def new_topic(page: Page, clause: Clause, tongue: Tongue) -> tuple[str, str]:
    """The topic that a clause wants, and the one that the page has; nothing where it wants none."""
    text = clause.full(clause.text)
    phrase = _asked_chinese(text) if tongue.chinese else _asked_english(text)
    new = _without_event(page, phrase, chinese=tongue.chinese)
    if new.casefold() not in TOPICS and not words.THEME.search(text) and not _wants(text):
        return "", ""
    if not new or stands(_all(page), new):
        return "", ""
    return topic_of(page, new, phrase), new


_ASKED = re.compile(
    r"\b(?:into|about|for|as|become|becomes|be|advertise|advertises|promote|promotes|announce|announces"
    r"|theme of|theme to|theme:|topic:|topic to|subject to|to|on|need|needs|want|like|make (?:it|this))"
    r" (?:a |an |our |the |my |your |be |about |for |all |new |next |some )*(?P<new>[A-Za-z][^,.;:!?]{1,50}?)"
    r"(?: instead| please| now| too| rather| theme| version| edition| design)*$",
    re.IGNORECASE,
)
_GIVE = re.compile(
    r"\b(?:a|an|our|the) (?P<new>[A-Za-z][A-Za-z' -]{1,40}?)[ -](?:version|edition|theme|themed|look|variant|topic)\b",
    re.IGNORECASE,
)


def _wants(text: str) -> bool:
    return bool(
        re.search(
            r"\b(?:need|want|would like|let's have|make|give)\b|要|需要|想|改成|换成|改为|做", text
        )
    )


def _asked_english(text: str) -> str:
    """What comes last: “turn this into a winter sale”, “a winter version of it”."""
    if match := _GIVE.search(text):
        return core(match["new"], chinese=False)
    last = ""
    for at in re.finditer(r"\b(?=\w)", text):
        match_ = _ASKED.match(text, at.start())
        if match_:
            last = match_["new"]
    return core(last, chinese=False) if last else ""


def _asked_chinese(text: str) -> str:
    match = re.search(
        r"(?:改成|换成|改为|做成|变成|办成|换为|改做|改办|转为|转成|变为|用于|用来|宣传|介绍|关于|给|为|要|是|做|办|出)"
        r"(?:一[张个份场])?(?P<new>[^，,。；：]{1,20})$",
        text,
    )
    return core(match["new"], chinese=True) if match else ""


def _all(page: Page) -> str:
    return "\n".join(text.words for text in page.texts)


def _without_event(page: Page, phrase: str, *, chinese: bool) -> str:
    """The topic of a phrase: “winter” of “winter sale”."""
    if chinese:
        known = [word for word in TOPICS if phrase.startswith(word) and not word.isascii()]
        if known:
            return max(known, key=len)
        said = _all(page)
        ends = [
            end for end in EVENTS_CHINESE if phrase.endswith(end) and len(phrase) > len(end) + 1
        ]
        ends.sort(key=lambda end: (end not in said, -len(end)))
        return phrase.removesuffix(ends[0]) if ends else phrase
    tokens = phrase.split()
    while len(tokens) > 1 and (tokens[-1].casefold() in EVENTS or stands(_all(page), tokens[-1])):
        tokens = tokens[:-1]
    return " ".join(tokens)


def topic_of(page: Page, new: str, phrase: str = "") -> str:
    """The word for what a page is about, as far as can be told from what is to take its place."""
    kin = family_of(new) or family_of(singular(new)) or family_of(plural(new))
    return _chinese_topic(page, kin, phrase.removeprefix(new)) if not new.isascii() else (
        _english_topic(page, kin, phrase))  # fmt: skip


def _english_topic(page: Page, kin: frozenset[str], phrase: str) -> str:
    """The word that is kin to the new one, else stands before the event, else is said most."""
    title = " ".join(line.text for line in page.title)
    said = Counter(word.casefold() for line in page.lines for word in set(_WORD.findall(line.text)))
    title_words = [word for word in _WORD.findall(title) if word.casefold() not in _SMALL]
    events = {word.casefold() for word in phrase.split()[1:]} | EVENTS
    every = [*title_words, *(w for line in page.lines for w in _WORD.findall(line.text))]
    for word in every:
        if word.casefold() in kin:
            return word.casefold()
    open_ = [word for word in title_words if word.casefold() not in events] or title_words
    ranked = sorted(open_, key=lambda word: -said[word.casefold()])
    return ranked[0].casefold() if ranked else ""


def _chinese_topic(page: Page, kin: frozenset[str], event: str) -> str:
    """The word that is kin to the new one, else what title and other lines have in common."""
    said, title = _all(page), "".join(line.text for line in page.title)
    known = sorted((word for word in kin if word in said), key=lambda w: (w not in title, -len(w)))
    if known:
        return known[0]
    rest = [line.text for line in page.lines if line not in page.title]
    shared = {
        title[a:b] for a in range(min(len(title), 40)) for b in range(a + 2, min(len(title), a + 6) + 1)
        if any(title[a:b] in line for line in rest)
    }  # fmt: skip
    if shared:
        return max(shared, key=len)
    for end in (event, *EVENTS_CHINESE):
        if end and end in title and len(before := title.split(end)[0]) >= 2:
            return before[-2:]
    return ""

"""New words in free sentences: what takes the place of what, where no rule has the phrase."""

import re
from collections.abc import Iterator

from overpaint.document.instruct.quotes import quotes
from overpaint.document.layers import plain
from overpaint.document.roles import PATTERNS
from overpaint.editors.agent.joint.phrases import Rename, stands

_LONGEST = 4_000  # letters that are searched
_STOP = (
    r"(?=\s*(?:[.!?](?:\s|$)|[;；。，\n(]|\s[-–—]\s|,?\s(?:instead|rather than|in place of|because"
    r"|since|so|while|to match|to reflect|matching|keeping|but|wherever|everywhere|throughout"
    r"|here|now|please|in (?:the|this|every|all|both|each|any)|on (?:the|this|every|all)|only"
    r"|across|and (?:keep|make|set|leave|update|use|change|adjust|replace|turn|move))\b|,\s|$))"
)
_NAMED = (
    r"(?:(?:the|this|its|every|all|any|of|word|words|phrase|text|name|brand|date|price|event|old"
    r"|new|city|venue|mentions?|instances?|occurrences?)\s+)*"
)
_LETTER = r"(?:[^;。；\n.!?]|[.!?](?!\s)|(?<=\b[A-Z])\.)"  # never over the end of a sentence
_OLD, _NEW = rf"(?P<old>{_LETTER}{{1,60}}?)", rf"(?P<new>{_LETTER}{{1,120}}?)"
_PAIRS = (
    re.compile(
        rf"\b(?:reads?|says?|reading|saying|shows?|mentions?|names?|be|to|use|write|put|as)\b:?\s+{_NEW},?\s+"
        rf"(?:instead of|rather than|in place of)\s+{_NAMED}{_OLD}{_STOP}",
        re.IGNORECASE,
    ),
    re.compile(rf"\bfrom\s+{_OLD}\s+(?:to|into)\s+{_NEW}{_STOP}", re.IGNORECASE),
    re.compile(
        r"\b(?:replac\w+|swap\w*|exchang\w+|chang\w+|updat\w+|renam\w+|correct\w*|turn\w*|switch\w*)"
        rf"\s+{_NAMED}{_OLD}\s+(?:with|for|by|to|into)\s+{_NEW}{_STOP}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b{_OLD}\s+(?:becomes|is renamed to|is now called|→|->)\s+{_NEW}{_STOP}"),
    re.compile(
        r"(?:[把将从由]|所有|全部)(?:其中|里面|文中|这里)?的?(?P<old>[^，。；“”\"]{1,20}?)(?:都|全部|统一)?"
        r"(?:改名|更名|改|更新|替换|更换|换|变更|修改|变|调整)(?:成|为|作|至|到)了?[:：]?"
        r"(?P<new>[^，。；“”\"]{1,30}?)(?=[，。；,;]|$)"
    ),
    re.compile(
        r"用(?P<new>[^，。；“”\"]{1,20}?)(?:代替|替换|取代)(?:原来的|其中的)?"
        r"(?P<old>[^，。；“”\"]{1,20}?)(?=[，。；,;]|$)"
    ),
)
# What stands before all that a layer is to say; the firm ones first.
_WHOLE = (
    re.compile(
        r"\b(?:should (?:now )?(?:be|read|say|become|state)|reads?|says?|reading|saying|now reads|"
        rf"now says|becomes?|is now)\b:?\s+{_NEW}{_STOP}",
        re.IGNORECASE,
    ),
    re.compile(rf"(?:\bas|\bto|\binto|\bwith)\b:?\s+{_NEW}{_STOP}", re.IGNORECASE),
    re.compile(rf"[:：]\s*{_NEW}{_STOP}"),
    re.compile(
        r"(?:改|更新|替换|更换|换|变更|修改|写|变|调整)(?:成|为|作|至|到)[:：]?\s*"
        r"(?P<new>[^，。；“”\"]{1,40}?)(?=[，。；,;]|$)"
    ),
    re.compile(
        r"(?:应为|应该是|应改为|现在是|写上|写着)[:：]?(?P<new>[^，。；“”\"]{1,40}?)(?=[，。；]|$)"
    ),
)
_TALK = re.compile(
    r"\b(?:colou?rs?|fonts?|match|reflect|style|smaller|larger|bigger|bold|pixels|left|right|top"
    r"|bottom|centre|center|layout|theme|lowercase|uppercase|font|size)\b|颜色|色$|字体|大小",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:an?|the) ", re.IGNORECASE)
_LEAST_ALIKE = 45  # of 100: new words that share so much with the old ones are all of them


def pairs(text: str) -> Iterator[Rename]:
    """Words and those that take their place, as a sentence without quotes has them."""
    text = text[:_LONGEST]
    if quotes(text):
        return
    for form in _PAIRS:
        for found in form.finditer(text):
            old, new = (_ARTICLE.sub("", _bare(found[side])) for side in ("old", "new"))
            if old and new and plain(old) != plain(new):
                yield old, new


def told(text: str, own: str) -> tuple[Rename | None, str]:
    """Which of its own words a layer changes, or all that it is to say; neither where unknown."""
    for old, new in pairs(text):
        if stands(old, own) and _is_wording(new):
            return ((old, new), "") if plain(old) != plain(own) else (None, new)
    said = quotes(text[:_LONGEST])
    news = [(said[0].text, True)] if len(said) == 1 else []
    for form in _WHOLE if not said else ():
        news += [(_bare(found["new"]), form is _WHOLE[0]) for found in form.finditer(text)][-1:]
    for new, firm in news:
        if _is_wording(new) and not stands(new, own):
            return _placed(new, own, firm=firm)
    return None, ""


def _placed(new: str, own: str, *, firm: bool) -> tuple[Rename | None, str]:
    """Where new words go: in place of a date, a price or a name of the layer, or of all of it."""
    from rapidfuzz import fuzz

    if plain(own) and fuzz.ratio(plain(new), plain(own)) >= _LEAST_ALIKE:
        return None, new
    for role in ("date", "time", "price"):
        pattern = PATTERNS.get(role)
        old = pattern.search(own) if pattern else None
        if pattern and old and pattern.search(new) and plain(old[0]) != plain(new):
            return ((old[0], new), "") if len(new) < 2 * len(old[0]) + 6 else (None, new)
    names = re.findall(r"(?<=\s)[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)+", own)
    if len(names) == 1 and new.istitle() and len(new.split()) < len(own.split()):
        return (names[0].rstrip(".!"), new), ""
    size = len(new) / max(1, len(own.strip()))
    return None, new if firm or 0.4 <= size <= 2.5 else ""


def _is_wording(new: str) -> bool:
    """Whether words that nobody quoted are a new wording, and not talk of looks."""
    if _TALK.search(new) or not new:
        return False
    return not new.isascii() or any(c.isupper() or c.isdigit() for c in new)


def _bare(words: str) -> str:
    return words.strip(" ,:：'\"“”‘’").rstrip(".!" if words.isascii() else "。！")

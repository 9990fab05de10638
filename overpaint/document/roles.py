"""Roles: what words of a role look like, and what a layer that has it is called."""

import re
from collections.abc import Iterable, Mapping

from overpaint.document.layers import Group, Layer, Text, plain, walk

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_WEEKDAY = (
    r"\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Mon|Tues?|Wed|Thur?s?|Fri|Sat|Sun)\b)\.?"
)
_CHINESE_DAY = r"[（(]?(?:星期|周|礼拜)[一二三四五六日天][）)]?"

# What words of a role look like, wherever they stand.
PATTERNS: Mapping[str, re.Pattern[str]] = {
    "date": re.compile(
        rf"(?:{_WEEKDAY},?\s(?:the\s)?|{_CHINESE_DAY}[,，]?\s?)?"
        r"(?:\d{4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}(?:\s?日)?|\d{1,2}\s?月\s?\d{1,2}\s?日"
        r"|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}"
        rf"|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?"
        rf"|\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?)"
        rf"(?:[,，]?\s?{_CHINESE_DAY}|,\s{_WEEKDAY}|\s[（(]{_WEEKDAY}[）)])?",
        re.IGNORECASE,
    ),
    "time": re.compile(r"\b\d{1,2}(?:[:：]\d{2}(?:[:：]\d{2})?\s?(?:[ap]\.?m\.?)?|\s?[ap]\.?m\.?)",
                       re.IGNORECASE),
    "price": re.compile(r"[$€£¥￥]\s?\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)?\s?(?:[€元]|USD|RMB)"),
    "email": re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}"),
    "url": re.compile(
        r"https?://\S{3,200}|\bwww\.\S{3,200}"
        r"|\b[a-z0-9-]{2,60}\.(?:com|org|net|io|cn|co|edu|gov|uk|de|fr|info|shop)\b(?:/\S{0,100})?",
        re.IGNORECASE,
    ),
    "phone": re.compile(r"\+?\d[\d ()-]{5,18}\d"),
    "number": re.compile(r"\d[\d,]*(?:\.\d+)?%?"),
}  # fmt: skip

# What the layer of a role is called, in small letters.
_CALLED: Mapping[str, tuple[str, ...]] = {
    "title": ("title", "headline", "标题", "主标题"),
    "subtitle": ("subtitle", "subheading", "subheadline", "副标题"),
    "heading": ("heading",),
    "header": ("header", "页眉"),
    "footer": ("footer", "页脚"),
    "caption": ("caption",),
    "slogan": ("slogan", "tagline", "标语", "口号"),
    "logo": ("logo", "logotype", "徽标", "标志", "商标"),
    "date": ("date", "日期"),
    "time": ("time", "时间"),
    "price": ("price", "价格"),
    "phone": ("phone", "telephone", "电话"),
    "address": ("address", "地址"),
    "email": ("email", "邮箱"),
    "url": ("url", "website", "网址"),
    "background": ("background", "背景"),
}
# What stands before words of a role, and a colon after it, where they do not look it. What they
# say ends where a stroke or the next label stands.
_LABELLED: Mapping[str, re.Pattern[str]] = {
    role: re.compile(
        rf"(?:^|(?<=[\s|｜]))(?:{labels})[ \u3000]?[:：][ \u3000]?([^\r\n\v|｜]*?\S)"
        r"(?=\s*(?:[|｜\r\n\v]|$)|\s+[^\W\d][^\s:：]{0,7}[:：])",
        re.IGNORECASE | re.MULTILINE,
    )
    for role, labels in {
        "date": "date|日期",
        "time": "time|时间",
        "price": "price|票价|价格|售价",
        "phone": "phone|telephone|tel|电话|联系电话|手机",
        "address": "address|venue|location|地址|地点",
    }.items()
}
SENTENCE = re.compile(  # the end of one
    r"[.!?…]+[\"'”’)\]]*(?=\s+[\"'“‘(\[]*[A-Z0-9\u3400-\u9fff])|[。！？…]+[”’）」]*"
)
_LINES = {"line": re.compile(r"[^\r\n\v]+"), "paragraph": re.compile(r"[^\r\n]+")}
Span = tuple[int, int]
_LONGEST = 2  # words of a name: longer ones are sentences, which may have any word in them


def labelled(role: str, words: str) -> list[Span]:
    """What stands after the label of a role: “八点半” in “时间：八点半”."""
    pattern = _LABELLED.get(role)
    return [match.span(1) for match in pattern.finditer(words)] if pattern else []


def wholes(role: str, words: str) -> list[Span]:
    """The lines, paragraphs or sentences of some words; none of any other role."""
    if role != "sentence":
        pattern = _LINES.get(role)
        return [match.span() for match in pattern.finditer(words)] if pattern else []
    found = []
    for start, end in wholes("paragraph", words):
        ends = [match.end() for match in SENTENCE.finditer(words, start, end)]
        for a, b in zip([start, *ends], [*ends, end], strict=True):
            if said := words[a:b].strip():
                found.append((words.index(said, a), words.index(said, a) + len(said)))
    return found


def named(layers: Iterable[Layer], words: Iterable[str]) -> list[Layer]:
    """The layers that are called so, or else the one whose name has one of the words in it.

    A layer in a group that is called so as well goes with the group.
    """
    wanted = {word.casefold() for word in words}
    once = {id(layer): layer for layer in layers}.values()
    every = [layer for layer in once if layer.name and not _says_its_name(layer)]
    exact = _outermost([layer for layer in every if layer.name.casefold().strip() in wanted])
    if exact:
        return exact
    parts = _outermost([layer for layer in every if wanted & set(_words(layer.name))])
    return parts if len(parts) == 1 else []


def of_name(layers: Iterable[Layer], role: str) -> Layer | None:
    """The one layer whose name says that it has a role; None where it is none or several."""
    found = named(layers, _CALLED.get(role, ()))
    return found[0] if len(found) == 1 else None


def _words(name: str) -> list[str]:
    found = re.findall(r"[^\W\d_]+", name.casefold())
    return found if len(found) <= _LONGEST else []


def _says_its_name(layer: Layer) -> bool:
    """Whether a text is called by its own words, which tell no more than they do."""
    if not isinstance(layer.content, Text):
        return False
    name, words = plain(layer.name), plain(layer.content.words)
    return words == name or (words.startswith(name) and " " in name)


def _outermost(layers: list[Layer]) -> list[Layer]:
    inner = {
        id(one)
        for layer in layers
        if isinstance(layer.content, Group)
        for one in walk(layer.content.layers)
    }
    return [layer for layer in layers if id(layer) not in inner]

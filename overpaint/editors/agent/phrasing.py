"""Phrasing: the ways a prompt for one layer can be said so that the rules understand it.

Whoever writes a prompt knows which layer it is for, so it may be called "it" or "the band", and
says at length what is to stay. The rules read a page, and need neither.
"""

import re
from collections.abc import Callable, Iterator

from overpaint.document.instruct import parse
from overpaint.document.ops import Delete
from overpaint.errors import Refused, UserMistake
from overpaint.vision.layers import Kind

# What the rules call a layer of each class.
_CALLED: dict[Kind, str] = {"text": "the text", "image": "the picture", "decoration": "the shape"}
_CHINESE: dict[Kind, str] = {"text": "文字", "image": "图片", "decoration": "形状"}

_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|(?<!\w)'[^']*'(?!\w)|‘[^’]*’")
_ITSELF = re.compile(
    r"\b(?:(?:the|this|that) (?:(?:whole|entire|text|image|decoration) )?(?:layer|element|object)"
    r"|it|this)\b|(?:这一?个?|该|此|整个)(?:图层|元素|文字层|对象)(?:的(?=文字))?|它",
    re.IGNORECASE,
)
# A clause that says what stays, or what is seen in place of something that goes.
_STAYS = re.compile(
    r"\b(?:stays?|remains?|unchanged|untouched|keep(?:s|ing)?|leav(?:e|es|ing) .{0,60} as)\b"
    r"|\bas (?:it|they) (?:is|are|was|were)\b|\bso that\b|不变|不动|保持|保留|原样|不留|露出",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^;；。！，.!]+(?:\.(?=\w)[^;；。！，.!]*)*[;；。！，.!]*")
_SO_THAT = re.compile(r",? so that [^.;]*", re.IGNORECASE)
_LOOK = r"(?P<look>[#\w ()%,.-]{2,40}?)\s*[.!]?\s*$"
_COLOURED = re.compile(
    r"^\W*(?:please )?(?:make|set|colou?r|recolou?r|paint|tint|turn|change)"
    r"(?: the (?:colou?r|fill|tone) of)? (?:the|this|its|his) [\w -]{1,40}?(?:'s)?"
    rf"(?: (?:colou?r|fill))?(?: (?:to|in|into|as)| from [\w ]{{2,20}} to)? {_LOOK}",
    re.IGNORECASE,
)
_COLOURED_CHINESE = re.compile(
    r"^\W*请?(?:把|将)?[^，。“”]{1,16}?(?:的颜色|颜色)?(?:改|换|变|设|涂|调|染)(?:成|为|作|到|至)"
    r"(?P<look>[^，。“”]{1,8}?)[。！]?\s*$"
)
_GONE = re.compile(
    r"^\W*(?:please )?(?:remove|delete|erase|drop|get rid of|take (?:away|out|off)) "
    r"(?:the|this|its|that) [\w -]{1,40}[.!]?\s*$|^\W*请?(?:把|将)[^，。“”]{1,12}"
    r"(?:删除|去掉|移除|删掉|拿掉)[。！]?\s*$|^\W*请?(?:删除|去掉|移除|删掉|拿掉)[^，。“”]{1,12}[。！]?\s*$",
    re.IGNORECASE,
)


def ways(prompt: str, kind: Kind) -> Iterator[str]:
    """The prompt, and what it comes to once its layer is named and what stays is left out."""
    chinese = re.search(r"[\u3400-\u9fff]", _QUOTED.sub("", prompt)) is not None
    called = (_CHINESE if chinese else _CALLED)[kind]
    named = _outside_quotes(prompt, lambda part: _ITSELF.sub(called, part))
    short = _without_staying(named)
    canonical = _canonical(_without_staying(prompt), kind, chinese=chinese)
    yield from dict.fromkeys(way for way in (prompt, named, short, canonical) if way.strip())


def removes(prompt: str, words: str) -> bool:
    """Whether the rules understand the prompt so that a layer which says these words goes whole."""
    kinds: tuple[Kind, ...] = ("text", "decoration") if words else ("decoration",)
    for way in dict.fromkeys(way for kind in kinds for way in ways(prompt, kind)):
        try:
            found = parse(way)
        except (Refused, UserMistake):
            continue
        gone = [op for op in found if isinstance(op, Delete)]
        if gone and len(gone) == len(found):
            named = "".join(op.where.text for op in gone)
            if not named or bare(named) == bare(words):
                return True
    return False


def bare(words: str) -> str:
    """Letters and figures alone, in small."""
    return "".join(letter for letter in words.casefold() if letter.isalnum())


def _outside_quotes(prompt: str, change: Callable[[str], str]) -> str:
    """The prompt with what stands outside of its quotes changed."""
    done, end = "", 0
    for quote in _QUOTED.finditer(prompt):
        done, end = done + change(prompt[end : quote.start()]) + quote[0], quote.end()
    return done + change(prompt[end:])


def _without_staying(prompt: str) -> str:
    """The prompt without the clauses that say what stays."""
    held: list[str] = []

    def hold(quote: re.Match[str]) -> str:
        held.append(quote[0])
        return f"\ue000{len(held) - 1}\ue001"

    masked = _SO_THAT.sub("", _QUOTED.sub(hold, prompt))
    clauses = _CLAUSE.findall(masked)
    kept = [one for one in clauses if "\ue000" in one or not _STAYS.search(one)]
    said = "".join(kept).rstrip("，,;； ")
    return re.sub("\ue000(\\d+)\ue001", lambda found: held[int(found[1])], said)


def _canonical(prompt: str, kind: Kind, *, chinese: bool) -> str:
    """A wish for a colour, or that it goes, in the plainest words; nothing where it is neither."""
    if _QUOTED.search(prompt):
        return ""
    names = _CHINESE if chinese else _CALLED
    if _GONE.match(prompt):
        # The rules delete no picture that they cannot tell from others; here it is but one layer.
        called = names["text" if kind == "text" else "decoration"]
        return f"删除{called}" if chinese else f"delete {called}"
    found = (_COLOURED_CHINESE if chinese else _COLOURED).match(prompt)
    if found is None:
        return ""
    return (
        f"把{names[kind]}改成{found['look']}" if chinese else f"make {names[kind]} {found['look']}"
    )

"""What an instruction and a page say, letter by letter: language, quotations, where they stand."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from overpaint.vision.page import Block

ENGLISH, CHINESE, MIXED = "english", "chinese", "mixed"
_ALMOST_ALL = 0.8  # of the words, from which on a text is in one language

_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[A-Za-z]{2,}")
_TAG = re.compile(r"<[^<>]*>")
_DOUBLE = str.maketrans(dict.fromkeys("“”„‟″「」『』＂", '"'))
_SINGLE = str.maketrans(dict.fromkeys("‘’‚‛′", "'"))
_QUOTED = re.compile(r'"([^"]+)"|(?<![\w"])\'([^\']+?(?:\'\w[^\']*?)*)\'(?!\w)')

# Words before a quotation that make it new text, not something to be found on the page.
_NEW = (
    re.compile(
        r"(?<!begins )(?<!starts )(?<!ends )(?<!begin )(?<!start )(?<!beginning )(?<!starting )"
        r"\b(with|to|by|into|as|reads?|should be)\W*(the )?(text|words?|phrase|value|sentence)?\W*$"
    ),
    re.compile(
        r"\b(add|insert|append|write|type|put|enter|include)\b(?!.*\b(after|before|below|under"
        r"|above|beside|behind|following|row|column|to)\b).*$"
    ),
    re.compile(
        r"(改为|改成|替换为|替换成|换成|换为|变为|变成|更正为|更新为|调整为|设为|写成|应为|应是)\W*"
        r"(文字|文本|内容|数值)?\W*$"
    ),
    re.compile(
        r"(添加|增加|插入|加入|加上|补充|补上|写入|写上|填入|填上|填写|新增)(?!.*[到至在于行列]).*$"
    ),
)


@dataclass(frozen=True)
class Quotation:
    """Text between quotation marks: what is to be found on the page, or what is new."""

    text: str
    new: bool = False


def language_of(text: str) -> str:
    """english, chinese or mixed; nothing where there are no words. One character is one word."""
    chinese, latin = len(_CJK.findall(text)), len(_WORD.findall(text))
    if not chinese + latin:
        return ""
    share = chinese / (chinese + latin)
    return CHINESE if share > _ALMOST_ALL else MIXED if share >= 1 - _ALMOST_ALL else ENGLISH


def main_language(text: str) -> str:
    """The language most of the text is in, so that an instruction can be in one."""
    return CHINESE if len(_CJK.findall(text)) > len(_WORD.findall(text)) else ENGLISH


def normal(text: str) -> str:
    """Text as it is compared: one form of every letter and mark, one space between words."""
    text = unicodedata.normalize("NFKC", text).translate(_DOUBLE).translate(_SINGLE)
    return " ".join(text.split())


def quotations(instruction: str) -> tuple[Quotation, ...]:
    """What the instruction quotes, in its order."""
    text, found, since = normal(instruction), [], 0
    for match in _QUOTED.finditer(text):
        before = text[since : match.start()].lower()
        found.append(Quotation((match[1] or match[2]).strip(), any(p.search(before) for p in _NEW)))
        since = match.end()
    return tuple(found)


def own_words(instruction: str) -> str:
    """The instruction without what it quotes, in lower case."""
    return _QUOTED.sub(' "" ', normal(instruction)).lower()


def standing(target: str, blocks: Sequence[Block]) -> list[int]:
    """The number of the block for each time the target stands on the page."""
    wanted = normal(target)
    return [n for n, block in enumerate(blocks) for _ in places(wanted, block_text(block))]


def places(wanted: str, text: str) -> Iterator[int]:
    """Where a text stands in another, both as they are compared.

    A word is not found inside a longer one, nor a number inside a longer number.
    """
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        before, after = text[max(at - 2, 0) : at], text[end : end + 2]
        if not (_goes_on(wanted[0], before[::-1]) or _goes_on(wanted[-1], after)):
            yield at
        at = text.find(wanted, at + 1)


def _goes_on(edge: str, beyond: str) -> bool:
    """Whether a word or number that ends in this letter goes on in the letters beyond it."""
    if not beyond or not (edge.isascii() and edge.isalnum()):
        return False
    if beyond[0].isascii() and beyond[0].isalnum():
        return True
    return beyond[0] in ".," and beyond[1:].isdecimal() and edge.isdecimal()


@lru_cache(20_000)  # a page's blocks are asked for many targets
def block_text(block: Block) -> str:
    """The block's words as they are compared; a table's without its tags."""
    return normal(_TAG.sub(" ", block.text) if block.kind == "table" else block.text)


def page_text(blocks: Sequence[Block]) -> str:
    """All the words of a page."""
    return "\n".join(map(block_text, blocks))

"""Validators: what rules have against a request, a step of it, or a question. Pure.

They look for what makes a text useless whoever wrote it; whether it is sensible, models and people
say. A fault is a few words that the report counts.
"""

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from overpaint.engines.vde.wording import CHINESE, main_language, normal, own_words, quotations
from overpaint.vision.layers import Kind, Seen

LONGEST = 60  # words of a request or a question; a Chinese letter is a word
STEP = 90  # and of a step
SHORTEST = 3
_LETTERS = 1200
_NEAR = 85.0  # of 100: so alike are words that OCR has misread a little

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+(?:['’-][^\W_]+){0,3}")
_INSIDE = re.compile(
    r"\blayers?\b|\bpixels?\b|\bz-order\b|\balpha channel\b|图层|像素", re.IGNORECASE
)
_ASIDE = re.compile(
    r"\bthe (?:original|instruction|edited|edit)\b|\bwas (?:changed|edited|replaced)\b"
    r"|原图|指令|编辑前|编辑后",
    re.IGNORECASE,
)
# Words that leave open what is meant: a step of these alone names nothing.
_EMPTY_WORDS = (
    "a an the this that these those it its them they there here all any some every each and or of"
    " in on at to for from with by as into be is are so please just also now new other another one"
    " ones thing things something everything part parts element elements design document poster"
    " page content contents change changes changed make makes update updates modify adjust edit"
    " edits replace remove delete add improve adapt set turn do does better different suitable"
    " appropriate accordingly fitting match matching text texts words image images picture pictures"
    " theme style layout"
)
_EMPTY = frozenset(_EMPTY_WORDS.split())
_EMPTY_HAN = re.compile(
    r"[把将的了在这那该其它他们请并和与或为成到上下里中个些全部所有内容文字文本图片图像画面元素设计"
    r"文档海报主题风格修改更改改变替换换成改为改成调整更新添加删除去掉优化合适相应新]"
)
Words = Sequence[str]


def word_count(text: str) -> int:
    """Words of a text; every Chinese letter is one."""
    return len(_WORD.findall(text)) + len(_HAN.findall(text))


def request_faults(text: str) -> tuple[str, ...]:
    """What speaks against a request for a whole document."""
    faults = [*_common(text, LONGEST)]
    if text.strip() and word_count(text) < SHORTEST:
        faults.append("too short")
    if text.strip() and _names_nothing(text):
        faults.append("names nothing")
    return tuple(faults)


def step_faults(text: str, kind: Kind, earlier: Words, layers: Sequence[Seen]) -> tuple[str, ...]:
    """What speaks against a step, `earlier` being those before it, of a document's layers."""
    faults = [*_common(text, STEP)]
    if text.strip() and _names_nothing(text):
        faults.append("names nothing")
    if is_repeated(text, earlier):
        faults.append("says what an earlier step says")
    if kind == "text" and not all(
        any(says(layer, quote) for layer in layers) for quote in old_words(text)
    ):
        faults.append("quotes words that stand nowhere")
    return tuple(faults)


def place_faults(text: str, layer: Seen) -> tuple[str, ...]:
    """What speaks against a step of words on the layer that it was laid on."""
    if layer.kind != "text" or all(says(layer, quote) for quote in old_words(text)):
        return ()
    return ("quotes words that are not on its layer",)


def question_faults(text: str, earlier: Words) -> tuple[str, ...]:
    """What speaks against a yes/no question about the edited document."""
    faults = [*_common(text, LONGEST)]
    if text.strip() and not text.strip().endswith(("?", "？")):
        faults.append("is no question")
    if _ASIDE.search(text):
        faults.append("speaks of the original or of the edit")
    if is_repeated(text, earlier):
        faults.append("asks what an earlier question asks")
    return tuple(faults)


def old_words(text: str) -> tuple[str, ...]:
    """What a step quotes of the document as it is."""
    return tuple(quote.text for quote in quotations(text) if not quote.new)


def says(layer: Seen, quote: str) -> bool:
    """Whether a layer says these words, letter case aside; what was read by OCR, about so."""
    own, wanted = (normal(words).casefold() for words in (layer.words, quote))
    if wanted in own:
        return True
    return not layer.live and bool(own) and fuzz.partial_ratio(wanted, own) >= _NEAR


def is_repeated(text: str, earlier: Words) -> bool:
    """Whether one of the texts before says the same, marks and letter case aside."""
    return _bare(text) in {_bare(one) for one in earlier}


def _common(text: str, longest: int) -> Sequence[str]:
    if not text.strip():
        return ("empty",)
    faults = []
    if word_count(text) > longest or len(text) > _LETTERS:
        faults.append("too long")
    if not text.replace("\n", " ").isprintable():
        faults.append("has odd letters in it")
    if _INSIDE.search(own_words(text)):
        faults.append("speaks of layers or pixels")
    return faults


def _names_nothing(text: str) -> bool:
    """Whether it has neither a quotation nor a word that could name anything."""
    if quotations(text):
        return False
    own = own_words(text)
    if main_language(text) == CHINESE:
        return not _HAN.search(_EMPTY_HAN.sub("", own)) and not _WORD.search(own)
    return all(word in _EMPTY for word in _WORD.findall(own))


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", normal(text).casefold()))

"""How much an instruction leaves open, in six dimensions, by rules alone.

The dimensions are VDE Bench's (arXiv:2602.00122, appendix G): target, operation, space, scope,
condition, language; 1 leaves nothing open, 5 everything. What a rule cannot see (whether a
sentence makes sense) is for a judge.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from overpaint.core import Sample
from overpaint.engines.vde.wording import (
    CHINESE,
    MIXED,
    Quotation,
    language_of,
    own_words,
    page_text,
    quotations,
    standing,
)
from overpaint.vision.page import Block, from_json

DIMENSIONS = ("target", "operation", "space", "scope", "condition", "language")

OPERATIONS: Mapping[str, re.Pattern[str]] = MappingProxyType({
    "replacement": re.compile(
        r"\b(replace|change|substitute|rename|exchange|should (read|be))\b"
        r"|替换|更换|改为|改成|换成|更改|更正|应为|应是"
    ),
    "addition": re.compile(
        r"\b(add|insert|append|write|fill|enter)\b"
        r"|添加|增加|插入|加入|加上|补充|补上|写入|写上|填入|填上|填写|新增"
    ),
    "deletion": re.compile(
        r"\b(delete|remove|erase|clear|take out|strike)\b|删除|删去|删掉|移除|去掉|清除|清空"
    ),
    "rearrangement": re.compile(
        r"\b(merge|join|split|swap|move|transpose|sort)\b|合并|拆分|交换|互换|对调|移动|移到|排序"
    ),
})  # fmt: skip
_VAGUE_OPERATION = re.compile(
    r"\b(update|fix|improve|adjust|edit|modify|revise|polish|optimi[sz]e|enhance|correct|rework"
    r"|clean up|tidy)\b|修改|更新|调整|优化|完善|改进|修正|处理|编辑|美化|润色"
)
# What is said of the rest, or follows by itself, is no further edit.
_REST = re.compile(
    r"\b(and |; ?)?(without|leav(e|ing)|keep(ing)?|so that|the (other|rest)\b.*\bstay)\b[^.]*"
    r"|\band (move|close up)\b.*\b(up|down|together)\b"
    r"|(其他|其余|别的)[^。]*|保留[^。]*|[^,。]*留空|不另起[^。]*"
)
_NEXT_EDIT = re.compile(
    r"\b(and|then|also)\b[^.]{0,20}\b(replace|change|add|insert|delete|remove|merge|swap)\b"
    r"|(并|同时|然后|以及|再)(将|把|在|删|添|增|替|改|插)"
)
_PLACE = re.compile(
    r"\b(title|heading|header|footer|paragraph|sentence|line|row|column|cell|section|caption|list"
    r"|footnote|item|bullet|abstract|table|page number|top|bottom|left|right|upper|lower|middle"
    r"|begin(s|ning)?|first|second|third|last|question|point)\b"
    r"|标题|段|句|行|列|单元格|表|页眉|页脚|脚注|顶部|底部|左|右|上方|下方|中部|中间|开头|末|第"
)
_VAGUE_PLACE = re.compile(
    r"\b(somewhere|anywhere|nearby|roughly|around|appropriate (place|position|spot)"
    r"|suitable (place|position|spot))\b|某处|某个地方|附近|大概|(适当|合适|恰当)的?(位置|地方|处)"
)
_BESIDE = re.compile(
    r"\b(after|before|below|under|above|beside|following|between|cell|end of|start of"
    r"|last|missing)\b"
    r"|最后|紧接|缺少|后|前|下方|上方|之下|之上|末尾|开头|单元格|之间|下面|上面"
)
_MANY = re.compile(
    r"\b(all|every|each|any|both|several|multiple|throughout|everywhere)\b"
    r"|所有|全部|每[个处一]|各[个处]|多处|全文|整页"
)
_SOME = re.compile(
    r"\b(some|a few|certain|various|etc|and so on|stuff|things?)\b"
    r"|一些|部分|若干|某些|某个|等等|之类|相关"
)
_MAYBE = re.compile(
    r"\b(if|unless|whenever|otherwise|as needed|as appropriate|where possible|when necessary|maybe"
    r"|perhaps|possibly|preferably|something like|similar)\b"
    r"|如果|若(?!干)|除非|否则|必要时|视情况|酌情|可能|也许|尽量|类似|左右"
)
_OR = re.compile(r"\bor\b|或")
_TASTE = re.compile(
    r"\b(better|nicer|good|proper(ly)?|appropriate(ly)?|suitable|clearer|professional)\b"
    r"|更好|更加|合适|适当|恰当|好看|得体|专业"
)


@dataclass(frozen=True)
class Openness:
    """How much one dimension leaves open, 1 to 5, and why."""

    score: int
    reason: str

    @property
    def clear(self) -> bool:
        """Whether only one reading is likely."""
        return self.score <= 2


def ambiguity(
    instruction: str, page_blocks: Sequence[Block] | None, language: str
) -> dict[str, Openness]:
    """The six dimensions of an instruction for a page in that language ("" where unknown).

    Without the page's blocks nothing can be looked up, and a quoted target is taken on trust.
    """
    words, quoted = _REST.sub(" ", own_words(instruction)), quotations(instruction)
    target = _target(quoted, page_blocks)
    operations = [name for name, verb in OPERATIONS.items() if verb.search(words)]
    page_language = language or (language_of(page_text(page_blocks)) if page_blocks else "")
    found = (
        target,
        _operation(words, operations, any(quote.new for quote in quoted)),
        _space(words, target, operations == ["addition"]),
        _scope(words, bool(quoted)),
        _condition(words),
        _language(words, page_language),
    )
    return dict(zip(DIMENSIONS, found, strict=True))


def _target(quoted: Sequence[Quotation], blocks: Sequence[Block] | None) -> Openness:
    anchors = dict.fromkeys(quote.text for quote in quoted if not quote.new)
    if not anchors:
        return Openness(5, "no text of the page is quoted")
    if blocks is None:
        return Openness(2, "a target is quoted; the page was not read")
    counts = {anchor: len(standing(anchor, blocks)) for anchor in anchors}
    if missing := [anchor for anchor, count in counts.items() if not count]:
        return Openness(5, f"“{_short(missing[0])}” does not stand on the page")
    if 1 in counts.values():
        return Openness(1, "a target is quoted and stands on the page once")
    anchor, count = min(counts.items(), key=lambda item: item[1])
    return Openness(3, f"“{_short(anchor)}” stands on the page {count} times")


def _operation(words: str, operations: Sequence[str], new: bool) -> Openness:
    if _NEXT_EDIT.search(words) or len(operations) > 1:
        return Openness(3, f"more than one operation ({', '.join(operations)})")
    if not operations:
        vague = _VAGUE_OPERATION.search(words)
        if vague and new:
            return Openness(2, f"“{vague[0]}” is vague, but the new text is quoted")
        return Openness(4 if vague else 5, f"“{vague[0]}” says not what to do" if vague else
                        "no verb that says what to do")  # fmt: skip
    if operations == ["replacement"] and not new:
        return Openness(4, "the new text is not quoted")
    structure = re.search(r"\b(row|column)s?\b|[行列]", words)
    if operations == ["addition"] and not new and not structure:
        return Openness(4, "the text to add is not quoted")
    return Openness(1, f"one operation: {operations[0]}")


def _space(words: str, target: Openness, adds: bool) -> Openness:
    if vague := _VAGUE_PLACE.search(words):
        return Openness(5, f"“{vague[0]}” is no place")
    place = _PLACE.search(words)
    if adds and not _BESIDE.search(words):
        return Openness(4, "on which side of what to add it is not said")
    if target.score <= 2:
        named = "the place is named" if place else "no place is named, but the target has one"
        return Openness(1 if place else 2, named)
    if target.score == 3:
        return Openness(2 if place else 4, "the place has to tell targets apart")
    return Openness(4 if place else 5, "a place without a target" if place else "no place is named")


def _scope(words: str, quoted: bool) -> Openness:
    if vague := _SOME.search(words):
        return Openness(5, f"“{vague[0]}” does not say how much")
    if many := _MANY.search(words):
        return Openness(4, f"“{many[0]}” asks for more than one place")
    if not quoted:
        return Openness(3, "nothing quoted says how far the change goes")
    return Openness(1, "what is quoted says how far the change goes")


def _condition(words: str) -> Openness:
    if maybe := _MAYBE.search(words):
        return Openness(4, f"“{maybe[0]}” leaves it to the editor")
    if _OR.search(words):
        return Openness(3, "alternatives are offered")
    return Openness(1, "nothing is conditional")


def _language(words: str, page: str) -> Openness:
    own = language_of(words)
    if not own:
        return Openness(5, "the instruction has no words of its own")
    if taste := _TASTE.search(words):
        return Openness(3, f"“{taste[0]}” is a matter of taste")
    if own == page or not page or (page == MIXED and own != MIXED):
        return Openness(1, f"in {own.capitalize()}, as the page" if page else "in one language")
    if own == MIXED:
        return Openness(2 if page in (MIXED, CHINESE) else 3, "in a mixture of languages")
    return Openness(5, f"in {own.capitalize()}, but the page is in {page.capitalize()}")


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def of_sample(sample: Sample) -> dict[str, Openness]:
    """The same for a benchmark's sample, whose blocks are those of the truth.

    What an instruction quotes and the truth no longer says is taken to have stood in the edited
    region once: the edit took it away.
    """
    instruction = sample.request.instruction
    blocks = None
    if "page_blocks" in sample.facts:
        blocks = list(from_json({"parsing_res_list": sample.facts["page_blocks"]}))
        anchors = dict.fromkeys(quote.text for quote in quotations(instruction) if not quote.new)
        gone = [text for text in anchors if not standing(text, blocks)]
        blocks += [Block((0, 0, 1, 1), text) for text in gone]
    return ambiguity(instruction, blocks, sample.tags.get("language", ""))

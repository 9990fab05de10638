"""Wishes: a clause that asks for several things, cut into one clause for each."""

import re

from overpaint.editors.agent.rules.glue import names
from overpaint.editors.agent.rules.reading import MARK, Clause

# What a part of a design may be made: a colour, quoted words, larger.
_VALUE = (
    rf"(?:{MARK}|\b(?:bigger|larger|smaller|bold(?:er)?|italic|wider|narrower|taller|shorter|darker"
    r"|lighter|brighter|underlined|invisible|transparent|higher|lower|thicker|thinner)\b)"
)
_NAMED = names().pattern
_ITS = r"(?:the|all|every|its|our|each|both)"
_REMOVING = r"(?:remove|delete|erase|hide|drop|get rid of|take out)"
# Wishes that go on with the verb of the one before: what that begins with, and where they begin.
_GOING_ON = (
    (
        re.compile(r"^(?:please )?(?P<verb>make|colou?r|paint|turn)\b", re.IGNORECASE),
        re.compile(
            rf"(?<!\w)(?P<end>{_VALUE}),?\s*(?:,|\band\b|\bplus\b|&)\s*(?:and )?"
            rf"(?={_ITS} [^,;\ue000-\ue3ff]{{1,40}}?(?: in | to )?{_VALUE})",
            re.IGNORECASE,
        ),
    ),
    (
        re.compile(rf"^(?:please )?(?P<verb>{_REMOVING})\b", re.IGNORECASE),
        re.compile(
            rf"(?P<end>\w|{MARK})(?:,| and|, and) "
            rf"(?=(?:{_ITS} [\w' -]{{2,40}}|(?:{_NAMED}))(?:,| and|$))",
            re.IGNORECASE,
        ),
    ),
    (
        re.compile(r"^(?:please )?(?P<verb>move|shift|put)\b", re.IGNORECASE),
        re.compile(
            r"(?P<end>\w)(?:,| and|, and) (?=(?:the|our) [\w' -]{2,30} (?:to|at|in|on) (?:the )?"
            r"(?:left|right|top|bottom|middle|cent(?:re|er)|upper|lower)\b)",
            re.IGNORECASE,
        ),
    ),
    (
        re.compile(r"^(?:please )?(?P<verb>write|set|print)\b", re.IGNORECASE),
        re.compile(
            rf"(?P<end>\w)(?:,| and|, and) (?=(?:the|our) (?:{_NAMED}) in \w)", re.IGNORECASE
        ),
    ),
    (
        re.compile(r"^(?:please )?(?P<verb>turn|change|transform|convert)\b", re.IGNORECASE),
        re.compile(r"(?P<end>\w) and (?=(?:the|our) \w[\w' -]{1,30} into )", re.IGNORECASE),
    ),
    (
        re.compile(r"^(?:please )?(?P<verb>no) \w", re.IGNORECASE),
        re.compile(rf"(?P<end>\w)(?:,| and|, and) no (?=(?:{_NAMED})\b)", re.IGNORECASE),
    ),
    (
        re.compile(r"^请?(?P<verb>删掉|删除|去掉|去除|移除|拿掉)"),
        re.compile(rf"(?P<end>{_NAMED})(?:[和与及、])(?={_NAMED})"),
    ),
    (
        re.compile(r"^(?:please )?(?P<verb>change|set|update|switch)\b", re.IGNORECASE),
        re.compile(
            rf"(?P<end>\S)(?:\s?,| and|\s?, and) (?=(?:the |our )?(?:{_NAMED}) to\b)", re.IGNORECASE
        ),
    ),
)
_BEGINNING = re.compile(
    rf",?\s+and (?:then |also |please )*(?=(?:{_REMOVING}|enlarge|shrink|colou?r|paint|recolou?r"
    rf"|rotate|flip|translate|redraw|resize|align|add|put) {_ITS}\b|(?:add|insert|include) (?:an?"
    rf"|some|more)\b|(?:replace|change|swap|rename) {MARK})|,\s+(?={_REMOVING} {_ITS}\b)"
    rf"|,?\s+(?=with (?:an? |up to )?{MARK}\s*(?:off|discount)\b)"
    rf"|(?:,|,?\s+and)\s+(?=(?:the|our|its) (?:{_NAMED}) (?:is|are|should|must|will|has|becomes?) )"
    rf"|,?\s+and (?=(?:put|write|place|print|stamp) {MARK}\s*(?:under|below|above|beside|next to"
    r"|across|over|near|after|before)\b)",
    re.IGNORECASE,
)
# A wish that says what it is about: of 电话不对，删掉 the second half says nothing.
_BEGINNING_CHINESE = re.compile(
    r"(?:[，,]\s*(?:并且?|同时|另外|还要?|然后|再(?![画加]))|并且?)[，,]?请?(?=(?:把|将|删|去|移|拿|放|缩|隐|旋|翻|加|添"
    r"|画|写|调|改|换|变|设|唱)[^，,、]{2})"
    r"|[，,]\s*(?=(?:把|将)(?![它其这那他])[^，,、]{1,16}(?:改|换|删|放|缩|变|移|调|去|设|涂|翻|转|隐|推|提))"
    r"|[，,]\s*(?=再?(?:加上|添加|写上|画上)|再[画加])"
    r"|[，,]\s*(?=请?(?:删[除掉]?|去[掉除]|移除|拿掉|撤掉)(?:[^，,、除掉吧了])[^，,、])"
    rf"|[，,]\s*(?=(?:把|将)?(?:{_NAMED})(?:颜色)?(?:改|换|变|调|搬|移|设|涂|涨|降|升|推|延|提|加"
    r"|放|缩|免))"
    rf"|(?<={MARK})[，,、]\s*(?=(?:把|将)?[^，,、\ue000-\ue3ff]{{1,12}}?"
    rf"(?:改|换|变|涂|设|调)(?:成|为|作)?{MARK}(?:[，,、]|$))"
)


_LOOK = rf"(?:(?:{MARK} |much |a bit |a little |slightly |even )?{_VALUE}|(?:twice|half) as \w+)"
_LOOKS = re.compile(
    rf"^(?:please )?(?:make (?P<what>{_ITS} [^,;\ue000-\ue3ff]{{1,40}}?)|(?P<that>{_ITS} [^,;\ue000"
    rf"-\ue3ff]{{1,40}}?) (?:should|must|needs to|has to) be)"
    rf" (?P<looks>{_LOOK}\s?(?:(?:,| and|, and) {_LOOK}\s?)+)$",
    re.IGNORECASE,
)


_SHARED = re.compile(
    rf"^请?(?:把|将)(?P<all>(?:{_NAMED})(?:[和与及、](?:{_NAMED}))+)"
    rf"(?P<tail>都?(?:删掉|删除|去掉|去除|移除|拿掉|放大|缩小|加粗|(?:改|换|变|设)[成为]?{MARK})了?)$"
)
_BOTH = re.compile(
    rf"^(?:please )?make (?P<all>{_ITS} [\w' -]{{2,30}}?(?:(?:,|,? and) {_ITS} [\w' -]{{2,30}}?)+)"
    rf" (?P<look>{_LOOK})\s*$",
    re.IGNORECASE,
)


def _each(found: re.Match[str]) -> str:
    """One wish a line: 把照片和电话删掉 has two."""
    return "\n".join(f"把{one}{found['tail']}" for one in re.split("[和与及、]", found["all"]))


def _looks(text: str) -> str:
    """One wish a line: "make it red, bold and larger" has three."""
    if both := _BOTH.match(text):
        every = re.split(r",? and |, ?", both["all"])
        return "\n".join(f"make {one} {both['look']}" for one in every)
    found = _LOOKS.match(text)
    if found is None:
        return text
    every = re.split(r",? and |, ?", found["looks"])
    return "\n".join(f"make {found['what'] or found['that']} {one.strip()}" for one in every)


def wishes(clause: Clause) -> list[Clause]:
    """The wishes of a clause: "make the text white and the moon blue" has two."""
    text = clause.text
    text = _SHARED.sub(_each, text)
    for begins, seam in _GOING_ON:
        if first := begins.match(text):
            text = seam.sub(rf"\g<end>\n{first['verb']} ", text)
    text = _BEGINNING_CHINESE.sub("\n", _BEGINNING.sub("\n", text))
    text = "\n".join(_looks(part.strip(" ,，、")) for part in text.split("\n"))
    return [clause.only(part) for part in text.split("\n") if part.strip(" ,，、")]

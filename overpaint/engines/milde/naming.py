"""Names of layers as they are found in people's files: some help, many do not."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from overpaint.engines.milde.parts import Part
from overpaint.engines.milde.plan import Plan

_HELPFUL = {
    "ground": ("Background", "背景"), "motif": ("Illustration", "插图"),
    "second": ("Small picture", "小图"), "pattern": ("Pattern", "图案"),
    "bunting": ("Bunting", "彩旗"), "corners": ("Corners", "边角"), "frame": ("Frame", "边框"),
    "band": ("Band", "色带"), "rule": ("Line", "分割线"), "ribbon": ("Ribbon", "丝带"),
    "seal": ("Sticker", "贴纸"), "title": ("Title", "标题"), "subtitle": ("Subtitle", "副标题"),
    "date": ("Date", "日期"), "place": ("Place", "地点"), "price": ("Price", "价格"),
    "deadline": ("Deadline", "截止"), "cta": ("Call to action", "行动"),
    "contact": ("Contact", "联系方式"), "organiser": ("Organiser", "主办"),
    "details": ("Details", "详情"), "badge": ("Sticker text", "贴纸文字"),
}  # fmt: skip
_VAGUE = (
    ("Layer {n}", "Layer {n} copy", "Group copy", "Shape {n}", "image{n}", "Untitled", "text {n}"),
    ("图层 {n}", "图层 {n} 拷贝", "组 拷贝", "形状 {n}", "未命名", "素材{n}", "文本 {n}"),
)


def name_parts(parts: Sequence[Part], plan: Plan, chance: Random) -> tuple[Part, ...]:
    """The parts with names; their ids are kept where they have one."""
    tongue = 0 if plan.content.language == "English" else 1
    found = []
    for number, part in enumerate(parts, start=1):
        if chance.random() < plan.helpful:
            name = _HELPFUL[part.role][tongue]
        else:
            name = chance.choice(_VAGUE[tongue]).format(n=number)
        found.append(replace(part, name=name, id=part.id or part.role))
    return tuple(found)

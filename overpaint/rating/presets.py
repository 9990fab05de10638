"""The questions of the papers' own studies, in English and Chinese, and those of a rubric."""

import re

from overpaint.errors import UserMistake
from overpaint.measures import rubric as rubrics
from overpaint.measures.rubric_file import Dimension
from overpaint.measures.rubric_scale import Scale
from overpaint.rating.study import Kind, Question, Words, words

SCALES = ("0-3", "1-3", "1-5")
_LEVEL = re.compile(r"^[-*] ([^:\n]{1,40}): ((?:.+\n?(?:  .+\n?)*))", re.MULTILINE)

# EBench: three continuous scales and one question (Xu et al. 2025, LMM4Edit).
EBENCH = (
    Question(
        "quality", "slider", words("Quality", "质量"),
        words("How good does the edited picture look, whatever was asked?",
              "不管要求是什么，编辑后的图片看起来有多好？"), 1.0, 5.0,
    ),
    Question(
        "alignment", "slider", words("Instruction", "符合指令"),
        words("How well was the instruction carried out?", "指令完成得有多好？"), 1.0, 5.0,
    ),
    Question(
        "preservation", "slider", words("Preservation", "保持原样"),
        words("How well was everything else left as it was?", "其余部分保持得有多好？"), 1.0, 5.0,
    ),
    Question(
        "done", "yesno", words("Was the instruction carried out?", "指令完成了吗？"),
    ),
)  # fmt: skip
_PAIR = Question(
    "better", "choice", words("Which edit is better?", "哪个编辑更好？"),
    words("Weigh both: the instruction is carried out, and all else stays as it was.",
          "两方面都要考虑：指令是否完成，其余部分是否保持原样。"),
)  # fmt: skip
_BOX = Question(
    "box", "box", words("Draw one box around all that changed.", "画一个框，框住所有改变的地方。"),
    words("As close as you can.", "尽量贴近。"),
)  # fmt: skip

_THREE = words(
    "not at all|barely|mostly|fully",
    "完全没有|很少|大部分|完全",
)
_ONE_TO_THREE = words("no|partly|yes", "否|部分|是")
_ONE_TO_FIVE = words("bad|poor|fair|good|excellent", "很差|较差|一般|良好|优秀")

# name: (label, help); MiLDE's human study, VDE's annotation, TextEditBench's and MultiRef's.
_ASKED: dict[str, tuple[tuple[str, Words, Words], ...]] = {
    "0-3": (
        ("IF", words("Instruction", "符合指令"),
         words("Was all done that was asked?", "要求的都做到了吗？")),
        ("LC", words("Layout", "版面一致"),
         words("Are the layers that should stay as they were?", "应保持的图层是否保持原样？")),
        ("aesthetics", words("Looks", "美观"),
         words("Does the design look good?", "设计好看吗？")),
        ("TR", words("Text", "文字"),
         words("Is the text right and easy to read?", "文字正确且清晰易读吗？")),
        ("overall", words("Overall", "总体"),
         words("All in all, how good is the edit?", "总的来说，编辑得怎么样？")),
    ),
    "1-3": (
        ("compliance", words("Compliance", "遵从"),
         words("Did it do what was asked and nothing else?", "是否只做了所要求的？")),
        ("authenticity", words("Authenticity", "真实"),
         words("Does it look as if it had always been so?", "看起来像原本就是这样吗？")),
        ("satisfaction", words("Satisfaction", "满意"),
         words("Are you content with it?", "您满意吗？")),
    ),
    "1-5": (
        ("IF", words("Instruction", "符合指令"),
         words("Exactly what was asked, and nothing else?", "是否恰好做了所要求的？")),
        ("TA", words("Text", "文字准确"),
         words("Is the text itself right, letter by letter?", "文字本身是否逐字正确？")),
        ("VC", words("Look", "视觉一致"),
         words("Does what is new blend in?", "新内容是否融入画面？")),
        ("LP", words("Layout", "版面保持"),
         words("Is the layout kept?", "版面是否保持？")),
        ("SE", words("Sense", "语义合理"),
         words("Does all of it still make sense together?", "整体在语义上是否仍然合理？")),
    ),
}  # fmt: skip
_LEVELS = {
    "0-3": ((0.0, 1.0, 2.0, 3.0), _THREE),
    "1-3": ((1.0, 2.0, 3.0), _ONE_TO_THREE),
    "1-5": ((1.0, 2.0, 3.0, 4.0, 5.0), _ONE_TO_FIVE),
}

CONSENT = words(
    "You are asked to look at edited pictures and to say what you think of them. You are known here"
    " by a number only: no name and no address is stored. Your answers, how long each took, and any"
    " comment you write are kept and may be published without your number. You may stop at any"
    " time. You may withdraw at any time while the study runs: then all that you answered is"
    " deleted for good.",
    "您将看到编辑后的图片，并回答您的看法。在这里您只有一个编号：不存储姓名，也不存储网络地址。"
    "您的回答、每题所用时间以及您写下的意见会被保存，并可能在去掉编号后公开。您可以随时停止。"
    "研究进行期间您可以随时退出：届时您的所有回答将被永久删除。",
)


def questions_of(kind: Kind, *, scale: str = "1-5", rubric: str = "") -> tuple[Question, ...]:
    """What a study of that kind asks; of a `scale` one, by preset or by rubric."""
    if kind == "scale":
        return _of_rubric(rubric) if rubric else _of_scale(scale)
    return {"ebench": EBENCH, "pairs": (_PAIR,), "boxes": (_BOX,), "tasks": ()}[kind]


def _of_scale(scale: str) -> tuple[Question, ...]:
    if scale not in _LEVELS:
        raise UserMistake(
            f"There is no scale {scale!r}.", f"Known: {', '.join(SCALES)}.",
            "A scale of your own is a rubric: --rubric FILE.md",
        )  # fmt: skip
    values, told = _LEVELS[scale]
    meanings = {code: text.split("|") for code, text in told.items()}
    return tuple(
        Question(name, "levels", label, about, values=values, meanings=meanings)
        for name, label, about in _ASKED[scale]
    )


def _of_rubric(name: str) -> tuple[Question, ...]:
    """Each dimension of a rubric as a question, with what it says of every level."""
    found = rubrics.load(name)
    if not found.dimensions or found.scale is None:
        raise UserMistake(
            f"The rubric {name} gives no scores.", "People are asked by one that has a scale.",
            "`overpaint list rubrics` shows what there is.",
        )  # fmt: skip
    asked = []
    for each in found.dimensions:
        told = found.texts[each.name].filled(_holes(found))
        asked.append(_dimension(each, found.scale, told))
    return tuple(asked)


def _dimension(each: Dimension, scale: Scale, told: str) -> Question:
    label = words(each.title, each.title)
    if set(scale.words) == {"yes", "no"}:
        return Question(each.name, "yesno", label, words(told, told))
    if not scale.levels:
        return Question(each.name, "slider", label, words(told, told), scale.low, scale.high)
    meant = _meanings(told, scale)
    rest = "" if all(meant) else told  # levels that are told in some other way
    return Question(
        each.name, "levels", label, words(rest, rest), values=scale.levels,
        meanings={"en": meant, "zh": meant},
    )  # fmt: skip


def _holes(found: rubrics.Rubric) -> dict[str, str]:
    """What stands in a rubric's text for the pictures, and for what a rater sees anyway."""
    pictures = {one.name: one.label for one in found.pictures}
    return pictures | {slot.name: "…" for slot in found.slots}


def _meanings(told: str, scale: Scale) -> list[str]:
    """What a rubric says of each level in its list; "" of one that is not there."""
    meant: dict[str, str] = {}
    for name, text in _LEVEL.findall(told.partition("\n### ")[0]):
        for level in scale.named(name) or ():
            meant.setdefault(level, " ".join(text.split()))
    return [meant.get(name, "") for name in scale.names()]

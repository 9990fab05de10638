"""Label Studio: its tasks, its labelling configuration and the pictures they show.

The form is that of its documentation ("Label Studio Task Format", the tags Number, Choices and
RectangleLabels): a task has `data`, an annotation a `result`, whose entries have
`from_name`, `to_name`, `type` and `value`; boxes are in percent. Raters stay blind: a task names
its item by an opaque id, and only whoever has the study can tell which edit that is.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from overpaint.errors import UserMistake
from overpaint.rating.exchange_checks import COMMENT, TIE, VOTES
from overpaint.rating.items import Item
from overpaint.rating.pictures import Picture, read_shown
from overpaint.rating.ratings import Rating
from overpaint.rating.study import Question

SERVED = "/data/local-files/?d="  # where Label Studio serves files of its own machine


def labelling_config(questions: Sequence[Question], *, ties: bool = True) -> str:
    """The XML that a project in Label Studio is set up with to ask these questions."""
    pairs = any(one.kind == "choice" for one in questions)
    shown = ("left", "right") if pairs else ("edit",)
    pictures = "".join(
        f'    <View style="flex: 1">\n      <Header value="{name.capitalize()}" size="5"/>\n'
        f'      <Image name="{name}" value="${name}" zoom="true" zoomControl="true"/>\n'
        "    </View>\n"
        for name in ("source", *shown)
    )
    controls = "".join(_control(one, shown, ties) for one in questions)
    return (
        '<View>\n  <Header value="$instruction" size="4"/>\n'
        f'  <View style="display: flex; gap: 1em">\n{pictures}  </View>\n{controls}'
        f'  <TextArea name="{COMMENT}" toName="{shown[0]}" placeholder="Comment" rows="2"/>\n'
        "</View>\n"
    )


def _control(question: Question, shown: Sequence[str], ties: bool) -> str:
    """One question as tags: its words, and what it is answered with."""
    words = question.label["en"] + (f" · {question.help['en']}" if question.help.get("en") else "")
    head = f'  <Header value={_quoted(words)} size="5"/>\n'
    name, to = _quoted(question.name), f'toName="{shown[0]}"'
    if question.kind == "slider":
        low, high = question.ends or (0.0, 1.0)
        ends = f'min="{low:g}" max="{high:g}" step="0.01"'
        return f'{head}  <Number name={name} {to} {ends} required="true"/>\n'
    if question.kind == "box":
        label = '<Label value="changed"/>'
        return f"{head}  <RectangleLabels name={name} {to}>{label}</RectangleLabels>\n"
    if question.kind == "text":
        raise UserMistake(
            f"{question.name} asks for corrected texts, which Label Studio is not handed.",
            "Ratings, choices and boxes are.", "Ask it on the rating page: overpaint rate",
        )  # fmt: skip
    choices = "".join(
        f"\n    <Choice value={_quoted(word)}{hint}/>" for word, hint in _words(question, ties)
    )
    kind = 'choice="single-radio" required="true"'
    return f"{head}  <Choices name={name} {to} {kind}>{choices}\n  </Choices>\n"


def _words(question: Question, ties: bool) -> Iterator[tuple[str, str]]:
    """What can be chosen, with what it means."""
    if question.kind == "choice":
        yield from ((word, "") for word, vote in VOTES.items() if ties or vote != TIE)
    elif question.values is None:
        yield from (("yes", ""), ("no", ""))
    else:
        means = (question.meanings or {}).get("en") or [""] * len(question.values)
        for value, meaning in zip(question.values, means, strict=True):
            yield f"{value:g}", f" hint={_quoted(meaning)}" if meaning else ""


def _quoted(text: str) -> str:
    """Text as an attribute; $ begins a variable there, so it stands as the full-width one."""
    return quoteattr("".join(c for c in text if c >= " ").replace("$", "＄"))


def label_studio_tasks(
    questions: Sequence[Question],
    items: Iterable[Item],
    ratings: Iterable[Rating] = (),
    *,
    folder: str = "pictures",
) -> list[dict[str, Any]]:
    """The tasks, with what was rated already as annotations; pictures are below `folder`.

    Seconds and comments go with them where the ratings have them.
    """
    asked = {one.name: one for one in questions}
    said: dict[tuple[str, ...], list[Rating]] = {}
    for one in ratings:
        said.setdefault((one.sample, one.editor, one.against), []).append(one)
    tasks = []
    for item in items:
        turned = _turned(item)
        data = {"overpaint": item.id, "turned": turned, "instruction": item.instruction}
        data |= {
            name: f"{SERVED}{quote(folder)}/{file_of(picture)}" for name, picture in _shown(item)
        }
        given = said.get((item.sample, item.editor, item.against), [])
        task: dict[str, Any] = {"data": data}
        if given:
            task["annotations"] = list(_annotations(given, asked, item))
        tasks.append(task)
    return tasks


def file_of(picture: Picture) -> str:
    """What a picture is called beside the tasks: by its content, so that it tells nothing."""
    return f"{picture.sha256[:32]}.png"


def write_pictures(items: Iterable[Item], folder: Path) -> int:
    """Write each picture of the items once, without whatever else its file says."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {picture.sha256: picture for item in items for _, picture in _shown(item)}
    for picture in pictures.values():
        (folder / file_of(picture)).write_bytes(read_shown(picture))
    return len(pictures)


def _shown(item: Item) -> Iterator[tuple[str, Picture]]:
    if item.source is not None:
        yield "source", item.source
    if len(item.shown) == 1:
        yield "edit", item.shown[0]
    else:
        sides = ("right", "left") if _turned(item) else ("left", "right")
        yield from zip(sides, item.shown, strict=True)


def _turned(item: Item) -> bool:
    """Whether the second edit of a pair stands at the left: of half of them, by their ids."""
    digest = hashlib.sha256(f"left {item.id}".encode()).digest()
    return len(item.shown) == 2 and bool(digest[0] & 1)


def _annotations(
    given: Sequence[Rating], asked: Mapping[str, Question], item: Item
) -> Iterator[dict[str, Any]]:
    by_rater: dict[str, list[Rating]] = {}
    for one in given:
        by_rater.setdefault(one.rater, []).append(one)
    for rater, said in sorted(by_rater.items()):
        result = [
            _result(one, asked[one.dimension], item) for one in said if one.dimension in asked
        ]
        if said[0].comment:
            result.append(_remark(said[0], item))
        yield {"rater": rater, "result": result} | (
            {"lead_time": said[0].seconds} if said[0].seconds is not None else {}
        )


def _result(one: Rating, question: Question, item: Item) -> dict[str, Any]:
    kind, value = _valued(one, question, turned=_turned(item))
    result = _entry(one, one.dimension, item) | {"type": kind, "value": value}
    if kind == "rectanglelabels":
        picture = item.shown[0]
        result |= {"original_width": picture.width, "original_height": picture.height,
                   "image_rotation": 0}  # fmt: skip
    return result


def _remark(one: Rating, item: Item) -> dict[str, Any]:
    return _entry(one, COMMENT, item) | {"type": "textarea", "value": {"text": [one.comment]}}


def _entry(one: Rating, name: str, item: Item) -> dict[str, Any]:
    told = f"{item.id} {one.rater} {name}"
    return {
        "id": hashlib.sha256(told.encode("utf-8", "backslashreplace")).hexdigest()[:10],
        "from_name": name, "to_name": "left" if len(item.shown) == 2 else "edit",
        # Label Studio hands this back as it came, whoever brought the task in.
        "meta": {"rater": one.rater},
    }  # fmt: skip


def _valued(one: Rating, question: Question, *, turned: bool) -> tuple[str, dict[str, Any]]:
    if one.box is not None:
        sides = dict(zip(("x", "y", "width", "height"), one.box, strict=True))
        return "rectanglelabels", {**sides, "rotation": 0, "rectanglelabels": ["changed"]}
    value = one.value
    assert value is not None  # only boxes have none
    if question.kind == "slider":
        return "number", {"number": value}
    if question.kind == "choice":
        left = 1 - value if turned else value
        word = next(word for word, vote in VOTES.items() if vote == left)
        return "choices", {"choices": [word]}
    if question.values is not None:
        return "choices", {"choices": [f"{value:g}"]}
    return "choices", {"choices": ["yes" if value else "no"]}

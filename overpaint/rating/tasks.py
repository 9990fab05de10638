"""What a build asks of people (tasks.jsonl) as items, and their answers as lines (answers.jsonl).

`docs/decisions/008-tasks-and-answers.md` fixes both files. A build writes tasks anew whenever it
goes on; the page picks them up by itself.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from overpaint.engines.milde.people import Check
from overpaint.engines.vde.tasks import QUESTIONS, Task, parse
from overpaint.errors import DataError, PictureError, UserMistake
from overpaint.rating.items import Item, Pool
from overpaint.rating.pictures import Picture, shown_size
from overpaint.rating.presets import questions_of
from overpaint.rating.study import Question, words

TASKS, ANSWERS = "tasks.jsonl", "answers.jsonl"
LARGEST = 512 * 2**20  # bytes of a file of tasks
_MOST_PEOPLE = 1_000
_MOST_LETTERS = 4_000  # of a question
_MOST_TEXTS = 400  # blocks of a page that one person is asked to correct
_DRAWN = (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff")
_KEEP = words("Keep it?", "保留吗？")
_ASKED: Mapping[str, tuple[str, str]] = {
    "box": ("Draw one box around all that changed, as close as you can.",
            "画一个框，框住所有改变的地方，尽量贴近。"),
    "look": ("Outside the box this is the page as it was. Should this edit be in a benchmark?",
             "框外与原页面相同。您会把这个编辑放进基准测试吗？"),
    "text": ("Is what was read on the page, and in the box, right? Correct what is wrong.",
             "页面上和框内识别的文字对吗？请改正错误。"),
    "instruction": ("Would somebody ask this of this document, and can it be done?",
                    "会有人对这份文档提出这个要求吗？能做到吗？"),
    "layers": ("Do these layers, and no others, have to change, and are they told rightly?",
               "是否正是这些图层需要改变，并且说明正确？"),
    "pose": ("Does the skeleton have the posture of the person, or the people, in the picture?",
             "骨架与图片中人物的姿势一致吗？"),
    "subject": ("Is the same subject in both pictures: the very one, not one of its kind?",
                "两张图片中是同一个对象吗（就是它，而不是同类）?"),
    "style": ("Are both pictures in the same style, whatever they show?",
              "不管内容如何，两张图片的风格相同吗？"),
}  # fmt: skip


def pool_of_build(folder: Path) -> Pool:
    """The open tasks of a build as items; a UserMistake where it asks nothing."""
    found, notes = open_items(folder)
    if not found:
        raise UserMistake(
            f"The build in {folder} asks people nothing now.",
            f"Open tasks in {folder / TASKS} were expected.",
            "`overpaint build` writes them.",
        )
    return Pool(tuple(found), notes=tuple(notes))


def open_items(folder: Path) -> tuple[list[Item], list[str]]:
    """The items of all open tasks, and what keeps a task from being shown."""
    found: dict[str, Item] = {}
    notes = []
    for number, row in read_tasks(folder):
        if row.get("open") is True:
            try:
                item = task_item(folder, row)
            except (DataError, PictureError) as error:
                notes.append(f"{TASKS} line {number}: {error}")
                continue
            if found.setdefault(item.id, item) is not item:
                notes.append(f"{TASKS} line {number}: the task stands there already")
    return list(found.values()), notes


def read_tasks(folder: Path) -> list[tuple[int, Mapping[str, Any]]]:
    """The lines of tasks.jsonl that are objects, with their numbers."""
    file = folder / TASKS
    try:
        if file.stat().st_size > LARGEST:
            raise UserMistake(f"{file} is too large.", f"At most {LARGEST:,} bytes are read.")
        lines = file.read_bytes().split(b"\n")
    except OSError as error:
        raise UserMistake(
            f"The tasks in {file} cannot be read: {error.strerror}.",
            "A build's folder was expected.",
            "`overpaint build` makes one; of a run, leave out --kind tasks.",
        ) from error
    return [(n, row) for n, line in enumerate(lines, 1) if (row := _object(line)) is not None]


def _object(line: bytes) -> Mapping[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def task_item(folder: Path, row: Mapping[str, Any]) -> Item:
    """One task as an item; its hidden facts say how its answer becomes a line."""
    task, kind = _text(row, "task", 300), _text(row, "kind", 60)
    picture = row.get("picture")
    if not isinstance(picture, dict):
        raise DataError("a task without a picture")
    shown = _picture(folder, picture)
    facts = {
        "kind": kind, "picture": shown.sha256, "wanted": _count(row, "wanted"),
        "box": row.get("box"), "page": _listed(row, "page"), "region": _listed(row, "region"),
        "round": _count(row, "round"),
    }  # fmt: skip
    about = json.dumps([task, shown.sha256, row.get("instruction"), row.get("layer_instructions")])
    return Item(
        id=hashlib.sha256(about.encode()).hexdigest()[:32], sample=_text(row, "sample", 300),
        instruction=str(row.get("instruction") or "")[:4000], shown=(shown,),
        source=_source(folder, row), task=task, cluster=str(row.get("sample")),
        questions=_questions(kind, row), facts={k: v for k, v in facts.items() if v is not None},
    )  # fmt: skip


def _source(folder: Path, row: Mapping[str, Any]) -> Picture | None:
    """The page as it was, where it is a picture (a layered document is not shown beside it)."""
    source = row.get("source")
    if not isinstance(source, dict) or not str(source.get("path", "")).lower().endswith(_DRAWN):
        return None
    return _picture(folder, source)


def _picture(folder: Path, told: Mapping[str, Any]) -> Picture:
    try:
        path = (folder / _text(told, "path", 1000)).resolve()
    except (OSError, ValueError, RuntimeError):  # letters that no path has; a link to itself
        raise DataError("its picture's path leads nowhere") from None
    if not path.is_relative_to(folder.resolve()):
        raise DataError("its picture lies outside the folder")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"its picture cannot be read: {error.strerror}") from error
    digest = hashlib.sha256(data).hexdigest()
    if told.get("sha256", digest) != digest:
        raise PictureError("its picture is not the one the task was written for")
    width, height = shown_size(path)
    return Picture(path, digest, width, height)


def _text(row: Mapping[str, Any], key: str, most: int) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not 0 < len(value) <= most:
        raise DataError(f"{key!r} should be a text of at most {most} letters")
    return value


def _count(row: Mapping[str, Any], key: str) -> int:
    value = row.get(key, 1)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_PEOPLE:
        raise DataError(f"{key!r} should be a whole number of at most {_MOST_PEOPLE:,}")
    return value


def _listed(row: Mapping[str, Any], key: str) -> list[Any] | None:
    """The blocks that were read there, all of them objects, as their corrections will be."""
    value = row.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise DataError(f"{key!r} should be a list of blocks, each an object")
    return value


# ── what is asked ───────────────────────────────────────────────────────────────────────


def _questions(kind: str, row: Mapping[str, Any]) -> tuple[Question, ...]:
    if kind == "rate":
        return questions_of("scale", scale="1-3")
    own = _text(row, "question", _MOST_LETTERS) if row.get("question") else ""
    asked = words(*_ASKED.get(kind, (own, "")))
    if kind == "box":
        return (Question("box", "box", asked),)
    keep = Question("keep", "keep", _KEEP, asked)
    if kind == "text":
        texts = [*_blocks(row, "page"), *_blocks(row, "region")]
        return (Question("right", "text", asked, texts=tuple(texts)),)
    if kind == "instruction":
        return keep, _wording({"instruction": row.get("instruction")})
    if kind == "layers":
        told = row.get("layer_instructions")
        return keep, _wording(told if isinstance(told, dict) else {})
    return (keep,)


def _wording(texts: Mapping[str, Any]) -> Question:
    listed = [{"id": str(name), "text": str(text), "where": ""} for name, text in texts.items()]
    label = words("Correct the wording, if that is enough.", "如果只需改动措辞，请改正。")
    return Question("wording", "text", label, texts=tuple(listed))


def _blocks(row: Mapping[str, Any], where: str) -> list[dict[str, str]]:
    return [
        {"id": f"{where}:{n}", "text": str(block.get("block_content", "")), "where": where}
        for n, block in enumerate((_listed(row, where) or [])[:_MOST_TEXTS])
    ]


# ── what is said ────────────────────────────────────────────────────────────────────────


def answer_line(item: Item, by: str, answers: Mapping[str, Any], note: str) -> dict[str, Any]:
    """An answer as it stands in answers.jsonl."""
    line: dict[str, Any] = {"task": item.task, "picture": item.facts["picture"], "by": by}
    kind = item.facts["kind"]
    if kind == "rate":
        line |= {name: int(value) for name, value in answers.items()}
    elif kind == "text":
        line |= _corrected(item, answers["right"])
    else:
        line |= {name: value for name, value in answers.items() if name in ("keep", "box")}
    said = answers.get("wording", {})
    new = {one["id"]: one["text"] for one in said.get("texts", ())}
    if new and kind == "instruction":
        line["instruction"] = new["instruction"]
    elif new:
        line["layer_instructions"] = new
    return line | ({"note": note} if note else {})


def check_answer(item: Item, answers: Mapping[str, Any], note: str) -> None:
    """Raise a DataError where a build would not take the answer, while it can still be mended."""
    picture = item.shown[0]
    shown = {"sha256": item.facts["picture"], "width": picture.width, "height": picture.height}
    layers = {one["id"]: one["text"] for q in item.questions for one in q.texts or ()}
    kind, facts = item.facts["kind"], {"layer_instructions": layers}
    line = answer_line(item, "somebody", answers, note)
    if kind in QUESTIONS:
        parse(Task(kind, item.sample, shown, 1), line)
    elif kind in ("instruction", "layers"):
        parse(Check(kind, item.sample, shown, 1, facts=facts), line)


def _corrected(item: Item, said: Mapping[str, Any]) -> dict[str, Any]:
    """Whether all was read rightly, and the parts with corrected blocks as they now read."""
    if said["right"]:
        return {"right": True}
    new = {one["id"]: one["text"] for one in said["texts"]}
    line: dict[str, Any] = {"right": False}
    for where in ("page", "region"):
        if any(name.startswith(f"{where}:") for name in new):
            line[where] = _with(item.facts.get(where, []), where, new)
    return line


def _with(blocks: Sequence[Any], where: str, new: Mapping[str, str]) -> list[Any]:
    return [
        block | {"block_content": new.get(f"{where}:{n}", block.get("block_content", ""))}
        for n, block in enumerate(blocks)
    ]

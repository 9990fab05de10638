"""A rubric's file: front matter and sections read, and every fault of it told in a sentence."""

import datetime
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from overpaint.errors import UserMistake
from overpaint.measures.rubric_scale import UNDERSTOOD, Scale, read_scale
from overpaint.measures.rubric_text import PICTURES, BadBraces, Picture, Slot, Template, template
from overpaint.models import schemas

NEEDED = ("name", "about", "dated", "pictures", "slots")
KEYS = (*NEEDED, "applies", "scale", "better", "reply", "wording")
TASK, WITH, WITHOUT, REPLY = "Task", "With the truth", "Without the truth", "Reply"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_PATH = re.compile(r"[^\s.,]{1,60}(?:\.[^\s.,]{1,60}){0,4}")
_OPEN, _CLOSE = "```json\n", "\n```"


@dataclass(frozen=True)
class Dimension:
    """One thing a rubric asks about, and the keys of the reply that answer it."""

    name: str
    title: str
    value: tuple[str, ...] = ()
    rationale: tuple[str, ...] = ()


@dataclass(frozen=True)
class Head:
    """What the front matter says."""

    name: str
    about: str
    dated: str
    pictures: tuple[Picture, ...]
    slots: tuple[Slot, ...]
    applies: tuple[str, ...]
    scale: Scale | None
    higher: bool
    replies: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    verbatim: bool


@dataclass(frozen=True)
class Body:
    """What the sections say: texts to send, dimensions, and a schema where one is written out."""

    texts: Mapping[str, Template]  # TASK, WITH, WITHOUT, REPLY, and dimensions by name
    dimensions: tuple[Dimension, ...]
    schema: dict[str, Any] | None


def fault(where: str, wrong: str, right: str = "") -> NoReturn:
    """Raise what is wrong with a rubric's file."""
    raise UserMistake(f"The rubric {where}: {wrong}", right)


def read(text: str, where: str) -> tuple[Head, Body]:
    """The front matter and the body of a rubric's text, or a UserMistake."""
    front, body = _halves(text, where)
    head = _head(front, where)
    sections = dict(_verbatim(body) if head.verbatim else _sections(body, where))
    asked = (TASK, WITHOUT) if head.verbatim else (TASK,)
    if not any(sections.get(name, "").strip() for name in asked):
        fault(where, f"there is no `## {TASK}` with what is asked.")
    read = _body(sections, head, where)
    _check_holes(read, head, where)
    return head, read


# ── front matter ────────────────────────────────────────────────────────────────────────


def _halves(text: str, where: str) -> tuple[list[str], str]:
    lines = text.split("\n")
    if lines[0].rstrip() != "---" or "---" not in (line.rstrip() for line in lines[1:]):
        fault(
            where,
            "it does not begin with front matter.",
            "That is `key: value` lines between two lines of `---`.",
        )
    end = next(n for n, line in enumerate(lines) if n and line.rstrip() == "---")
    return lines[1:end], "\n".join(lines[end + 1 :])


def _head(lines: Sequence[str], where: str) -> Head:
    said, replies = _pairs(lines, where)
    for key in NEEDED:
        if key not in said:
            fault(where, f"the front matter has no `{key}`.", f"It needs {', '.join(NEEDED)}.")
    if not _NAME.fullmatch(said["name"]):
        fault(where, f"{said['name'][:60]!r} is no name.", "Letters, digits and _ make one.")
    if not said["about"]:
        fault(where, "`about` is empty.", "It says in one line what is judged.")
    try:
        datetime.date.fromisoformat(said["dated"])
    except ValueError:
        fault(where, f"dated {said['dated'][:40]!r}.", "A date is written 2026-11-16.")
    wording, better = said.get("wording", "ours"), said.get("better", "higher")
    for key, value, choices in (
        ("wording", wording, ("ours", "verbatim")),
        ("better", better, ("higher", "lower")),
    ):
        if value not in choices:
            fault(where, f"`{key}` is {value[:40]!r}.", f"It is {' or '.join(choices)}.")
    scale = read_scale(said["scale"]) if "scale" in said else None
    if "scale" in said and scale is None:
        fault(where, f"the scale {said['scale'][:60]!r} is not understood.", UNDERSTOOD)
    slots = tuple(_slots(said["slots"], where))
    applies = tuple(_listed(said.get("applies", "none")))
    for name in applies:
        if name not in {slot.name for slot in slots}:
            fault(where, f"it applies where there is {name[:40]!r}, which is no slot of it.")
    return Head(
        said["name"], said["about"], said["dated"], tuple(_pictures(said["pictures"], where)),
        slots, applies, scale, better == "higher", replies, wording == "verbatim",
    )  # fmt: skip


def _pairs(lines: Sequence[str], where: str) -> tuple[dict[str, str], dict[str, Any]]:
    said: dict[str, str] = {}
    replies: dict[str, Any] = {}
    for line in filter(str.strip, lines):
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or key not in KEYS:
            fault(
                where,
                f"the front matter has the line {line.strip()[:60]!r}.",
                f"A line is `key: value`; keys are {', '.join(KEYS)}.",
            )
        if key == "reply":
            name, paths = _reply_line(value, where)
            if name in replies:
                fault(where, f"it says twice where the reply has {name!r}.")
            replies[name] = paths
        elif key in said:
            fault(where, f"the front matter has `{key}` twice.")
        else:
            said[key] = value
    return said, replies


def _reply_line(text: str, where: str) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """`IF = score, rationale`: a dimension and the keys of its value and its reasons."""
    name, _, keys = (part.strip() for part in text.partition("="))
    paths = [part.strip() for part in keys.split(",")]
    good = all(map(_PATH.fullmatch, paths)) and len(paths) <= 2 and _NAME.fullmatch(name)
    if not good:
        fault(
            where,
            f"`reply: {text[:60]}` is not understood.",
            "`reply: DIMENSION = KEY, KEY OF THE RATIONALE`, a key inside another with a dot.",
        )
    value, rationale = [*paths, ""][:2]
    return name, (tuple(value.split(".")), tuple(rationale.split(".")) if rationale else ())


def _listed(text: str) -> Iterator[str]:
    if text != "none":
        yield from (part.strip() for part in text.split(","))


def _pictures(text: str, where: str) -> Iterator[Picture]:
    seen: set[str] = set()
    for part in _listed(text):
        name, _, label = (half.strip() for half in part.partition(" as "))
        optional, name = name.endswith("?"), name.removesuffix("?")
        if name not in PICTURES:
            fault(
                where,
                f"{name[:40]!r} is no picture.",
                f"Pictures are {', '.join(PICTURES)}, or `none`; `target as the original` renames.",
            )
        if name in seen:
            fault(where, f"it shows {name!r} twice.")
        if optional and name not in ("target", "references"):
            fault(where, f"{name!r} cannot be left out.", "Only target? and references? can.")
        seen.add(name)
        yield Picture(name, label or PICTURES[name][0], optional)


def _slots(text: str, where: str) -> Iterator[Slot]:
    seen: set[str] = set()
    for part in _listed(text):
        name = part.removesuffix("?").strip()
        if not _NAME.fullmatch(name) or name in PICTURES or name in seen:
            why = "is a picture's name" if name in PICTURES else "stands there twice"
            why = why if _NAME.fullmatch(name) else "is no name"
            fault(
                where,
                f"the slot {name[:40]!r} {why}.",
                "Slots are names of texts in the sample, such as instruction, or `none`.",
            )
        seen.add(name)
        yield Slot(name, part.endswith("?"))


# ── sections ────────────────────────────────────────────────────────────────────────────


def _sections(body: str, where: str) -> Iterator[tuple[str, str]]:
    """Each section's heading and text; headings inside code fences are none."""
    heading, lines, fenced, seen = "", [""], False, set()
    for line in [*body.split("\n"), "## "]:
        fenced ^= line.startswith("```")
        if not line.startswith("## ") or fenced:
            lines.append(line)
            continue
        before = [text for text in lines if text.strip() and not text.startswith("# ")]
        if not heading and before:
            fault(where, f"{before[0][:60]!r} stands before the first `## ` section.")
        if heading:
            yield heading, "\n".join(lines).strip("\n")
        heading, lines = " ".join(line[3:].split()), []
        if heading in seen:
            fault(where, f"it has two sections {heading[:60]!r}.")
        seen.add(heading)
    if fenced:
        fault(where, "a code fence is opened and not closed.")


def _verbatim(body: str) -> Iterator[tuple[str, str]]:
    """Someone else's wording, whose headings are text; only ours about truth and reply count."""
    heading, lines = TASK, [""]
    for line in [*body.split("\n"), f"## {REPLY}"]:
        if line.rstrip().removeprefix("## ") in (WITH, WITHOUT, REPLY) and line.startswith("## "):
            yield heading, "\n".join(lines).strip("\n")
            heading, lines = line.rstrip()[3:], []
        else:
            lines.append(line)
    if any(map(str.strip, lines)):
        yield heading, "\n".join(lines)


def _body(sections: Mapping[str, str], head: Head, where: str) -> Body:
    told, schema = _schema(sections.get(REPLY, ""), where)
    own = (TASK, WITH, WITHOUT, REPLY)
    named = {heading: text for heading, text in sections.items() if heading not in own}
    if head.verbatim:
        dimensions = tuple(Dimension(name, name) for name in head.replies)
    else:
        dimensions = tuple(_dimension(*item, head, where) for item in named.items())
    if schema is None and not dimensions:
        fault(
            where,
            "it asks about no dimension.",
            "A `reply` line names one." if head.verbatim else
            "A section such as `## IF: Instruction following` is one; a reply that is no score has"
            " its schema in a ```json block under `## Reply`.",
        )  # fmt: skip
    if schema is not None and (dimensions or head.replies):
        fault(where, "it has dimensions and a schema of its own.", "It has one of the two.")
    if dimensions and head.scale is None:
        fault(where, "the front matter has no `scale`.", UNDERSTOOD)
    texts = {name: sections[name] for name in (TASK, WITH, WITHOUT) if name in sections}
    texts |= {REPLY: told} if told else {}
    texts |= dict(zip((each.name for each in dimensions), named.values(), strict=False))
    return Body(
        {name: _template(text, where) for name, text in texts.items()},
        tuple(_keyed(dimensions, head, where)),
        schema,
    )


def _schema(text: str, where: str) -> tuple[str, dict[str, Any] | None]:
    """What is said of the reply, and its schema where there is one."""
    before, opened, rest = text.partition(_OPEN)
    if not opened:
        return text, None
    block, _, after = rest.partition(_CLOSE)
    if _OPEN in after:
        fault(where, f"`## {REPLY}` has several json blocks.", "One is its schema.")
    try:
        schema = schemas.strict(json.loads(block))
    except (ValueError, RecursionError):
        fault(where, f"the json block under `## {REPLY}` is no JSON.")
    except UserMistake as mistake:
        fault(where, f"{mistake.wrong[0].lower()}{mistake.wrong[1:]}", mistake.right)
    return (before + after).strip("\n"), schema


def _dimension(heading: str, text: str, head: Head, where: str) -> Dimension:
    name, _, title = (part.strip() for part in heading.partition(":"))
    if not _NAME.fullmatch(name):
        fault(
            where,
            f"{heading[:60]!r} is no dimension.",
            f"It is `## NAME: Title`. Other sections are {TASK}, {WITH}, {WITHOUT} and {REPLY}.",
        )
    if head.scale is None:
        return Dimension(name, title or name)
    told = set(_told(text, name, head.scale, where))
    missing = [level for level in head.scale.names() if level not in told]
    if missing:
        fault(
            where,
            f"{name} does not say what {missing[0]} means.",
            f"Each level has a line `- {missing[0]}: its meaning` before any `###` heading.",
        )
    return Dimension(name, title or name)


def _told(text: str, name: str, scale: Scale, where: str) -> Iterator[str]:
    """The levels whose meaning is told, from the list before the first subsection."""
    seen: set[str] = set()
    for line in text.partition("\n### ")[0].replace("\n  ", " ").split("\n"):
        level, colon, meaning = line.removeprefix("- ").partition(":")
        levels = scale.named(level.strip()) if line.startswith("- ") and colon else None
        for each in levels or ():
            if not scale.holds(each):
                fault(where, f"{name} has the level {each}, which is not on the scale.")
            if each in seen:
                fault(where, f"{name} says twice what {each} means.")
            if not meaning.strip():
                fault(where, f"{name} does not say what {each} means.")
            seen.add(each)
            yield each


def _keyed(dimensions: Sequence[Dimension], head: Head, where: str) -> Iterator[Dimension]:
    """The dimensions with the keys of the reply that answer them, ours unless the file says."""
    names = [dimension.name for dimension in dimensions]
    if head.replies and sorted(head.replies) != sorted(names):
        fault(where, f"its `reply` lines are of {', '.join(head.replies)}, not {', '.join(names)}.")
    key = "answer" if head.scale and head.scale.words else "score"
    for each in dimensions:
        inside = (each.name,) if len(dimensions) > 1 else ()
        ours = ((*inside, key), (*inside, "rationale"))
        value, rationale = head.replies.get(each.name, ours)
        yield Dimension(each.name, each.title, value, rationale)


# ── holes ───────────────────────────────────────────────────────────────────────────────


def _template(text: str, where: str) -> Template:
    try:
        return template(text)
    except BadBraces as bad:
        fault(where, f"a brace stands alone in {str(bad)!r}.", "Literal braces are {{ and }}.")


def _check_holes(body: Body, head: Head, where: str) -> None:
    """That every hole can be filled, every slot is used, and truth is spoken of where it is."""
    slots, shown = {slot.name for slot in head.slots}, {each.name: each for each in head.pictures}
    used: set[str] = set()
    for section, text in body.texts.items():
        for hole in text.holes:
            _check_hole(hole.name, section, slots, shown, where)
            if hole.name in slots and not hole.alone and not head.verbatim:
                right = "A quoted text has the line to itself."
                fault(where, f"{{{hole.name}}} stands inside a line.", right)
            used.add(hole.name)
    if unused := sorted(slots - used):
        fault(where, f"the slot {unused[0]!r} is never used.", "Write it in a text, or drop it.")
    for section in (WITH, WITHOUT):
        if section in body.texts and "target" not in shown:
            fault(where, f"it has a section {section!r} and does not show target.")


def _check_hole(
    name: str, section: str, slots: set[str], shown: Mapping[str, Picture], where: str
) -> None:
    if name not in slots and name not in shown:
        known = ", ".join(sorted({*slots, *shown})) or "none"
        fault(
            where,
            f"{{{name}}} is neither a slot nor a picture of it.",
            f"It declares: {known}. Literal braces are {{{{ and }}}}.",
        )
    if name in shown and shown[name].optional and not (name == "target" and section == WITH):
        where_to = f"Speak of it under `## {WITH}`." if name == "target" else "Name it in words."
        fault(where, f"{{{name}}} may be absent where it is spoken of.", where_to)

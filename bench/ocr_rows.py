"""What was read on a page beside what stands there: the errors in each of its lines.

What was read is compared row by row, so that no reader gains or loses by where it cuts a row
into lines. A line that was read belongs to the true lines that share columns with it and whose
height holds its middle; of two true lines above one another, to the nearer. True lines that a
reading joins are one row. A row's true lines, and whatever was read on it, are each put together
from left to right with a space between; the truth's spaces between lines may be missing. The
cheapest edits say which true line each error is in. Missing text is an error; so is text where
nothing stands, in the nearest true line. A line set upright is compared from top to bottom.

Texts are compared as `normalised`: forms that look alike count as one. Spaces count in English,
not in Chinese, where a wide comma and a comma with a space look the same. Bullets, boxes to tick
and lines to write on are drawn, not written: reading them as such is neither right nor wrong.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from ocr_pages import BenchPage, PageLine

from overpaint.measures.text import normalised
from overpaint.vision.page import Box, Line

ANY = "\ufffc"  # stands in a truth for what may be read as anything: a formula, a bullet
DRAWN = re.compile(r"[■□▪▫●○•◦·◆◇▶►]|_{2,}")


@dataclass(frozen=True)
class Task:
    """A page, and where on it anything may be read: formulas, tables without their text."""

    page: BenchPage
    free: tuple[Box, ...] = ()
    complete: bool = True  # whether its lines are all the text there is


@dataclass
class Row:
    """True lines side by side, by number, and what was read there."""

    lines: list[int]
    read: list[Line] = field(default_factory=list)


@dataclass(frozen=True)
class Result:
    """The errors in each line of a page, and the rows with errors, as true and as read."""

    errors: tuple[int, ...]
    wrong: tuple[tuple[int, str, str], ...]  # the number of the row's first line, truth, reading


# ── what was read where ─────────────────────────────────────────────────────────────────


def rows(page: BenchPage, read: Sequence[Line]) -> tuple[list[Row], list[Line]]:
    """The rows of a page, and what was read where no true line is."""
    leader = list(range(len(page.lines)))
    placed: list[tuple[int, Line]] = []
    stray = []
    for line in read:
        under = lying_on(line.box, page.lines)
        for other in under[1:]:
            leader = [leader[under[0]] if one == leader[other] else one for one in leader]
        if under:
            placed.append((under[0], line))
        else:
            stray.append(line)
    found = {one: Row([]) for one in leader}
    for number, one in enumerate(leader):
        found[one].lines.append(number)
    for number, line in placed:
        found[leader[number]].read.append(line)
    return list(found.values()), stray


def lying_on(box: Box, lines: Sequence[PageLine]) -> list[int]:
    """The numbers of the true lines that something read in `box` is a part of, nearest first."""
    near = sorted(
        (abs(far), number)
        for number, line in enumerate(lines)
        if (far := across(box, line)) is not None
    )
    chosen: list[int] = []
    for _, number in near:
        if not any(stacked(lines[number], lines[other]) for other in chosen):
            chosen.append(number)
    return chosen


def across(box: Box, line: PageLine) -> float | None:
    """How far the middle of a reading is from the line's; None where it is not on the line."""
    here, there = (turned(box), turned(line.box)) if upright(line) else (box, line.box)
    far = (here[1] + here[3] - there[1] - there[3]) / 2
    high = max(there[3] - there[1], line.size)
    apart = min(here[2], there[2]) <= max(here[0], there[0])
    return None if apart or abs(far) > high / 2 else far


def stacked(a: PageLine, b: PageLine) -> bool:
    """Whether two lines share more than half of the columns of the shorter."""
    shared = min(a.box[2], b.box[2]) - max(a.box[0], b.box[0])
    return shared > min(a.box[2] - a.box[0], b.box[2] - b.box[0]) / 2


def upright(line: PageLine) -> bool:
    """Whether a line's letters stand below one another."""
    return line.box[3] - line.box[1] > 1.5 * (line.box[2] - line.box[0]) and len(line.text) > 2


def turned(box: Box) -> Box:
    """The box with across and down exchanged."""
    return (box[1], box[0], box[3], box[2])


def gap(a: Box, b: Box) -> float:
    """The distance between two boxes, 0 where they touch."""
    aside = max(a[0] - b[2], b[0] - a[2], 0.0)
    above = max(a[1] - b[3], b[1] - a[3], 0.0)
    return float(np.hypot(aside, above))


# ── errors ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Truth:
    """A row's true characters, the line each is in, and which may be missing (joints)."""

    text: str
    owners: list[int]
    joints: list[bool]


def truth_of(row: Row, task: Task) -> Truth:
    """The lines of a row from left to right, with ANY where a reading goes on into what is free."""
    lines = task.page.lines
    reach = [line.box for line in row.read]
    spaced = has_spaces(row, task.page)
    parts = [(number, bare(lines[number].text, spaced), lines[number].box) for number in row.lines]
    for box in task.free:
        mark = PageLine("", box, 0, "", "")
        if any(across(read, mark) is not None for read in reach):
            nearest = min(row.lines, key=lambda number: gap(lines[number].box, box))
            parts.append((nearest, ANY, box))
    tall = all(upright(lines[number]) for number in row.lines)
    parts.sort(key=lambda part: part[2][1 if tall else 0])
    text, owners, joints = "", list[int](), list[bool]()
    for number, words, _ in parts:
        joint = " " if text and spaced else ""
        text += joint + words
        owners += [number] * len(joint + words)
        joints += [True] * len(joint) + [letter == ANY for letter in words]
    return Truth(text, owners, joints)


def reading_of(row: Row, page: BenchPage) -> str:
    """What was read on a row, put together in the same order."""
    tall = all(upright(page.lines[number]) for number in row.lines)
    parts = sorted(row.read, key=lambda line: line.box[1 if tall else 0])
    return bare(" ".join(line.text for line in parts), has_spaces(row, page))


def has_spaces(row: Row, page: BenchPage) -> bool:
    """Whether spaces count: nothing on the row is Chinese."""
    return all(page.lines[number].language == "english" for number in row.lines)


def bare(text: str, spaced: bool) -> str:
    """What is compared of a text."""
    text = normalised(DRAWN.sub(" ", text))
    return text if spaced else text.replace(" ", "")


def misread(reading: str, truth: Truth) -> Iterator[int]:
    """For every error the line it is in: the cheapest edits from the truth to the reading."""
    if reading == truth.text:
        return
    costs = distances(reading, truth)
    i, j = len(truth.text), len(reading)
    while i or j:
        here, same = costs[i, j], i and j and reading[j - 1] == truth.text[i - 1]
        if i and j and here == costs[i - 1, j - 1] + (not same):
            i, j, cost = i - 1, j - 1, int(not same)
        elif i and here == costs[i - 1, j] + (not truth.joints[i - 1]):
            i, cost = i - 1, int(not truth.joints[i - 1])
        else:
            j, cost = j - 1, int(not (i and truth.text[i - 1] == ANY))
        if cost:
            yield truth.owners[min(i, len(truth.owners) - 1)]


def distances(reading: str, truth: Truth) -> np.ndarray[Any, Any]:
    """The Levenshtein distances of all beginnings, where joints and what is read for ANY are free.

    Row i is for i true characters. Inserting costs the same all along a row, so that the best
    of all beginnings is a running minimum.
    """
    letters = np.array([ord(letter) for letter in reading], np.int32)
    steps = np.arange(len(reading) + 1, dtype=np.int32)
    costs = np.empty((len(truth.text) + 1, len(reading) + 1), np.int32)
    costs[0] = steps
    for i, (letter, joint) in enumerate(zip(truth.text, truth.joints, strict=True), 1):
        best = costs[i - 1] + (not joint)
        best[1:] = np.minimum(best[1:], costs[i - 1, :-1] + (letters != ord(letter)))
        price = 0 if letter == ANY else steps
        costs[i] = np.minimum.accumulate(best - price) + price
    return costs


def judge(task: Task, read: Sequence[Line]) -> Result:
    """The errors of a reading."""
    page, errors, wrong = task.page, [0] * len(task.page.lines), []
    found, stray = rows(page, read)
    for row in found:
        reading, truth = reading_of(row, page), truth_of(row, task)
        places = list(misread(reading, truth))
        for number in places:
            errors[number] += 1
        if places:
            wrong.append((row.lines[0], truth.text, reading))
    for line in stray if task.complete else ():
        nearest = min(range(len(errors)), key=lambda n: gap(page.lines[n].box, line.box))
        text = bare(line.text, page.lines[nearest].language == "english")
        errors[nearest] += len(text)
        wrong += [(nearest, "", text)] * bool(text)
    return Result(tuple(errors), tuple(wrong))


def letters(line: PageLine) -> int:
    """How many characters of a line there are to be read."""
    return len(bare(line.text, line.language == "english").replace(ANY, ""))

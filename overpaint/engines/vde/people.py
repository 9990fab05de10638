"""The fourth step: how far each candidate has come with people, and what they are asked next.

rate -> box (again until the boxes agree) -> paste -> last look -> read -> check of the text
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from overpaint.document import Document, Pixels
from overpaint.document.pictures import encode_png
from overpaint.engines.building import Standing
from overpaint.engines.released import Region, in_percent, in_pixels
from overpaint.engines.vde import pages, review
from overpaint.engines.vde.records import (
    ANSWERS,
    TASKS,
    Candidate,
    Instruction,
    Page,
    Place,
    Settings,
    Terms,
    as_json,
    read_json,
    write_bytes,
    write_json,
    write_text,
)
from overpaint.engines.vde.tasks import Answer, Inbox, Task, corrected
from overpaint.errors import Unavailable
from overpaint.vision.page import Block, from_json, to_json

PARTS = ("page", "region_blocks")  # of a truth that was read


@dataclass(frozen=True)
class Fate:
    """How far a candidate has come: the question it waits for, its rejection, or its truth."""

    instruction: Instruction
    page: Page
    stage: str  # rate, box, look, text; read: waits for OCR; done
    rejected: str = ""
    conflicts: tuple[str, ...] = ()  # rounds of boxes that did not agree
    ratings: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    region: Region | None = None
    blocks: tuple[tuple[Block, ...], tuple[Block, ...]] | None = None  # page, region


def ask_people(place: Place, settings: Settings, terms: Terms) -> Standing[Fate]:
    """Follow every candidate as far as the answers go, read new truths, write tasks.jsonl."""
    standing = _follow_all(place, settings)
    waiting = [fate for fate in standing.fates if fate.stage == "read"]
    if waiting:
        _read_truths(place, waiting, settings, terms)
        standing = _follow_all(place, settings)
    lines = (as_json(task) + "\n" for task in standing.tasks)
    write_text(place.folder / TASKS, "".join(lines))
    return standing


def _follow_all(place: Place, settings: Settings) -> Standing[Fate]:
    inbox, instructions = Inbox(place.folder / ANSWERS), place.instructions()
    known = place.pages()
    fates, tasks = [], []
    for candidate in place.candidates().values():
        instruction = instructions.get(candidate.id)
        if candidate.status == "ok" and instruction and instruction.page in known:
            desk = _Desk(place, settings, candidate, instruction, known[instruction.page], inbox)
            fates.append(desk.follow())
            tasks += desk.tasks
    return Standing(tuple(fates), tuple(tasks), inbox.leave())


@dataclass
class _Desk:
    """One candidate on its way, and the tasks it has given rise to."""

    place: Place
    settings: Settings
    candidate: Candidate
    instruction: Instruction
    page: Page
    inbox: Inbox
    tasks: list[dict[str, Any]] = field(default_factory=list)

    def follow(self) -> Fate:
        """The candidate's fate as far as the answers go."""
        answers = self._ask("rate", "candidates", self.candidate.sha256)
        ratings = {answer.by: answer.value for answer in answers}
        verdict = self._settled(review.rated(answers, self.settings.raters))
        fate = Fate(self.instruction, self.page, "rate", verdict.reason, ratings=ratings)
        if verdict.state != "passed":
            return fate
        answers, conflicts = self._boxes()
        fate = replace(fate, stage="box", conflicts=conflicts)
        if not answers:
            return fate
        region = in_pixels(review.largest(answers, self.settings.raters), self._size)
        truth = self._truth(region)
        if truth is None:
            return replace(fate, region=region, rejected="nothing differs inside the agreed box")
        return self._judged(replace(fate, stage="look", region=region), truth)

    def _boxes(self) -> tuple[list[Answer], tuple[str, ...]]:
        """The boxes that agree, if any do, and the rounds before that did not."""
        conflicts: list[str] = []
        while True:
            turn = len(conflicts) + 1
            answers = self._ask("box", "candidates", self.candidate.sha256, turn=turn)
            verdict = self._settled(review.boxed(answers, self.settings.raters))
            if verdict.state != "back":
                return (answers if verdict.state == "passed" else []), tuple(conflicts)
            conflicts.append(f"round {turn}: {verdict.reason}")

    def _judged(self, fate: Fate, truth: Mapping[str, Any]) -> Fate:
        """The last look at the truth, then the check of what was read there."""
        assert fate.region is not None
        box = in_percent(fate.region, self._size)
        looks = self._ask("look", "truths", truth["sha256"], box=box)
        verdict = self._settled(review.looked_at(looks, self.settings.raters))
        if verdict.state != "passed":
            return replace(fate, rejected=verdict.reason)
        if "page" not in truth:
            return replace(fate, stage="read", rejected=truth.get("reason", ""))
        read = [to_json(from_json(truth[key]))["parsing_res_list"] for key in PARTS]
        answers = self._ask("text", "truths", truth["sha256"], 1, box=box, page=read[0],
                            region=read[1])  # fmt: skip
        self._settled(review.Verdict("passed" if answers else "open"))
        if not answers:
            return replace(fate, stage="text")
        said = answers[0].value
        blocks = (corrected(from_json(truth["page"]), said.page),
                  corrected(from_json(truth["region_blocks"]), said.region))  # fmt: skip
        return replace(fate, stage="done", blocks=blocks)

    def _ask(
        self, kind: str, folder: str, sha: str, wanted: int = 0, *, turn: int = 1, **facts: Any
    ) -> list[Answer]:
        """The answers there are to a question, which becomes a task."""
        name, (width, height) = self.candidate.id, self._size
        picture = {"path": f"{folder}/{name}.png", "sha256": sha, "width": width, "height": height}
        source = {"path": f"pages/{self.page.id}.png", "sha256": self.page.sha256}
        facts = {
            "source": source, "instruction": self.instruction.text,
            "instruction type": self.instruction.kind, "language": self.page.language, **facts,
        }  # fmt: skip
        task = Task(kind, name, picture, wanted or self.settings.raters, turn, facts)
        answers = self.inbox.take(task)
        self.tasks.append(task.line(len(answers), is_open=True))
        return answers

    def _settled(self, verdict: review.Verdict) -> review.Verdict:
        """The verdict on the latest question, which stays open only as long as it does."""
        self.tasks[-1]["open"] = verdict.state == "open"
        return verdict

    def _truth(self, region: Region) -> dict[str, Any] | None:
        """The record of the page with the region pasted in, made where it is missing."""
        name = self.candidate.id
        file = self.place.folder / "truths" / f"{name}.json"
        kept = read_json(file) if file.exists() else {}
        whole = all(isinstance(kept.get(key, {}), Mapping) for key in PARTS)
        if whole and kept.get("region") == list(region):
            return dict(kept)
        page = Document(self.place.picture("pages", self.page.id)).rgb
        made = pasted(page, Document(self.place.picture("candidates", name)).rgb, region)
        if np.array_equal(made, page):
            return None
        data = encode_png(made)
        write_bytes(self.place.picture("truths", name), data)
        record = {"region": list(region), "sha256": hashlib.sha256(data).hexdigest()}
        write_json(file, record)
        return record

    @property
    def _size(self) -> tuple[int, int]:
        return self.page.width, self.page.height


# ── the picture of the truth ────────────────────────────────────────────────────────────────


def pasted(page: Pixels, candidate: Pixels, region: Region) -> Pixels:
    """The page with the candidate's pixels inside the region and its own everywhere else."""
    left, top, right, bottom = region
    truth = page.copy()
    truth[top:bottom, left:right] = candidate[top:bottom, left:right]
    return truth


def _read_truths(place: Place, waiting: Iterable[Fate], settings: Settings, terms: Terms) -> None:
    """Read each truth whole and inside its region; what cannot be read keeps the reason."""
    todo = list(waiting)
    truths = [(fate.instruction.id, fate.region) for fate in todo]
    sizes = [size for fate in todo for size in _sizes(fate)]
    work = partial(_read, place.folder.resolve())
    for done, outcome in enumerate(pages.looked(work, truths, sizes, settings.ocr, terms), 1):
        if isinstance(outcome.error, Unavailable):
            raise outcome.error
        file = place.folder / "truths" / f"{outcome.subject[0]}.json"
        write_json(file, dict(read_json(file)) | (outcome.result or {"reason": str(outcome.error)}))
        terms.progress("reading", done, len(todo))


def _sizes(fate: Fate) -> list[tuple[int, int]]:
    """The sizes of what is read of a truth: the page, and its region."""
    left, top, right, bottom = fate.region or (0, 0, 1, 1)
    return [(fate.page.width, fate.page.height), (right - left, bottom - top)]


def _read(folder: Path, subject: tuple[str, Region], engine: str | pages.Asked) -> dict[str, Any]:
    """The blocks of a truth and of its region, both in the page's frame; inside a worker."""
    name, (left, top, right, bottom) = subject
    truth = Document(Place(folder).picture("truths", name))
    cut = Document.of(np.ascontiguousarray(truth.rgb[top:bottom, left:right]))
    inside = [block.moved(left, top) for block in pages.blocks_on(cut, engine)]
    return {"page": to_json(pages.blocks_on(truth, engine)), "region_blocks": to_json(inside)}

"""VDE Bench's construction on a user's own pages, in steps that can be stopped and taken up.

    pages -> instructions -> candidates -> people -> set

Each step does what is missing and says what comes next. Only the fourth needs people: it writes
tasks.jsonl and reads answers.jsonl (`docs/decisions/008-tasks-and-answers.md`); running the same
command again takes in what they said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from overpaint.engines.building import Problem, Standing, going_on
from overpaint.engines.vde.candidates import make_candidates
from overpaint.engines.vde.finish import report, write_set
from overpaint.engines.vde.instructions import take_instructions, write_instructions
from overpaint.engines.vde.pages import collect, files_below, read_pages
from overpaint.engines.vde.people import Fate, ask_people
from overpaint.engines.vde.records import Place, Settings, Terms, begin
from overpaint.errors import UserMistake


@dataclass(frozen=True)
class Built:
    """How far a build has come."""

    folder: Path
    steps: Mapping[str, str]  # what each step has done, in words
    next: str
    report: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def build(
    inputs: Sequence[Path],
    out: Path,
    *,
    editor: str | None = None,
    instructions: Path | None = None,
    settings: Settings = Settings(),  # noqa: B008  (frozen)
    terms: Terms = Terms(),  # noqa: B008
) -> Built:
    """Take a build as far as it goes without people, and with them as far as they have come."""
    with going_on(out):
        begin(out, settings)
        return _go_on(inputs, out, (editor, instructions), settings, terms)


def _go_on(
    inputs: Sequence[Path],
    out: Path,
    given: tuple[str | None, Path | None],
    settings: Settings,
    terms: Terms,
) -> Built:
    """Every step, as far as it goes."""
    editor, instructions = given
    place = Place(out)
    collect(place, files_below(inputs, out, settings.document), settings, terms)
    read_pages(place, settings, terms)
    if not place.pages():
        raise UserMistake(f"There is no page in {out} yet.", "Pictures or PDFs were expected.",
                          f"For example: overpaint build vde scans/ -o {out}")  # fmt: skip
    problems = take_instructions(place, instructions) if instructions else ()
    if not instructions and not _supplied(place):
        write_instructions(place, settings)
    if editor:
        make_candidates(place, editor, terms)
    standing = ask_people(place, settings, terms)
    finished = write_set(place, standing.fates)
    told = report(place, settings, standing)
    steps = _steps(told, standing, finished)
    return Built(out, steps, _next(place, standing, finished), told,
                 (*problems, *standing.problems))  # fmt: skip


def _supplied(place: Place) -> bool:
    """Whether the instructions here came from elsewhere; the rules then add none."""
    return any(one.origin != "rules" for one in place.instructions().values())


def _steps(told: Mapping[str, Any], standing: Standing[Fate], finished: int) -> dict[str, str]:
    pages, asked, made = told["pages"], told["instructions"], told["candidates"]["statuses"]
    languages = ", ".join(f"{count} {name}" for name, count in pages["languages"].items() if name)
    accepted, rejected = sum(asked["accepted"].values()), sum(asked["rejected"].values())
    usable, failed = made.get("ok", 0), sum(made.values()) - made.get("ok", 0)
    turned_down = len(told["people"]["rejected"])
    return {
        "pages": f"{pages['read']} read ({languages}), {len(pages['left out'])} left out",
        "instructions": f"{accepted} accepted, {rejected} rejected or without a place",
        "candidates": f"{usable} made, {failed} failed or unchanged",
        "people": f"{len(standing.tasks)} tasks, {sum(standing.wanted.values())} answers wanted,"
        f" {turned_down} candidates rejected",
        "set": f"{finished} samples finished",
    }


def _next(place: Place, standing: Standing[Fate], finished: int) -> str:
    out = place.folder
    if not any(page.language and not page.reason for page in place.pages().values()):
        return f"No page could be read; {out / 'report.md'} says why."
    if not place.candidates():
        if not any(not one.faults for one in place.instructions().values()):
            return f"No instruction was accepted; {out / 'report.md'} says why."
        return (
            f"An editor is needed: overpaint build vde -o {out} --editor SPEC. The requests are"
            f" the lines of {out / 'instructions.jsonl'} without faults."
        )
    if wanted := standing.wanted:
        words = {"rate": "ratings", "box": "boxes", "look": "last looks", "text": "checked texts"}
        listed = ", ".join(f"{count} {words[kind]}" for kind, count in wanted.items())
        return (
            f"People are needed: {listed}. The questions are in {out / 'tasks.jsonl'}; put the"
            f" answers into {out / 'answers.jsonl'} and run the same command again."
        )
    if finished:
        return f"The set is finished: overpaint run vde --data {out / 'set'}"
    return f"No candidate is left; {out / 'report.md'} says why."

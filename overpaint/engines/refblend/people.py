"""What people are asked about poses, subjects and styles: whether each may be used.

Tasks and answers are the lines of `docs/decisions/008-tasks-and-answers.md`; an answer says `keep`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from overpaint.engines.building import Standing
from overpaint.engines.refblend.extracting import wanted
from overpaint.engines.refblend.records import Drawn, Found, Place, Settings, Source
from overpaint.engines.vde import review
from overpaint.engines.vde.lines import yes_at
from overpaint.engines.vde.records import ANSWERS, TASKS, as_json, write_text
from overpaint.engines.vde.tasks import Inbox, Task
from overpaint.vision.references import Kind

_QUESTIONS: Mapping[Kind, str] = {
    "pose": "Does the skeleton have the posture of the person, or the people, in the picture?",
    "subject": "Is the same subject in both pictures: the very one, not one of its kind?",
    "style": "Are both pictures in the same style, whatever they show?",
}


@dataclass(frozen=True)
class Check(Task):
    """Whether a reference may be used."""

    @property
    def question(self) -> str:
        """What people are asked."""
        return next(text for kind, text in _QUESTIONS.items() if kind == self.kind)

    def answer(self, row: Mapping[str, Any]) -> bool:
        """What a line says to it, checked."""
        return yes_at(row, "keep")


@dataclass(frozen=True)
class Fate:
    """How far a reference has come with people."""

    file: str
    kind: Kind
    stage: str  # the kind while answers are wanted; done
    rejected: str = ""


def follow(place: Place, settings: Settings, kept: Mapping[str, bool]) -> Standing[Fate]:
    """Follow every reference that people check, of those that are kept so far, by file."""
    if not settings.raters:
        return Standing((), (), ())
    inbox, sources = Inbox(place.folder / ANSWERS), place.sources()
    asked = {*_QUESTIONS} & {*wanted(settings)}
    fates, tasks = [], []
    for (source, kind), found in sorted(place.found().items()):
        if kind not in asked or source not in sources:
            continue
        for drawn in found.references:
            if kept.get(drawn.file):
                task = _task(sources[source], found, drawn, settings.raters)
                answers = inbox.take(task)[: settings.raters]
                verdict = review.looked_at(answers, settings.raters)
                tasks.append(task.line(len(answers), is_open=verdict.state == "open"))
                stage = kind if verdict.state == "open" else "done"
                fates.append(Fate(drawn.file, found.kind, stage, verdict.reason))
    write_text(place.folder / TASKS, "".join(as_json(task) + "\n" for task in tasks))
    return Standing(tuple(fates), tuple(tasks), inbox.leave())


def _task(source: Source, found: Found, drawn: Drawn, wanted: int) -> Check:
    picture = {"path": drawn.file, "sha256": drawn.sha256, "width": drawn.width,
               "height": drawn.height}  # fmt: skip
    name = drawn.file.removeprefix("references/").removesuffix(".png").replace("/", ":")
    facts = {"source": {"path": source.picture}, "method": f"{found.method}/{found.version}"}
    return Check(found.kind, name, picture, wanted, facts=facts)

"""RefBlend on a user's own pictures, in steps that can be stopped and taken up.

    pictures -> captions -> references -> judge -> people -> samples -> voices -> set

Each step does what is missing; running the same command again goes on. Without a model there are
captions only where they were given, and instructions stay in their structured form.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from overpaint.document import Document
from overpaint.engines.building import Problem, Standing, going_on, unspoilt
from overpaint.engines.milde.asking import Asker
from overpaint.engines.refblend import (
    choosing,
    extracting,
    finish,
    foretelling,
    gathering,
    judging,
    offering,
    people,
    reporting,
    rewriting,
    sheet,
    sources,
)
from overpaint.engines.refblend.choosing import Chosen
from overpaint.engines.refblend.instructions import neutral
from overpaint.engines.refblend.records import (
    GIVEN,
    Caption,
    Judged,
    Place,
    Settings,
    Source,
    Voiced,
)
from overpaint.engines.vde import Built
from overpaint.engines.vde.records import (
    ANSWERS,
    TASKS,
    Terms,
    begin,
    kept_settings,
    write_json,
)
from overpaint.errors import Unreadable, UserMistake
from overpaint.models import Model
from overpaint.models import model as named
from overpaint.models.desk import Desk
from overpaint.models.forecast import forecast
from overpaint.models.prices import prices
from overpaint.store.calls import Calls
from overpaint.vision.references import Hints, extractor
from overpaint.work import Task, Threads

CALLS = "calls"  # in the build's folder; its run.db has nothing but calls in it
FROM_FILE = "given/1"  # who wrote a caption that came with its picture

Subject = TypeVar("Subject")
Result = TypeVar("Result")


def build(
    inputs: Sequence[Path],
    out: Path,
    *,
    captions: Path | None = None,
    model: Model | None = None,
    judge: Model | None = None,
    settings: Settings = Settings(),  # noqa: B008  (frozen)
    terms: Terms = Terms(),  # noqa: B008
) -> Built:
    """Take a build as far as it goes; a model or judge that is given is asked, else those named."""
    check(settings)
    given = gathering.gather(inputs, out)
    who = extracting.crew(settings)
    with going_on(out):
        _take_up(out, settings)
        with _askers(out, settings, (model, judge), terms) as (asker, critic):
            work = _Build(Place(out), settings, terms, asker, critic, given.problems)
            return work.go_on(list(given.pictures.values()), captions, who)


def check(settings: Settings) -> None:
    """That the settings mean something."""
    if settings.combinations not in (choosing.ALL, choosing.PAPER):
        raise UserMistake(f"There are no combinations called {settings.combinations!r}.",
                          f"{choosing.ALL} or {choosing.PAPER} was expected.")  # fmt: skip


def _take_up(out: Path, settings: Settings) -> None:
    """Begin a build, or go on with one; one that was begun without a model may be given it."""
    kept = dict(kept_settings(out))
    late = {name: getattr(settings, name) for name in ("model", "judge") if kept.get(name) == ""}
    if any(late.values()):
        write_json(out / "build.json", kept | late)
    begin(out, settings)


@contextmanager
def _askers(
    out: Path, settings: Settings, given: tuple[Model | None, Model | None], terms: Terms
) -> Iterator[tuple[Asker | None, Asker | None]]:
    """Who writes and who judges; nobody where nobody is named."""
    own = [Asker(one) if one is not None else None for one in given]
    names = [name if one is None else "" for one, name in
             zip(own, (settings.model, settings.judge), strict=True)]  # fmt: skip
    if not any(names):
        yield own[0], own[1]
        return
    (out / CALLS).mkdir(exist_ok=True)
    calls = Calls.open(out / CALLS)
    try:
        calls.set_aside()  # what could not be read is asked for again
        desk = Desk(calls, terms.asking)
        found = [Asker(named(name, desk), desk) if name else one
                 for one, name in zip(own, names, strict=True)]  # fmt: skip
        yield found[0], found[1]
    finally:
        calls.close()


@dataclass
class _Build:
    """A build at work, and what could not be asked on the way."""

    place: Place
    settings: Settings
    terms: Terms
    asker: Asker | None
    critic: Asker | None
    problems: list[Problem]
    unasked: Counter[tuple[str, str]] = field(default_factory=Counter)  # (step, why)

    def go_on(
        self, given: Sequence[gathering.Given], captions: Path | None, who: extracting.Crew
    ) -> Built:
        """Every step, as far as it goes."""
        place, settings = self.place, self.settings
        sources.collect(place, given, settings, self.terms)
        if not place.sources():
            raise self._nothing()
        self._tell()
        self._caption(given, captions)
        missing = extracting.extract(place, settings, who, self.terms)
        self._judge()
        offered = offering.offer(place, settings, judged=self.critic is not None)
        samples, standing = choosing.choose(offered.offers, settings), offered.standing
        self._voice(samples)
        finish.write_set(place, samples, place.voiced(), settings.personas)
        told = reporting.report(place, settings, reporting.Outcome(offered, samples, missing))
        sheet.write(place, samples, told, self.terms.progress)
        unasked = [Problem(what, f"{why} ({count} times)" if count > 1 else why)
                   for (what, why), count in self.unasked.items()]  # fmt: skip
        problems = (*self.problems, *standing.problems, *unasked)
        return Built(place.folder, reporting.steps_of(told), self._next(samples, standing), told,
                     problems)  # fmt: skip

    def _nothing(self) -> UserMistake:
        why = "".join(f" {one.reason}" for one in self.place.left_out()[:1])
        return UserMistake(
            f"The build in {self.place.folder} was given no picture that it can take.{why}",
            "PNG, JPEG, WebP or TIFF files, or folders of them, were expected.",
            f"For example: overpaint build refblend photos/ -o {self.place.folder}",
        )

    # ── captions ────────────────────────────────────────────────────────────────────────

    def _caption(self, given: Sequence[gathering.Given], file: Path | None) -> None:
        """Take the captions that were given, and ask for the others where a model can be."""
        if "caption" not in extracting.wanted(self.settings):
            return
        found = {one.path: one.caption for one in given if one.caption}
        by_file = {Path(one.file): one for one in self.place.sources().values()}
        if file is not None:
            found |= gathering.captions(file, list(by_file), self.problems)
        known = self.place.captions()
        for path, text in sorted(found.items()):
            source = by_file.get(path)
            safe, notes = neutral(text)
            if source and safe and (source.id not in known or known[source.id].text != safe):
                self.place.add(Caption(source.id, safe, FROM_FILE, notes))
        if self.asker is not None:
            known = self.place.captions()
            shown = self._with_subjects()
            todo = [(one, one.id in shown) for one in by_file.values() if one.id not in known]
            for _, caption in self._asked("captions", self._described, todo):
                if caption is not None:
                    self.place.add(caption)

    def _with_subjects(self) -> set[str]:
        """The pictures whose subjects came with them, where subjects are wanted."""
        wanted = "subject" in extracting.wanted(self.settings)
        found = self.place.found().values() if wanted else ()
        return {one.source for one in found if (one.kind, one.method) == ("subject", GIVEN)}

    def _described(self, which: tuple[Source, bool], _: None) -> Caption | None:
        """The caption a model gives a picture, knowing whether its subject is shown apart."""
        assert self.asker is not None
        source, shown = which
        by = extractor("caption")
        pixels = Document(self.place.folder / source.picture).rgb
        for one in by.find(pixels, Hints(self.asker.model, shown)):
            text, notes = neutral(one.value)
            if not text:
                raise Unreadable("The caption is empty.")
            return Caption(source.id, text, f"{one.method}/{one.version}", notes)
        return None

    # ── references ──────────────────────────────────────────────────────────────────────

    def _judge(self) -> None:
        if (critic := self.critic) is None:
            return
        done = self.place.judged()
        todo = [one for one in judging.looks(self.place) if one.id not in done]
        folder = self.place.folder

        def work(look: judging.Look, _: None) -> Judged:
            return judging.judge(folder, look, critic)

        for _, judged in self._asked("judging", work, todo):
            self.place.add(judged)

    # ── samples ─────────────────────────────────────────────────────────────────────────

    def _voice(self, samples: Sequence[Chosen]) -> None:
        """Have the instructions that have no voice yet said again in personas' voices."""
        if (asker := self.asker) is None:
            return
        have = self.place.voiced()
        todo = [
            (one, number) for one in samples for number in range(self.settings.personas)
            if (known := have.get((one.id, number))) is None
            or known.structured != one.instruction.text
        ]  # fmt: skip

        def work(wish: tuple[Chosen, int], _: None) -> Voiced:
            sample, number = wish
            voice = rewriting.persona(f"{self.settings.seed}:{sample.id}", number)
            said = rewriting.rewritten(asker, sample.instruction, voice)
            return Voiced(sample.id, sample.offer.source.id, number, sample.instruction.text, voice,
                          said.text, said.attempts, said.faults)  # fmt: skip

        for _, voiced in self._asked("voices", work, todo):
            self.place.add(voiced)

    # ── asking ──────────────────────────────────────────────────────────────────────────

    def _asked(
        self, what: str, work: Callable[[Subject, None], Result], todo: Sequence[Subject]
    ) -> Iterator[tuple[Subject, Result]]:
        """(subject, result) of all that was answered; the rest is left for the next time."""
        backend = Threads(work, max(1, min(self.terms.asking.concurrency, len(todo))))
        tasks = (Task(one, (None,)) for one in todo)
        for done, outcome in enumerate(unspoilt(backend, tasks), 1):
            if outcome.error is None:
                yield outcome.subject, outcome.result
            else:
                error = outcome.error
                self.unasked[what, f"{error.status or 'failed'}: {error}"] += 1
            self.terms.progress(what, done, len(todo))

    def _tell(self) -> None:
        """Say what may leave the machine, before it does."""
        names = [one.desk is not None for one in (self.asker, self.critic) if one is not None]
        if not any(names):
            return
        asked = foretelling.asks(foretelling.missing(self.place, self.settings), self.settings)
        known = prices(self.terms.asking.prices)
        for one in forecast(asked, known):
            self.terms.tell(one.told(known.dated))

    def _next(self, samples: Sequence[Chosen], standing: Standing[people.Fate]) -> str:
        out = self.place.folder
        if self.unasked:
            count = self.unasked.total()
            return f"{count} times a model could not be asked; the same command asks again."
        if wanted := standing.wanted:
            listed = ", ".join(f"{count} about a {kind}" for kind, count in wanted.items())
            return (
                f"People are needed: answers {listed}. The questions are in {out / TASKS}; put the"
                f" answers into {out / ANSWERS} and run the same command again."
            )
        if not samples:
            return (
                "No picture offers references that go together: a sample needs two or more that do,"
                f" edges and a caption, say. {out / 'report.md'} has what was found and dropped."
            )
        return (
            f"Look at {out / 'sheet.html'}; the set is finished:"
            f" overpaint run multiref --data {out / finish.SET}"
        )

"""MiLDE's construction on a user's own documents, in steps that can be stopped and taken up.

    documents -> requests -> people -> plans -> people -> set

Each step does what is missing and says what comes next. Models propose and match; people are asked
through tasks.jsonl and answers.jsonl; running the same command again goes on.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from overpaint.engines.building import Problem, Standing, going_on, unspoilt
from overpaint.engines.milde import finish, foretelling, people, sources, steps, streams
from overpaint.engines.milde.asking import Asker
from overpaint.engines.milde.classes import MODEL, RULES, Classed, classed
from overpaint.engines.milde.records import Candidate, Place, Plan, Settings, Source
from overpaint.engines.vde import Built
from overpaint.engines.vde.records import Terms, begin, kept_settings, write_json
from overpaint.errors import UserMistake
from overpaint.models import Model
from overpaint.models import model as named
from overpaint.models.desk import Desk
from overpaint.models.forecast import forecast
from overpaint.models.names import endpoint
from overpaint.models.prices import prices
from overpaint.store.calls import Calls
from overpaint.work import Task, Threads

CALLS = "calls"  # in the build's folder; its run.db has nothing but calls in it

Subject = TypeVar("Subject")
Result = TypeVar("Result")


def build(
    inputs: Sequence[Path],
    out: Path,
    *,
    model: Model | None = None,
    settings: Settings = Settings(),  # noqa: B008  (frozen)
    terms: Terms = Terms(),  # noqa: B008
) -> Built:
    """Take a build as far as it goes without people, and with them as far as they have come.

    `settings.model` names who is asked, at a desk whose calls are kept in the folder; a `model`
    that is given is asked instead.
    """
    found = list(sources.files_below(inputs, out, settings.document))
    _check(settings, model)
    with going_on(out):
        _take_up(out, settings)
        with _asker(out, settings, model, terms) as asker:
            return _Build(Place(out), settings, terms, asker).go_on(found)


def _check(settings: Settings, model: Model | None) -> None:
    if settings.classes not in (RULES, MODEL):
        raise UserMistake(
            f"Layers cannot be classed by {settings.classes!r}.", f"{RULES} or {MODEL} do it."
        )
    if model is None and not settings.model and settings.classes == MODEL:
        raise UserMistake(
            "No model is named that could class layers.",
            "VENDOR/MODEL or http://HOST:PORT/v1#MODEL was expected.",
            "Add --model, or leave --classes away: rules need none.",
        )


def _take_up(out: Path, settings: Settings) -> None:
    """Begin a build, or go on with one; one that was begun without a model may be given it."""
    kept = kept_settings(out)
    if settings.model and kept.get("model") == "":
        write_json(out / "build.json", {**kept, "model": settings.model})
    begin(out, settings)


@contextmanager
def _asker(
    out: Path, settings: Settings, given: Model | None, terms: Terms
) -> Iterator[Asker | None]:
    """Whoever is asked; nobody where no model is named."""
    if given is not None or not settings.model:
        yield Asker(given) if given is not None else None
        return
    (out / CALLS).mkdir(exist_ok=True)
    calls = Calls.open(out / CALLS)
    try:
        calls.set_aside()  # what could not be read is asked for again
        desk = Desk(calls, terms.asking)
        yield Asker(named(settings.model, desk), desk)
    finally:
        calls.close()


@dataclass
class _Build:
    """A build at work, and what could not be asked on the way."""

    place: Place
    settings: Settings
    terms: Terms
    asker: Asker | None  # None: documents are read and merged, and no request is written
    unasked: Counter[tuple[str, str]] = field(default_factory=Counter)  # (step, why)

    def go_on(self, found: Sequence[tuple[Path, str]]) -> Built:
        """Every step, as far as it goes."""
        place, settings = self.place, self.settings
        sources.collect(place, iter(found), settings, self.terms)
        if not place.sources():
            raise UserMistake(
                f"There is no document in {place.folder} yet.",
                "PSD, ORA, PPTX, SVG or Crello files were expected.",
                f"For example: overpaint build milde designs/ -o {place.folder} --model MODEL",
            )
        self._tell()
        self._consolidate()
        self._propose()
        standing = people.follow(place, self._chosen(), settings)
        if self._plan(standing):
            standing = people.follow(place, self._chosen(), settings)
        finished = finish.write_set(place, standing.fates)
        told = finish.report(place, settings, standing)
        unasked = [Problem(what, f"{why} ({count} times)" if count > 1 else why)
                   for (what, why), count in self.unasked.items()]  # fmt: skip
        next_step = finish.next_of(place, standing, finished, self.unasked.total())
        if self.asker is None and self._ready():
            next_step = (
                "The documents are read and merged. Requests are written by a model: name one with"
                f" overpaint build milde -o {place.folder} --model VENDOR/MODEL"
            )
        problems = (*standing.problems, *unasked)
        return Built(place.folder, finish.steps_of(told), next_step, told, problems)

    # ── documents ───────────────────────────────────────────────────────────────────────

    def _consolidate(self) -> None:
        todo = [one for one in self.place.sources().values() if not one.reason and not one.layers]
        if self.settings.classes == RULES:
            found = {one.id: classed(self.place, one, None) for one in todo}
        else:
            said = self._asked("classing", self._classed, todo)
            found = {source.id: result for source, result in said}
        kinds = {name: one.kinds for name, one in found.items()}
        notes = {name: one.notes for name, one in found.items()}
        sources.settle(self.place, kinds, notes, self.terms)

    def _classed(self, source: Source, _: None) -> Classed:
        return classed(self.place, source, self.asker)

    # ── requests ────────────────────────────────────────────────────────────────────────

    def _ready(self) -> list[Source]:
        return [one for one in self.place.sources().values() if one.layers and not one.reason]

    def _propose(self) -> None:
        if (asker := self.asker) is None:
            return
        have = self.place.candidates()
        every = [wish for one in self._ready() for wish in streams.wishes(one, self.settings)]
        todo = [wish for wish in every if wish.id not in have]

        def work(wish: streams.Wish, _: None) -> Candidate:
            return streams.propose(self.place, wish, self.settings, asker)

        for _, candidate in self._asked("writing", work, todo):
            self.place.add(candidate)

    def _chosen(self) -> list[Candidate]:
        """The best requests of every document whose candidates are all there."""
        have, found = self.place.candidates(), []
        for source in self._ready():
            wanted = [wish.id for wish in streams.wishes(source, self.settings)]
            if all(name in have for name in wanted):
                own = [have[name] for name in wanted]
                found += streams.chosen(own, self.settings.per_document)
        return found

    # ── plans ───────────────────────────────────────────────────────────────────────────

    def _plan(self, standing: Standing[people.Fate]) -> int:
        """Take apart the requests that wait for it; how many were."""
        if (asker := self.asker) is None:
            return 0
        todo = [fate for fate in standing.fates if fate.stage == "plan" and fate.plan is None]

        def work(fate: people.Fate, _: None) -> Plan:
            return steps.plan(self.place, fate.source, fate.candidate.id, fate.text, asker)

        done = 0
        for _, plan in self._asked("planning", work, todo):
            self.place.add(plan)
            done += 1
        return done

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
        if self.asker is None or self.asker.desk is None:
            return
        have, plans = self.place.candidates(), self.place.plans()
        begun = {one.source for one in have.values()}
        done = {have[name].source for name in plans if name in have}
        known, asked = prices(self.terms.asking.prices), []
        for source in self.place.sources().values():
            if not source.reason and source.id not in done:
                shape = foretelling.Shape(source.layers or source.read,
                                          (source.width, source.height))  # fmt: skip
                asked += foretelling.asks([shape], self.settings, endpoint(self.settings.model),
                                          done=source.id in begun)  # fmt: skip
        for one in forecast(asked, known):
            self.terms.tell(one.told(known.dated))

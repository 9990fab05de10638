"""The judge: a rubric, one dimension of it, and the models that are asked. One class for all.

A spec is `judge:RUBRIC[.DIMENSION][+…][;repeats=3][;quorum=2]:MODEL[,MODEL…]`. The rubric is a
built-in one or the path of a file; its dimension may be left out where it has but one; several
with + between them make a total. Asked several times, a judge's score is the mean of what it
said; several judges are a panel, whose score is the mean of theirs, if enough gave one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from overpaint.core import Desk, Edit, Evidence, Measure, Sample, Score, failed
from overpaint.document import Document
from overpaint.document.pictures import read_size
from overpaint.errors import (
    DataError,
    NotApplicable,
    OverpaintError,
    PictureError,
    Undecided,
    UserMistake,
)
from overpaint.measures import rubric
from overpaint.measures.rubric import Rubric, Verdict
from overpaint.models import Model, Reply, model, used, words_of
from overpaint.models.forecast import Ask
from overpaint.models.names import endpoint
from overpaint.models.pictures import LONGEST

EVIDENCE = "evidence"  # the judge that asks no model
PANEL = "panel"
TURN = "overpaint_turn"  # a fact of an audit's samples that are asked about again
NOTHING = "–"  # stands for a turn without an answer
MOST_REPEATS = 100
PICTURES = "1"  # how pictures are sent; another way may be judged otherwise
_SPEC = re.compile(r"([^;]+)((?:;\w+=\d+)*)")
_PART = re.compile(r"(.+?\.md|[\w-]+)(?:\.([\w-]+))?")
FORM = "It is judge:RUBRIC[.DIMENSION][+RUBRIC…][;repeats=N][;quorum=N]:MODEL[,MODEL…]."


@dataclass(frozen=True)
class Judge:
    """Scores edits by asking models a rubric's question, or several whose answers are added."""

    parts: tuple[tuple[Rubric, str], ...]  # rubric and dimension
    panel: tuple[str, ...]  # names of models
    repeats: int = 1
    quorum: int = 1  # judges that must have answered
    official: bool = False  # what fails counts as worst in tables, as published scripts have it

    @property
    def name(self) -> str:
        """The column's name: the dimension's, or the total that can be had."""
        single = len(self.parts) == 1
        return self.column(self.parts[0][1] if single else f"total{self.best:g}")

    def column(self, dimension: str) -> str:
        """What its column of that dimension is called."""
        return f"{dimension}{'@official' if self.official else ''}@{self.short}"

    @property
    def worst(self) -> float:
        """The sum of the worst values."""
        return sum(rubric.worst or 0.0 for rubric, _ in self.parts)

    @property
    def best(self) -> float:
        """The sum of the best values."""
        return sum(rubric.best or 0.0 for rubric, _ in self.parts)

    @property
    def short(self) -> str:
        """Who judges, as the column says it."""
        return endpoint(self.panel[0]).short if len(self.panel) == 1 else PANEL

    def score(self, edits: Sequence[Edit], evidence: Evidence) -> Iterable[Score]:
        """One score for each edit; whatever keeps it from being had is its status."""
        for edit in edits:
            try:
                value, notes = self._judged(edit, evidence)
            except UserMistake:
                raise
            except OverpaintError as error:
                yield failed(edit, self.name, error)
            else:
                yield Score(edit, self.name, value, notes=notes)

    def asks(self, sample: Sample) -> Sequence[Ask]:
        """What it would ask about an edit of that sample."""
        try:
            asked = [
                (rubric, prompt_of(rubric, sample), tuple(sizes_of(rubric, sample)))
                for rubric, _ in self.parts
            ]
        except (NotApplicable, DataError):
            return ()
        return [
            Ask(
                endpoint(name), f"{rubric.name} {rubric.version} {turn}",
                words_of(prompt, rubric.schema, len(sizes)), sizes,
            )
            for name in self.panel
            for rubric, prompt, sizes in asked
            for turn in self._times(sample)
        ]  # fmt: skip

    def _times(self, sample: Sample) -> range:
        """Which turns to ask in: an audit asks the same again, and not what memory says."""
        first = self.repeats * int(sample.facts.get(TURN, 0))
        return range(first, first + self.repeats)

    # ── asking ──────────────────────────────────────────────────────────────────────────

    def _judged(self, edit: Edit, evidence: Evidence) -> tuple[float, tuple[str, ...]]:
        if evidence.desk is None:
            raise UserMistake("A judge was asked outside of a run.", "It needs Evidence(desk=…).")
        found: dict[str, tuple[float, tuple[str, ...]]] = {}
        missing: dict[str, OverpaintError] = {}
        for name in self.panel:
            who = endpoint(name).short
            try:
                found[who] = self._added(model(name, evidence.desk), edit, evidence.desk)
            except (UserMistake, NotApplicable):
                raise
            except OverpaintError as error:
                missing[who] = error
        if len(self.panel) > 1:
            return self._pooled(found, missing)
        if self.short in missing:
            raise missing[self.short]
        return found[self.short]

    def _added(self, asked: Model, edit: Edit, desk: Desk) -> tuple[float, tuple[str, ...]]:
        """What one model says of all parts, added up."""
        if len(self.parts) > 1:  # what does not arise is found out before anyone is asked
            [prompt_of(part, edit.sample) for part, _ in self.parts]
        said = [
            (dimension, *self._mean([*self._turns(asked, edit, (rubric, dimension), desk)]))
            for rubric, dimension in self.parts
        ]
        if len(said) == 1:
            return said[0][1:]
        told = ", ".join(f"{dimension} {value:g}" for dimension, value, _ in said)
        return sum(value for _, value, _ in said), (told,)

    def _turns(
        self, asked: Model, edit: Edit, part: tuple[Rubric, str], desk: Desk
    ) -> Iterator[Verdict | OverpaintError]:
        """What the model says each time it is asked."""
        rubric, dimension = part
        prompt, pictures = prompt_of(rubric, edit.sample), tuple(pictures_of(rubric, edit))
        for turn in self._times(edit.sample):
            try:
                reply = asked.ask(prompt, pictures, rubric.schema, turn=turn)
                yield read_reply(rubric, reply, desk)[dimension]
            except UserMistake:
                raise
            except OverpaintError as error:
                yield error

    def _mean(self, said: Sequence[Verdict | OverpaintError]) -> tuple[float, tuple[str, ...]]:
        """A judge's score: the mean of its answers, if more than half of its turns have one."""
        verdicts = [one for one in said if isinstance(one, Verdict)]
        errors = [one for one in said if isinstance(one, OverpaintError)]
        if errors and 2 * len(verdicts) <= len(said):
            raise errors[0]
        notes = [verdicts[0].rationale] if verdicts[0].rationale else []
        if self.repeats > 1:
            told = (one.said if isinstance(one, Verdict) else NOTHING for one in said)
            notes.append(f"said {', '.join(told)} when asked {len(said)} ×")
        notes += [f"a turn without an answer: {error}" for error in errors]
        notes += dict.fromkeys(note for one in verdicts for note in one.notes)
        return sum(one.value for one in verdicts) / len(verdicts), tuple(notes)

    def _pooled(
        self,
        found: Mapping[str, tuple[float, tuple[str, ...]]],
        missing: Mapping[str, OverpaintError],
    ) -> tuple[float, tuple[str, ...]]:
        """The panel's score: the mean of its judges', if enough of them have one."""
        absent = [f"{who} gave none: {error}" for who, error in missing.items()]
        if len(found) < self.quorum:
            raise Undecided(
                f"{len(found)} of {len(self.panel)} judges gave a score; the quorum is"
                f" {self.quorum}. {' '.join(absent)}"
            )
        values = [value for value, _ in found.values()]
        said = ", ".join(f"{who} {value:g}" for who, (value, _) in found.items())
        spread = max(values) - min(values)
        apart = [f"they are {spread:g} apart"] if spread else []
        reasons = [f"{who}: {notes[0]}" for who, (_, notes) in found.items() if notes]
        return sum(values) / len(values), (said, *apart, *reasons, *absent)


def read_reply(rubric: Rubric, reply: Reply, desk: Desk) -> Mapping[str, Verdict]:
    """The verdicts in a reply."""
    with used(reply, desk):
        return rubric.read(reply.text)


# ── what is asked ───────────────────────────────────────────────────────────────────────


def prompt_of(rubric: Rubric, sample: Sample) -> str:
    """The rubric filled in for a sample: its instruction, facts and tags are the slots."""
    facts = {name: text for name, text in sample.facts.items() if isinstance(text, str)}
    named = {name.replace(" ", "_"): text for name, text in {**sample.tags, **facts}.items()}
    slots = named | {"instruction": sample.request.instruction}
    references = len(sample.request.references)
    return rubric.prompt(slots, truth=sample.target is not None, references=references)


def _shown(rubric: Rubric, sample: Sample) -> tuple[str, ...]:
    references = len(sample.request.references)
    return rubric.shown(truth=sample.target is not None, references=references)


def pictures_of(rubric: Rubric, edit: Edit, other: Edit | None = None) -> Iterator[Document]:
    """The pictures in the rubric's order; `other` is the edit it is held against, if any."""
    sample = edit.sample
    have: dict[str, Sequence[Document | None]] = {
        "source": (sample.request.source,), "output": (edit.output,), "target": (sample.target,),
        "references": sample.request.references, "mask": sample.masks[:1],
    }  # fmt: skip
    if other is not None:
        have["other"] = (other.output,)
    for name in _shown(rubric, sample):
        if name not in have:
            raise DataError(f"The rubric {rubric.name} shows {name}, which no run has.")
        found = [document for document in have[name] if document is not None]
        if not found:  # the prompt counts a picture that nobody would see
            raise NotApplicable(f"The rubric {rubric.name} shows a {name}; the sample has none.")
        yield from found


def sizes_of(rubric: Rubric, sample: Sample) -> Iterator[tuple[int, int]]:
    """How large the pictures will be; an output is taken to be as large as its source."""
    size = _size(sample.request.source)
    for name in _shown(rubric, sample):
        yield from [size] * (len(sample.request.references) if name == "references" else 1)


def _size(document: Document) -> tuple[int, int]:
    try:
        return read_size(document.path) if document.path else document.size
    except PictureError:
        return (LONGEST, LONGEST)  # none is sent larger


# ── from a spec ─────────────────────────────────────────────────────────────────────────


def judge(argument: str) -> Measure:
    """The measure behind `judge:ARGUMENT`."""
    made = read_judge(argument)
    first = made.parts[0][0]
    total = len(made.parts) > 1
    about = first.about if not total else f"{' + '.join(d for _, d in made.parts)}."
    return Measure(
        made.name, made.score,
        higher_is_better=first.higher_is_better, worst=made.worst, best=made.best,
        version="+".join([*(rubric.version for rubric, _ in made.parts), f"pictures{PICTURES}"]),
        where="thread", asks=made.asks,
        parts=tuple(made.column(dimension) for _, dimension in made.parts) if total else (),
        pool="failed_as_worst" if made.official else "mean",
        about=f"{about} Judged by {', '.join(made.panel)}.",
    )  # fmt: skip


def read_judge(argument: str) -> Judge:
    """The judge that `judge:ARGUMENT` describes."""
    head, _, tail = argument.partition(":")
    match = _SPEC.fullmatch(head)
    if match is None or not tail:
        raise UserMistake(f"The judge {argument!r} is not understood.", FORM)
    parts, settings, panel = tuple(_parts(match[1])), _settings(match[2]), tuple(tail.split(","))
    _check_parts(match[1], parts)
    shorts = [endpoint(name).short for name in panel]
    if len(set(shorts)) < len(shorts):
        raise UserMistake(
            f"Two judges of {tail!r} have the same name.", "Name them: NAME=MODEL,NAME=MODEL."
        )
    quorum = settings.get("quorum", len(panel) // 2 + 1)
    if not 1 <= quorum <= len(panel):
        raise UserMistake(f"A quorum of {quorum} was asked of {len(panel)} judges.")
    official = bool(settings.get("official"))
    return Judge(parts, panel, settings.get("repeats", 1), quorum, official)


def _check_parts(text: str, parts: Sequence[tuple[Rubric, str]]) -> None:
    """A total adds different questions, all of which are better in the same direction."""
    names, ways = [name for _, name in parts], {rubric.higher_is_better for rubric, _ in parts}
    if len(set(names)) < len(names) or len(ways) > 1:
        why = "two are called alike" if len(set(names)) < len(names) else "they differ in direction"
        raise UserMistake(
            f"{text} cannot be added up: {why}.",
            "A total has each dimension once, and more of each must be better, or worse.",
            "Name them as measures of their own.",
        )


def _parts(text: str) -> Iterator[tuple[Rubric, str]]:
    for part in text.split("+"):
        match = _PART.fullmatch(part)
        if match is None:
            raise UserMistake(f"The rubric {part!r} is not understood.", FORM)
        loaded = rubric.load(match[1])
        yield loaded, _dimension(loaded, match[2])


def _settings(text: str) -> dict[str, int]:
    found = {name: int(value) for name, value in re.findall(r";(\w+)=(\d+)", text)}
    for name in found:
        if name not in ("repeats", "quorum", "official"):
            raise UserMistake(f"A judge has no setting {name!r}.", FORM)
    if not 1 <= found.get("repeats", 1) <= MOST_REPEATS:
        raise UserMistake(f"{found['repeats']} repeats were asked for; 1 to {MOST_REPEATS} can be.")
    return found


def _dimension(loaded: Rubric, named: str | None) -> str:
    known = [one.name for one in loaded.dimensions]
    if not known:
        raise UserMistake(f"The rubric {loaded.name} gives no scores, so no judge goes by it.")
    if named is None and len(known) == 1:
        return known[0]
    if named not in known:
        wrong = f"has no dimension {named!r}" if named else f"has {len(known)} dimensions"
        right = f"One of {', '.join(known)} was expected after a point: {loaded.name}.{known[0]}"
        raise UserMistake(f"The rubric {loaded.name} {wrong}.", right)
    return named


def columns(
    rubrics: Sequence[str], judges: Sequence[str], *, repeats: int = 1, quorum: int | None = None
) -> list[str]:
    """The specs of what each judge, and then their panel, makes of a benchmark's rubrics."""
    asked = [name for name in judges if name != EVIDENCE]
    if quorum is not None and not 1 <= quorum <= len(asked):
        raise UserMistake(
            f"A quorum of {quorum} was asked of {len(asked)} judges.",
            "It is how many of a panel must have answered.",
        )
    panels = [(name, "") for name in asked]
    if len(asked) > 1:
        panels.append((",".join(asked), f";quorum={quorum}" if quorum else ""))
    again = f";repeats={repeats}" if repeats > 1 else ""
    named = [one for name in rubrics for one in _named(name)]
    specs = [f"{name}{again}{needed}:{who}" for who, needed in panels for name, _ in named]
    return specs + (_by_evidence([one for _, one in named]) if EVIDENCE in judges else [])


def _by_evidence(dimensions: Sequence[str]) -> list[str]:
    """The columns of the judge that asks no model."""
    from overpaint.measures.evidence import DIMENSIONS

    known = [one for one in dimensions if one in DIMENSIONS]
    if not known:
        raise UserMistake(
            "The evidence judge knows nothing of what this benchmark's rubrics ask.",
            f"It answers {', '.join(DIMENSIONS)}.",
        )
    return [f"{EVIDENCE}:{one}" for one in known]


def _named(text: str) -> list[tuple[str, str]]:
    """What columns a benchmark's rubric gives: (head of its spec, dimension); a total has none.

    One with a colon, such as milde:if, is the head of another maker's spec.
    """
    name, semicolon, settings = text.partition(";")
    if ":" in name:
        return [(text, "")]
    if "+" in name:
        return [(f"judge:{text}", "")]
    known = [one.name for one in rubric.load(name).dimensions]
    return [(f"judge:{name}.{one}{semicolon}{settings}", one) for one in known]

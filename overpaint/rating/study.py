"""A study: what is asked of whom, fixed when it begins.

Its JSON lies in its own database, and its id is a hash of that, so that ratings of two different
questions are never mixed.
"""

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

from overpaint.errors import DataError, UserMistake, unread

Kind = Literal["ebench", "scale", "pairs", "boxes", "tasks"]
Widget = Literal["slider", "yesno", "levels", "choice", "box", "keep", "text"]
KINDS: tuple[str, ...] = get_args(Kind)
WIDGETS: tuple[str, ...] = get_args(Widget)
PER_ITEM = {"ebench": 15}  # raters an item; 3 where nothing stands here
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")
LANGUAGES = ("en", "zh")
LONGEST = 20_000  # letters of a consent text
Words = Mapping[str, str]  # a text in each language


def words(en: str, zh: str) -> Words:
    """One text in both languages."""
    return {"en": en, "zh": zh}


@dataclass(frozen=True)
class Question:
    """One thing a rater is asked about an item, and how it is answered."""

    name: str
    kind: Widget
    label: Words
    help: Words = field(default_factory=lambda: words("", ""))
    low: float | None = None  # a slider's ends
    high: float | None = None
    values: tuple[float, ...] | None = None  # the levels, lowest first
    meanings: Mapping[str, Sequence[str]] | None = None  # what each level means, by language
    texts: tuple[Mapping[str, str], ...] | None = None  # id, text, where: what may be corrected

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise UserMistake(
                f"{self.name[:60]!r} is no name of a question.",
                "Letters, digits, dots, dashes and underscores were expected, at most 60.",
            )
        if self.kind not in WIDGETS:
            raise UserMistake(
                f"A question cannot be of the kind {self.kind!r}.", f"Known: {', '.join(WIDGETS)}."
            )
        if self.kind == "slider" and not _span(self.low, self.high):
            raise UserMistake(f"The slider {self.name} needs two ends, the lower one first.")
        if self.kind == "levels":
            self._check_levels()

    def _check_levels(self) -> None:
        values = self.values or ()
        if len(values) < 2 or list(values) != sorted(set(values)):
            raise UserMistake(f"The scale of {self.name} needs two levels or more, lowest first.")
        told = self.meanings or {}
        if any(len(told.get(code, ())) not in (0, len(values)) for code in LANGUAGES):
            raise UserMistake(f"Every level of {self.name} needs a meaning, or none of them.")

    @property
    def ends(self) -> tuple[float, float] | None:
        """The lowest and highest answer, where answers are numbers."""
        if self.kind == "levels" and self.values:
            return self.values[0], self.values[-1]
        if self.low is not None and self.high is not None:
            return self.low, self.high
        return (0.0, 1.0) if self.kind in ("yesno", "keep") else None

    def as_json(self) -> dict[str, Any]:
        """All of it, as the page gets it."""
        found = asdict(self)
        found["values"] = list(self.values) if self.values is not None else None
        found["texts"] = list(self.texts) if self.texts is not None else None
        if self.meanings is not None:
            found["meanings"] = {code: list(texts) for code, texts in self.meanings.items()}
        return found


def question_from(data: Mapping[str, Any]) -> Question:
    """The question that `as_json` wrote."""
    found = dict(data)
    for name in ("values", "texts"):
        if found.get(name) is not None:
            found[name] = tuple(found[name])
    return Question(**found)


@dataclass(frozen=True)
class Study:
    """What is asked of whom; nothing in it changes once people have begun."""

    name: str
    title: str
    kind: Kind
    questions: tuple[Question, ...]  # none: every item has its own (tasks)
    consent: Words
    raters: int = 30  # links made when it begins
    per_item: int = 15  # raters an item (k)
    per_rater: int | None = None  # items a rater (m); None: what that many raters need
    editors: tuple[str, ...] = ()  # none: all beside floors and ceilings
    samples: int | None = None  # only the first so many
    training: int = 3  # items shown first, with feedback, not counted
    repeats: float = 0.05  # share of a rater's items that come again
    gold: str = ""  # sha256 of the file of known answers; "": floors and ceilings serve
    minutes: float = 30.0
    break_minutes: float = 5.0
    ties: bool = True
    comments: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise UserMistake(
                f"{self.name[:60]!r} is no name of a study.",
                "Letters, digits, dots, dashes and underscores were expected, at most 60.",
            )
        if self.kind not in KINDS:
            raise UserMistake(f"There is no study of the kind {self.kind!r}.", _known_kinds())
        if not self.questions and self.kind != "tasks":
            raise UserMistake("A study needs a question.", "It has none.")
        if len({one.name for one in self.questions}) < len(self.questions):
            raise UserMistake("Two questions of the study have one name.")
        for name, low, high in _RANGES:
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise UserMistake(
                    f"{name.replace('_', ' ')} cannot be {value:g}.",
                    f"From {low:g} to {high:g} was expected.",
                )
        self._check_texts()

    def _check_texts(self) -> None:
        if not self.title.strip() or len(self.title) > 200:
            raise UserMistake("A study's title has 1 to 200 letters.")
        texts = [self.consent.get(code, "") for code in LANGUAGES]
        if not all(text.strip() and len(text) <= LONGEST for text in texts):
            raise UserMistake(
                f"The consent text needs 1 to {LONGEST:,} letters in each language.",
                "Raters agree to it before the first item.",
            )

    @property
    def id(self) -> str:
        """A short hash of all of it; ratings under two ids are not mixed."""
        return hashlib.sha256(self.dumped().encode()).hexdigest()[:12]

    @property
    def consent_version(self) -> str:
        """A short hash of the consent text: who agreed to another text has not agreed to this."""
        text = json.dumps(dict(self.consent), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def dumped(self) -> str:
        """The study as JSON."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        found["questions"] = [one.as_json() for one in self.questions]
        return json.dumps(found, sort_keys=True, ensure_ascii=False)

    def question(self, name: str) -> Question:
        """The question of that name."""
        return next(one for one in self.questions if one.name == name)

    def share(self, items: int) -> int:
        """How many items a rater gets (m) where there are so many."""
        needed = math.ceil(self.per_item * items / self.raters)
        return max(1, min(items, self.per_rater or needed))


_RANGES = (
    ("raters", 1, 5000), ("per_item", 1, 1000), ("per_rater", 1, 100_000), ("samples", 1, 10**7),
    ("training", 0, 50), ("repeats", 0, 0.5), ("minutes", 1, 600), ("break_minutes", 0, 600),
    ("seed", 0, 2**63),
)  # fmt: skip


def load_study(text: str) -> Study:
    """The study that `dumped` wrote; DataError where it is something else."""
    try:
        found = json.loads(text)
        found["questions"] = tuple(map(question_from, found["questions"]))
        found["editors"] = tuple(found["editors"])
        return Study(**found)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DataError(f"The study's description cannot be read: {unread(error)}.") from error


def differences(kept: Study, asked: Study) -> list[str]:
    """In words, where a study that has begun is not what was asked for now."""
    told = []
    for one in fields(Study):
        was, now = getattr(kept, one.name), getattr(asked, one.name)
        if was != now:
            name = one.name.replace("_", " ")
            short = isinstance(was, str | int | float | None) and len(f"{was}{now}") < 80
            told.append(f"{name} is {was}, not {now}" if short else f"{name} differs")
    return told


def _span(low: float | None, high: float | None) -> bool:
    return low is not None and high is not None and math.isfinite(high - low) and low < high


def _known_kinds() -> str:
    return f"Known: {', '.join(KINDS)}."

"""Trained evaluators as measures: `learned[:FOLDER][;dimension=NAME]`.

A trained evaluator is a folder with `learned.json`, which says what it is, what it learned from and
how far it agrees with people, and the files that it names with their hashes. Two kinds are one
measure: `fusion`, our own measures weighed together, and `vlm`, a vision-language model with score
heads (LMM4Edit). Both see what an editor saw and what it made, and never the truth. Without a
folder it is the fusion that comes with the package. Each dimension is a column, quality@NAME.
"""

import hashlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from overpaint.core import Edit, Evidence, Found, Measure, Request, Sample, each, finding
from overpaint.document import Document, regular
from overpaint.errors import OverpaintError, Unavailable, UserMistake
from overpaint.models.weighing import BYTES, gigabytes

FORMAT = "overpaint learned 1"
FILE = "learned.json"
LARGEST = 64 * 2**20  # bytes of the file that says what an evaluator is
EMBEDDED = "embedded"  # the folder of the evaluator that comes with the package
LEARNED = "learned"
YES_NO = (0.0, 1.0)
VERSION = 12  # digits of an evaluator's hash
SHORT = 16  # digits of a picture's hash by which an evaluator knows what it has learned from
FORM = "It is learned[:FOLDER][;dimension=NAME]."
_SETTINGS = re.compile(r"(.*?)(?:;dimension=([^;]+))?(?:;known=([^;]+))?", re.DOTALL)
_KNOWN = re.compile(r"([\w .+-]{1,60})/([0-9a-f]{12})/(scores|chances)")
_NAME = re.compile(r"[\w .+-]{1,60}")
_PART = re.compile(r"[\w./-]{1,200}", re.ASCII)

Kind = Literal["fusion", "vlm"]


class Told(NamedTuple):
    """What an evaluator says of an edit in one dimension, with a 95 % interval where it has one."""

    value: float
    low: float | None = None
    high: float | None = None


class Predictor(Protocol):
    """A loaded evaluator."""

    def __call__(self, edit: Edit, evidence: Evidence, /) -> Mapping[str, Told]:
        """What it says of an edit, in every dimension."""
        ...


@dataclass(frozen=True)
class Package:
    """A trained evaluator on disk, read and checked."""

    folder: Path
    name: str  # as columns bear it
    kind: Kind
    scales: Mapping[str, tuple[float, float]]  # of each dimension; 0 and 1 for yes and no
    facts: Mapping[str, Any]  # all that the file says
    digest: str

    @property
    def dimensions(self) -> tuple[str, ...]:
        """What it judges, in order."""
        return tuple(self.scales)

    def part(self, name: str) -> Path:
        """One of its files, whose hash was checked."""
        if name not in self.facts["files"]:
            raise _spoilt(self.folder, f"it does not name its file {name!r}")
        return self.folder / name


# ── reading and writing ─────────────────────────────────────────────────────────────────


def write_package(folder: Path, facts: Mapping[str, Any], parts: Sequence[str]) -> None:
    """Say what the evaluator in a folder is; `parts` are its files, whose hashes are kept.

    The facts have at least name, kind and scales (dimension -> [low, high]).
    """
    hashes = {part: _hash(folder / part) for part in parts}
    told = {"format": FORMAT, **facts, "files": hashes}
    text = json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    (folder / FILE).write_text(text, encoding="utf-8")
    for known in (read_package, _predictor):  # of what was there before
        known.cache_clear()


@lru_cache(maxsize=16)
def read_package(folder: Path) -> Package:
    """The evaluator in a folder; files that are not what they were are refused."""
    data, found = _read(folder)
    scales = found.get("scales")
    kind, name = found.get("kind"), found.get("name")
    right = isinstance(scales, dict) and scales and all(map(_is_scale, scales.values()))
    if not right or kind not in ("fusion", "vlm") or not _NAME.fullmatch(str(name)):
        raise _spoilt(folder, "it lacks a name, a kind or scales")
    assert isinstance(scales, dict)
    hashes = found.get("files")
    if not isinstance(hashes, dict):
        raise _spoilt(folder, "it does not name its files")
    if not all(map(_PART.fullmatch, hashes)) or not all(map(_NAME.fullmatch, scales)):
        raise _spoilt(folder, "a file or a dimension has a name that training gives none")
    for part, known in hashes.items():
        path = folder / part
        if not path.resolve().is_relative_to(folder.resolve()) or not path.is_file():
            raise _spoilt(folder, f"its file {part!r} is not there")
        if _hash(path) != known:
            raise _spoilt(folder, f"its file {part!r} is not the one that was trained")
    needs = found.get("needs", [])
    if not isinstance(needs, list) or not all(isinstance(one, str) for one in needs):
        raise _spoilt(folder, "what it needs is no list of names")
    spans = {str(of): (float(ends[0]), float(ends[1])) for of, ends in scales.items()}
    return Package(folder, str(name), kind, spans, found, hashlib.sha256(data).hexdigest())


def _read(folder: Path) -> tuple[bytes, dict[str, Any]]:
    try:
        with regular.opened(folder / FILE) as file:
            data = file.read(LARGEST + 1)
        found = json.loads(data) if len(data) <= LARGEST else None
    except OSError as error:
        raise UserMistake(
            f"There is no trained evaluator in {folder}: {FILE}: {error.strerror}.",
            "A folder that `overpaint train evaluator` or `overpaint train fusion` wrote was"
            " expected.",
            "Without a folder, `learned` is the one that comes with Overpaint.",
        ) from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise _spoilt(folder, f"it is not of the form {FORMAT!r}")
    return data, found


def _is_scale(ends: Any) -> bool:
    numbers = isinstance(ends, list) and len(ends) == 2
    right = numbers and all(isinstance(end, int | float) and abs(end) < 1e9 for end in ends)
    return right and ends[0] < ends[1]


def check_name(name: str) -> None:
    """Refuse the name of an evaluator or a dimension that no column could bear."""
    if not _NAME.fullmatch(name):
        raise UserMistake(
            f"An evaluator or a dimension cannot be called {name[:80]!r}.",
            "A name has up to 60 letters, digits, spaces and . + - _.",
        )


def _spoilt(folder: Path, why: str) -> UserMistake:
    return UserMistake(
        f"{folder / FILE} cannot be used: {why}.",
        "It stands as training wrote it, beside the files it names.",
        "Copy the folder again, or train it again.",
    )


def _hash(path: Path) -> str:
    with regular.opened(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def embedded() -> Path:
    """The folder of the evaluator that comes with the package."""
    return Path(str(files("overpaint.measures.learned") / EMBEDDED))


# ── as measures ─────────────────────────────────────────────────────────────────────────


def columns(argument: str) -> list[str]:
    """The specs of all columns that `learned:ARGUMENT` stands for, one a dimension.

    They tell what has to be known of an evaluator to read its scores where its folder is gone.
    """
    folder, dimension, known = _asked(argument)
    if known:
        return [f"{LEARNED}:{argument}"]
    package = read_package(_place(folder))
    names = [dimension] if dimension else package.dimensions
    return [f"{LEARNED}:{folder};dimension={name}{_known(package, name)}" for name in names]


def _known(package: Package, dimension: str) -> str:
    if package.folder == embedded() or dimension not in package.scales:
        return ""
    kind = "chances" if package.scales[dimension] == YES_NO else "scores"
    return f";known={package.name}/{package.digest[:VERSION]}/{kind}"


def learned(argument: str) -> Measure:
    """The measure behind `learned:ARGUMENT`."""
    folder, dimension, known = _asked(argument)
    if match := _KNOWN.fullmatch(known):
        same = _same(_place(folder), match[2])
        if same is None:
            return _gone(folder, dimension, match)
        package = same
    else:
        package = read_package(_place(folder))
    chosen = dimension or package.dimensions[0]
    if chosen not in package.dimensions:
        raise UserMistake(
            f"{package.folder} does not judge {chosen!r}.",
            f"It judges {', '.join(package.dimensions)}.",
            FORM,
        )
    name = f"{chosen}@{package.name}"
    worst, best = package.scales[chosen]
    bounded = (worst, best) == YES_NO
    return Measure(
        name, each(name, _judged(package, chosen)), higher_is_better=True,
        worst=worst if bounded else None, best=best if bounded else None,
        version=package.digest[:VERSION], needs=tuple(package.facts.get("needs", ())),
        gpus=float(package.kind == "vlm"), gigabytes=_held(package),
        about=f"{chosen} as a trained evaluator ({package.kind}) tells it, without a truth:"
        f" {package.facts.get('about', 'see its card')}",
    )  # fmt: skip


def _held(package: Package) -> float:
    """Gigabytes of memory that the model of an evaluator takes; 0 where it is not to be found."""
    facts = package.facts.get("vlm")
    if package.kind != "vlm" or not isinstance(facts, dict):
        return 0.0
    base, dtype, revision = (facts.get(name) for name in ("base", "dtype", "revision"))
    known = isinstance(base, str) and dtype in BYTES
    return gigabytes(str(base), str(dtype), revision) if known else 0.0


def _same(place: Path, version: str) -> Package | None:
    """The evaluator in a folder, if it is there, whole, and of that version."""
    try:
        package = read_package(place)
    except UserMistake:
        return None
    return package if package.digest[:VERSION] == version else None


def _gone(folder: str, dimension: str, known: re.Match[str]) -> Measure:
    """The column of an evaluator that is not where it was: what it said can still be read."""
    name, bounded = f"{dimension}@{known[1]}", known[3] == "chances"

    def judged(edit: Edit, evidence: Evidence) -> Found:
        raise Unavailable(
            f"The evaluator that scored this is not in {folder} any more.",
            "",
            "Put the folder back.",
        )

    return Measure(
        name, each(name, judged), higher_is_better=True, worst=YES_NO[0] if bounded else None,
        best=YES_NO[1] if bounded else None, version=known[2],
        about=f"{dimension} as a trained evaluator told it that was in {folder}",
    )  # fmt: skip


def known_among(spec: str, version: str, sources: Collection[str]) -> str:
    """What is to be said where an evaluator of that version may have learned from these pictures.

    They are known by their hashes; "" where it has learned from none of them.
    """
    maker, _, argument = spec.partition(":")
    if maker != LEARNED:
        return ""
    package = _same(_place(_asked(argument)[0]), version)
    if package is None:
        return "is not where it was, and what it has learned from is not known"
    told = package.facts.get("data")
    mine = told.get("learned_from", ()) if isinstance(told, dict) else ()
    seen = {one for one in mine if isinstance(one, str)} if isinstance(mine, list) else set()
    both = sum(source[:SHORT] in seen for source in sources)
    count = f"{both:,} of the {len(sources):,} pictures that are edited here"
    return f"has learned from {count}" if both else ""


def _asked(argument: str) -> tuple[str, str, str]:
    """Folder, dimension and what is known of the evaluator, any of which may be missing."""
    match = _SETTINGS.fullmatch(argument)
    assert match is not None  # it takes any text
    return match[1].strip(), match[2] or "", match[3] or ""


def _place(folder: str) -> Path:
    return Path(folder) if folder else embedded()


def _judged(package: Package, dimension: str) -> Any:
    def judged(edit: Edit, evidence: Evidence) -> Found:
        assert edit.output is not None
        request = edit.sample.request
        told = _told(
            evidence, request.source, edit.output, request.instruction, str(package.folder),
            package.digest,
        )  # fmt: skip
        value, low, high = told[dimension]
        notes = () if low is None else (f"95 % interval {low:.1f} to {high:.1f}",)
        return Found(value, notes)

    return judged


@finding(keep=True)
def _told(
    evidence: Evidence, source: Document, output: Document, instruction: str, *where: str
) -> dict[str, Any]:
    """All that an evaluator says of an edit, once for all of its columns."""
    folder, _ = where
    # What it gets to see is the request and the output: no truth, no tags.
    blind = Edit(Sample("", Request(source, instruction)), "", "ok", output)
    predictor = _predictor(Path(folder))
    if isinstance(predictor, OverpaintError):
        raise predictor
    told = predictor(blind, evidence)
    return {name: list(one) for name, one in told.items()}


@lru_cache(maxsize=4)
def _predictor(folder: Path) -> Predictor | OverpaintError:
    """The evaluator, loaded once a process; or why it cannot be, found out once, too."""
    package = read_package(folder)
    try:
        if package.kind == "fusion":
            from overpaint.measures.learned import fusion

            return fusion.load(package)
        from overpaint.measures.learned import vlm

        return vlm.load(package)
    except OverpaintError as error:
        return error

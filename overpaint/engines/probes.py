"""Probes: questions put to a measure of which it is known what a sound one answers.

Each is made of a sample with a truth: a sample to be judged, and the output it is judged by. A
file, `probes.jsonl`, holds them all: one line a probe with its id, the path of its output (so it
is a list for the editor `outputs:`), and the sample. Pictures lie in the run under their hash, so
what several probes share is there once.
"""

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from overpaint.core import Sample
from overpaint.document import Document, Pixels
from overpaint.engines.damages import (
    DAMAGES,
    LEVELS,
    NOISE,
    Base,
    Damage,
    Mask,
    Where,
    encoded,
    fitting,
    noise,
    patch,
)
from overpaint.errors import StoreError, UserMistake
from overpaint.measures.judge import TURN
from overpaint.store.pictures import keep_picture
from overpaint.store.samples import dump_sample
from overpaint.work import Backend, Here, Processes, Progress, Task, silent

PROBES = "probes.jsonl"
VERSION = "1"  # of the pictures: whoever changes what is drawn gives it another
WHITE = 128  # a mask pixel from here up says "may change"
MARGIN = 6  # pixels around what differs, where a sample has no mask
MIDDLE = 2  # the level of noise on which it is shown what a measure looks at
SPOT = 2  # the level of the patch that shows whether it looks outside the mask

# What a sound measure says of a probe.
Claim = Literal["best", "worse", "harmless", "same", "fact"]
SOUND: Mapping[Claim, str] = {
    "best": "should have the best score there is",
    "worse": "should be scored worse than the truth",
    "harmless": "should be scored better than a white page and than nothing done",
    "same": "should have the same score, to the last digit",
    "fact": "shows what the measure looks at",
}
Output = Document | Pixels | bytes


@dataclass(frozen=True)
class Probe:
    """A question with a known answer."""

    name: str
    group: str
    title: str
    claim: Claim
    make: Callable[["Stand"], "Made | None"] = field(repr=False)
    where: Where = "everywhere"  # all that differs from the truth or from its question lies here
    like: str = "truth"  # the probe it is held against
    level: int = 0


@dataclass(frozen=True, eq=False)
class Stand:
    """A sample, its neighbour, and the pixels of both."""

    sample: Sample
    neighbour: Sample
    base: Base


@dataclass(frozen=True)
class Made:
    """An output, and the sample it is to be judged as where that is not the sample itself."""

    output: Output
    sample: Sample | None = None


# ── the probes ──────────────────────────────────────────────────────────────────────────────


def _truth(stand: Stand) -> Made:
    return Made(_target(stand.sample))


def _source(stand: Stand) -> Made | None:
    """Nothing done; no probe where nothing was to be done."""
    same = np.array_equal(stand.base.source, stand.base.truth)
    return None if same else Made(stand.sample.request.source)


def _filled(colour: int | None) -> Callable[[Stand], Made]:
    def make(stand: Stand) -> Made:
        truth = stand.base.truth
        fill = truth.mean(axis=(0, 1)).round() if colour is None else colour
        return Made(np.full_like(truth, fill))

    return make


def _with_instruction(output: Output, stand: Stand) -> Made | None:
    """Judged by another sample's instruction; no probe where that is the same."""
    sample, other = stand.sample, stand.neighbour
    if sample.request.instruction == other.request.instruction:
        return None
    request = replace(sample.request, instruction=other.request.instruction)
    hint = {key: other.facts.get(key) for key in ("knowledge_prompt",) if key in sample.facts}
    return Made(output, replace(sample, request=request, facts={**sample.facts, **hint}))


def _shuffled(stand: Stand) -> Made:
    return Made(_target(stand.neighbour))


def _swapped(stand: Stand) -> Made | None:
    """The truth as what was given, the source as what was made of it."""
    request = replace(stand.sample.request, source=_target(stand.sample))
    nothing = _source(stand)
    return nothing and Made(nothing.output, replace(stand.sample, request=request))


def _as_file(kind: str, **settings: Any) -> Callable[[Stand], Made]:
    return lambda stand: Made(encoded(stand.base.truth, kind, **settings))


def _png(pixels: Pixels, comment: str, level: int) -> bytes:
    """A PNG in bytes of its own: what was found out of equal bytes is remembered."""
    from PIL.PngImagePlugin import PngInfo

    said = PngInfo()
    said.add_text("Comment", comment)
    return encoded(pixels, "PNG", compress_level=level, pnginfo=said)


def _as_png(stand: Stand) -> Made:
    return Made(_png(stand.base.truth, "the same pixels in other bytes", 6))


def _resized(scale: float, *, back: bool = False) -> Callable[[Stand], Made]:
    def make(stand: Stand) -> Made:
        height, width = stand.base.truth.shape[:2]
        size = max(1, round(width * scale)), max(1, round(height * scale))
        other = fitting(stand.base.truth, *size)
        return Made(fitting(other, width, height) if back else other)

    return make


def _damaged(damage: Damage, level: int) -> Callable[[Stand], Made | None]:
    def make(stand: Stand) -> Made | None:
        spoilt = damage.spoil(stand.base, level)
        return None if spoilt is None else Made(spoilt)

    return make


def _again(make: Callable[[Base], Pixels]) -> Callable[[Stand], Made]:
    """The same question as another turn, which is how judges are asked anew."""

    def again(stand: Stand) -> Made:
        facts = {**stand.sample.facts, TURN: 1}
        output = _png(make(stand.base), "asked again", 3)
        return Made(output, replace(stand.sample, facts=facts))

    return again


def _noisier_inside(stand: Stand) -> Made | None:
    """More noise where the edit was; no probe where that is nowhere."""
    here = stand.base.region
    made, more = noise(stand.base, MIDDLE), noise(stand.base, LEVELS)
    made[here] = more[here]
    return Made(made) if here.any() else None


def _spotted_outside(stand: Stand) -> Made:
    """A patch where the edit was not: one that moves nothing, so that alignment stays out of it."""
    patched = replace(stand.base, truth=patch(stand.base, SPOT))
    return Made(noise(patched, MIDDLE))


def _without(part: str) -> Callable[[Stand], Made]:
    """A blank page in place of the source or the truth."""

    def make(stand: Stand) -> Made:
        sample, output = stand.sample, noise(stand.base, MIDDLE)
        if part == "truth":
            blank = Document.of(np.full_like(stand.base.truth, 255))
            return Made(output, replace(sample, target=blank))
        blank = Document.of(np.full_like(stand.base.source, 255))
        return Made(output, replace(sample, request=replace(sample.request, source=blank)))

    return make


def _graded() -> Iterator[Probe]:
    for damage in DAMAGES:
        for level in range(1, LEVELS + 1):
            title = f"{damage.title}: {damage.levels[level - 1]}"
            yield Probe(f"{damage.name}-{level}", "damage", title, "worse",
                        _damaged(damage, level), damage.where, level=level)  # fmt: skip


_STILL = f"noise-{MIDDLE}"
ALL = (
    Probe("truth", "identical", "the truth itself", "best", _truth),
    Probe("nothing", "identical", "nothing done: the source", "worse", _source, "inside"),
    Probe("white", "blank", "a white page", "worse", _filled(255)),
    Probe("black", "blank", "a black page", "worse", _filled(0)),
    Probe("mean", "blank", "a page of the mean colour", "worse", _filled(None)),
    Probe("instruction", "instruction", "the truth under another instruction", "worse",
          lambda stand: _with_instruction(_target(stand.sample), stand), "instruction"),
    Probe("shuffled", "shuffled", "another sample's truth", "worse", _shuffled),
    Probe("swapped", "swapped", "source and output exchanged", "worse", _swapped, "inside"),
    Probe("png", "re-encoding", "PNG of the same pixels", "same", _as_png),
    Probe("jpeg95", "re-encoding", "JPEG of quality 95", "harmless", _as_file("JPEG", quality=95)),
    Probe("jpeg85", "re-encoding", "JPEG of quality 85", "harmless", _as_file("JPEG", quality=85)),
    Probe("webp80", "re-encoding", "WebP of quality 80", "harmless",
          _as_file("WEBP", quality=80, method=2)),
    Probe("half", "resized", "half the size", "harmless", _resized(0.5)),
    Probe("larger", "resized", "one and a half times the size", "harmless", _resized(1.5)),
    Probe("enlarged", "resized", "half the size, enlarged back", "harmless",
          _resized(0.5, back=True)),
    *_graded(),
    Probe("again-truth", "repeats", "the truth, asked again", "same",
          _again(lambda base: base.truth), like="png"),
    Probe("again-noise", "repeats", f"noise of σ {NOISE[MIDDLE - 1]}, asked again", "same",
          _again(lambda base: noise(base, MIDDLE)), like=_STILL),
    Probe("sight-inside", "sight", "more noise inside the mask", "fact", _noisier_inside,
          "inside", _STILL),
    Probe("sight-outside", "sight", "a patch outside the mask", "fact", _spotted_outside,
          "outside", _STILL),
    Probe("sight-instruction", "sight", "noise under another instruction", "fact",
          lambda stand: _with_instruction(noise(stand.base, MIDDLE), stand), "instruction", _STILL),
    Probe("sight-source", "sight", "a white page as the source", "fact", _without("source"),
          "source", _STILL),
    Probe("sight-truth", "sight", "a white page as the truth", "fact", _without("truth"),
          "truth", _STILL),
)  # fmt: skip
BY_NAME = {probe.name: probe for probe in ALL}
GROUPS = tuple(dict.fromkeys(probe.group for probe in ALL))


# ── making them ─────────────────────────────────────────────────────────────────────────────


def picked(samples: Sequence[Sample], count: int) -> list[Sample]:
    """So many of the samples that have a truth, taken evenly from first to last."""
    known = [sample for sample in samples if sample.target is not None]
    if len(known) < 2:
        raise UserMistake(
            f"{len(known)} of {len(samples)} samples have a truth.",
            "An audit needs two or more: what is known of a probe is known from the truth.",
            "Take another --benchmark, such as demo.",
        )
    count = min(count, len(known))
    return [known[place * len(known) // count] for place in range(count)]


def chosen(groups: Collection[str] = ()) -> list[Probe]:
    """The probes of these groups, or all, with those that others are held against."""
    for group in groups:
        if group not in GROUPS:
            raise UserMistake(f"There is no probe {group!r}.", f"Known are {', '.join(GROUPS)}.")
    wanted = [probe for probe in ALL if not groups or probe.group in groups]
    names = {"truth", "white", _STILL, *(n for p in wanted for n in (p.name, p.like))}
    return [probe for probe in ALL if probe.name in names]


def make_probes(
    samples: Sequence[Sample],
    folder: Path,
    *,
    probes: Sequence[Probe] = ALL,
    seed: int = 0,
    workers: int = 0,
    progress: Progress = silent,
) -> Path:
    """Draw every probe of every sample into the run's folder; the same seed, the same pixels."""
    names = tuple(probe.name for probe in probes)
    draw = partial(_drawn, folder, tuple(samples), seed)
    backend: Backend = Processes(draw, workers, deadline=600) if workers else Here(draw)
    tasks = (Task(place, (names,)) for place in range(len(samples)))
    lines: dict[int, list[str]] = {}
    for done, outcome in enumerate(backend.perform(tasks), 1):
        if outcome.error is not None:
            raise outcome.error
        lines[outcome.subject] = outcome.result
        progress("drawing", done, len(samples))
    path = folder / PROBES
    write_whole(path, "\n".join(line for place in sorted(lines) for line in lines[place]) + "\n")
    return path


def _drawn(
    folder: Path, samples: Sequence[Sample], seed: int, place: int, names: Sequence[str]
) -> list[str]:
    """The lines of one sample's probes, their pictures kept."""
    neighbour = samples[(place + 1) % len(samples)]
    stand = _stand(samples[place], neighbour, seed * 1_000_003 + place)
    made = ((BY_NAME[name], BY_NAME[name].make(stand)) for name in names)
    return [json.dumps(_line(probe, stand, one, folder)) for probe, one in made if one]


def _stand(sample: Sample, neighbour: Sample, seed: int) -> Stand:
    source, truth = sample.request.source.rgb, _target(sample).rgb
    base = Base(source, truth, _region(sample, source, truth), _target(neighbour).rgb, seed)
    return Stand(sample, neighbour, base)


def _region(sample: Sample, source: Pixels, truth: Pixels) -> Mask:
    """Where the edit was: the sample's masks, or what differs between source and truth."""
    import cv2

    size = truth.shape[:2]
    masks = [mask.rgb.max(axis=2) >= WHITE for mask in sample.masks]
    if masks and all(mask.shape == size for mask in masks):
        return np.asarray(np.logical_or.reduce(masks))
    fitted = source if source.shape == truth.shape else fitting(source, size[1], size[0])
    apart = np.abs(fitted.astype(np.int16) - truth).max(axis=2) > MARGIN
    around = np.ones((2 * MARGIN + 1, 2 * MARGIN + 1), np.uint8)
    return np.asarray(cv2.dilate(apart.astype(np.uint8), around) > 0)


def _line(probe: Probe, stand: Stand, made: Made, folder: Path) -> dict[str, str]:
    base = stand.sample
    name = f"{probe.name}/{base.id}"
    judged = made.sample or base
    sample = replace(
        judged,
        id=name,
        request=replace(judged.request, names=(name,)),
        tags={**judged.tags, "probe": probe.name, "base": base.id},
        cluster=base.cluster or base.id,
    )
    kept = _kept(made.output, folder)
    path = kept.relative_to(folder).as_posix()
    return {"id": name, "path": path, "sample": dump_sample(sample, folder)}


def _kept(output: Output, folder: Path) -> Path:
    """The output in the run's pictures; a file's bytes stay as they are."""
    if isinstance(output, bytes):
        passing = folder / f".probe-{os.getpid()}"
        write_whole(passing, output)
        path = keep_picture(folder, Document(passing)).path
        passing.unlink(missing_ok=True)
    else:
        document = output if isinstance(output, Document) else Document.of(output)
        path = keep_picture(folder, document).path
    assert path is not None  # what is kept has a path
    return path


def write_whole(path: Path, what: str | bytes) -> None:
    """The file whole or not at all."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(what.encode() if isinstance(what, str) else what)
        partial.replace(path)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written: {error.strerror}.",
            "The run's folder must be writable and its disk have room.",
        ) from error


def _target(sample: Sample) -> Document:
    assert sample.target is not None  # `picked` has seen to it
    return sample.target

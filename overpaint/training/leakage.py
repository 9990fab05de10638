"""Leakage: pictures that a model would learn from and also be tried on, under whatever name.

Training sources are held against a benchmark's by their fingerprints, mirror images included. A
source may have several pictures (one that was degraded in several ways); one that is alike is
enough. What is alike is left out of training and told in the result's card.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from overpaint import catalog
from overpaint.core import Sample
from overpaint.document import Document
from overpaint.errors import UserMistake
from overpaint.store import Store
from overpaint.vision.fingerprints import BITS, Bits, distances, fingerprint, mirrored

# Of 255 bits. Of 176 drawn scenes, designs, pages and photographs, copies (JPEG 30, half the size,
# noise, brighter, 2 % cut off) differ in 54 at most, 95 % in 46, others in 46 at least, 99 % in 56.
# What a benchmark has is better left out once too often; what is taken for one source is one.
SUSPECT, SAME = 54, 40
FLAT = 1.0  # levels of spread below which there is nothing to know a picture by

Sources = Mapping[str, Sequence[Document]]  # the pictures of each source


@dataclass(frozen=True)
class Leak:
    """A training source that is a benchmark's, too."""

    source: str
    like: str
    bits: int  # in which they differ
    mirrored: bool = False


@dataclass(frozen=True)
class Compared:
    """What was held against what, and what was found."""

    against: str
    sources: int
    others: int
    leaks: tuple[Leak, ...] = ()

    @property
    def told(self) -> str:
        """In a sentence."""
        if not self.leaks:
            return (
                f"None of {self.sources:,} sources looks like one of the {self.others:,} of"
                f" {self.against}."
            )
        first = self.leaks[0]
        turned = ", mirrored" if first.mirrored else ""
        return (
            f"{len(self.leaks):,} of {self.sources:,} sources look like ones of {self.against} and"
            f" are left out; the first is {first.source}, like {first.like}{turned}"
            f" ({first.bits} of {BITS} bits differ)."
        )


@dataclass(frozen=True)
class Known:
    """Fingerprints, and whose each is."""

    names: tuple[str, ...]
    bits: tuple[Bits, ...]

    def apart(self, other: "Known") -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """How many bits each differs in from each of another's, and whether by its mirror image."""
        straight = distances(self.bits, other.bits)
        turned = distances(self.bits, [mirrored(one) for one in other.bits])
        return np.minimum(straight, turned), turned < straight


def known(sources: Sources) -> Known:
    """The fingerprints of all pictures; flat ones have none."""
    names, bits = [], []
    for name, pictures in sources.items():
        for document in pictures:
            pixels = replace(document).rgb  # of a copy, which is not kept
            if pixels.std(axis=(0, 1)).max() >= FLAT:
                names.append(name)
                bits.append(fingerprint(pixels))
    return Known(tuple(names), tuple(bits))


def compare(mine: Known, others: Known, against: str) -> Compared:
    """The sources that look like one of the others, each once by what it is likest."""
    counts = len(set(mine.names)), len(set(others.names))
    if not mine.bits or not others.bits:
        return Compared(against, *counts)
    apart, turned = mine.apart(others)
    found: dict[str, Leak] = {}
    for row in apart.min(axis=1).argsort(kind="stable").tolist():
        at, name = int(apart[row].argmin()), mine.names[row]
        if apart[row, at] <= SUSPECT:
            leak = Leak(name, others.names[at], int(apart[row, at]), bool(turned[row, at]))
            found.setdefault(name, leak)
    return Compared(against, *counts, tuple(found.values()))


def one_name(mine: Known) -> dict[str, str]:
    """Of each source the name it goes by: that of the first one that looks the same."""
    order = {name: at for at, name in enumerate(dict.fromkeys(mine.names))}
    goes_by = {name: name for name in order}
    apart, _ = mine.apart(mine)
    for late, early in zip(*np.nonzero(np.tril(apart <= SAME, -1)), strict=True):
        pair = goes_by[mine.names[early]], goes_by[mine.names[late]]
        first, second = sorted(pair, key=order.__getitem__)
        goes_by |= {name: first for name, of in goes_by.items() if of == second}
    return goes_by


def benchmark_sources(name: str) -> Sources:
    """The sources of a benchmark by name (`NAME` or `NAME=DATA`), or of a run by its folder."""
    benchmark, _, data = name.partition("=")
    if benchmark in catalog.names("benchmark") or ".py:" in benchmark:
        loaded = catalog.benchmark(benchmark).load(Path(data) if data else None)
        return _by_cluster(loaded.samples)
    if not Path(name).is_dir():
        raise UserMistake(
            f"{name!r} is neither a benchmark nor a run's folder.",
            f"Benchmarks are {', '.join(catalog.names('benchmark'))}; one with files of its own is"
            " NAME=FOLDER.",
        )
    with Store.open(Path(name)) as store:
        return _by_cluster(store.samples())


def gathered(pictures: Iterable[tuple[str, Document]]) -> Sources:
    """Pictures by the source they belong to, each once."""
    found: dict[str, dict[Path | int, Document]] = {}
    for name, document in pictures:
        found.setdefault(name, {}).setdefault(document.path or id(document), document)
    return {name: tuple(some.values()) for name, some in found.items()}


def _by_cluster(samples: Iterable[Sample]) -> Sources:
    return gathered((one.cluster or one.id, one.request.source) for one in samples)


def checked(mine: Known, against: Sequence[str]) -> list[Compared]:
    """Sources held against each of these benchmarks or runs."""
    return [compare(mine, known(benchmark_sources(name)), name) for name in against]

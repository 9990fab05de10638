"""What the pages of a corpus are made of: statistics of their layout, by document kind.

The formulas are VDE Bench's (arXiv:2602.00122, appendix B.2.1). A page counts once, however many
samples were made from it. Areas are shares of their page, so a large page weighs no more.
"""

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from overpaint.core import Sample
from overpaint.document import Document
from overpaint.document.pictures import read_size
from overpaint.vision.page import Block, from_json

# What the eye takes in as a whole; any other block is text.
VISUAL = frozenset({"table", "figure", "image", "picture", "chart", "seal"})
FIGURES = ("density", "complexity", "richness", "entropy", "text ratio", "visual ratio")


@dataclass(frozen=True)
class Layout:
    """One page: the kind of document it is from, its size, its blocks."""

    source: str
    width: float
    height: float
    blocks: tuple[Block, ...]

    def shares(self) -> dict[str, float]:
        """The share of the page's area that blocks of each kind take, within the page."""
        found: dict[str, float] = {}
        for block in self.blocks:
            left, top, right, bottom = block.box
            across = min(right, self.width) - max(left, 0.0)
            down = min(bottom, self.height) - max(top, 0.0)
            share = max(across, 0.0) * max(down, 0.0) / (self.width * self.height or 1.0)
            found[block.kind] = found.get(block.kind, 0.0) + share
        return found


@dataclass(frozen=True)
class Corpus:
    """The statistics of a corpus; every table is source -> column -> value."""

    pages: Mapping[str, int]
    kinds: tuple[str, ...]
    densities: Mapping[str, Mapping[str, float]]  # mean share of the page's area
    z: Mapping[str, Mapping[str, float | None]]  # the same, standardised over the sources
    figures: Mapping[str, Mapping[str, float | None]]


def describe(layouts: Iterable[Layout]) -> Corpus:
    """The statistics of pages, sources in the order of their names, kinds by how much they take."""
    by_source: dict[str, list[Layout]] = {}
    for layout in layouts:
        by_source.setdefault(layout.source, []).append(layout)
    by_source = dict(sorted(by_source.items()))
    found = {source: _densities(pages) for source, pages in by_source.items()}
    total = Counter[str]()
    for shares in found.values():
        total.update(shares)
    kinds = tuple(kind for kind, _ in sorted(total.items(), key=lambda item: (-item[1], item[0])))
    densities = {source: {k: shares.get(k, 0.0) for k in kinds} for source, shares in found.items()}
    return Corpus(
        pages={source: len(pages) for source, pages in by_source.items()},
        kinds=kinds,
        densities=densities,
        z=standardised(densities, kinds),
        figures={source: _figures(pages) for source, pages in by_source.items()},
    )


def _densities(pages: Sequence[Layout]) -> dict[str, float]:
    """The mean over pages of the area that each kind takes, as a share of the page."""
    total: dict[str, float] = {}
    for page in pages:
        for kind, share in page.shares().items():
            total[kind] = total.get(kind, 0.0) + share / len(pages)
    return total


def standardised(
    densities: Mapping[str, Mapping[str, float]], kinds: Sequence[str]
) -> dict[str, dict[str, float | None]]:
    """(d - mean) / standard deviation of each kind over the sources.

    The deviation is that of the sources themselves (divided by their number); a kind that all
    sources have alike has no z-score.
    """
    found: dict[str, dict[str, float | None]] = {source: {} for source in densities}
    for kind in kinds:
        values = [shares[kind] for shares in densities.values()]
        mean, deviation = statistics.fmean(values), statistics.pstdev(values)
        for source, value in zip(densities, values, strict=True):
            flat = deviation <= 1e-12 * max(map(abs, values))
            found[source][kind] = None if flat else (value - mean) / deviation
    return found


def _figures(pages: Sequence[Layout]) -> dict[str, float | None]:
    """The six figures of one source."""
    shares = [page.shares() for page in pages]
    counts = [Counter(block.kind for block in page.blocks) for page in pages]
    visual = sum(share for page in shares for kind, share in page.items() if kind in VISUAL)
    whole = sum(share for page in shares for share in page.values())
    text = whole - visual
    values = (
        whole / len(pages),
        statistics.fmean(len(count) for count in counts),
        statistics.fmean(count.total() for count in counts),
        entropy(sum(counts, Counter())),
        text / whole if whole else None,
        visual / whole if whole else None,
    )
    return dict(zip(FIGURES, values, strict=True))


def entropy(counts: Mapping[str, int]) -> float | None:
    """Shannon's entropy of how often each kind occurs, in bits; none where nothing does."""
    total = sum(counts.values())
    if not total:
        return None
    shares = (count / total for count in counts.values() if count)
    return sum(-share * math.log2(share) for share in shares)


def scaled(figures: Mapping[str, Mapping[str, float | None]]) -> dict[str, dict[str, float | None]]:
    """Each figure from 0 (least of the sources) to 1 (most), for colouring a column."""
    found: dict[str, dict[str, float | None]] = {source: {} for source in figures}
    for name in FIGURES:
        values = [value for row in figures.values() if (value := row[name]) is not None]
        low, high = (min(values), max(values)) if values else (0.0, 0.0)
        for source, row in figures.items():
            value = row[name]
            found[source][name] = (
                None if value is None or high == low else (value - low) / (high - low)
            )
    return found


# ── a benchmark's samples ───────────────────────────────────────────────────────────────────


def layouts_of(samples: Iterable[Sample]) -> list[Layout]:
    """The truth pages of samples that know their blocks, each page once."""
    found: dict[str, Layout] = {}
    for sample in samples:
        if "page_blocks" in sample.facts and (sample.cluster or sample.id) not in found:
            width, height = _size(sample.reference)
            blocks = from_json({"parsing_res_list": sample.facts["page_blocks"]})
            source = sample.tags.get("document", "document")
            found[sample.cluster or sample.id] = Layout(source, width, height, blocks)
    return list(found.values())


def _size(document: Document) -> tuple[int, int]:
    if document.path:
        return read_size(document.path)
    height, width = document.rgb.shape[:2]
    return width, height

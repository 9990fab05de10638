"""HTML tables as trees, and how alike two trees are.

A tree is a `table` with sections (thead, tbody, tfoot) as written, rows, and cells. A cell's
label holds its row and column span; its text is compared by the normalised Levenshtein distance.
The similarity is the TEDS of Zhong et al. 2020, 1 − edit distance / the larger number of nodes,
counted as in their program without the `table` itself. Unlike there, `th` is a cell like `td`,
and a cell is its plain text with white space folded: formatting inside a cell counts nothing.

Whatever stands in the HTML, reading it finds a table or none:

- a tag closes what cannot contain it; a cell outside a row, a row outside a table imply one;
- an end tag closes what it names, with all inside, or nothing;
- a second table goes on where the first one ended; a table inside a cell is that cell's text;
- `br` and blocks inside a cell are white space; text outside cells, scripts and styles go;
- a span that is no whole number from 1 is 1 (`rowspan="0"`, to the end, stays), and at most 1000
  columns or 65,534 rows, as in the HTML standard.
"""

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import DataError

MOST_CHARACTERS = 500_000
MOST_NODES = 3_000  # the time and the memory of a distance grow with the square

SECTIONS = ("thead", "tbody", "tfoot")
CELLS = ("td", "th", "caption")
SPACED = ("br", "p", "div", "li", "tr", "td", "th", "table", "caption")
UNSEEN = ("script", "style")


@dataclass
class Node:
    """A node while its tree is read."""

    label: tuple[str, int, int]  # tag, rows, columns
    text: list[str] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)


@dataclass(frozen=True)
class Tree:
    """The nodes in postorder: label, text (white space folded), place of the leftmost leaf."""

    labels: tuple[tuple[str, int, int], ...]
    texts: tuple[str, ...]
    leftmost: tuple[int, ...]

    @property
    def roots(self) -> list[int]:
        """The nodes with a sibling to their left, and the root: the last with each leaf."""
        return sorted({leaf: place for place, leaf in enumerate(self.leftmost)}.values())


def tree(root: Node) -> Tree:
    """A node and all below it."""
    nodes = list(_postorder(root, 0))
    return Tree(
        tuple(node.label for node, _ in nodes),
        tuple(" ".join("".join(node.text).split()) for node, _ in nodes),
        tuple(leaf for _, leaf in nodes),
    )


def _postorder(node: Node, place: int) -> Iterator[tuple[Node, int]]:
    """The nodes below and then this one, with their leftmost leaves; the first is at `place`."""
    first = place
    for child in node.children:
        for found in _postorder(child, place):
            place += 1
            yield found
    yield node, first


def table(html: str) -> Tree | None:
    """The table in some HTML, or None if there is none; the rules stand at the file's head."""
    if len(html) > MOST_CHARACTERS:
        raise DataError(
            f"A table of {len(html):,} characters of HTML is too large.",
            f"At most {MOST_CHARACTERS:,} are compared as trees.",
        )
    reader = _Reader()
    # The last tag makes the parser hand over what stands before it. Closing the parser would do
    # so too, but looks at a rest of broken tags again and again, for minutes if there are many.
    with contextlib.suppress(AssertionError):  # raised at some declarations, such as "<![x"
        reader.feed(html + "<br>")
    return None if reader.root is None else tree(reader.root)


class _Reader(HTMLParser):
    """What is open while a table is read: a section, a row, a cell, tables inside the cell."""

    def __init__(self) -> None:
        super().__init__()
        self.root: Node | None = None
        self.section: Node | None = None
        self.row: Node | None = None
        self.cell: Node | None = None
        self.inner = 0
        self.nodes = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.cell and (self.inner or tag == "table"):
            self.inner += tag == "table"
        elif tag == "table":
            self._close("table")
            self.root = self.root or self._opened(tag)
        elif tag in SECTIONS:
            self._close("table")
            self.section = self._opened(tag)
        elif tag == "tr":
            self._close("tr")
            self.row = self._opened(tag)
        elif tag == "caption":
            self._close("table")
            self.cell = self._opened(tag)
        elif tag in CELLS:
            self.row = self.row or self._opened("tr")
            self.cell = self._opened("td", dict(attrs))
        self._space(tag)

    def handle_endtag(self, tag: str) -> None:
        self._space(tag)
        if self.inner:
            self.inner -= tag == "table"
        else:
            self._close(tag)

    def handle_data(self, data: str) -> None:
        if self.cell and self.cdata_elem not in UNSEEN:
            self.cell.text.append(data)

    def _space(self, tag: str) -> None:
        if self.cell and tag in SPACED:
            self.cell.text.append(" ")

    def _close(self, tag: str) -> None:
        if tag in ("table", *SECTIONS):
            self.section = None
        if tag in ("table", *SECTIONS, "tr"):
            self.row = None
        if tag in ("table", *SECTIONS, "tr", *CELLS):
            self.cell = None

    def _opened(self, tag: str, spans: dict[str, str | None] | None = None) -> Node:
        """A new node below what is open; spans are given for a cell."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise DataError(
                f"A table of more than {MOST_NODES:,} rows and cells is too large.",
                f"At most {MOST_NODES:,} are compared as trees.",
            )
        rows = _span((spans or {}).get("rowspan"), 0, 65_534)
        columns = _span((spans or {}).get("colspan"), 1, 1000)
        node = Node((tag, rows, columns))
        if tag != "table":
            self.root = self.root or self._opened("table")
            (self.row or self.section or self.root).children.append(node)
        return node


def _span(written: str | None, least: int, most: int) -> int:
    """The number a span begins with, as browsers read it, within its bounds; else 1."""
    if written is None:
        return 1
    digits = re.match(r"\s*\+?0*([0-9]{1,9})", written)
    number = int(digits.group(1)) if digits else 1
    return min(number, most) if number >= least else 1


# ── distance ────────────────────────────────────────────────────────────────────────────


def similarity(a: Tree, b: Tree) -> float:
    """TEDS: 1 for equal trees, 0 where the edits are as many as the larger tree has nodes."""
    larger = max(len(a.labels), len(b.labels)) - 1
    return max(0.0, 1 - distance(a, b) / larger) if larger else float(a == b)


def distance(a: Tree, b: Tree) -> float:
    """The least cost of edits that turn one tree into the other."""
    from overpaint.measures.tree_kernels import edit_distance

    left = np.array(a.leftmost, np.int64), np.array(b.leftmost, np.int64)
    roots = np.array(a.roots, np.int64), np.array(b.roots, np.int64)
    return float(edit_distance(left, roots, _renaming(a, b)))


def _renaming(a: Tree, b: Tree) -> NDArray[np.float64]:
    """What it costs to change each node into each other: 1, or between like labels their text."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    (mine, of_mine), (theirs, of_theirs) = _numbered(a.texts), _numbered(b.texts)
    texts = cdist(mine, theirs, scorer=Levenshtein.normalized_distance, dtype=np.float64)
    names = {label: number for number, label in enumerate({*a.labels, *b.labels})}
    labels = [np.array([names[label] for label in one.labels]) for one in (a, b)]
    same = labels[0][:, None] == labels[1][None, :]
    return np.where(same, texts[of_mine[:, None], of_theirs[None, :]], 1.0)


def _numbered(texts: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """The different texts, and which of them each one is."""
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(text, len(numbers)) for text in texts]
    return list(numbers), np.array(places, np.int64)

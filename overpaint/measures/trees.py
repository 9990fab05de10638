"""HTML tables as trees, and how alike two trees are.

A tree is a `table` with sections (thead, tbody, tfoot) as written, rows, and cells. A cell's
label holds its row and column span; its text is compared by the normalised Levenshtein distance.
The similarity is the TEDS of Zhong et al. 2020, 1 − edit distance / the larger number of nodes,
counted as in their program without the `table` itself. Unlike there, `th` is a cell like `td`,
and a cell is its plain text with white space folded: formatting inside a cell counts nothing.

Whatever stands in the HTML, reading it finds a table or none:

- a tag ends at the first ">", or where the next tag begins, or at the end;
- a tag closes what cannot contain it; a cell outside a row, a row outside a table imply one;
- an end tag closes what it names, with all inside, or nothing;
- a second table goes on where the first one ended; a table inside a cell is that cell's text;
- `br` and blocks inside a cell are white space; text outside cells, scripts and styles go;
- a span that is no whole number from 1 is 1 (`rowspan="0"`, to the end, stays), and at most 1000
  columns or 65,534 rows, as in the HTML standard.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import DataError

MOST_CHARACTERS = 500_000
MOST_NODES = 3_000  # the time and the memory of a distance grow with the square

# How deep a tag stands; it closes whatever is as deep or deeper.
RANKS = {"table": 0, "caption": 1, "thead": 1, "tbody": 1, "tfoot": 1, "tr": 2, "td": 3, "th": 3}
CELLS = ("td", "th")
SPACED = frozenset({"br", "p", "div", "li", *RANKS})

Label = tuple[str, int, int]  # tag, rows, columns
T = TypeVar("T", Label, str)


@dataclass
class Node:
    """A node while its tree is read."""

    label: Label
    text: list[str] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)


@dataclass(frozen=True)
class Tree:
    """The nodes in postorder: label, text (white space folded), place of the leftmost leaf."""

    labels: tuple[Label, ...]
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
    reader, place = _Reader(), 0
    for piece in _PIECE.finditer(html):
        reader.read(html[place : piece.start()])
        if piece["tag"]:
            (reader.end if piece["end"] else reader.start)(piece["tag"].lower(), piece["rest"])
        place = piece.end()
    reader.read(html[place:])
    return None if reader.root is None else tree(reader.root)


# Not html.parser: what that makes of broken tags changes with the version of Python, and takes
# minutes for some. Here every branch ends before the next "<" or takes all that is left.
_PIECE = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<unseen>(?i:script|style))\b[^<>]*>.*?(?:</(?i:(?P=unseen))\b[^<>]*>|\Z)"
    r"|<[!?][^>]*(?:>|\Z)"
    r"|<(?P<end>/?)(?P<tag>[a-zA-Z][^\s/<>]*)(?P<rest>[^<>]*)(?:>|(?=<)|\Z)",
    re.DOTALL,
)


class _Reader:
    """Reads a table: what is open, from the table down, and how many tables are in its cell."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.open: list[Node] = []
        self.cell: Node | None = None  # the innermost open node, if it holds text
        self.inner = self.nodes = 0

    def start(self, tag: str, attributes: str) -> None:
        if self.inner or (self.cell and tag == "table"):
            self.inner += tag == "table"
        elif tag in RANKS:
            self._enter(tag, attributes)
        self._space(tag)

    def end(self, tag: str, _: str) -> None:
        self._space(tag)
        if self.inner:
            self.inner -= tag == "table"
        elif tag in RANKS:
            name = "td" if tag == "th" else tag
            if any(node.label[0] == name for node in self.open):
                self._leave(RANKS[tag])

    def read(self, words: str) -> None:
        if self.cell and words:
            self.cell.text.append(unescape(words))

    def _space(self, tag: str) -> None:
        if self.cell and tag in SPACED:
            self.cell.text.append(" ")

    def _leave(self, rank: int) -> None:
        while self.open and RANKS[self.open[-1].label[0]] >= rank:
            self.open.pop()
        self.cell = None

    def _enter(self, tag: str, attributes: str = "") -> None:
        self._leave(RANKS[tag])
        if tag == "table" and self.root:
            self.open.append(self.root)
            return
        if tag != "table" and not self.open:
            self._enter("table")
        if tag in CELLS and self.open[-1].label[0] != "tr":
            self._enter("tr")
        self._add(Node(_label(tag, attributes)))

    def _add(self, node: Node) -> None:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise DataError(
                f"A table of more than {MOST_NODES:,} rows and cells is too large.",
                f"At most {MOST_NODES:,} are compared as trees.",
            )
        if self.open:
            self.open[-1].children.append(node)
        self.root = self.root or node
        self.open.append(node)
        self.cell = node if node.label[0] in ("td", "caption") else None


def _label(tag: str, attributes: str) -> Label:
    if tag not in CELLS:
        return tag, 1, 1
    written = reversed(_SPAN.findall(attributes))  # of two the first counts
    spans = {name.lower(): int(number) for name, number in written}
    return "td", min(spans.get("rowspan", 1), 65_534), min(spans.get("colspan", 1) or 1, 1000)


# The number that a span begins with, as browsers read it.
_SPAN = re.compile(
    r"""(?<![\w-])(rowspan|colspan)\s*=\s*["']?\s*\+?0*([0-9]{1,9})""", re.IGNORECASE
)


# ── distance ────────────────────────────────────────────────────────────────────────────


def similarity(a: Tree, b: Tree) -> float:
    """TEDS: 1 for equal trees, 0 where the edits are as many as the larger tree has nodes."""
    larger = max(len(a.labels), len(b.labels)) - 1
    return max(0.0, 1 - distance(a, b) / larger) if larger else float(a == b)


def distance(a: Tree, b: Tree) -> float:
    """The least cost of edits that turn one tree into the other."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    from overpaint.measures.tree_kernels import edit_distance

    left = np.array(a.leftmost, np.int64), np.array(b.leftmost, np.int64)
    roots = np.array(a.roots, np.int64), np.array(b.roots, np.int64)
    _, labels = _numbered([*a.labels, *b.labels])
    (mine, of_mine), (theirs, of_theirs) = _numbered(a.texts), _numbered(b.texts)
    texts = cdist(mine, theirs, scorer=Levenshtein.normalized_distance, dtype=np.float64)
    both = labels[: len(a.labels)], labels[len(a.labels) :]
    return float(edit_distance(left, roots, both, (of_mine, of_theirs), texts))


def _numbered(things: Sequence[T]) -> tuple[list[T], NDArray[np.int64]]:
    """The different things, and which of them each one is."""
    numbers: dict[T, int] = {}
    places = [numbers.setdefault(thing, len(numbers)) for thing in things]
    return list(numbers), np.array(places, np.int64)

"""What VDE Bench's released scripts compute, quirks included, and the paper's own formulas.

The scripts differ from the paper, and both from the defaults in `measures/text.py`:

- blocks are matched greedily by IoU from 0.1 up, whatever their kinds and their frames
  (`match_official`); the paper's matching is `match_blocks(…, cap=None)`;
- BLEU splits at white space, adds 1 to every count, and gives 1e-9 to n-grams a text is too
  short for (`bleu4_official`): an identical Chinese sentence has 1.8e-7, ten unrelated words .106;
- the tags of a table each become a space before CDM and BLEU (`plain`);
- TEDS is a top-down edit of HTML table blocks alone, and ignores spans (`teds_official`);
- local scores are those of whole blocks that touch the box (`touching`), not of what is in it;
- scores are pooled over the blocks of all files; IoU counts true blocks, the others matched ones;
  a missing prediction is left out (`pool`);
- a deletion succeeds where nothing is read in the box, for want of a file too (`succeeds`).
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import NamedTuple

import numpy as np

from overpaint.document import Pixels
from overpaint.errors import DataError, NotApplicable
from overpaint.measures.text import ORDERS, cdm, similarity
from overpaint.vision.page import Block, Box

LEAST_IOU = 0.1
WINDOW = 7  # pixels a side, of SSIM
SIMILAR = 0.8  # the ratio from which an edit that is no deletion succeeds
EPSILON = 1e-9  # the precision of n-grams that a text is too short for
MOST_DEEP = 400  # the scripts' own recursion breaks off between 400 and 500 nested tags
MOST_PAIRED = 4_000_000  # nodes of one tree times nodes of the other, some ten seconds
MOST_COMPARED = 10**8  # characters by characters; difflib can take half a minute for as many


# ── matching ────────────────────────────────────────────────────────────────────────────


class Match(NamedTuple):
    """A candidate block and a true one that the scripts hold together."""

    candidate: int
    reference: int
    iou: float


def match_official(candidate: Sequence[Box], reference: Sequence[Box]) -> list[Match]:
    """Greedy pairs by IoU, the largest first; of equal ones the earlier true block's."""
    near: list[Match] = []
    boxes = np.array(candidate, np.float64).reshape(-1, 4)
    for true, box in enumerate(reference):
        shares = _ious(boxes, np.array(box, np.float64))
        near += [Match(int(i), true, float(shares[i])) for i in np.flatnonzero(shares >= LEAST_IOU)]
    near.sort(key=lambda match: -match.iou)
    used: tuple[set[int], set[int]] = (set(), set())
    kept = []
    for match in near:
        if match.candidate not in used[0] and match.reference not in used[1]:
            kept.append(match)
            used[0].add(match.candidate)
            used[1].add(match.reference)
    return kept


def _ious(boxes: np.ndarray, box: np.ndarray) -> np.ndarray:
    """IoU of many boxes with one; 0 where neither has an area, equal or not."""
    with np.errstate(all="ignore"):
        sides = np.minimum(boxes[:, 2:], box[2:]) - np.maximum(boxes[:, :2], box[:2])
        shared = np.maximum(sides, 0).prod(axis=1)
        areas = np.maximum(boxes[:, 2:] - boxes[:, :2], 0).prod(axis=1)
        covered = np.maximum(box[2:] - box[:2], 0).prod() + areas - shared
        return np.where(covered > 0, shared / covered, 0.0)


def touching(blocks: Sequence[Block], boxes: Sequence[Box]) -> list[Block]:
    """The blocks, whole, that share any area with any of the boxes."""
    return [block for block in blocks if any(_meet(block.box, box) for box in boxes)]


def _meet(a: Box, b: Box) -> bool:
    across, down = min(a[2], b[2]) > max(a[0], b[0]), min(a[3], b[3]) > max(a[1], b[1])
    return across and down


# ── text ────────────────────────────────────────────────────────────────────────────────


def is_html(block: Block) -> bool:
    """Whether the scripts take a block's text for HTML."""
    return block.kind == "table" and block.text.strip().startswith("<")


def plain(block: Block) -> str:
    """A block's text, that of a table with each tag as a space: "12" in two cells is "1  2"."""
    if not is_html(block):
        return block.text
    end = block.text.rfind(">") + 1  # beyond it the search would start anew from every "<"
    return (re.sub(r"<[^>]+>", " ", block.text[:end]) + block.text[end:]).strip()


def bleu4_official(candidate: str, reference: str) -> float:
    """BLEU of white-space tokens with 1 added to all counts; an order without n-grams is 1e-9."""
    return _additive_bleu(candidate.split(), reference.split(), EPSILON)


def bleu4_paper(candidate: str, reference: str) -> float:
    """The paper's formula 17: the same, and 0 for a text of fewer than four tokens.

    By additive smoothing an order without n-grams would have (0 + 1) / (0 + 1), and a wrong word
    .84. The printed .15 to .17 for Chinese, whose blocks are mostly one token, exclude that.
    """
    return _additive_bleu(candidate.split(), reference.split(), 0.0)


def teds_like_paper(candidate: str, reference: str) -> float:
    """The paper's formula 18 on white-space tokens: a Chinese block is right as a whole or not."""
    return similarity(candidate.split(), reference.split())


def _additive_bleu(candidate: list[str], reference: list[str], too_short: float) -> float:
    if not candidate or not reference:
        return float(candidate == reference)
    logs = 0.0
    for n in range(1, ORDERS + 1):
        mine, theirs = (
            Counter(zip(*(words[start:] for start in range(n)), strict=False))
            for words in (candidate, reference)
        )
        precision = ((mine & theirs).total() + 1) / (mine.total() + 1) if mine else too_short
        if not precision:
            return 0.0
        logs += math.log(precision)
    brevity = min(0.0, 1 - len(reference) / len(candidate))
    return math.exp(brevity + logs / ORDERS)


def ratio(a: str, b: str) -> float:
    """difflib's similarity of a truth and a candidate, in that order: it is not symmetric."""
    from difflib import SequenceMatcher

    if len(a) * len(b) > MOST_COMPARED:
        raise DataError(
            f"Texts of {len(a):,} and {len(b):,} characters are too long for difflib.",
            f"The product of their lengths may be {MOST_COMPARED:,}.",
        )
    return SequenceMatcher(None, a, b).ratio()


# ── tables ──────────────────────────────────────────────────────────────────────────────


@dataclass
class _Node:
    tag: str
    text: list[str] = field(default_factory=list)
    children: list["_Node"] = field(default_factory=list)
    size: int = 1


class _Reader(HTMLParser):
    """Tags nested as they come: an end tag closes the innermost one, whatever its name.

    So a `br` swallows what follows it, and of several outermost elements the last one counts.
    """

    def __init__(self) -> None:
        super().__init__()
        self.root: _Node | None = None
        self.open: list[_Node] = []
        self.below: list[tuple[_Node, _Node]] = []  # (parent, child) as they were opened

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = _Node(tag)
        if self.open:
            self.open[-1].children.append(node)
            self.below.append((self.open[-1], node))
        else:
            self.root = node
        self.open.append(node)
        if len(self.open) > MOST_DEEP:
            raise DataError(
                f"A table has more than {MOST_DEEP} tags inside one another.",
                "The official script itself breaks off soon after that.",
            )

    def handle_endtag(self, tag: str) -> None:
        if self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open:
            self.open[-1].text.append(data)


def teds_official(candidate: Block, reference: Block) -> float | None:
    """The scripts' TEDS of two blocks: None unless one is an HTML table, 0 if the other is not."""
    if not is_html(candidate) and not is_html(reference):
        return None
    if not is_html(candidate) or not is_html(reference):
        return 0.0
    mine, theirs = _read(candidate.text), _read(reference.text)
    if mine is None or theirs is None:
        return float(mine is theirs)
    if mine.size * theirs.size > MOST_PAIRED:
        raise DataError(
            f"Tables of {mine.size:,} and {theirs.size:,} tags are too large.",
            f"The product of their numbers may be {MOST_PAIRED:,}.",
        )
    return max(0.0, 1 - _top_down(mine, theirs) / max(mine.size, theirs.size))


def _read(html: str) -> _Node | None:
    reader = _Reader()
    try:
        reader.feed(html)  # not closed: a rest that may be unfinished is not read
    except AssertionError:  # html.parser gives up on some declarations, such as "<![x"
        return None
    for parent, child in reversed(reader.below):
        parent.size += child.size
    return reader.root


def _top_down(a: _Node, b: _Node) -> float:
    """The cost of edits that delete and insert whole subtrees only, level by level."""
    row = [0.0]
    for other in b.children:
        row.append(row[-1] + other.size)
    for child in a.children:
        above, row = row, [row[0] + child.size]
        for place, other in enumerate(b.children):
            gone, come = above[place + 1] + child.size, row[place] + other.size
            row.append(min(gone, come, above[place] + _top_down(child, other)))
    return _renamed(a, b) + row[-1]


def _renamed(a: _Node, b: _Node) -> float:
    if a.tag != b.tag:
        return 1.0
    return 1 - cdm("".join(a.text).strip(), "".join(b.text).strip())


# ── pixels ──────────────────────────────────────────────────────────────────────────────


def ssim_official(a: Pixels, b: Pixels) -> float:
    """SSIM as scikit-image has it by default: even windows of 7×7, sample covariance, colours."""
    import cv2

    if min(a.shape[:2]) < WINDOW:
        raise NotApplicable(f"The picture is smaller than the scripts' window of {WINDOW} pixels.")
    x, y = a.astype(np.float64), b.astype(np.float64)
    mean_x, mean_y, squares_x, squares_y, products = (
        cv2.boxFilter(part, -1, (WINDOW, WINDOW)) for part in (x, y, x * x, y * y, x * y)
    )
    sample = WINDOW**2 / (WINDOW**2 - 1)
    var_x, var_y = sample * (squares_x - mean_x**2), sample * (squares_y - mean_y**2)
    covariance = sample * (products - mean_x * mean_y)
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    similar = (2 * mean_x * mean_y + c1) * (2 * covariance + c2)
    similar /= (mean_x**2 + mean_y**2 + c1) * (var_x + var_y + c2)
    rim = WINDOW // 2
    return float(similar[rim:-rim, rim:-rim].mean())


# ── results ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Pooled:
    """Sums and counts over blocks, so that those of several pages can be added."""

    true: int = 0
    predicted: int = 0
    matched: int = 0
    iou: float = 0.0
    cdm: float = 0.0
    bleu: float = 0.0
    teds: float = 0.0
    tables: int = 0  # matched pairs with a table in them, over which TEDS is a mean

    def __add__(self, other: "Pooled") -> "Pooled":
        pairs = zip(vars(self).items(), vars(other).values(), strict=True)
        return Pooled(**{name: mine + theirs for (name, mine), theirs in pairs})

    @property
    def means(self) -> dict[str, float | None]:
        """The printed numbers: 0 for a mean of nothing, except that TEDS is None."""
        matched = self.matched or 1
        return {
            "iou": self.iou / (self.true or 1),
            "cdm": self.cdm / matched,
            "bleu": self.bleu / matched,
            "teds": self.teds / self.tables if self.tables else None,
        }


def page(candidate: Sequence[Block], reference: Sequence[Block]) -> Pooled:
    """One page's part of the pool; for local scores hand in the blocks that are `touching`."""
    found = Pooled(true=len(reference), predicted=len(candidate))
    boxes = [block.box for block in candidate], [block.box for block in reference]
    for match in match_official(*boxes):
        found += _pair(candidate[match.candidate], reference[match.reference], match.iou)
    return found


def _pair(candidate: Block, reference: Block, iou: float) -> Pooled:
    mine, true = plain(candidate), plain(reference)
    teds = teds_official(candidate, reference)
    return Pooled(
        matched=1,
        iou=iou,
        cdm=cdm(mine, true),
        bleu=bleu4_official(mine, true),
        teds=teds or 0.0,
        tables=teds is not None,
    )


def pool(pages: Iterable[tuple[Sequence[Block] | None, Sequence[Block]]]) -> Pooled:
    """The blocks of all pages together; a page without a prediction, None, is left out."""
    parts = (page(candidate, true) for candidate, true in pages if candidate is not None)
    return sum(parts, Pooled())


def region_text(blocks: Sequence[Block], box: Box) -> str:
    """The texts, tags and all, of blocks with an IoU of 0.1 with the box, best first."""
    shares = _ious(np.array([b.box for b in blocks], np.float64).reshape(-1, 4), np.array(box))
    order = np.argsort(-shares, kind="stable")
    texts = (blocks[place].text for place in order if shares[place] >= LEAST_IOU)
    return " ".join(text for text in texts if text.strip()).strip()


def succeeds(
    candidate: Sequence[Block], reference: Sequence[Block], box: Box, *, instruction_type: str
) -> bool:
    """Whether the region script calls an edit a success; a missing file is a page of no blocks."""
    mine = region_text(candidate, box)
    if "deletion" in instruction_type.lower():
        return not mine
    return ratio(region_text(reference, box), mine) >= SIMILAR

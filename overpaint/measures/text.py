"""How well a text was read or written: the formulas of VDE Bench, and the matching of blocks.

    cdm         1 − Levenshtein distance / the longer length, in characters
    bleu4       sacrebleu's sentence BLEU, from 0 to 1, on `tokens`
    teds_like   1 − Levenshtein distance / the longer length, in `tokens`
    teds        tree edit distance of two HTML tables (Zhong et al. 2020, "Image-based table
                recognition: data, model, and evaluation")
    cer         Levenshtein distance / the length of the truth: an error, and above 1 at times

The first three are 1 for equal texts, two empty ones among them, and `teds` for equal tables;
without a table in the truth it does not apply. All take the texts as they stand; whoever wants
spacing and width forgiven writes `cdm(normalised(a), normalised(b))`.
"""

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import DataError, NotApplicable
from overpaint.stats.boxes import iou
from overpaint.vision.page import Box

ORDERS = 4  # n-grams of one to four tokens

# The time of a distance grows with the product of the lengths: this is about ten seconds.
MOST_PAIRED = 10**12
# Putting marks in order takes time quadratic in their number. No writing stacks more (UAX #15).
MOST_MARKS = 30

# Characters that stand for a word or a syllable each: Han, kana, bopomofo, hangul and its parts.
_CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u302e-\u302f\u3031-\u3035\u3038-\u303c"
    "\u3040-\u30ff\u3100-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_FOLDED = str.maketrans(
    "‘’‚‛′“”„‟″‐‑‒–—―−", "'''''" + '"""""' + "-------"
)  # as keyboards have them


# ── text ────────────────────────────────────────────────────────────────────────────────


def normalised(text: str) -> str:
    """The text without differences that a reader of the page could not see.

    Compatibility forms are folded (NFKC: full-width letters, ligatures, …), quotation marks and
    dashes become the ASCII ones, invisible and control characters go, white space becomes single
    spaces, none at the ends nor beside a Chinese, Japanese or Korean character. Case stays.
    """
    kept = (c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf"))
    text = _unstacked("".join(kept).translate(_FOLDED))
    text = " ".join(unicodedata.normalize("NFKC", text).translate(_FOLDED).split())
    # Characters that a space kept apart may have a common form.
    return unicodedata.normalize("NFC", re.sub(rf"(?<=[{_CJK}]) | (?=[{_CJK}])", "", text))


def _unstacked(text: str) -> str:
    """The text without the marks that would take normalising a time quadratic in their number."""
    shapes = text.translate(_SHAPES)
    if "m" * (MOST_MARKS + 1) not in shapes:
        return text
    runs = re.finditer(f"([^m]*m{{0,{MOST_MARKS}}})m*", shapes)
    return "".join(text[run.start(1) : run.end(1)] for run in runs)


def tokens(text: str) -> list[str]:
    """What counts as a unit of the text, by script.

    A Chinese, Japanese or Korean character is a token; so is a run of other letters and digits,
    with apostrophes inside it and with points and commas between its digits ("don't", "A4",
    "1,024.5"); so is any other visible character. A combining mark stays with what it follows.
    White space separates and is no token; scripts without it, such as Thai, give long tokens.
    """
    return [text[m.start() : m.end()] for m in _TOKEN.finditer(text.translate(_SHAPES))]


class _Shapes(dict[int, str]):
    """Of each character, on first sight, what it is in a token.

    w letter, 9 digit, c Chinese and the like, m mark, blank, . and ' joints, x anything else.
    """

    def __missing__(self, place: int) -> str:
        return self.setdefault(place, self._shape(chr(place)))

    def _shape(self, char: str) -> str:
        if char.isspace():
            return " "
        if char in ".,'’":
            return "'" if char in "'’" else "."
        if unicodedata.category(char)[0] == "M" or char in "\u200c\u200d":
            return "m"
        if re.match(f"[{_CJK}]", char):
            return "c"
        return "9" if char.isdecimal() else "w" if char.isalnum() or char == "_" else "x"


_SHAPES = _Shapes()
_TOKEN = re.compile(r"[w9][w9m]*(?:(?:(?<=9)\.(?=9)|'(?=[w9]))[w9m]+)*|[^ ]m*")


# ── formulas ────────────────────────────────────────────────────────────────────────────


def cdm(candidate: str, reference: str) -> float:
    """The character distance metric of VDE Bench: 1 for equal texts, 0 for nothing in common."""
    return similarity(candidate, reference)


def cer(candidate: str, reference: str) -> float:
    """The character error rate: edits per character of the truth, which must have some."""
    if not reference and candidate:
        raise NotApplicable(
            "The truth has no text, so there is no error rate per character of it.",
            "A character error rate needs a truth of at least one character.",
        )
    return distance(candidate, reference) / len(reference) if reference else 0.0


def teds_like(candidate: str, reference: str) -> float:
    """The TEDS-like similarity of VDE Bench: the character distance metric of tokens."""
    return similarity(tokens(candidate), tokens(reference))


def bleu4(candidate: str, reference: str) -> float:
    """BLEU of one sentence with exponential smoothing and effective order, as in sacrebleu.

    Papineni et al. 2002; smoothing: method 3 of Chen & Cherry 2014. One empty text gives 0.
    """
    return float(_bleu([tokens(candidate)], [tokens(reference)])[0])


def bleus(candidates: Sequence[str], references: Sequence[str]) -> list[float]:
    """`bleu4` of many pairs, the same as one by one and many times as fast."""
    found, true = ([tokens(text) for text in texts] for texts in (candidates, references))
    return [float(value) for value in _bleu(found, true)]


def teds(candidate: str, reference: str) -> float:
    """The tree-edit-distance similarity of two HTML tables; 0 for a candidate without a table."""
    from overpaint.measures import trees

    truth, found = trees.table(reference), trees.table(candidate)
    if truth is None:
        raise NotApplicable(
            "The truth has no table, so there is no structure to compare.",
            "TEDS needs a truth with an HTML table.",
        )
    return 0.0 if found is None else trees.similarity(found, truth)


class Likeness(NamedTuple):
    """The three text scores of a pair."""

    cdm: float
    bleu4: float
    teds_like: float


def compare(candidates: Sequence[str], references: Sequence[str]) -> list[Likeness]:
    """The three text scores of many pairs, the same as one by one and several times as fast."""
    found, true = ([tokens(text) for text in texts] for texts in (candidates, references))
    bleus = _bleu(found, true).tolist()
    return [
        Likeness(similarity(candidate, reference), bleu, similarity(mine, theirs))
        for candidate, reference, bleu, mine, theirs in zip(
            candidates, references, bleus, found, true, strict=True
        )
    ]


def similarity(candidate: Sequence[Any], reference: Sequence[Any]) -> float:
    """1 − Levenshtein distance / the longer length, of characters, tokens or anything."""
    longer = max(len(candidate), len(reference))
    return 1 - distance(candidate, reference) / longer if longer else 1.0


def distance(candidate: Sequence[Any], reference: Sequence[Any]) -> int:
    """The Levenshtein distance of two texts, or of two lists of tokens."""
    from rapidfuzz.distance import Levenshtein

    if len(candidate) * len(reference) > MOST_PAIRED and candidate != reference:
        raise DataError(
            f"Texts of {len(candidate):,} and {len(reference):,} characters are too long.",
            f"The product of two lengths may be {MOST_PAIRED:,}.",
            "Compare them in parts.",
        )
    return int(Levenshtein.distance(candidate, reference))


def _bleu(candidates: list[Any], references: list[Any]) -> NDArray[np.float64]:
    """BLEU of each pair of token lists, all pairs at once."""
    mine = np.array([len(words) for words in candidates], np.int64)
    theirs = np.array([len(words) for words in references], np.int64)
    logs, order = np.zeros(len(mine)), np.zeros(len(mine))
    halvings = np.ones(len(mine))
    some = np.zeros(len(mine), bool)
    for n, matches in enumerate(_matches(candidates, references), 1):
        total = np.maximum(mine - n + 1, 0)
        there, none = total > 0, (total > 0) & (matches == 0)
        some |= matches > 0
        order += there
        halvings[none] *= 2
        precision = np.where(none, 1 / halvings, matches) / np.maximum(total, 1)
        logs[there] += np.log(precision[there])
    brevity = np.minimum(1 - theirs / np.maximum(mine, 1), 0)
    score = np.where(some, np.exp(brevity + logs / np.maximum(order, 1)), 0.0)
    score[(mine == 0) & (theirs == 0)] = 1
    return score


def _matches(candidates: list[Any], references: list[Any]) -> Iterator[NDArray[np.float64]]:
    """For n = 1, 2, … how many n-grams of each candidate its reference has, each used once.

    All lists stand in one row. An n-gram is numbered by the number of its first n − 1 tokens,
    which tells the pair too, and its last token; so numbers stay small and need no hashing.
    """
    pairs, numbers = len(candidates), dict[Any, int]()
    lists = [*candidates, *references]
    sizes = np.array([len(words) for words in lists], np.int64)
    row = np.array(
        [numbers.setdefault(word, len(numbers)) for words in lists for word in words], np.int64
    )
    owner = np.repeat(np.arange(2 * pairs) % max(pairs, 1), sizes)
    ahead = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(row))  # tokens to the list's end
    ours = int(sizes[:pairs].sum())
    prefix = owner.copy()
    for n in range(1, ORDERS + 1):
        starts = np.flatnonzero(ahead >= n)
        grams = prefix[starts] * len(numbers) + row[starts + n - 1]
        first, number = np.unique(grams, return_index=True, return_inverse=True)[1:]
        prefix[starts] = number
        cut = int(np.searchsorted(starts, ours))
        found, true = (np.bincount(part, minlength=len(first)) for part in np.split(number, [cut]))
        yield np.bincount(owner[starts[first]], np.minimum(found, true), pairs).astype(np.float64)


# ── blocks ──────────────────────────────────────────────────────────────────────────────


def match_blocks(
    candidate: Sequence[Box], reference: Sequence[Box], *, cap: float | None
) -> list[tuple[int, int]]:
    """Pairs (candidate, reference) of boxes, one to one, nearest centres first.

    Centres more than `cap` apart are no pair. Of equal distances the earlier reference goes
    first, then the earlier candidate. The pairs come in the order of the references.

    The greedy choice is found by chains of nearest neighbours: two boxes that are each other's
    nearest are a pair whatever else is still free, so no table of all distances is held.
    """
    sides = (_centres(reference), _centres(candidate))
    farthest = _FAR if cap is None else min(cap * cap, _FAR)
    pairs: list[tuple[int, int]] = []
    for start in np.flatnonzero(np.isfinite(sides[0][0])).tolist():
        links = [start] if np.isfinite(sides[0][0, start]) else []
        while links:  # references and candidates by turns, each the nearest of the one before
            here, there = sides if len(links) % 2 else sides[::-1]
            nearest, squared = _nearest(here[:, links[-1]], there)
            if squared > farthest:
                here[:, links.pop()] = math.inf
            elif links[-2:-1] == [nearest]:
                true, mine = links[:-3:-1] if len(links) % 2 else links[-2:]
                sides[0][:, true] = sides[1][:, mine] = math.inf
                pairs.append((mine, true))
                del links[-2:]
            else:
                links.append(nearest)
    return sorted(pairs, key=lambda pair: pair[1])


_FAR = 1e300  # any distance between places that can be reckoned with, squared


def _nearest(point: NDArray[np.float64], others: NDArray[np.float64]) -> tuple[int, float]:
    """The first of the nearest others and its squared distance; infinite where none is free."""
    if not others.shape[1]:
        return 0, math.inf
    squared = (others[0] - point[0]) ** 2 + (others[1] - point[1]) ** 2
    place = int(squared.argmin())
    return place, float(squared[place])


def _centres(boxes: Sequence[Box]) -> NDArray[np.float64]:
    """Two rows, x and y; infinite where a box has no place that can be reckoned with."""
    corners = np.array(boxes, np.float64).reshape(-1, 4)
    centres = ((corners[:, :2] + corners[:, 2:]) / 2).T
    centres[:, ~(np.abs(corners) < 1e100).all(axis=1)] = math.inf
    return centres


class Overlap(NamedTuple):
    """How well boxes lie on the true ones."""

    over_true: float  # mean over the true boxes, 0 for one that is not matched
    over_pairs: float | None  # mean over the matched pairs; None without any
    over_all: float  # the same sum over matched pairs and whatever is unmatched on either side


def overlap(
    candidate: Sequence[Box], reference: Sequence[Box], pairs: Sequence[tuple[int, int]]
) -> Overlap:
    """The three summaries of the IoU of matched boxes; no boxes on either side is 1, on one 0."""
    total = sum(iou(candidate[mine], reference[true]) for mine, true in pairs)
    everything = len(candidate) + len(reference) - len(pairs)
    if not everything:
        return Overlap(1.0, None, 1.0)
    return Overlap(
        total / len(reference) if reference else 0.0,
        total / len(pairs) if pairs else None,
        total / everything,
    )

"""Matching: where words stand in lines of text, as written, nearly so, or with a reader's slips.

What is more alike always wins: nothing is found by likeness that stands somewhere as it was
quoted, and `art` is not found in `party` where it stands by itself.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from overpaint.vision.joining import unspaced

Part = tuple[int, int, int]  # a line's number, and which of its letters: first, and after the last
Fold = Callable[[str], str]  # a letter as it is compared; empty: it does not count
Paths = Sequence[Sequence[int]]  # lines as they may be read one after another


@dataclass(frozen=True)
class Match:
    """Words that were found: which letters of which lines, and how alike they are, up to 1."""

    parts: tuple[Part, ...]
    likeness: float = 1.0

    def meets(self, parts: Sequence[Part]) -> bool:
        """Whether any of its letters are among those."""
        return any(a[0] == b[0] and a[1] < b[2] and b[1] < a[2] for a in self.parts for b in parts)


@dataclass(frozen=True)
class _Strip:
    """Letters of lines in a row, as they are compared, each with where it came from."""

    letters: str
    origins: tuple[tuple[int, int], ...]


LONGEST = 60  # lines that quoted words may run over
BRANCHES = 8  # ways to read on that are still open, at most

_SAME = {
    letter: mark
    for mark, letters in {
        '"': "“”„‟«»「」『』〝〞＂", "'": "‘’‚‛`´′＇", "-": "‐‑‒–—―−－﹣ー─", ".": "。．｡",
        ",": "、，､", "~": "～〜∼˜", "x": "×✕", ":": "：∶", "·": "•・∙⋅●", "<": "〈《", ">": "〉》",
        "°": "º˚",
    }.items()
    for letter in letters
}  # fmt: skip
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "!": "l", "5": "s", "8": "b"})
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_DIGITS = re.compile(r"\D")


def _as_is(letter: str) -> str:
    return " " if letter.isspace() else letter


def _plain(letter: str) -> str:
    if letter.isspace():
        return ""
    known = _SAME.get(letter)
    return known if known else unicodedata.normalize("NFKC", letter).casefold().replace(" ", "")


def _letters(letter: str) -> str:
    return "".join(one for one in _plain(letter) if one.isalnum() or one in "%$€£¥+#@&")


def _alike(letter: str) -> str:
    return _letters(letter).translate(_ALIKE)


def fold(words: str, how: Fold = _letters) -> str:
    """Words as they are compared: without spaces, case, width and punctuation."""
    return "".join(map(how, words))


# ── finding ─────────────────────────────────────────────────────────────────────────────


def find_words(words: str, texts: Sequence[str], paths: Paths) -> list[Match]:
    """Every place where the words stand, in the strictest sense in which they stand anywhere."""
    for how, whole in (
        (_as_is, True), (_plain, True), (_letters, True),
        (_as_is, False), (_plain, False), (_letters, False), (_alike, True),
    ):  # fmt: skip
        if how in (_letters, _alike) and len(fold(words)) < 2 < len(fold(words, _plain)) + 1:
            continue  # what is left would stand in too many places
        found = _exact(words, texts, paths, how)
        kept = [match for match in found if stands_alone(match, texts)] if whole else found
        if kept:
            return [_with_likeness(words, match, texts) for match in kept]
    return []


def find_alike(words: str, texts: Sequence[str], paths: Paths) -> list[Match]:
    """The places most like the words, where a few letters may be wrong; never a figure."""
    found: dict[tuple[Part, ...], Match] = {}
    for match in _likely(words, texts, paths):
        found[match.parts] = match
    best = max((match.likeness for match in found.values()), default=0.0)
    kept = sorted((m for m in found.values() if m.likeness > best - 0.02), key=lambda m: m.parts)
    return [m for i, m in enumerate(kept) if not any(m.meets(o.parts) for o in kept[:i])]


def nearest(words: str, texts: Sequence[str]) -> str:
    """The text that is most like the words, for a message; empty where there is none."""
    said = fold(words)
    scored = [(fuzz.partial_ratio(said, fold(text)), len(text), text) for text in texts if text]
    best = max(scored, key=lambda s: (s[0], -s[1]), default=(0.0, 0, ""))
    return best[2] if best[0] >= 50 else ""


def promising(words: str, texts: Sequence[str], paths: Paths, *, cutoff: float) -> set[int]:
    """The lines that may hold the words, judging by a glance that may have misread them."""
    said = fold(words)
    found: set[int] = set()
    for path in paths:
        strip = _strip(path, texts, _letters)
        if not strip.letters:
            continue
        best = fuzz.partial_ratio_alignment(said, strip.letters, score_cutoff=cutoff)
        if best is not None:
            touched = strip.origins[best.dest_start : max(best.dest_end, best.dest_start + 1)]
            found |= {line for line, _ in touched}
    return found


def stands_alone(match: Match, texts: Sequence[str]) -> bool:
    """Whether no letter or figure of the same word goes on before or after."""
    first, start, _ = match.parts[0]
    last, _, end = match.parts[-1]
    before, after = texts[first], texts[last]
    return not (_goes_on(before, start) or _goes_on(after, end))


def _goes_on(text: str, at: int) -> bool:
    """Whether the letters before and after a place belong to one word or number."""
    if not 0 < at < len(text):
        return False
    a, b = text[at - 1], text[at]
    if _wordly(a) and _wordly(b):
        return True
    around = text[max(0, at - 2) : at + 2]
    return bool(re.fullmatch(r"\d[.,:]\d.?|.?\d[.,:]\d", around))


def _wordly(letter: str) -> bool:
    return letter.isalnum() and not unspaced(letter)


# ── letters in a row ────────────────────────────────────────────────────────────────────


def _strip(path: Sequence[int], texts: Sequence[str], how: Fold) -> _Strip:
    letters: list[str] = []
    origins: list[tuple[int, int]] = []
    for n, line in enumerate(path):
        text = texts[line]
        if n and how is _as_is and letters and text and not _run_on(letters[-1], text[0]):
            letters.append(" ")
            origins.append((line, 0))
        for at, letter in enumerate(text):
            for one in how(letter):
                letters.append(one)
                origins.append((line, at))
    if how is _alike:
        return _paired("".join(letters), origins)
    return _Strip("".join(letters), tuple(origins))


def _run_on(before: str, after: str) -> bool:
    return unspaced(before) or unspaced(after) or before == " "


def _paired(letters: str, origins: Sequence[tuple[int, int]]) -> _Strip:
    """Two letters that look like one as that one."""
    kept: list[str] = []
    places: list[tuple[int, int]] = []
    at = 0
    while at < len(letters):
        one = next((to for pair, to in _PAIRS if letters.startswith(pair, at)), "")
        kept.append(one or letters[at])
        places.append(origins[at])
        at += 2 if one else 1
    return _Strip("".join(kept), tuple(places))


def _exact(words: str, texts: Sequence[str], paths: Paths, how: Fold) -> list[Match]:
    said = "".join(map(how, re.sub(r"\s+", " ", words.strip())))
    if how is _alike:
        said = _paired(said, [(0, 0)] * len(said)).letters
    found: dict[tuple[Part, ...], None] = {}
    for path in paths if said else ():
        strip = _strip(path, texts, how)
        at = strip.letters.find(said)
        while at >= 0:
            if strip.origins[at][0] != path[0]:
                break  # another path begins there
            parts = _parts(strip.origins[at : at + len(said)], texts)
            found[_with_marks(words, parts, texts) if how is _letters else parts] = None
            at = strip.letters.find(said, at + 1)
    return [Match(parts) for parts in _apart(found)]


def _parts(origins: Sequence[tuple[int, int]], texts: Sequence[str]) -> tuple[Part, ...]:
    """Letters by line; where words go on in the next line, they take the end of this one."""
    lines = list(dict.fromkeys(line for line, _ in origins))
    found = []
    for n, line in enumerate(lines):
        places = [at for one, at in origins if one == line]
        start = min(places) if n == 0 else 0
        end = max(places) + 1 if n == len(lines) - 1 else len(texts[line])
        found.append((line, start, end))
    return tuple(found)


def _with_marks(words: str, parts: tuple[Part, ...], texts: Sequence[str]) -> tuple[Part, ...]:
    """As many marks before and after as were quoted, where there are any."""
    said = words.strip()
    ahead = len(said) - len(said.lstrip("".join(c for c in said if not _letters(c))))
    behind = len(said) - len(said.rstrip("".join(c for c in said if not _letters(c))))
    (line, start, end), (last, first, stop) = parts[0], parts[-1]
    while ahead and start and _mark(texts[line][start - 1]):
        start, ahead = start - 1, ahead - 1
    while behind and stop < len(texts[last]) and _mark(texts[last][stop]):
        stop, behind = stop + 1, behind - 1
    if len(parts) == 1:
        return ((line, start, stop),)
    return ((line, start, end), *parts[1:-1], (last, first, stop))


def _mark(letter: str) -> bool:
    return not letter.isalnum() and not letter.isspace()


def _apart(found: dict[tuple[Part, ...], None]) -> Iterator[tuple[Part, ...]]:
    """The places, none within another: "aa" stands in "aaa" once."""
    kept: list[Match] = []
    for parts in sorted(found, key=lambda p: (p[0], -p[-1][2])):
        if not any(other.meets(parts) for other in kept):
            kept.append(Match(parts))
            yield parts


def said_by(match: Match, texts: Sequence[str]) -> str:
    """The words as they stand there, lines joined as their script wants it."""
    whole = ""
    for line, start, end in match.parts:
        piece = texts[line][start:end]
        whole += piece if not whole or not piece or _run_on(whole[-1], piece[0]) else f" {piece}"
    return whole


def _with_likeness(words: str, match: Match, texts: Sequence[str]) -> Match:
    one, other = fold(words, _plain), fold(said_by(match, texts), _plain)
    return Match(match.parts, Levenshtein.normalized_similarity(one, other))


# ── likeness ────────────────────────────────────────────────────────────────────────────


def slips(words: str) -> int:
    """How many letters of the words may be wrong."""
    size = len(words)
    if any(map(unspaced, words)):
        return 0 if size < 3 else 1 if size < 7 else size // 6
    return 0 if size < 5 else 1 if size < 9 else size // 7


def _likely(words: str, texts: Sequence[str], paths: Paths) -> Iterator[Match]:
    said = fold(words)
    allowed = slips(said)
    for path in paths if allowed else ():
        strip = _strip(path, texts, _letters)
        best = fuzz.partial_ratio_alignment(said, strip.letters, score_cutoff=60)
        if best is None or not strip.letters or len(strip.letters) < len(said) - allowed:
            continue
        start, end, wrong = _tightened(said, strip.letters, (best.dest_start, best.dest_end))
        if wrong > allowed or _DIGITS.sub("", said) != _DIGITS.sub("", strip.letters[start:end]):
            continue
        parts = _parts(strip.origins[start:end], texts)
        if parts[0][0] == path[0]:
            yield _with_likeness(words, Match(_with_marks(words, parts, texts)), texts)


def _tightened(said: str, letters: str, span: tuple[int, int]) -> tuple[int, int, int]:
    """The stretch near the span that takes the fewest changes, and how many."""
    reach = range(-2, 3)
    spans = [
        (max(0, span[0] + a), min(len(letters), max(span[1], span[0] + 1) + b))
        for a in reach
        for b in reach
    ]
    wrong, _, start, end = min(
        (Levenshtein.distance(said, letters[a:b]), abs(b - a - len(said)), a, b)
        for a, b in spans
        if a < b
    )
    return start, end, wrong


# ── lines one after another ─────────────────────────────────────────────────────────────


def paths_of(follows: Sequence[Sequence[int]], texts: Sequence[str], length: int) -> Paths:
    """From each line the ways to read on, long enough to hold words of that length."""
    sizes = [len(fold(text)) for text in texts]
    found: list[tuple[int, ...]] = []
    for first in range(len(follows)):
        ways: list[tuple[int, ...]] = [(first,)]
        while ways:
            path = ways.pop()
            # Words that begin with the last letter of the first line have to fit as well.
            short = sum(sizes[line] for line in path[1:]) < length and len(path) < LONGEST
            on = [n for n in follows[path[-1]] if n not in path] if short else []
            if not on or len(ways) > BRANCHES:
                found.append(path)
            else:
                ways += [(*path, n) for n in on]
    return found

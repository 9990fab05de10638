"""Words as a reader sees them: which letters it can tell apart, and which it may not.

Two texts are compared without spaces and, outside numbers, without punctuation, which a reader
gets wrong most often. What is the same but for letters that look alike (l, I and 1; O and 0; c
and C) has the same `key`; only what is the same to the letter has the same `bare`.
"""

from functools import lru_cache

from overpaint.measures.text import normalised
from overpaint.vision.joining import unspaced

MOST_PAIRED = 200_000  # letters of words times letters read, when the nearest part is sought

_KEPT = "%&$¥€£+#@"
# Letters that readers take for one another, and capitals that differ from small ones by size.
_TWINS = str.maketrans("lI|0OQCSVWXZUPKJ¥", "111ooocsvwxzupkjy")
# And those that it may take for one another where they are small or worn.
_NEAR = (
    " ec co eo ao hb nh un uv vy rn ij 1i 1j 1t tf gq g9 q9 5s 8b 6b 2z 38 17 7t rt mn 1f 1r 4a"
    " 日目 人入 八入 己已 土士 未末 天夭 千干 大太 木本 "
)
_NARROW, _BROAD = "1iljtf.,:;'!|I()", "mwMW@%"


def letters(text: str) -> list[tuple[str, int]]:
    """What is compared of a text, each letter with its place: signs only inside numbers."""
    plain = [(part, at) for at, letter in enumerate(text) for part in _folded(letter)]
    return [
        (part, at)
        for number, (part, at) in enumerate(plain)
        if part.isalnum() or part in _KEPT or _in_number(plain, number)
    ]


def _in_number(plain: list[tuple[str, int]], number: int) -> bool:
    beside = (plain[number - 1 : number], plain[number + 1 : number + 2])
    return all(one and one[0][0].isdigit() for one in beside)


@lru_cache(maxsize=4096)
def _folded(letter: str) -> str:
    return "".join(normalised(letter).split())


def bare(text: str) -> str:
    """The letters and figures of a text, signs kept only inside numbers."""
    return "".join(letter for letter, _ in letters(text))


def key(text: str) -> str:
    """The same with letters that look alike made one."""
    return bare(text).translate(_TWINS)


def signs(text: str) -> str:
    """All that is printed, spaces left out."""
    return "".join(normalised(text).split())


def near(one: str, other: str) -> bool:
    """Whether the letters in which two texts differ may well be a reader's own mistakes."""
    from rapidfuzz.distance import Levenshtein

    a, b = key(one), key(other)
    ops = [op for op in Levenshtein.opcodes(a, b) if op.tag != "equal"]
    for op in ops:
        gone, come = a[op.src_start : op.src_end], b[op.dest_start : op.dest_end]
        if op.tag != "replace" or len(gone) != len(come):
            return True  # a letter lost or won: it may be the edge of the line
        if any(
            f" {x}{y} " in _NEAR or f" {y}{x} " in _NEAR for x, y in zip(gone, come, strict=True)
        ):
            return True
    return False


def nearest(words: str, said: str) -> tuple[int, str]:
    """The part of what was read that is most like some words, both as keys, and its distance."""
    if len(words) * len(said) > MOST_PAIRED:
        return len(words), ""
    # Each cell: edits, the length that is missing or too much, and where the part begins.
    row = [(0, 0, at) for at in range(len(said) + 1)]
    for number, letter in enumerate(words, 1):
        last, row = row, [(number, number, 0)]
        for at, other in enumerate(said, 1):
            edits, off, start = last[at - 1]
            options = [(edits + (letter != other), off, start)]
            options += [(last[at][0] + 1, last[at][1] + 1, last[at][2])]
            options += [(row[at - 1][0] + 1, row[at - 1][1] + 1, row[at - 1][2])]
            row.append(min(options))
    end = min(range(len(row)), key=lambda at: row[at][:2])
    return row[end][0], said[row[end][2] : end]


def folded(text: str, *, cased: bool) -> str:
    """The key, capitals made small where case does not count."""
    found = key(text)
    lower = "".join(letter.lower()[:1] for letter in found)
    return found if cased else lower.translate(_TWINS)


def breadth(text: str) -> float:
    """How broad a text is set, in small letters of an average font."""
    return sum(map(width, text))


def width(letter: str) -> float:
    """How broad a letter is."""
    if unspaced(letter):
        return 2.0
    if letter in _NARROW:
        return 0.55
    if letter in _BROAD:
        return 1.5
    return 0.6 if letter == " " else 1.25 if letter.isupper() else 1.0

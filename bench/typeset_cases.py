"""The cases of the typeset bench: a page, an instruction, and the same page with the new words.

Three groups, fixed by their seed and known by their hash, made before the editor was tuned:

    known      224 replacements in fonts that the editor has
    held-out    64 replacements in eight families that it has not
    degraded    64 replacements in known fonts on scans that were shrunk, softened and JPEG-ed

Half are English and half Chinese (of the held-out ones a quarter is Chinese); known and held-out
stand on plain colours, scanned paper, gradients and made photographs in equal shares. The truth is
the same page, with the same noise, set again with the new words: what follows them on the line
moves, centred and right-aligned lines keep their axis. Outside the line nothing differs.

The region of a case is the tight box around the ink of the old words, the new words and whatever
of the line moved, and two pixels more. `python bench/typeset_cases.py OUT` writes the cases.
"""

import argparse
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import typeset_grounds as grounds
import typeset_targets as targets
from numpy.typing import NDArray
from PIL import Image, features
from PIL import __version__ as pillow
from typeset_fonts import HELD_FONTS, KNOWN_CHINESE, KNOWN_LATIN, Font
from typeset_grounds import GROUNDS, Field
from typeset_pages import MODES, Line, Sheet, Style, Talk, cover, layout, set_line, width
from typeset_press import Press, degraded, plain, scanned
from typeset_targets import CHANGES, Target

Pixels = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # left, top, right, bottom

SEED = 417
COUNTS = {"known": 224, "held-out": 64, "degraded": 64}
REVISIONS = {
    "known": "2ff1816dc23102302ec7c13f5234bbdcc08dfd62d0d214f488ae5c31cf1debc9",
    "held-out": "442e57c09ece8e5a928a71092a23ba1e1a27977d8116b4eceda1378401dd830c",
    "degraded": "4d4d8a83dd522db11e864082056b03f9eaf211e1c46553f54e4c6902503f9f45",
}
ENGINES = {
    "pillow": "13.0.0", "freetype": "2.14.3", "raqm": "0.11.0", "harfbuzz": "14.5.0",
    "jpeg": "3.2.0", "cv2": "5.0.0", "numpy": "2.4.6",
}  # fmt: skip
SIZES = (12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 32, 36, 40, 48, 56, 64)
MARGIN = 2  # pixels around the ink


@dataclass(frozen=True)
class Plan:
    """What a case is to be; everything else about it is chance."""

    group: str
    number: int
    ground: str
    language: str
    font: Font
    size: float  # of the letters in the picture, in pixels
    mode: Any
    kind: Any
    change: Any
    scale: float = 1.0  # by which a degraded page was shrunk

    @property
    def name(self) -> str:
        """A short name for tables and files."""
        return f"{self.group}-{self.number:03d}"


@dataclass(frozen=True)
class Case:
    """A page before and after, and all that is known about both."""

    plan: Plan
    layout: str
    target: Target
    instruction: str
    source: Pixels
    truth: Pixels
    region: Box  # what may change
    line_box: Box  # the ink of the whole line before and after
    perfect: Pixels  # true letters on a ground that was filled in: what a perfect font would give
    again: Pixels | None  # of a degraded page: the truth, degraded with another seed
    covered: float  # share of the new letters that stand elsewhere on the page
    page: tuple[str, ...]  # every line of the page, as it was
    style: Style

    @property
    def wanted(self) -> str:
        """What the line should say."""
        return self.target.after.words

    @property
    def digest(self) -> str:
        """A hash of the pictures and of what is asked."""
        seen = hashlib.sha256()
        for pixels in (self.source, self.truth):
            seen.update(np.ascontiguousarray(pixels).tobytes())
        told = [self.plan.name, self.instruction, self.region, self.wanted]
        seen.update(json.dumps(told, ensure_ascii=False).encode())
        return seen.hexdigest()


# ── plans ───────────────────────────────────────────────────────────────────────────────


def plans(*groups: str) -> list[Plan]:
    """The plans of the groups, of all where none is named."""
    return [plan(group, number) for group in groups or COUNTS for number in range(COUNTS[group])]


def plan(group: str, number: int) -> Plan:
    """What the case of that number is to be: grounds, languages, sizes and ways go round."""
    chance = Random(f"{SEED}/{group}/{number}/plan")
    language = ("english", "chinese")[number // 4 % 2]
    if group == "held-out":
        font = HELD_FONTS[number // 4 % 8]
        language = "chinese" if font.style == "chinese" else "english"
    else:
        font = chance.choice(KNOWN_CHINESE if language == "chinese" else KNOWN_LATIN)
    mode = MODES[(number + number // 8) % 3]
    size = float(SIZES[(5 * (number // 8) + 3 * number) % 16])
    if mode != "hinted" and chance.random() < 0.4:
        size = min(64.0, size + chance.choice((0.25, 0.5, 0.7)))
    if font.style == "hand" or group == "degraded":
        size = max(size, 14.0)
    ground = "scanned" if group == "degraded" else GROUNDS[number % 4]
    kind = "line" if chance.random() < 0.3 else "word"
    scale = chance.uniform(0.6, 0.85) if group == "degraded" else 1.0
    change = CHANGES[(number // 3) % 3]
    return Plan(group, number, ground, language, font, size, mode, kind, change, scale)


# ── pages ───────────────────────────────────────────────────────────────────────────────


def build(group: str, number: int) -> Case:
    """The case of that number."""
    asked = plan(group, number)
    for attempt in range(40):
        found = _attempt(asked, Random(f"{SEED}/{asked.name}/{attempt}"))
        if found:
            return found
        asked = replace(asked, kind="word") if attempt == 20 else asked
    raise AssertionError(f"nothing could be asked of {asked.name}")


def _attempt(asked: Plan, chance: Random) -> Case | None:
    """A page and a replacement on it; none where no words on it will do."""
    rng = np.random.default_rng(chance.getrandbits(64))
    size = (round(chance.randint(960, 1088) / asked.scale), round(1024 / asked.scale))
    ground = grounds.make(asked.ground, rng, size)
    body = Style(
        asked.font, round(asked.size / asked.scale, 2), grounds.ink_for(ground, rng), asked.mode
    )
    talk = Talk(chance, asked.language, asked.font)
    sheet = Sheet(
        size, talk, body, _head(asked, body, chance, grounds.ink_for(ground, rng)), chance
    )
    name, lines = layout(sheet)
    own = [line for line in lines if line.style == body]
    found = targets.choose(talk, own, kind=asked.kind, change=asked.change) if own else None
    if found is None or not _once(found, lines):
        return None
    case = _drawn(asked, lines, found, (ground.pixels, rng))
    words = targets.wording(chance, asked.language, found.old, found.new)
    return replace(case, layout=name, instruction=words)


def _once(found: Target, lines: list[Line]) -> bool:
    """Whether the old words stand on the page once, headings counted."""
    return sum(targets.bare(x.words).count(targets.bare(found.old)) for x in lines) == 1


def _head(asked: Plan, body: Style, chance: Random, ink: tuple[int, int, int]) -> Style:
    """The style of headings: larger, in the page's font or, where it is known, in another."""
    size = min(max(1.35 * body.size, 30 / asked.scale), max(64 / asked.scale, body.size))
    font = asked.font
    if asked.group != "held-out" and asked.language == "english" and chance.random() < 0.4:
        font = chance.choice(KNOWN_LATIN)
    return Style(font, round(size), ink, asked.mode)


def _drawn(asked: Plan, lines: list[Line], target: Target, under: tuple[Field, Any]) -> Case:
    """The pictures of a case and the boxes that go with them."""
    ground, rng = under
    bare = ground.copy()
    for line in lines:
        if line is not target.line:
            set_line(bare, line)
    before, after = bare.copy(), bare.copy()
    set_line(before, target.line)
    set_line(after, target.after)
    press = _press(asked, rng, (bare.shape[1], bare.shape[0]))
    clean, old, new = (press.clean(page) for page in (bare, before, after))
    whole, touched = _inks(target, before.shape[1::-1], press)
    region = grown(box_of(touched | (np.abs(old - new).max(axis=2) > press.faint)), old.shape)
    source, truth = press(before, 0), press(after, 0)
    inked = [_differs(clean, page, press.faint) for page in (old, new)]
    return Case(
        plan=asked, layout="", target=target, instruction="", source=source, truth=truth,
        region=region, line_box=box_of(whole), style=target.line.style,
        perfect=_perfect(source, truth, *inked),
        again=press(after, 1) if asked.group == "degraded" else None,
        covered=_covered(lines, target), page=tuple(line.words for line in lines),
    )  # fmt: skip


def _differs(one: Field, other: Field, faint: float) -> NDArray[np.bool_]:
    return np.asarray(np.abs(one - other).max(axis=2) > faint)


def _covered(lines: list[Line], target: Target) -> float:
    """The share of the new letters that stand somewhere on the page in the same font."""
    seen = {c for x in lines if x.style.font == target.line.style.font for c in x.words}
    letters = [c for c in target.new if c != " "]
    return sum(c in seen for c in letters) / len(letters)


def _perfect(
    source: Pixels, truth: Pixels, old: NDArray[np.bool_], new: NDArray[np.bool_]
) -> Pixels:
    """The true letters on a ground filled in from around the old ones (Telea 2004)."""
    left, top, right, bottom = grown(box_of(old | new), source.shape, 16)
    part = np.ascontiguousarray(source[top:bottom, left:right])
    hole = old[top:bottom, left:right].astype(np.uint8)
    found = source.copy()
    found[top:bottom, left:right] = cv2.inpaint(part, hole, 3, cv2.INPAINT_TELEA)
    found[new] = truth[new]
    return found


# ── ink ─────────────────────────────────────────────────────────────────────────────────


def _inks(target: Target, size: Any, press: Press) -> tuple[NDArray[np.bool_], ...]:
    """Where the line has ink, before or after, and where that ink is of words that changed."""
    whole, touched = (
        np.zeros((size[1], size[0]), np.float32),
        np.zeros((size[1], size[0]), np.float32),
    )
    for line, words in ((target.line, target.old), (target.after, target.new)):
        ink = cover(line, size)
        start, end = _span(target, line, words)
        whole = np.maximum(whole, ink)
        touched[:, start:end] = np.maximum(touched[:, start:end], ink[:, start:end])
    return press.shrunk(whole) > 0.02, press.shrunk(touched) > 0.02


def _span(target: Target, line: Line, words: str) -> tuple[int, int]:
    """The columns of a line that hold changed words, and what moves with them."""
    moved = width(target.line.words, line.style) != width(target.after.words, line.style)
    if moved and line.align != "left":
        return 0, 10**6
    start = line.left + width(line.words[: target.at], line.style)
    end = line.left + width(line.words[: target.at + len(words)], line.style)
    return int(start), 10**6 if moved else int(np.ceil(end))


def box_of(mask: NDArray[np.bool_]) -> Box:
    """The smallest box around what is True."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def grown(box: Box, shape: tuple[int, ...], by: int = MARGIN) -> Box:
    """The box with a margin, within the picture."""
    left, top, right, bottom = box
    return (
        max(0, left - by),
        max(0, top - by),
        min(shape[1], right + by),
        min(shape[0], bottom + by),
    )


def _press(asked: Plan, rng: Any, size: tuple[int, int]) -> Press:
    if asked.ground != "scanned":
        return plain()
    return degraded(rng, size, asked.scale) if asked.group == "degraded" else scanned(rng, size)


# ── known by their hash ─────────────────────────────────────────────────────────────────


def engines() -> dict[str, str]:
    """What draws letters here and writes JPEG."""
    parts = {
        "freetype": "freetype2",
        "raqm": "raqm",
        "harfbuzz": "harfbuzz",
        "jpeg": "libjpeg_turbo",
    }
    found = {name: str(features.version(part)) for name, part in parts.items()}
    return {"pillow": pillow, **found, "cv2": cv2.__version__, "numpy": np.__version__}


def revision(digests: list[str]) -> str:
    """One hash of a group's cases, from theirs in order."""
    return hashlib.sha256("".join(digests).encode()).hexdigest()


def cases(*groups: str) -> Iterator[Case]:
    """The cases of the groups, one after another."""
    return (build(asked.group, asked.number) for asked in plans(*groups))


def main() -> None:
    """Write the cases to a folder and print their hash."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", choices=list(COUNTS), action="append")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    digests: dict[str, list[str]] = {}
    for case in cases(*(args.only or ())):
        for part in ("source", "truth"):
            Image.fromarray(getattr(case, part)).save(args.out / f"{case.plan.name}-{part}.png")
        look = (case.plan.ground, case.style.font.family, case.style.size, case.style.mode)
        print(case.plan.name, case.layout, *look, case.region, case.instruction, flush=True)
        digests.setdefault(case.plan.group, []).append(case.digest)
    for group, found in digests.items():
        print(group, revision(found))


if __name__ == "__main__":
    main()

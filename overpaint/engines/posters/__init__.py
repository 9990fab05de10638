"""Posters: pictures with words, an instruction, and the exact truth, drawn from a seed.

The same seed, index and font files give the same pixels. Source and truth share one backdrop and
differ by the ink of the changed texts alone, so outside the mask they are equal bit for bit.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random

import numpy as np

from overpaint.document import Pixels
from overpaint.engines.posters import cards, goods, night, prints, signs
from overpaint.engines.posters.lettering import Text, chinese, inks, stamp
from overpaint.engines.posters.revise import OPERATIONS, Job, Language, Revision, Scene

__all__ = ["KINDS", "OPERATIONS", "Poster", "draw"]

MARGIN = 6  # pixels around the ink that may change too
SPECK = 64  # smaller parts of a mask are not regions (TextEditBench)

# What is drawn, in the order the set goes round, with the topic it is filed under.
KINDS: Mapping[str, tuple[str, Callable[[Job], Scene]]] = {
    "menu": ("signs", signs.menu),
    "festival": ("posters", prints.festival),
    "travel": ("posters", prints.travel),
    "book": ("posters", goods.book),
    "ticket": ("labels", cards.ticket),
    "sale": ("posters", goods.sale),
    "neon": ("signs", night.neon),
    "road": ("signs", signs.road),
    "screen": ("screens", cards.screen),
    "tin": ("labels", goods.tin),
    "badge": ("labels", cards.badge),
    "board": ("signs", signs.board),
}


@dataclass(frozen=True)
class Poster:
    """A source, an instruction, the exact truth, and what is known of them by construction."""

    source: Pixels
    truth: Pixels
    mask: Pixels  # H×W, 255 where pixels may change
    instruction: str
    operation: str
    kind: str
    topic: str
    language: Language
    difficulty: tuple[int, ...]  # TextEditBench's ten attributes, each 0, 1 or 2
    knowledge: str = ""


def draw(seed: int, index: int) -> Poster:
    """The poster with this number; the same numbers and fonts give the same pixels."""
    kind, language, operation = plan(index)
    # Words and looks start anywhere and then go round, so that neighbours of a kind differ.
    turn = Random(f"{seed}/{kind}").randrange(60) + index // len(KINDS)
    sets = _words()[kind][language]
    words = sets[turn % len(sets)]
    return compose(kind, operation, Job(Random(f"{seed}/{index}"), words, language, turn))


def plan(index: int) -> tuple[str, Language, str]:
    """Kind, language and operation of a number: 24 in a row have each operation four times."""
    turn, place = divmod(index, len(KINDS))
    language: Language = ("en", "zh")[(place + turn) % 2]
    return tuple(KINDS)[place], language, OPERATIONS[(place // 2 + turn + turn // 6) % 6]


def compose(kind: str, operation: str, job: Job) -> Poster:
    """A poster of this kind with an edit of this operation, drawn as the job says."""
    topic, make = KINDS[kind]
    scene = make(job)
    revision = job.chance.choice([r for r in scene.revisions if r.operation == operation])
    before = {**scene.texts, **revision.before}
    after = {**scene.texts, **revision.changed}
    mask = _mask(scene, [pair for key in revision.changed for pair in (before[key], after[key])])
    return Poster(
        source=_set(scene, before.values()),
        truth=_set(scene, after.values()),
        mask=mask,
        instruction=revision.instruction,
        operation=operation,
        kind=kind,
        topic=topic,
        language=job.language,
        difficulty=_difficulty(scene, revision, mask),
        knowledge=revision.knowledge,
    )


@cache
def _words() -> dict[str, dict[str, list[dict[str, str]]]]:
    text = resources.files(__package__).joinpath("words.json").read_text("utf-8")
    found: dict[str, dict[str, list[dict[str, str]]]] = json.loads(text)
    return found


def _set(scene: Scene, texts: Iterable[Text | None]) -> Pixels:
    picture = scene.backdrop.copy()
    for text in texts:
        for ink in inks(text) if text else ():
            stamp(picture, ink)
    return picture


def _mask(scene: Scene, texts: Iterable[Text | None]) -> Pixels:
    """White over the boxes of the old and the new ink, and a margin around them."""
    mask = np.zeros(scene.backdrop.shape[:2], np.uint8)
    for text in texts:
        for ink in inks(text) if text else ():
            left, top, right, bottom = ink.box
            mask[max(0, top - MARGIN) : bottom + MARGIN, max(0, left - MARGIN) : right + MARGIN] = (
                255
            )
    return mask


# ── difficulty ──────────────────────────────────────────────────────────────────────────

# font_complexity by role, for Latin and for Chinese letters; what is not named is plain.
FACES = {"serif": (1, 1), "serif-bold": (1, 1), "script": (2, 1)}


def _difficulty(scene: Scene, revision: Revision, mask: Pixels) -> tuple[int, ...]:
    """TextEditBench's ten attributes in the order of its table, all known by construction."""
    touched = [*(scene.texts[key] for key in revision.changed)]
    touched += [text for text in revision.changed.values() if text]
    everything = "".join(text.words for text in scene.texts.values())
    return (
        _grade(regions(mask), (1, 3)),
        _grade(count_words(revision.target), (2, 4)),
        max(FACES.get(text.role, (0, 0))[chinese(text.words)] for text in touched),
        _tongues(everything),
        scene.curvature,
        0,  # nothing is hidden
        revision.context,
        scene.clutter,
        revision.task,
        2 if revision.knowledge else 0,
    )


def tier(difficulty: Iterable[int]) -> str:
    """easy, medium or hard, from the sum of the attributes (TextEditBench)."""
    return ("easy", "medium", "hard")[_grade(sum(difficulty), (5, 10))]


def _grade(value: int, bounds: tuple[int, int]) -> int:
    return sum(value > bound for bound in bounds)


def regions(mask: Pixels) -> int:
    """Connected white parts of a mask, 8-connected, specks left out."""
    import cv2

    _, _, stats, _ = cv2.connectedComponentsWithStats(
        (mask >= 128).astype(np.uint8), connectivity=8
    )
    return int((stats[1:, cv2.CC_STAT_AREA] >= SPECK).sum())


def count_words(words: str) -> int:
    """Words of a text; a Chinese character counts as one."""
    return len(re.findall(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff][^\s\u3400-\u9fff]*", words))


def _tongues(words: str) -> int:
    """0 English alone, 1 Chinese alone, 2 both; figures belong to either."""
    latin = any(letter.isascii() and letter.isalpha() for letter in words)
    return (2 if latin else 1) if chinese(words) else 0

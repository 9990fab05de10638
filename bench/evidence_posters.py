"""Posters of the evidence bench: a scene's revision drawn faultless, and with each fault."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from evidence_cases import Case, Pixels, Right, altered, chosen, outside, pressed

from overpaint.engines import posters
from overpaint.engines.posters.brush import rgb
from overpaint.engines.posters.lettering import Text, chinese, inks, stamp
from overpaint.engines.posters.revise import Job, Revision, Scene

Texts = dict[str, Text | None]
Box = tuple[int, int, int, int]

SMALLEST = {False: 14.0, True: 16.0}  # Latin, Chinese: letters a reader can be held to
TILTED = 5.0  # degrees
OWN = ("wrong letter", "old left", "wrong place", "wrong size", "half done")
INKS = ("#d81e1e", "#1e6fd8", "#12a150", "#f2c400", "#ffffff", "#101010", "#a31cb8")
APART = 150.0  # RGB distance of colours that nobody confuses
CONTRAST = 80.0  # of letters and ground, in luma
TRIES = 300
# Attributes that need understanding, by words in the instruction.
OBSCURE = ("colour of", "相同的颜色", "的颜色", "neon", "霓虹")


@dataclass(frozen=True)
class Draft:
    """A scene with its revision, before a fault is planted."""

    scene: Scene
    revision: Revision
    chance: Random
    masked: bool

    @property
    def before(self) -> Texts:
        """The texts of the source."""
        return {**self.scene.texts, **self.revision.before}

    @property
    def after(self) -> Texts:
        """The texts of the truth."""
        return {**self.scene.texts, **self.revision.changed}

    @property
    def key(self) -> str:
        """The text that the instruction is about; what goes with it comes after."""
        return next(iter(self.revision.changed))

    @property
    def kind(self) -> str:
        """What is asked: delete, insert, change, swap, move, turn, scale, colour or look."""
        name = self.revision.operation
        if name in ("delete", "insert", "change"):
            return name
        old, new = self.before[self.key], self.after[self.key]
        assert old
        assert new
        if len(self.revision.changed) > 1:
            return "swap" if name == "relocation" else "look"
        if old.angle != new.angle:
            return "turn"
        if name == "scaling":
            return "scale"
        if name == "relocation":
            return "move"
        only = replace(new, colour=old.colour) == old
        said = self.revision.instruction
        return "colour" if only and not any(word in said for word in OBSCURE) else "look"

    def press(self, texts: Mapping[str, Text | None]) -> Pixels:
        """The scene with these texts."""
        picture = self.scene.backdrop.copy()
        for text in texts.values():
            for ink in inks(text) if text else ():
                stamp(picture, ink)
        return picture

    def others(self) -> list[str]:
        """Texts that the edit is not about and that a reader can be held to."""
        return [
            key for key, text in self.after.items()
            if text and key not in self.revision.changed and legible(text) and len(text.words) > 1
            and all(apart(box(text), box(other), 8) for other in self._near(key))
        ]  # fmt: skip

    def _near(self, key: str) -> Iterator[Text]:
        for texts in (self.before, self.after):
            yield from (text for other, text in texts.items() if text and other != key)

    def free(self, text: Text, *, far: bool) -> Text | None:
        """The text at a place where it stands alone and can be read; close by, or far away."""
        wide, high = self.scene.backdrop.shape[1], self.scene.backdrop.shape[0]
        left, top, right, bottom = box(text)
        taken = [box(one) for texts in (self.before, self.after) for one in texts.values() if one]
        for _ in range(TRIES):
            if far:
                x = self.chance.randint(8, max(8, wide - 8 - (right - left)))
                y = self.chance.randint(8, max(8, high - 8 - (bottom - top)))
            else:
                x = left + round(self.chance.uniform(-2, 2) * text.size)
                y = top + round(self.chance.uniform(-3, 3) * text.size)
            moved = replace(text, x=text.x + x - left, y=text.y + y - top)
            there = box(moved)
            inside = there[0] >= 4 and there[1] >= 4 and there[2] <= wide - 4
            if not inside or there[3] > high - 4 or any(not apart(there, b, 5) for b in taken):
                continue
            if far and not all(apart(there, b, round(2.5 * text.size)) for b in self._own()):
                continue
            if contrast(self.scene.backdrop, there, text.colour) >= CONTRAST:
                return moved
        return None

    def _own(self) -> list[Box]:
        texts = (texts[key] for texts in (self.before, self.after) for key in self.revision.changed)
        return [box(text) for text in texts if text]


def legible(text: Text | None) -> bool:
    """Whether a reader can be held to these words: straight, level, not small."""
    if text is None:
        return True
    small = text.size < SMALLEST[chinese(text.words)]
    return not (text.round or text.down or small or abs(text.angle) > TILTED)


def box(text: Text) -> Box:
    """The box around all its ink."""
    boxes = [ink.box for ink in inks(text)]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def apart(one: Box, other: Box, by: int) -> bool:
    """Whether at least so many pixels lie between two boxes."""
    return (
        one[0] >= other[2] + by or other[0] >= one[2] + by
        or one[1] >= other[3] + by or other[1] >= one[3] + by
    )  # fmt: skip


def contrast(ground: Pixels, where: Box, colour: str) -> float:
    """How far letters of a colour stand out from the nearer tenth of what is behind them."""
    left, top, right, bottom = (max(0, edge) for edge in where)
    luma = np.array([0.299, 0.587, 0.114])
    behind = ground[top:bottom, left:right].reshape(-1, 3) @ luma
    if not behind.size:
        return 0.0  # what is bent around a tin has no ink beside it
    return float(np.percentile(np.abs(behind - np.array(rgb(colour)) @ luma), 10))


# ── faults ──────────────────────────────────────────────────────────────────────────────


def wrong_letter(draft: Draft) -> Texts | None:
    """One letter of what was written is another."""
    new, old = draft.after[draft.key], draft.before[draft.key]
    if new is None:
        return None
    words = altered(new.words, draft.chance, but=(old.words if old else "",))
    return {**draft.after, draft.key: replace(new, words=words)} if words else None


def old_left(draft: Draft) -> Texts | None:
    """The old words stay, and the new ones stand beside them."""
    new = draft.after[draft.key]
    if draft.kind != "change" or new is None:
        return None
    beside = draft.free(new, far=False)
    return {**draft.before, "new": beside} if beside else None


def wrong_place(draft: Draft) -> Texts | None:
    """The right words somewhere else."""
    new = draft.after[draft.key]
    if draft.kind not in ("change", "insert", "move") or new is None:
        return None
    away = draft.free(new, far=True)
    return {**draft.after, draft.key: away} if away else None


def wrong_colour(draft: Draft) -> Texts | None:
    """Another colour than the old words had, or than was asked for."""
    new, old = draft.after[draft.key], draft.before[draft.key]
    if draft.kind not in ("change", "colour") or new is None or old is None:
        return None
    for colour in draft.chance.sample(INKS, len(INKS)):
        far = all(_distance(colour, text.colour) >= APART for text in (new, old))
        if far and contrast(draft.scene.backdrop, box(new), colour) >= CONTRAST:
            return {**draft.after, draft.key: replace(new, colour=colour)}
    return None


def wrong_size(draft: Draft) -> Texts | None:
    """Six tenths of the size; what was to be scaled, scaled the wrong way."""
    new, old = draft.after[draft.key], draft.before[draft.key]
    if draft.kind not in ("change", "scale") or new is None or old is None:
        return None
    grown = draft.kind == "scale" and new.size < old.size
    other = replace(new, size=old.size * (1.35 if grown else 0.6))
    if not legible(other) or (grown and not all(apart(box(other), b, 2) for b in _rest(draft))):
        return None
    return {**draft.after, draft.key: other}


def half_done(draft: Draft) -> Texts | None:
    """Half of what was to go is left; of two to be exchanged, one says what the other does."""
    old = draft.before[draft.key]
    if old is None:
        return None
    if draft.kind == "swap":
        return {**draft.before, draft.key: draft.after[draft.key], **_other_of(draft, old)}
    if draft.kind != "delete" or len(old.words) < 4 or "\n" in old.words:
        return None
    cut = old.words[: len(old.words) // 2].rstrip()
    return {**draft.after, draft.key: replace(old, words=cut)} if len(cut) > 1 else None


def _other_of(draft: Draft, old: Text) -> Texts:
    """The second of two: gone from where it stood, and the first is there too."""
    second = list(draft.revision.changed)[1]
    return {second: None, "left": old}


def word_altered(draft: Draft) -> Texts | None:
    """A letter of another text is another, right edit or not."""
    for key in draft.chance.sample(draft.others(), len(draft.others())):
        text = draft.after[key]
        words = altered(text.words, draft.chance) if text else None
        if text and words:
            return {**draft.after, key: replace(text, words=words)}
    return None


def word_deleted(draft: Draft) -> Texts | None:
    """Another text is gone."""
    others = draft.others()
    return {**draft.after, draft.chance.choice(others): None} if others else None


DRAWN: Mapping[str, Callable[[Draft], Texts | None]] = {
    "wrong letter": wrong_letter, "old left": old_left, "wrong place": wrong_place,
    "wrong colour": wrong_colour, "wrong size": wrong_size, "half done": half_done,
    "word altered": word_altered, "word deleted": word_deleted,
}  # fmt: skip


def patched(draft: Draft, truth: Pixels, mask: Pixels) -> Pixels | None:
    """The truth with a block of another colour, clear of the mask."""
    high, wide = truth.shape[:2]
    for _ in range(TRIES):
        across, down = (draft.chance.randint(24, 60) for _ in range(2))
        x, y = draft.chance.randint(0, wide - across), draft.chance.randint(0, high - down)
        if (mask[max(0, y - 12) : y + down + 12, max(0, x - 12) : x + across + 12] >= 128).any():
            continue
        under = truth[y : y + down, x : x + across].astype(np.int16)
        colour = np.array(rgb(draft.chance.choice(INKS)))
        if np.percentile(np.abs(under - colour).max(axis=2), 20) > 60:
            painted = truth.copy()
            painted[y : y + down, x : x + across] = colour
            return painted
    return None


def _rest(draft: Draft) -> list[Box]:
    return [box(t) for key, t in draft.after.items() if t and key not in draft.revision.changed]


def _distance(one: str, other: str) -> float:
    return float(np.linalg.norm(np.subtract(rgb(one), rgb(other))))


# ── verdicts ────────────────────────────────────────────────────────────────────────────


def right(draft: Draft, fault: str, preserved: bool | None) -> Right:
    """The verdicts by construction."""
    kind = draft.kind
    if not draft.masked and fault in OWN:
        preserved = None  # without a mask, no one can say where the edit itself ends
    written = kind in ("change", "insert")
    if fault in ("truth", "word altered", "word deleted", "patch"):
        return {"IF": True, "TA": True, "VC": True, "LP": preserved}
    asked, text, looks = False, None, None
    if fault == "nothing":
        text = False if written or kind == "delete" else None
    elif fault == "wrong letter":
        asked, text = False if written else None, False
    elif fault in ("wrong colour", "wrong size"):
        asked, text, looks = kind == "change", True, False if kind == "change" else None
    elif fault == "half done":
        text = False if kind == "delete" else None
    return {"IF": asked, "TA": text, "VC": looks, "LP": preserved}


def decidable(draft: Draft, fault: str, texts: Texts, right: Right) -> frozenset[str]:
    """What OCR and pixels can decide of it."""
    kind, found = draft.kind, {"LP"}
    touched = [draft.before.get(key) for key in draft.revision.changed]
    touched += [texts.get(key) for key in (*draft.revision.changed, "new", "left")]
    placed = kind not in ("insert", "move") or draft.masked
    if all(map(legible, touched)):
        found |= {"TA"} | ({"IF"} if placed and kind != "look" else set())
        plain = not any(text.glow for text in touched if text)
        if kind == "change" and plain and (right["VC"] is False or _alike(draft)):
            found |= {"VC"}
    if fault == "nothing":
        found |= {"IF"}
    return frozenset(name for name in found if right[name] is not None)


def _alike(draft: Draft) -> bool:
    """Whether the new words share letters with the old, by which looks can be compared."""
    old, new = draft.before[draft.key], draft.after[draft.key]
    shared = set(old.words) & set(new.words) if old and new else set()
    return sum(letter.isalnum() for letter in shared) >= 2


def cases(seed: int, number: int) -> Iterator[Case]:
    """The sample of that number with each fault that it offers."""
    kind, language, operation = posters.plan(number)
    turn = Random(f"{seed}/{kind}").randrange(60) + number // len(posters.KINDS)
    sets = posters._words()[kind][language]
    job = Job(Random(f"{seed}/{number}"), sets[turn % len(sets)], language, turn)
    scene = posters.KINDS[kind][1](job)
    revision = job.chance.choice([r for r in scene.revisions if r.operation == operation])
    draft = Draft(scene, revision, Random(f"{seed}/{number}/faults"), number % 4 != 3)
    pairs = [(draft.before[key], draft.after[key]) for key in revision.changed]
    mask = posters._mask(scene, [text for pair in pairs for text in pair])
    made: dict[str, Any] = {"truth": draft.after, "nothing": draft.before}
    made |= {fault: texts for fault, plant in DRAWN.items() if (texts := plant(draft))}
    truth = draft.press(draft.after)
    painted = patched(draft, truth, mask)
    made |= {} if painted is None else {"patch": draft.after}
    for fault in chosen(made, number):
        drawn = painted if fault == "patch" and painted is not None else draft.press(made[fault])
        yield _case(draft, (f"poster-{number:02d}", fault, language), drawn, mask, made[fault])


def _case(
    draft: Draft, named: tuple[str, str, str], drawn: Pixels, mask: Pixels, texts: Texts
) -> Case:
    sample, fault, language = named
    source = draft.press(draft.before)
    verdicts = right(draft, fault, outside(source, drawn, mask))
    press, output = pressed(drawn, draft.chance)
    return Case(
        sample, fault, draft.kind, language, press, draft.revision.instruction, source,
        draft.press(draft.after), output, mask if draft.masked else None, verdicts,
        decidable(draft, fault, texts, verdicts),
    )  # fmt: skip

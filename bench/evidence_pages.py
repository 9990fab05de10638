"""Pages of the evidence bench: running text replaced, added or deleted, and the same faults."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from random import Random

import numpy as np
from evidence_cases import Case, Pixels, Right, altered, chosen, outside, pressed

from overpaint.engines.documents import KINDS, compose
from overpaint.engines.documents.edits import Revision, revise
from overpaint.engines.documents.setting import Text, lines_of
from overpaint.engines.documents.sheet import Page, draw

EDITS = ("text replacement", "text deletion", "text addition")
ASKED = {"text replacement": "change", "text deletion": "delete", "text addition": "insert"}
OWN = ("wrong letter", "half done")
TRIES = 60
SMALLEST = 14  # pixels of the letters that a reader can be held to


@dataclass(frozen=True)
class Draft:
    """A page's revision, before a fault is planted."""

    revision: Revision
    edit: str
    chance: Random
    masked: bool

    @property
    def pair(self) -> tuple[Text, Text]:
        """The text that changes, before and after."""
        pages = zip(self.revision.source.items, self.revision.truth.items, strict=True)
        old, new = next((old, new) for old, new in pages if old is not new)
        assert isinstance(old, Text)
        assert isinstance(new, Text)
        return old, new

    def others(self) -> list[Text]:
        """Paragraphs and headings that the edit is not about."""
        return [
            item for item in self.revision.truth.items
            if isinstance(item, Text) and item is not self.pair[1] and len(item.words) > 6
            and item.style.size >= SMALLEST
        ]  # fmt: skip


def cases(seed: int, number: int) -> Iterator[Case]:
    """The page of that number with each fault that it offers."""
    kind, language = tuple(KINDS)[number % len(KINDS)], ("english", "chinese")[number % 2]
    edit = EDITS[number // 2 % 3]
    draft = Draft(_revised(f"{seed}/page/{number}", kind, language, edit), edit,
                  Random(f"{seed}/page/{number}/faults"), number % 4 != 3)  # fmt: skip
    source = draw(draft.revision.source)
    mask = np.zeros(source.shape[:2], np.uint8)
    left, top, right, bottom = draft.revision.region
    mask[top:bottom, left:right] = 255
    made = {name: page for name, page in _pages(draft).items() if page}
    drawn = {name: draw(page) for name, page in made.items()}
    if (painted := _patched(draft, drawn["truth"], mask)) is not None:
        drawn["patch"] = painted
    for fault in chosen(drawn, number):
        verdicts = _right(draft, fault, outside(source, drawn[fault], mask))
        press, output = pressed(drawn[fault], draft.chance)
        yield Case(
            f"page-{number:02d}", fault, ASKED[edit], language[:2].replace("ch", "zh"), press,
            draft.revision.instruction, source, drawn["truth"], output,
            mask if draft.masked else None, verdicts, _decidable(draft, fault, verdicts),
        )  # fmt: skip


def _revised(name: str, kind: str, language: str, edit: str) -> Revision:
    for attempt in range(TRIES):
        chance = Random(f"{name}/{attempt}")
        found = revise(compose(kind, language, chance), edit, language, chance)
        if found and all(len(lines_of(t)) <= 6 for t in Draft(found, edit, chance, True).pair):
            return found
    raise SystemExit(f"No {edit} was found on {TRIES} pages of the kind {kind} ({name}).")


def _pages(draft: Draft) -> dict[str, Page | None]:
    truth, new = draft.revision.truth, draft.pair[1]
    return {
        "truth": truth,
        "nothing": draft.revision.source,
        "wrong letter": _swap(truth, new, _misspelt(draft)),
        "wrong colour": _swap(truth, new, _coloured(draft)),
        "half done": _swap(truth, new, _halved(draft)),
        "word altered": _altered(draft),
        "word deleted": _deleted(draft),
    }


def _swap(page: Page, old: Text, new: Text | None) -> Page | None:
    return None if new is None else page.swapped(old, new)


def _misspelt(draft: Draft) -> Text | None:
    """The new text, one of its new letters another."""
    old, new = draft.pair
    if draft.edit == "text deletion":
        return None
    for number, sentence in enumerate(new.sentences):
        if sentence in old.sentences:
            continue
        before = old.sentences[number] if number < len(old.sentences) else ""
        blocks = SequenceMatcher(None, before, sentence, autojunk=False).get_opcodes()
        parts = [sentence[b0:b1] for tag, _, _, b0, b1 in blocks if tag != "equal" and b1 > b0]
        for part in parts:
            words = altered(sentence, draft.chance, but=(before,), part=part)
            if words:
                made = list(new.sentences)
                made[number] = words
                found = new.says(*made)
                return found if len(lines_of(found)) == len(lines_of(new)) else None
    return None


def _coloured(draft: Draft) -> Text | None:
    """A whole one-line text in another colour."""
    new = draft.pair[1]
    if draft.edit != "text replacement" or len(lines_of(new)) != 1:
        return None
    return replace(new, style=replace(new.style, colour="#d81e1e"))


def _halved(draft: Draft) -> Text | None:
    """Of the sentence that was to go, the first half is left."""
    old, new = draft.pair
    if draft.edit != "text deletion":
        return None
    gone = old.sentences[len(new.sentences)]
    words = gone.split(" ")
    half = " ".join(words[: len(words) // 2]) if len(words) > 3 else gone[: len(gone) // 2]
    return new.says(*new.sentences, half) if len(half) > 2 else None


def _altered(draft: Draft) -> Page | None:
    for item in draft.chance.sample(draft.others(), len(draft.others())):
        words = altered(item.sentences[0], draft.chance)
        made = item.says(words, *item.sentences[1:]) if words else None
        if made and [len(x.text) for x in lines_of(made)] == [len(x.text) for x in lines_of(item)]:
            return draft.revision.truth.swapped(item, made)
    return None


def _deleted(draft: Draft) -> Page | None:
    others = draft.others()
    return draft.revision.truth.swapped(item := draft.chance.choice(others), item.says()) if (
        others
    ) else None  # fmt: skip


def _patched(draft: Draft, truth: Pixels, mask: Pixels) -> Pixels | None:
    """The truth with a block of colour, clear of the mask."""
    high, wide = truth.shape[:2]
    for _ in range(TRIES):
        x, y = draft.chance.randint(0, wide - 60), draft.chance.randint(0, high - 40)
        if not (mask[max(0, y - 12) : y + 52, max(0, x - 12) : x + 72] >= 128).any():
            painted = truth.copy()
            painted[y : y + 40, x : x + 60] = (30, 111, 216)
            return painted
    return None


def _right(draft: Draft, fault: str, preserved: bool | None) -> Right:
    if fault in ("truth", "word altered", "word deleted", "patch"):
        return {"IF": True, "TA": True, "VC": True, "LP": preserved}
    if not draft.masked and fault in OWN:
        preserved = None  # without a mask, no one can say where the edit itself ends
    coloured = fault == "wrong colour"
    return {"IF": coloured, "TA": coloured, "VC": False if coloured else None, "LP": preserved}


def _decidable(draft: Draft, fault: str, right: Right) -> frozenset[str]:
    found = {"LP"}
    if draft.pair[0].style.size >= SMALLEST:
        placed = draft.edit != "text addition" or draft.masked
        found |= (
            {"TA"} | ({"IF"} if placed else set()) | ({"VC"} if fault == "wrong colour" else set())
        )
    if fault == "nothing":
        found |= {"IF"}
    return frozenset(name for name in found if right[name] is not None)

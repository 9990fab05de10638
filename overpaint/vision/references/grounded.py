"""Things that words name: Grounding DINO finds their boxes, SAM 2 their masks; the user's weights.

Grounding DINO (Liu et al. 2023) reads one text: each phrase in small letters, ended by a full stop.
A box is kept by its best token, and is called by the phrase that token stands in. What is looked
for is set as the weights are, once for sources and outputs: OVERPAINT_GROUNDING_WORDS="dog, mug".
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.vision.own_weights import Own, digest, preparation
from overpaint.vision.references import Box, Extractor, Hints, Reference
from overpaint.vision.references.inputs import Looked, looked, normalised
from overpaint.vision.references.sam2 import OWN as SAM2
from overpaint.vision.references.sam2 import filled, segmenter, unlike

OWN = Own("Grounding DINO", "OVERPAINT_GROUNDING_DINO", "IDEA-Research/grounding-dino-base")
SCORED, NAMED = 0.35, 0.25  # of a box, and of the word that it is called by
SAME = 0.8  # IoU: a thing found under two names
MOST = 24  # things of a picture
SHORT, LONG = 800, 1333  # pixels: the shorter side is resized to, the longer one at most
LARGEST = 4096  # pixels of a side that a checkpoint may ask for
STOP = "."
WORDS = "OVERPAINT_GROUNDING_WORDS"  # the setting that says what is looked for, with commas
# Looked for where nobody says what for.
GENERAL = ("person", "animal", "vehicle", "building", "plant", "food", "object")


@dataclass(frozen=True)
class Thing:
    """One thing that was found."""

    box: Box
    label: str
    score: float


@dataclass(frozen=True, eq=False)
class Finder:
    """Grounding DINO, ready to be asked."""

    model: Any
    tokenizer: Any
    short: int
    long: int

    def find(self, pixels: Pixels, phrases: Sequence[str]) -> list[Thing]:
        """The things that phrases name, the surest first."""
        import torch

        text = self._tokens(phrases)
        size = fitted((pixels.shape[1], pixels.shape[0]), self.short, self.long)
        values = torch.from_numpy(normalised(pixels, size))
        with torch.inference_mode():
            told = self.model(pixel_values=values, **text)
        scores = told.logits[0].sigmoid().float().numpy()
        ids = text["input_ids"][0].tolist()
        owners = spoken(ids, self.tokenizer.convert_tokens_to_ids(STOP), len(phrases))
        named = [phrases[i] for i in range(max(owners, default=-1) + 1)]
        return things(
            told.pred_boxes[0].float().numpy(), scores[:, : len(ids)], owners, named,
            size=(pixels.shape[1], pixels.shape[0]),
        )  # fmt: skip

    def _tokens(self, phrases: Sequence[str]) -> Any:
        text = " ".join(f"{phrase}{STOP}" for phrase in phrases)
        most = int(getattr(self.model.config, "max_text_len", 256))
        told = self.tokenizer(text, truncation=True, max_length=most, return_tensors="pt")
        return {name: told[name] for name in told if name in _TAKEN}


_TAKEN = ("input_ids", "token_type_ids", "attention_mask")


def wanted() -> tuple[str, ...]:
    """What is looked for: what the user says, else the general list."""
    return cleaned(os.environ.get(WORDS, ""))


def _own_words() -> str:
    return ", ".join(wanted()) if wanted() != GENERAL else ""


def cleaned(told: str) -> tuple[str, ...]:
    """Phrases as the model reads them: small letters, no full stop inside, each once."""
    plain = (" ".join(word.replace(STOP, " ").lower().split()) for word in told.split(","))
    return tuple(dict.fromkeys(filter(None, plain))) or GENERAL


def fitted(size: tuple[int, int], short: int, long: int) -> tuple[int, int]:
    """The size that a picture is looked at: by its shorter side, unless the longer is too long."""
    low, high = min(size), max(size)
    side = min(float(short), long * low / high)
    other = int(side * high / low)
    near = max(1, round(side))
    return (near, max(1, other)) if size[0] < size[1] else (max(1, other), near)


def spoken(ids: Sequence[int], stop: int, phrases: int) -> list[int]:
    """For each token the phrase that it stands in; −1 for stops, and for the text's two ends."""
    owners, current = [], 0
    for place, token in enumerate(ids):
        inside = 0 < place < len(ids) - 1 and token != stop and current < phrases
        owners.append(current if inside else -1)
        current += token == stop
    return owners


def things(
    boxes: NDArray[np.float32], scores: NDArray[np.float32], owners: Sequence[int],
    phrases: Sequence[str], *, size: tuple[int, int],
) -> list[Thing]:  # fmt: skip
    """The things in a model's answer: boxes by middle and extent, a score for each token."""
    best = scores.max(axis=1)
    by_phrase = np.zeros((len(scores), max(1, len(phrases))), np.float32)
    for token, owner in enumerate(owners):
        if owner >= 0:
            by_phrase[:, owner] = np.maximum(by_phrase[:, owner], scores[:, token])
    found = []
    for place in np.argsort(-best, kind="stable"):
        if not best[place] > SCORED:
            break
        box, phrase = _box(boxes[place], size), int(by_phrase[place].argmax())
        label = phrases[phrase] if by_phrase[place, phrase] > NAMED else ""
        if box.right > box.left and box.bottom > box.top:
            found.append(Thing(box, label, float(best[place])))
    return [found[place] for place in unlike([thing.box for thing in found], SAME)][:MOST]


def _box(told: NDArray[np.float32], size: tuple[int, int]) -> Box:
    """A box in pixels inside of the picture; `told` has shares of its sides."""
    x, y, wide, high = (float(value) for value in np.nan_to_num(told))
    across = [min(max(x + way * wide / 2, 0.0), 1.0) * size[0] for way in (-1, 1)]
    down = [min(max(y + way * high / 2, 0.0), 1.0) * size[1] for way in (-1, 1)]
    return Box(across[0], down[0], across[1], down[1])


# ── loading ─────────────────────────────────────────────────────────────────────────────


def finder() -> Finder:
    """The user's Grounding DINO."""
    at = OWN.folder()
    return _finder(at, digest(at))


@lru_cache(maxsize=1)
def _finder(at: Path, known: str) -> Finder:
    model = OWN.model("AutoModelForZeroShotObjectDetection", at)
    size = preparation(at).get("size")
    size = size if isinstance(size, dict) else {}
    return Finder(
        model, OWN.tokenizer(at), _side(size.get("shortest_edge"), SHORT),
        _side(size.get("longest_edge"), LONG),
    )  # fmt: skip


def _side(told: Any, usual: int) -> int:
    return told if isinstance(told, int) and 0 < told <= LARGEST else usual


@lru_cache(maxsize=1)
def _found(by: Finder, picture: Looked, phrases: tuple[str, ...]) -> tuple[Thing, ...]:
    """What was found last; masks are asked for right after boxes."""
    return tuple(by.find(picture.pixels, phrases))


# ── the two kinds ───────────────────────────────────────────────────────────────────────


def _boxes(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    found = _found(finder(), looked(pixels), wanted())
    if not found:
        return []
    named = ", ".join(dict.fromkeys(thing.label for thing in found if thing.label))
    value = tuple(thing.box for thing in found)
    sure = min(thing.score for thing in found)
    return [Reference("bbox", value, boxes.method, boxes.exact, named, sure)]


def _masks(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    by, cutter, picture = finder(), segmenter(), looked(pixels)
    found = _found(by, picture, wanted())
    if not found:
        return []
    cut = cutter.in_boxes(picture, [thing.box for thing in found])
    version, size = masks.exact, (pixels.shape[1], pixels.shape[0])
    made = [
        Reference("mask", filled(mask, size), masks.method, version, thing.label, mask.sure)
        for thing, mask in zip(found, cut, strict=True)
    ]
    return [one for one in made if one.value.any()]


boxes = Extractor(
    "bbox", "grounded", "1", _boxes, "boxes of what words name, Grounding DINO, your weights",
    own=(OWN.folder, _own_words),
)  # fmt: skip
masks = Extractor(
    "mask", "grounded", "1", _masks,
    "masks of what words name, Grounding DINO and SAM 2, your weights",
    own=(OWN.folder, SAM2.folder, _own_words),
)  # fmt: skip

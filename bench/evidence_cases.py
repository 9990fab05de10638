"""The cases of the evidence bench: an edit, the fault planted in it, and the right verdicts.

Sources are posters and pages of our own generators, under seeds that no other set uses. To each,
its truth is drawn again with one fault, of ten kinds:

    nothing        the source again
    wrong letter   one letter of the words that were to be written is another
    old left       the new words stand beside the old ones
    wrong place    the right words stand somewhere else
    wrong colour   the new words have another colour than the old, or than was asked for
    wrong size     they are much smaller, or were scaled the wrong way
    half done      half of what was to go is left; of two to be exchanged, one was
    word altered   the edit is right, and a word elsewhere is another
    word deleted   the edit is right, and a text elsewhere is gone
    patch          the edit is right, and a block of colour was painted elsewhere

Half of the outputs are as drawn, a third went through JPEG, the rest were enlarged by a fifth. A
quarter of the samples has no mask. `right` is the verdict by construction, True to pass: IF is
about what was asked and no more (what happened elsewhere is LP's), and a wrong letter fails IF
and TA. None: there is no one right verdict. `decidable` are the dimensions that OCR and pixels
can decide; `legible` in `evidence_posters.py` says which words a reader can be held to.
`python bench/evidence_cases.py OUT` writes them, to look at; `--dev` those for tuning.
"""

import argparse
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]
Right = Mapping[str, bool | None]

SEED, DEV_SEED = 60413, 7719  # the first to measure with, the second to tune with
POSTERS, PAGES = 48, 12
# What the cases hash to with the letter engines they were fixed with.
REVISIONS: Mapping[int, str] = {
    SEED: "1c4fd769f40e79fa2d5de6b4bf23a2001b42bd3c600cb6438f32c503f492282c",
    DEV_SEED: "b6c6f1fc5c5e3ce218bf94e2fb9db0bfe13f3a1f09240c7cb877eacd731d20d6",
}

DIMENSIONS = ("IF", "TA", "VC", "LP")
FAULTS = (
    "truth", "nothing", "wrong letter", "old left", "wrong place", "wrong colour", "wrong size",
    "half done", "word altered", "word deleted", "patch",
)  # fmt: skip
ELSEWHERE = ("word altered", "word deleted", "patch")
MOST = 2  # of these, for one sample
FAR = 40  # a channel that differs by this much is seen to differ
SEEN = 40  # pixels that do


@dataclass(frozen=True)
class Case:
    """One output and what is right to say of it."""

    sample: str
    fault: str
    operation: str
    language: str
    press: str  # clean, jpeg, enlarged
    instruction: str
    source: Pixels
    truth: Pixels
    output: Pixels
    mask: Pixels | None
    right: Right
    decidable: frozenset[str]

    @property
    def name(self) -> str:
        """A short name for tables and files."""
        return f"{self.sample}-{self.fault.replace(' ', '-')}"


def cases(seed: int) -> Iterator[Case]:
    """All cases of a seed, one sample after the other."""
    import evidence_pages
    import evidence_posters

    for number in range(POSTERS):
        yield from evidence_posters.cases(seed, number)
    for number in range(PAGES):
        yield from evidence_pages.cases(seed, number)


def chosen(faults: Mapping[str, Any], number: int) -> list[str]:
    """The truth, nothing, every fault in what was asked, and by turns those elsewhere."""
    elsewhere = [fault for fault in ELSEWHERE if fault in faults]
    kept = {elsewhere[(number + turn) % len(elsewhere)] for turn in range(MOST) if elsewhere}
    return [
        fault for fault in FAULTS if fault in faults and (fault not in ELSEWHERE or fault in kept)
    ]


def pressed(pixels: Pixels, chance: Random) -> tuple[str, Pixels]:
    """An output as an editor may hand it in: as drawn, as JPEG, or a fifth larger."""
    way = chance.choice(("clean", "clean", "clean", "jpeg", "jpeg", "enlarged"))
    if way == "jpeg":
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "JPEG", quality=chance.choice((82, 90, 95)))
        return way, np.asarray(Image.open(file).convert("RGB"))
    if way == "enlarged":
        height, width = pixels.shape[:2]
        size = (round(width * 1.2), round(height * 1.2))
        return way, np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.LANCZOS))
    return way, pixels


def outside(source: Pixels, drawn: Pixels, mask: Pixels) -> bool | None:
    """The verdict of LP: whether nothing differs outside the mask; None where little does."""
    apart = np.abs(source.astype(np.int16) - drawn.astype(np.int16)).max(axis=2)
    apart[mask >= 128] = 0
    if not apart.any():
        return True
    return False if (apart > FAR).sum() >= SEEN else None


def altered(words: str, chance: Random, *, but: tuple[str, ...] = (), part: str = "") -> str | None:
    """The words with one letter another, which no one would take for it; None if none can be."""
    start = words.find(part) if part else 0
    places = [i for i in range(start, start + len(part or words)) if _other(words[i], chance)]
    chance.shuffle(places)
    for place in places:
        new = words[:place] + _other(words[place], chance) + words[place + 1 :]
        if new not in but:
            return new
    return None


_LETTERS = dict(
    zip("aeontrsidclumhgpybwfvk", "kmxsbzwoeheaxavztaydog", strict=True),
    **dict(zip("0123456789", "4867825142", strict=True)),
)
_HAN = "水山木火光春林海月石"


def _other(letter: str, chance: Random) -> str:
    if "\u3400" <= letter <= "\u9fff":
        return chance.choice([other for other in _HAN if other != letter])
    new = _LETTERS.get(letter.lower(), "")
    return new.upper() if letter.isupper() else new


def stamp(case: Case) -> bytes:
    """What of a case goes into the hash of its set: pictures, instruction and right verdicts."""
    pictures = (case.source, case.output, case.mask)
    told = [case.name, case.instruction, dict(case.right), sorted(case.decidable)]
    return b"".join(np.ascontiguousarray(p).tobytes() for p in pictures if p is not None) + (
        json.dumps(told, ensure_ascii=False, sort_keys=True).encode()
    )


def digest(cases: Iterable[Case]) -> str:
    """A hash of cases."""
    seen = hashlib.sha256()
    for case in cases:
        seen.update(stamp(case))
    return seen.hexdigest()


def main() -> None:
    """Write the cases to a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--dev", action="store_true", help="the cases for tuning")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for case in cases(DEV_SEED if args.dev else SEED):
        Image.fromarray(case.output).save(args.out / f"{case.name}.png")
        verdicts = {name: case.right[name] for name in DIMENSIONS}
        print(case.name, case.press, case.instruction, verdicts, sorted(case.decidable))


if __name__ == "__main__":
    main()

"""What stands where on a sample's pages, for the page to draw: recalled, never read anew.

A document benchmark says where the edit was (`region`) and what the truth says (`page_blocks`);
the store has kept what OCR read in the outputs. All boxes are in pixels of the truth.
"""

import base64
import json
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from overpaint.core import Evidence, Finding, Sample
from overpaint.document import Document
from overpaint.document.pictures import read_size
from overpaint.errors import DataError, OverpaintError, PictureError
from overpaint.report.wording import plain
from overpaint.vision import page
from overpaint.vision.page import Block, Box

LONGEST = 300  # characters of a block that the page tells; a page of text has a hundred blocks
ROOM = 12_000_000  # bytes of the page that all blocks together may take

Recall = Callable[[str], str | None]
Shown = dict[str, Any]


# ── the frame ───────────────────────────────────────────────────────────────────────────────


def frame_of(sample: Sample) -> list[int] | None:
    """Width and height of the truth and, where it is known, the edited region in it."""
    region = _box(sample.facts.get("region"))
    if (not region and "page_blocks" not in sample.facts) or sample.target is None:
        return None
    size = _size(sample.target.path)
    if size is None:
        return None
    if region is None:
        return [*size]
    wide, high = size
    left, right = (min(max(round(x), 0), wide) for x in (region[0], region[2]))
    top, bottom = (min(max(round(y), 0), high) for y in (region[1], region[3]))
    return [*size, left, top, right, bottom] if left < right and top < bottom else [*size]


def _box(corners: object) -> Box | None:
    """A fact as a box, if it is one."""
    found = page.from_json({"parsing_res_list": [{"block_bbox": corners}]})
    return found[0].box if found else None


def _size(path: Path | None) -> tuple[int, int] | None:
    """The width and height of a picture as it is shown; None if unreadable."""
    try:
        return read_size(path) if path else None
    except PictureError:
        return None


# ── the blocks ──────────────────────────────────────────────────────────────────────────────


def engines_of(measures: Iterable[str]) -> list[str]:
    """The OCR engines that measures of these names asked: `cdm_local@tiny` the tiny one."""
    from overpaint.vision import ocr

    variants = {name.rpartition("@")[2] for name in measures}
    return [name for place, name in enumerate(ocr.ENGINES) if place == 0 or name in variants]


def blocks_of(
    sample: Sample, pictures: Mapping[str, Path], recall: Recall, *, engines: Sequence[str]
) -> Shown | None:
    """The truth's blocks, and those read in each of the pictures with their partners among them.

    `pictures` are a sample's, by name (hash and suffix) in the order of its card.
    """
    frame = frame_of(sample)
    if frame is None or sample.target is None:
        return None
    memory = _Memory(recall)
    read = {
        place: found
        for place, key in enumerate(_keys(memory, pictures, sample.target, frame))
        if key and (found := _recalled(memory, key, engines)) is not None
    }
    truth = _annotated(sample)
    if truth is None:
        at = next((n for n, path in enumerate(pictures.values()) if path == sample.target.path), -1)
        truth = read.get(at)
    if truth is None and not read:
        return None
    return _Writer(frame).shown(truth, read)


def _annotated(sample: Sample) -> tuple[Block, ...] | None:
    listed = sample.facts.get("page_blocks")
    return None if listed is None else page.from_json({"parsing_res_list": listed})


class _Unknown(OverpaintError):
    """Nobody has looked there."""


class _Memory(Evidence):
    """Evidence that recalls what was kept and finds out nothing new."""

    def get(self, what: Finding, subjects: Sequence[Any]) -> Any:
        """What was kept; `_Unknown` if nothing was."""
        return super().get(replace(what, compute=_refuse) if what.keep else what, subjects)


def _refuse(*_: object) -> None:
    raise _Unknown("Nothing was kept of it.")


def _keys(
    memory: Evidence, pictures: Mapping[str, Path], truth: Document, frame: Sequence[int]
) -> Iterator[str | None]:
    """The hash by which each picture was read: another one where it had to be resized first."""
    from overpaint.measures import reading

    names = {path: name[:64] for name, path in pictures.items()}
    for path, key in names.items():
        if _size(path) == (frame[0], frame[1]):
            yield key
            continue
        try:
            yield reading.sized_key(memory, _named(key), _named(names.get(truth.path or path, "")))
        except _Unknown:
            yield None


def _named(key: str) -> Document:
    """A document of which nothing is known but its hash; all that recalling needs."""
    document = Document()
    document.__dict__["key"] = key
    return document


def _recalled(memory: Evidence, key: str, engines: Sequence[str]) -> tuple[Block, ...] | None:
    """The blocks that the first of these engines read in a picture, if one has."""
    from overpaint.vision import layout

    document = _named(key)
    for engine in engines:
        try:
            return tuple(layout.blocks(memory, document, engine))
        except OverpaintError:  # nobody has read it, or the engine is not there any more
            continue
    return None


class _Writer:
    """Writes the blocks of one sample; a text that several say is kept once."""

    def __init__(self, frame: Sequence[int]) -> None:
        self._plain = cache(_said)  # most of a page is as in the truth
        self._diagonal = math.hypot(frame[0], frame[1])
        self._texts: dict[str, int] = {}

    def shown(
        self, truth: tuple[Block, ...] | None, read: Mapping[int, tuple[Block, ...]]
    ) -> Shown:
        """Truth: [left, top, right, bottom, text]; read: the same with a partner and if alike."""
        said = [self._plain(block) for block in truth or ()]
        pages = {place: self._page(blocks, truth, said) for place, blocks in read.items()}
        listed = None if truth is None else [
            [*map(round, block.box), self._text(words)]
            for block, words in zip(truth, said, strict=True)
        ]  # fmt: skip
        return {"truth": listed, "read": pages, "texts": [*self._texts]}

    def _page(
        self, blocks: Sequence[Block], truth: Sequence[Block] | None, said: Sequence[str]
    ) -> list[list[int]]:
        from overpaint.measures.reading import paired

        partner = dict(paired(blocks, truth or (), self._diagonal))
        lines = []
        for place, block in enumerate(blocks):
            words, other = self._plain(block), partner.get(place, -1)
            alike = int(other >= 0 and words == said[other])
            lines.append([*map(round, block.box), self._text(words), other, alike])
        return lines

    def _text(self, words: str) -> int:
        short = words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
        return self._texts.setdefault(plain(short), len(self._texts))


def _said(block: Block) -> str:
    """What a block says; of a table too large to be looked into, its HTML."""
    from overpaint.measures import reading

    try:
        return reading.plain(block)
    except DataError:
        return block.text


# ── on the page ─────────────────────────────────────────────────────────────────────────────


def packed(shown: Shown | None) -> str:
    """The blocks of a sample as the page carries them: JSON, deflated, in base64."""
    if shown is None:
        return ""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = squeeze.compress(as_json(shown)) + squeeze.flush()
    return base64.b64encode(data).decode()


def as_json(shown: Shown | None) -> bytes:
    """The blocks of a sample as they are served; null where there are none."""
    told = json.dumps(shown, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return told.encode("utf-8", "backslashreplace")  # halves of letters

"""The words for what stands on a page: boxes, lines of text, blocks in reading order.

A box is (left, top, right, bottom) in pixels of the picture it was seen in; right and bottom
are exclusive. The JSON form is that of PaddleOCR's result files, which VDE Bench releases:
`{"parsing_res_list": [{"block_bbox": [...], "block_content": "...", "block_label": "..."}]}`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Line:
    """One line of text as an OCR engine read it."""

    box: Box
    text: str
    confidence: float = 1.0


@dataclass(frozen=True)
class Block:
    """A paragraph, a heading, a table: what is matched as a whole. A table's text is HTML."""

    box: Box
    text: str
    kind: str = "text"

    def moved(self, across: float, down: float) -> "Block":
        """The same block in the frame of a picture that begins that much earlier."""
        left, top, right, bottom = self.box
        return Block(
            (left + across, top + down, right + across, bottom + down), self.text, self.kind
        )


def to_json(blocks: Iterable[Block]) -> dict[str, Any]:
    """The blocks as a PaddleOCR result."""
    return {
        "parsing_res_list": [
            {"block_bbox": list(b.box), "block_content": b.text, "block_label": b.kind}
            for b in blocks
        ]
    }


def union(boxes: Sequence[Box]) -> Box:
    """The smallest box around some boxes."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def from_json(found: Mapping[str, Any]) -> tuple[Block, ...]:
    """The blocks of a PaddleOCR result; one without four finite corners or a text is left out."""
    listed = found.get("parsing_res_list")
    entries = listed if isinstance(listed, list) else []
    return tuple(block for entry in entries if (block := _block(entry)))


def _block(entry: object) -> Block | None:
    if not isinstance(entry, Mapping) or not isinstance(corners := entry.get("block_bbox"), list):
        return None
    numbers = [float(c) for c in corners if isinstance(c, int | float) and abs(c) < 1e9]
    if len(numbers) != 4 or len(corners) != 4:
        return None
    left, top, right, bottom = numbers
    text, kind = entry.get("block_content"), entry.get("block_label")
    if not isinstance(text, str | int | float | None) or isinstance(kind, list | dict):
        return None
    return Block((left, top, right, bottom), str(text or ""), str(kind or "text"))

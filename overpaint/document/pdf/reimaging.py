"""Images of a PDF whose pixels were edited: each is replaced on its page, and nothing else is.

It is packed without loss, whatever it was, so that pixels outside the edit stay as they were;
black and white stays so. The image is a new object: where other pages show the old one, they go
on to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pikepdf
from pikepdf import Dictionary

from overpaint.document.boxes import Box, box_around
from overpaint.document.layers import Pixels
from overpaint.document.pdf.encoding import INSTEAD, editable, of_the_file, packed
from overpaint.document.pdf.images import image_of
from overpaint.document.pdf.page import Page
from overpaint.document.pdf.scans import Placed, images_of, pixels_of, scan_of
from overpaint.errors import Refused

_NEAR = 5  # pixels: changes nearer to each other are one
_SHARP = 1.05  # times as many dots as were edited: from here on it is said
_MUCH = 1_000_000  # bytes
# What an image keeps; the rest says how its pixels are packed, and is written anew.
_PACKED = ("/Filter", "/DecodeParms", "/Length", "/ColorSpace", "/BitsPerComponent", "/Decode",
           "/F", "/DP", "/SMaskInData")  # fmt: skip
_MAX_DEEP = 20
_MAX_DRAWN = 20_000


@dataclass(frozen=True)
class Reimaged:
    """A file whose image was replaced: the boxes of the page it touched, and what is to be said."""

    data: bytes
    boxes: tuple[Box, ...]
    notes: tuple[str, ...]


def reimage(data: bytes, page: Page, old: Pixels, new: Pixels) -> Reimaged:
    """The file with the images of a page as an edit of the page's picture makes them."""
    boxes = _changes(old, new)
    scan = scan_of(page)
    images = [scan if scan and one.number == scan.number else one for one in images_of(page)]
    edits: dict[int, list[Box]] = {}
    for box in boxes:
        edits.setdefault(_image_at(images, box).number, []).append(box)
    notes: list[str] = []
    with editable(data) as file:
        chains = _drawn_images(file, page, len(images))
        for number, own in edits.items():
            image, chain = images[number], chains[number]
            source = _end(file, page, chain)
            made = _repacked(file, source, image, (old, new), own)
            _replace(file, page, chain, made)
            notes += _grown(source, made)
            if dots := _coarser(image):
                notes.append(f"its picture has {dots:.1f} times as many dots as were edited")
        if file.is_encrypted:
            notes.append("it is saved without its encryption")
        return Reimaged(packed(file), tuple(boxes), tuple(notes))


def _changes(old: Pixels, new: Pixels) -> list[Box]:
    """The boxes in which two pictures of a page differ."""
    differ = (old != new).any(axis=2).astype(np.uint8)
    around = cv2.dilate(differ, np.ones((2 * _NEAR + 1, 2 * _NEAR + 1), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(around)
    found = []
    for left, top, wide, high, _ in stats[1:].tolist():
        inner = differ[top : top + high, left : left + wide]
        if box := box_around(inner):
            found.append((left + box[0], top + box[1], left + box[2], top + box[3]))
    return found


def _image_at(images: Sequence[Placed], box: Box) -> Placed:
    for image in reversed(images):
        if image.covers(box):
            return image
    raise Refused(
        "What was changed on the PDF's page is neither text nor within one image.",
        "In a PDF words and images can be changed, and new things added above.",
        INSTEAD,
    )


def _coarser(image: Placed) -> float:
    """How many times finer an image is than what was edited; 0 where it is not."""
    a, b, _, _, _, _ = image.to
    across = float(np.hypot(a, b))
    return 1 / across if across and 1 / across > _SHARP else 0.0


@of_the_file()
def _grown(source: Any, made: Any) -> list[str]:
    """That an image takes much more room than it did."""
    old, new = (len(one.read_raw_bytes()) for one in (source, made))
    if new - old < _MUCH:
        return []
    return [
        "its picture is packed without loss, so that the rest of it stays as it was: "
        f"{new / 1e6:.1f} MB in place of {old / 1e6:.1f} MB"
    ]


# ── where it is drawn ───────────────────────────────────────────────────────────────────

Chain = tuple[str, ...]  # the names of the forms it is drawn in, and its own


@of_the_file()
def _drawn_images(file: Any, page: Page, count: int) -> list[Chain | None]:
    """The images a page draws, in order; None for one in the content itself."""
    sheet = file.pages[page.number - 1]
    found = []
    for chain in _walk(sheet, sheet.get("/Resources", Dictionary()), ()):
        found.append(chain)
        if len(found) > _MAX_DRAWN:
            break
    if len(found) != count:
        raise Refused(
            f"{page.path} has {count} images on the page and {len(found)} in its content.",
            "They should be the same.", INSTEAD,
        )  # fmt: skip
    return found


def _walk(holder: Any, resources: Any, outer: Chain) -> Iterator[Chain | None]:
    try:
        content = [
            (one, not isinstance(one, pikepdf.ContentStreamInlineImage) and str(one.operator))
            for one in pikepdf.parse_content_stream(holder)
        ]
    except (pikepdf.PdfError, RuntimeError, ValueError, TypeError):
        return
    things = resources.get("/XObject", Dictionary())
    for one, operator in content:
        if not operator:
            yield None
        elif operator == "Do" and len(one.operands) == 1:
            name = str(one.operands[0])
            thing = things.get(name)
            kind = thing.get("/Subtype") if isinstance(thing, pikepdf.Stream) else None
            if kind == "/Image":
                yield (*outer, name)
            elif kind == "/Form" and len(outer) < _MAX_DEEP:
                yield from _walk(thing, thing.get("/Resources", resources), (*outer, name))


@of_the_file()
def _end(file: Any, page: Page, chain: Chain | None) -> Any:
    """The image at the end of a chain of names."""
    if chain is None:
        raise Refused("The image stands in the page's content itself.", "", INSTEAD)
    resources = file.pages[page.number - 1].Resources
    for name in chain[:-1]:
        resources = resources.XObject[name].get("/Resources", resources)
    return resources.XObject[chain[-1]]


@of_the_file()
def _replace(file: Any, page: Page, chain: Chain | None, made: Any) -> None:
    """Put an image in the place of another on one page, in copies of all that leads to it."""
    assert chain is not None
    sheet = file.pages[page.number - 1].obj
    resources = _copied(file.pages[page.number - 1].Resources)
    sheet.Resources = resources
    for name in chain[:-1]:
        form = resources.XObject[name]
        copy = file.make_stream(form.read_bytes())
        for key, value in form.items():
            if key not in ("/Filter", "/DecodeParms", "/Length"):
                copy[key] = value
        resources.XObject[name] = copy
        resources = _copied(form.get("/Resources", resources))
        copy.Resources = resources
    resources.XObject[chain[-1]] = made


def _copied(resources: Any) -> Any:
    own: Any = Dictionary(dict(resources.items()))
    own.XObject = Dictionary(dict(resources.XObject.items()))
    return own


# ── its pixels ──────────────────────────────────────────────────────────────────────────


def _repacked(
    file: Any, source: Any, image: Placed, sheets: tuple[Pixels, Pixels], boxes: Sequence[Box]
) -> Any:
    """An image with the change in it, packed without loss."""
    shown = pixels_of(image)
    if shown is None or source.get("/ImageMask") or isinstance(source.get("/Mask"), pikepdf.Array):
        raise Refused(
            "The words stand in an image that is a mask, or cannot be read.",
            "Its pixels cannot be changed.", INSTEAD,
        )  # fmt: skip
    whole = _edited(shown, image, sheets, boxes)
    two = bool(((shown == 0) | (shown == 255)).all() and not np.ptp(shown, axis=2).any())
    made = image_of(file, np.where(whole < 128, 0, 255).astype(np.uint8) if two else whole,
                    bits=1 if two else 8)  # fmt: skip
    _keep(source, made)
    return made


@of_the_file()
def _keep(source: Any, made: Any) -> None:
    """Leave an image what it has besides its pixels."""
    for key, value in source.items():
        if key not in _PACKED and key not in made:
            made[key] = value


def _edited(
    shown: Pixels, image: Placed, sheets: tuple[Pixels, Pixels], boxes: Sequence[Box]
) -> Pixels:
    """An image's pixels, those anew that the edit changed on the page."""
    old, new = sheets
    touched: Pixels = np.zeros(old.shape[:2], np.uint8)
    for left, top, right, bottom in boxes:
        window = np.s_[top:bottom, left:right]
        touched[window] = (old[window] != new[window]).any(axis=2)
    exact = all(value == round(value) for value in image.to)
    how = cv2.WARP_INVERSE_MAP | (cv2.INTER_NEAREST if exact else cv2.INTER_LINEAR)
    colours = cv2.warpAffine(new[:, :, :3], image.affine, image.size, flags=how)
    if not exact:  # a hair more, or a rim of the old would stay
        touched = np.asarray(cv2.dilate(touched, np.ones((3, 3), np.uint8)), np.uint8)
    share = cv2.warpAffine(
        touched, image.affine, image.size, flags=cv2.WARP_INVERSE_MAP | cv2.INTER_NEAREST
    )
    whole = shown.copy()
    whole[share > 0] = colours[share > 0]
    return whole

"""What a layer says: words on a clear ground are laid on one they stand out from, and read."""

import hashlib
from collections import OrderedDict
from threading import Lock

import numpy as np

from overpaint.document import Pixels
from overpaint.document.matte import matted
from overpaint.vision.page import Line

_PAGE = 2048  # pixels: a longer side is shrunk before it is read
_MARGIN = 24  # pixels of ground around what is read
_LEAST = 6  # pixels: nothing lower or narrower is read
_SOLID = 0.75  # of its box: on what paints more, words stand on its own ground
_SURE = 0.8  # of 1: what is read with less is no word
_SHORT, _SURER = 4, 0.95  # letters: of fewer, a figure is easily taken for one
# The same layers are looked at again and again while a document is edited.
_remembered: OrderedDict[str, tuple[Line, ...]] = OrderedDict()
_lock = Lock()
_MOST_REMEMBERED = 1024


def lines_in(pixels: Pixels) -> tuple[Line, ...]:
    """The lines that RGBA pixels say, read on a ground that their colours stand out from."""
    if min(pixels.shape[:2]) < _LEAST or _is_one_colour(pixels):
        return ()
    key = _key(pixels)
    with _lock:
        if key in _remembered:
            _remembered.move_to_end(key)
            return _remembered[key]
    found = _read_anew(pixels)
    with _lock:
        _remembered[key] = found
        while len(_remembered) > _MOST_REMEMBERED:
            _remembered.popitem(last=False)
    return found


def _key(pixels: Pixels) -> str:
    told = hashlib.sha256(repr(pixels.shape).encode())
    told.update(np.ascontiguousarray(pixels).data)
    return told.hexdigest()


def _is_one_colour(pixels: Pixels) -> bool:
    return bool(pixels[:, :, 3].min() > 0 and not np.ptp(pixels[:, :, :3], axis=(0, 1)).any())


def _read_anew(pixels: Pixels) -> tuple[Line, ...]:
    from overpaint.vision import ocr

    small, scale = _shrunk(pixels)
    solid = np.count_nonzero(pixels[:, :, 3]) > _SOLID * pixels[:, :, 3].size
    for ground in grounds(small)[: 1 if solid else 2]:
        lines = ocr.read(laid(small, ground))
        if words := _words(lines):
            return tuple(_moved(line, scale) for line in words)
    return ()


def _words(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines that are surely words: discs, wheels and faces are read as single letters."""
    kept = []
    for line in lines:
        letters = sum(map(str.isalnum, line.text))
        if letters and line.confidence >= (_SURER if letters < _SHORT else _SURE):
            kept.append(line)
    return tuple(kept) if any(sum(map(str.isalnum, line.text)) > 1 for line in kept) else ()


def grounds(pixels: Pixels) -> tuple[int, int]:
    """White and black, that which the layer's colours differ from more first."""
    weight = pixels[:, :, 3].astype(np.float64)
    light = float((pixels[:, :, :3].mean(axis=2) * weight).sum() / max(weight.sum(), 1.0))
    return (255, 0) if light < 128 else (0, 255)


def laid(pixels: Pixels, ground: int) -> Pixels:
    """RGBA pixels over a flat grey, with a margin of it around them."""
    high, wide = pixels.shape[:2]
    page = np.full((high + 2 * _MARGIN, wide + 2 * _MARGIN, 3), ground, np.uint8)
    flat = matted(pixels, (ground, ground, ground))
    page[_MARGIN : _MARGIN + high, _MARGIN : _MARGIN + wide] = flat
    return page


def _shrunk(pixels: Pixels) -> tuple[Pixels, float]:
    """The pixels no larger than a page, and by how much their sides were divided."""
    high, wide = pixels.shape[:2]
    scale = max(1.0, max(high, wide) / _PAGE)
    if scale == 1:
        return pixels, 1.0
    import cv2

    size = (max(1, round(wide / scale)), max(1, round(high / scale)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8), scale


def _moved(line: Line, scale: float) -> Line:
    left, top, right, bottom = ((edge - _MARGIN) * scale for edge in line.box)
    return Line((left, top, right, bottom), line.text, line.confidence)

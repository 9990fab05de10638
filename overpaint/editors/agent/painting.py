"""One picture layer, edited by an editor of flat pictures: its alpha and its place stay."""

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Editor, Request
from overpaint.document import Document
from overpaint.document.layers import Pixels
from overpaint.document.matte import Colour, matted, unmatted
from overpaint.editors.fitting import other_size, resized
from overpaint.errors import NoOutput, Refused, UserMistake

# The first that stands out from all colours of a layer is its matte.
MATTES: tuple[Colour, ...] = (
    (255, 255, 255), (0, 0, 0), (128, 128, 128), (0, 255, 0), (255, 0, 255), (0, 0, 255),
    (255, 255, 0), (0, 255, 255), (255, 0, 0),
)  # fmt: skip
_CLEAR = 96.0  # distance in RGB from which two colours are told apart at a glance
_LOOKED_AT = 10_000  # pixels of a layer that its matte is chosen by


def layer_edit(editor: Editor, pixels: Pixels, prompt: str) -> tuple[Pixels, tuple[str, ...]]:
    """A layer's RGBA pixels as the editor changed them, and notes on what it did not keep to.

    The editor sees the layer over a flat matte and, where it is not opaque, a mask of all that it
    shows. Size and alpha are the same afterwards, and so are the bytes of what is fully
    transparent.
    """
    _check(pixels)
    alpha = pixels[:, :, 3]
    chosen, may = contrasting(pixels), alpha > 0
    if not may.any():
        raise Refused("Nothing of the layer can be seen.")
    shown = matted(pixels, chosen)
    request = Request(Document.of(shown), prompt, mask=None if may.all() else _drawn(may))
    found = editor(request)
    seen, notes = _same_size(found, shown, chosen)
    # What the editor left as it was keeps its bytes: no rounding by the matte.
    changed = may & (seen != shown).any(axis=2)
    made = pixels.copy()
    made[changed, :3] = unmatted(seen, alpha, chosen)[changed]
    notes = (*found.notes, *notes)
    return made, notes if changed.any() else (*notes, "the editor changed nothing")


def contrasting(pixels: Pixels) -> Colour:
    """A flat colour that stands out from what an RGBA layer shows: white, if white does."""
    seen = pixels[pixels[:, :, 3] > 0][:, :3]
    seen = seen[:: max(1, len(seen) // _LOOKED_AT)].astype(np.float32)
    if not len(seen):
        return MATTES[0]
    # Nearly all of its pixels, not all: a photograph has a few of every colour.
    apart = [
        float(np.quantile(np.linalg.norm(seen - np.array(one, np.float32), axis=1), 0.05))
        for one in MATTES
    ]
    clear = next((one for one, far in zip(MATTES, apart, strict=True) if far >= _CLEAR), None)
    return clear or MATTES[int(np.argmax(apart))]


def _check(pixels: Pixels) -> None:
    if pixels.ndim != 3 or pixels.shape[2] != 4 or pixels.dtype != np.uint8:
        raise UserMistake(
            f"A layer of shape {pixels.shape} and type {pixels.dtype} cannot be edited.",
            "H×W×4 bytes were expected.",
        )


def _drawn(mask: NDArray[np.bool_]) -> Document:
    """A mask as a request has it: white where the picture may change."""
    return Document.of(np.repeat(np.where(mask, 255, 0).astype(np.uint8)[:, :, None], 3, axis=2))


def _same_size(found: Document, shown: Pixels, matte: Colour) -> tuple[Pixels, tuple[str, ...]]:
    """What an editor made, over the matte and in the layer's size."""
    seen = matted(found.rgba, matte)
    if not seen.size:
        raise NoOutput("The editor gave a picture without pixels.")
    size = (shown.shape[1], shown.shape[0])
    if found.size == size:
        return seen, ()
    return resized(seen, size), (other_size(found.size, size),)

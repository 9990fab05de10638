"""Pictures made to fit an editor's grid or size and brought back; nothing outside a mask changes.

Sizes and masks are not portable between editors: a picture is scaled to the editor's canvas and
padded with its own edge, what comes back is cropped and scaled again, and where the request has
a mask the source's own bytes stand outside of it, whatever the editor did there.

Where references have names, an empty canvas beside them is a size and no picture: it is not sent. A
reference that is the source itself is sent once, and the prompt says which picture has which name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.core import Request
from overpaint.document import Document
from overpaint.document.layers import Pixels
from overpaint.document.matte import Colour, unmatted
from overpaint.document.pictures import with_alpha
from overpaint.editors.options import Size
from overpaint.errors import Refused

Mask = NDArray[np.bool_]
WHITE: Colour = (255, 255, 255)
WHITE_FROM = 128  # of 255: how light a mask is where the picture may change
_STRETCHED = 0.02  # by which two forms differ before it is said
NOTICED = 8  # of 255: what an editor changes outside a mask by less is its rounding


@dataclass(frozen=True)
class Fit:
    """Where a picture stands on an editor's canvas: at its top left, scaled, padded beyond."""

    size: Size  # the picture's own
    scaled: Size
    canvas: Size

    def put(self, pixels: Pixels) -> Pixels:
        """RGB pixels on the canvas, their edge repeated where they do not reach."""
        return _padded(resized(pixels, self.scaled), self.canvas, "edge")

    def put_mask(self, mask: Mask) -> Mask:
        """A mask on the canvas; the padding may not change."""
        grey = resized(mask.astype(np.uint8) * 255, self.scaled)
        return _padded(grey, self.canvas, "constant") >= WHITE_FROM

    def back(self, pixels: Pixels) -> tuple[Pixels, tuple[str, ...]]:
        """The picture in its own size again, and what of it the editor did not keep to."""
        notes: tuple[str, ...] = ()
        came = (pixels.shape[1], pixels.shape[0])
        if came != self.canvas:
            notes = (other_size(came, self.canvas),)
            pixels = resized(pixels, self.canvas)
        wide, high = self.scaled
        return resized(pixels[:high, :wide], self.size), notes


def fit(size: Size, *, grid: int = 1, sizes: Sequence[Size] = ()) -> Fit:
    """How a picture of that size is laid on one of the sizes, the nearest in form, or a grid."""
    if not sizes:
        wide, high = (-(-side // grid) * grid for side in size)
        return Fit(size, size, (wide, high))
    form = size[0] / size[1]
    canvas = min(sizes, key=lambda one: abs(np.log(one[0] / one[1] / form)))
    scale = min(canvas[0] / size[0], canvas[1] / size[1])
    wide, high = (max(1, min(round(s * scale), c)) for s, c in zip(size, canvas, strict=True))
    return Fit(size, (wide, high), canvas)


# ── a request's pictures, and an editor's answer to it ──────────────────────────────────────


@dataclass(frozen=True)
class Fitted:
    """A request as an editor takes it: RGB pictures, and a mask of the first one's size."""

    request: Request
    fit: Fit
    picture: Pixels
    mask: Mask | None  # true where it may change
    notes: tuple[str, ...] = ()

    @property
    def references(self) -> tuple[Pixels, ...]:
        """The other pictures, in their own sizes, over white."""
        return tuple(document.rgb for document in self.request.references)

    @property
    def leads(self) -> bool:
        """Whether the source is sent as a picture of its own, before the references."""
        request = self.request
        if self.mask is not None or not request.references or not request.labels:
            return True
        if any(map(self._is_source, request.references)):
            return False
        return request.begun or not is_empty(request.source)

    @property
    def pictures(self) -> tuple[Pixels, ...]:
        """All that is sent; the source, and whatever is the source, on the editor's canvas."""
        references = (
            self.picture if self._is_source(document) else document.rgb
            for document in self.request.references
        )
        return (self.picture, *references) if self.leads else tuple(references)

    def prompt(self, most: int | None = None) -> str:
        """The instruction, after a line on which of the first `most` pictures has which name."""
        labels, said = self.request.labels, self.request.instruction
        if not labels:
            return said
        names = ("the one to change", *labels) if self.leads else labels
        told = (f"picture {number} is {name}" for number, name in enumerate(names[:most], 1))
        return f"P{', '.join(told)[1:]}.\n{said}"

    def _is_source(self, document: Document) -> bool:
        """Whether a reference is the source; asked only where references have names."""
        return bool(self.request.labels) and document.key == self.request.source.key

    def answered(self, pixels: Pixels, notes: Sequence[str] = ()) -> Document:
        """The document that an editor's picture makes, with what it could not honour noted."""
        source = self.request.source
        found, scaled = self.fit.back(pixels)
        said = [*self.notes, *notes, *scaled]
        if found.shape[2] == 3 and (source.rgba[:, :, 3] < 255).any():
            said.append("the editor returned no alpha; the source's was put back")
            alpha = source.rgba[:, :, 3]
            found = np.dstack([unmatted(found, alpha, WHITE), alpha])
        if self.request.mask is not None:
            found, told = _under(mask_of(self.request.mask, source.size)[0], source, found)
            said += told
        made = Document.of(np.ascontiguousarray(found))
        return Document(made=made.made, said=tuple(said))


def fitted(request: Request, *, grid: int = 1, sizes: Sequence[Size] = ()) -> Fitted:
    """The request on the editor's canvas; layers are flattened, over white."""
    source = request.source
    placed = fit(source.size, grid=grid, sizes=sizes)
    notes = () if source.flat else ("the editor knows no layers; it was given the flat picture",)
    mask = None
    if request.mask is not None:
        mask, told = mask_of(request.mask, source.size)
        if not mask.any():
            raise Refused("The mask lets nothing change.", "White is what may change.")
        mask, notes = placed.put_mask(mask), (*notes, *told)
    return Fitted(request, placed, placed.put(source.rgb), mask, notes)


def mask_of(mask: Document, size: Size) -> tuple[Mask, tuple[str, ...]]:
    """Where a mask lets the picture change: it is light there; scaled, and noted, if need be."""
    grey = mask.rgb.max(axis=2)
    if mask.size == size:
        return grey >= WHITE_FROM, ()
    told = f"the mask of {_told(mask.size)} was scaled to {_told(size)}"
    return resized(grey, size) >= WHITE_FROM, (told,)


def is_empty(canvas: Document) -> bool:
    """Whether a picture is of one colour: a size to fill, and nothing to look at."""
    pixels = canvas.rgb
    return bool((pixels == pixels[0, 0]).all())


def mask_picture(mask: Mask) -> Pixels:
    """A mask as servers take it: alpha 0 and white where it may change, black and opaque else.

    Those that look at alpha and those that look at the colour understand the same.
    """
    light = np.where(mask, 255, 0).astype(np.uint8)
    return np.dstack([light, light, light, 255 - light])


def _under(mask: Mask, source: Document, found: Pixels) -> tuple[Pixels, tuple[str, ...]]:
    """What was found within the mask, the source's own bytes outside of it."""
    before, after = source.rgba, with_alpha(found)
    beyond = np.abs(source.rgb.astype(np.int16) - after[:, :, :3]).max(axis=2) > NOTICED
    share = float((beyond & ~mask).sum() / max(1, (~mask).sum()))
    notes: tuple[str, ...] = ()
    if share > 0:
        notes = (f"the editor changed {share:.1%} of what the mask protects; that was restored",)
    return np.where(mask[:, :, None], after, before), notes


# ── pixels ──────────────────────────────────────────────────────────────────────────────────


def resized(pixels: Pixels, size: Size) -> Pixels:
    """Pixels in another size; the same where they have it already."""
    if (pixels.shape[1], pixels.shape[0]) == size:
        return pixels
    made: Pixels = np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.LANCZOS))
    return made


def _padded(pixels: Pixels, size: Size, how: str) -> Pixels:
    beyond = ((0, size[1] - pixels.shape[0]), (0, size[0] - pixels.shape[1]))
    if not any(right for _, right in beyond):
        return pixels
    made: Pixels = np.pad(pixels, (*beyond, *((0, 0),) * (pixels.ndim - 2)), mode=how)  # type: ignore[call-overload]
    return made


def other_size(came: Size, sent: Size) -> str:
    """The note on a picture that came in another size than it was sent in."""
    told = f"the editor returned {_told(came)} for {_told(sent)}; scaled back"
    stretched = abs(came[0] * sent[1] / (came[1] * sent[0]) - 1) > _STRETCHED
    return f"{told}, which stretches it" if stretched else told


def _told(size: Size) -> str:
    return f"{size[0]}×{size[1]}"

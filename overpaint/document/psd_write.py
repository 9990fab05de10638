"""Writing PSD: a file's own layers with the changes made in them, or a new file.

Nothing that was not changed is touched: not a layer that stayed, nor what psd-tools does not
understand. Live text cannot be rewritten, so text that was edited becomes a pixel layer above
its type layer, which is kept and hidden. The merged picture and the thumbnail, which other
programs show, are brought up to date where the rendering has changed.
"""

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.document.layers import Group, Layer, Pixels, Text, walk
from overpaint.document.model import Document
from overpaint.document.pictures import flatten
from overpaint.document.psd import Opened
from overpaint.document.psd_pixels import colour_planes, guarded, stored
from overpaint.document.psd_records import Records, drawn_alike, moved
from overpaint.document.render import render
from overpaint.document.where import short

_MODES = ("RGB", "GRAYSCALE", "CMYK")
_LARGEST = 30_000  # pixels on a side of a PSD; a PSB has more
_THUMBNAIL = (160, 160)
_Known = Mapping[str, tuple[Layer, Any]]  # the file's layers by id: as we read them, and its own


def written(
    document: Document, origin: Opened | None, *, big: bool = False
) -> tuple[bytes, tuple[str, ...]]:
    """The file's bytes, and notes on what is not live any more."""
    notes: list[str] = []
    if origin and (origin.size != document.size or not _patchable(origin)):
        notes.append(f"{origin.path.name} cannot be changed in place: the file is written anew")
        origin = None
    if origin is None:
        psd = _fresh(document, big=big or max(document.size) > _LARGEST)
    else:
        psd = origin.psd
        if psd.version != (2 if big else 1):
            notes.append(f"it stays a {'PSD' if psd.version == 1 else 'PSB'} inside, as its origin")
    flat = origin is not None and not origin.sources and document.flat
    if not flat:
        _set_layers(psd, _compiled(document, origin, psd, notes))
    _set_merged(document, origin, psd)
    out = io.BytesIO()
    psd._record.write(out)
    return out.getvalue(), tuple(dict.fromkeys(notes))


def _patchable(origin: Opened) -> bool:
    return origin.psd.color_mode.name in _MODES and origin.psd.depth in (8, 16, 32)


def _fresh(document: Document, *, big: bool) -> Any:
    from psd_tools import PSDImage
    from psd_tools.constants import Compression

    clear = bool((document.rgba[:, :, 3] < 255).any())
    psd = PSDImage.new("RGBA" if clear else "RGB", document.size, color=255)
    psd._record.header.version = 2 if big else 1
    psd._record.image_data.compression = Compression.RLE
    psd._merged_alpha = clear
    return psd


# ── layers ──────────────────────────────────────────────────────────────────────────────


def _compiled(document: Document, origin: Opened | None, psd: Any, notes: list[str]) -> Records:
    known: _Known = {}
    if origin and origin.sources:
        known = {layer.id: (layer, origin.sources[layer.id]) for layer in walk(origin.layers)}
    records = Records(psd, notes)
    records.taken |= {found.layer_id for _, found in known.values() if found.layer_id > 0}
    records.taken |= {int(name) for name in known if name.isascii() and name.isdecimal()}
    _add(document.layers, records, known)
    return records


def _add(layers: tuple[Layer, ...], records: Records, known: _Known) -> None:
    for layer in layers:
        was, found = known.get(layer.id, (None, None))
        if was is not None and _a_group(was) != _a_group(layer):
            was = found = None
        if isinstance(layer.content, Group):
            records.opened(found)
            _add(layer.content.layers, records, known)
            if found is not None and was is not None:
                records.kept(layer, was, found)
            else:
                records.group(layer)
        elif found is None or was is None:
            _say_pixels(layer, records.notes)
            records.pixel(layer)
        elif _stays(layer, was, found):
            records.kept(layer, was, found)
        else:
            _say_hidden(layer, found, records.notes)
            records.hidden(found)
            records.pixel(layer, effects=found._record)


def _a_group(layer: Layer) -> bool:
    return isinstance(layer.content, Group)


def _stays(layer: Layer, was: Layer, found: Any) -> bool:
    """Whether a layer of the file can be changed into what is asked without losing what it is."""
    if found.kind == "pixel":
        return layer.kind == "picture"
    if not drawn_alike(layer, was):
        return False
    # A shape or a placed file would be drawn again from its own description, where it was.
    return found.kind == "type" or moved(layer, was) == (0, 0)


def _say_pixels(layer: Layer, notes: list[str]) -> None:
    if isinstance(layer.content, Text):
        notes.append(f"PSD text cannot be written live: {short(layer.content.words)!r} is pixels")
    elif layer.kind == "shape":
        notes.append(f"PSD shapes cannot be written live: {layer.name!r} is pixels")


def _say_hidden(layer: Layer, found: Any, notes: list[str]) -> None:
    if isinstance(layer.content, Text):
        what = f"the text {short(layer.content.words)!r}"
    else:
        what = f"{layer.name!r} ({found.kind})"
    notes.append(f"{what} is now pixels; its live layer is kept, hidden, below")


def _set_layers(psd: Any, made: Records) -> None:
    """Put the records where the reader takes them from."""
    from psd_tools.constants import Resource
    from psd_tools.psd.layer_and_mask import ChannelImageData, LayerInfo, LayerRecords

    whole = psd._record.layer_and_mask_information
    if whole.layer_info is None:
        whole.layer_info = LayerInfo()
    info = psd._record._get_layer_info()
    clear = info.layer_count < 0 or psd._merged_alpha
    if len(made.records) != abs(info.layer_count):
        # These have an entry for each layer, and are not needed.
        for key in (Resource.LAYER_GROUP_INFO, Resource.LAYER_GROUPS_ENABLED_ID):
            psd.image_resources.pop(key, None)
    info.layer_records = LayerRecords(made.records)
    info.channel_image_data = ChannelImageData(made.channels)
    info.layer_count = -len(made.records) if clear else len(made.records)


# ── the merged picture ──────────────────────────────────────────────────────────────────


def _set_merged(document: Document, origin: Opened | None, psd: Any) -> None:
    """Bring the merged picture up to date where the rendering has changed.

    Elsewhere it stays as the program that wrote it drew it, with the effects and adjustments
    that are not drawn here.
    """
    changed = np.ones(document.size[::-1], bool)
    if origin is not None and origin.psd.has_preview():
        with guarded(origin.path, "its merged picture"):
            was = origin.layers[0].pixels if not origin.sources else render(
                origin.layers, origin.size
            )  # fmt: skip
        changed = (document.rgba != was).any(axis=2)
    if not changed.any():
        return
    header = psd._record.header
    planes = _planes(document, psd)
    old = _old_planes(psd, origin)
    merged = [
        _mixed(old[at], planes.get(at), changed, header.depth) for at in range(header.channels)
    ]
    psd._record.image_data.set_data(merged, header)
    _set_thumbnail(psd, flatten(document.rgba))


def _planes(document: Document, psd: Any) -> dict[int, Pixels]:
    """What the channels of the merged picture show: colours over white, then how much is there."""
    colours = colour_planes(flatten(document.rgba), psd.color_mode.name)
    planes = dict(enumerate(colours))
    info = psd._record._get_layer_info()
    clear = psd._merged_alpha or (info is not None and info.layer_count < 0)
    if clear and psd._record.header.channels > len(colours):
        planes[len(colours)] = document.rgba[:, :, 3]
    return planes


def _old_planes(psd: Any, origin: Opened | None) -> list[bytes]:
    header = psd._record.header
    size = header.width * header.height * header.depth // 8
    if origin is None:
        return [bytes(size)] * header.channels
    with guarded(origin.path, "its merged picture"):
        old = psd._record.image_data.get_data(header)
        if any(len(plane) != size for plane in old):
            raise ValueError("a channel is not whole")
    return list(old)


def _mixed(old: bytes, new: Pixels | None, changed: NDArray[np.bool_], depth: int) -> bytes:
    """A channel, new where it has changed; one that is not ours stays."""
    if new is None:
        return old
    wide = depth // 8
    kept = np.frombuffer(old, np.uint8).reshape(-1, wide)
    made = np.frombuffer(stored(new, depth), np.uint8).reshape(-1, wide)
    return np.where(changed.reshape(-1, 1), made, kept).tobytes()


def _set_thumbnail(psd: Any, rgb: Pixels) -> None:
    from psd_tools.constants import Resource
    from psd_tools.psd.image_resources import ImageResource, ThumbnailResource

    image = Image.fromarray(np.ascontiguousarray(rgb))
    image.thumbnail(_THUMBNAIL)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=90)
    wide, high = image.size
    row = (wide * 24 + 31) // 32 * 4
    data = ThumbnailResource(1, wide, high, row, row * high, 24, 1, out.getvalue())
    key = Resource.THUMBNAIL_RESOURCE
    psd.image_resources[key] = ImageResource(key=key, data=data)  # type: ignore[arg-type]
    psd.image_resources.pop(Resource.THUMBNAIL_RESOURCE_PS4, None)
    version = psd.image_resources.get_data(Resource.VERSION_INFO)
    if version is not None:
        version.has_composite = True

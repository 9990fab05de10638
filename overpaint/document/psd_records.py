"""PSD layer records: new ones from our layers, and a file's own with only what differs changed."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from overpaint.document.layers import Group, Layer, Mask, Pixels, Shape, Text
from overpaint.document.psd import BLENDS, EFFECTS
from overpaint.document.psd_pixels import ALPHA, MASK, colour_planes, packed_channel
from overpaint.document.render import sheet_of

_REAL_MASK = -3


@dataclass
class Records:
    """The layer records of a file that is being written, bottom first, with their channels."""

    psd: Any
    notes: list[str]
    taken: set[int] = field(default_factory=set)  # ids in use
    records: list[Any] = field(default_factory=list)
    channels: list[Any] = field(default_factory=list)

    # ── new ─────────────────────────────────────────────────────────────────────────────

    def pixel(self, layer: Layer, *, effects: Any = None) -> None:
        """A new pixel layer; `effects` is a record whose effects it takes over."""
        record, channels = self._new(layer)
        self.paint(record, channels, *_drawn(layer))
        if layer.mask is not None:
            self.mask(record, channels, layer.mask)
        if effects is not None:
            _take_effects(record, effects)
        self._add(record, channels)

    def opened(self, found: Any = None) -> None:
        """The record that a group begins with."""
        from psd_tools.constants import SectionDivider, Tag

        if found is not None:
            self._add(found._bounding_record, found._bounding_channels)
            return
        record, channels = self._blank()
        _name(record, "</Layer group>")
        record.tagged_blocks.set_data(
            Tag.SECTION_DIVIDER_SETTING, SectionDivider.BOUNDING_SECTION_DIVIDER
        )
        self._add(record, channels)

    def group(self, layer: Layer) -> None:
        """The record that a new group ends with: its own."""
        from psd_tools.constants import BlendMode, SectionDivider, Tag

        record, channels = self._new(layer)
        blend = BlendMode(BLENDS[layer.blend].encode())
        record.tagged_blocks.set_data(
            Tag.SECTION_DIVIDER_SETTING, SectionDivider.OPEN_FOLDER,
            signature=b"8BIM", blend_mode=blend,
        )  # fmt: skip
        for at in range(ALPHA, len(colour_planes(_NOTHING, self.psd.color_mode.name))):
            self._put(record, channels, at, np.zeros((0, 0), np.uint8))
        if layer.mask is not None:
            self.mask(record, channels, layer.mask)
        self._add(record, channels)

    def _new(self, layer: Layer) -> tuple[Any, Any]:
        from psd_tools.constants import BlendMode, Clipping, Tag

        record, channels = self._blank()
        _name(record, layer.name)
        record.tagged_blocks.set_data(Tag.LAYER_ID, self._id(layer.id))
        record.opacity = round(layer.opacity * 255)
        blend = "normal" if layer.blend == "pass-through" else layer.blend
        record.blend_mode = BlendMode(BLENDS[blend].encode())
        record.clipping = Clipping.NON_BASE if layer.clip else Clipping.BASE
        record.flags.visible = layer.visible
        return record, channels

    def _blank(self) -> tuple[Any, Any]:
        from psd_tools.psd.layer_and_mask import ChannelDataList, LayerRecord

        return LayerRecord(), ChannelDataList()

    def _id(self, wanted: str) -> int:
        """The layer's own id where a PSD can have it and nobody else does, or the next free."""
        fits = wanted.isascii() and wanted.isdecimal() and 0 < int(wanted) < 2**31
        number = int(wanted) if fits else max(self.taken, default=0) + 1
        if number in self.taken:
            number = max(self.taken) + 1
        self.taken.add(number)
        return number

    def _add(self, record: Any, channels: Any) -> None:
        self.records.append(record)
        self.channels.append(channels)

    # ── pixels ──────────────────────────────────────────────────────────────────────────

    def paint(self, record: Any, channels: Any, pixels: Pixels, corner: tuple[int, int]) -> None:
        """Give a record new pixels, in the file's own colours and depth."""
        high, wide = pixels.shape[:2]
        record.left, record.top = corner
        record.right, record.bottom = corner[0] + wide, corner[1] + high
        planes = colour_planes(pixels[:, :, :3], self.psd.color_mode.name)
        for at, plane in enumerate([pixels[:, :, 3], *planes], ALPHA):
            self._put(record, channels, at, plane)

    def mask(self, record: Any, channels: Any, mask: Mask | None) -> None:
        """Give a record another mask, or none."""
        from psd_tools.psd.layer_and_mask import MaskData, MaskFlags

        for number in (MASK, _REAL_MASK):
            for at in [n for n, info in enumerate(record.channel_info) if info.id == number]:
                del record.channel_info[at], channels[at]
        record.mask_data = None
        if mask is None:
            return
        mask = _plain(mask, self.psd.size)
        high, wide = mask.pixels.shape
        record.mask_data = MaskData(
            top=mask.top, left=mask.left, bottom=mask.top + high, right=mask.left + wide,
            background_color=mask.outside, flags=MaskFlags(),
        )  # fmt: skip
        self._put(record, channels, MASK, mask.pixels)

    def _put(self, record: Any, channels: Any, number: int, plane: Pixels) -> None:
        from psd_tools.psd.layer_and_mask import ChannelInfo

        channel = packed_channel(self.psd, plane)
        for at, info in enumerate(record.channel_info):
            if info.id == number:
                channels[at] = channel
                return
        record.channel_info.append(ChannelInfo(number, channel._length))
        channels.append(channel)

    # ── a file's own ────────────────────────────────────────────────────────────────────

    def kept(self, layer: Layer, before: Layer, found: Any) -> None:
        """A layer of the file with what is different about it changed, and nothing else."""
        from psd_tools.constants import Clipping

        record, channels = found._record, found._channels
        if layer.name != before.name:
            _name(record, layer.name)
        if layer.visible != before.visible:
            record.flags.visible = layer.visible
        if layer.clip != before.clip:
            record.clipping = Clipping.NON_BASE if layer.clip else Clipping.BASE
        if layer.blend != before.blend:
            found.blend_mode = BLENDS[layer.blend]
        if layer.opacity != before.opacity:
            _fade(found, layer.opacity)
        if layer.mask != before.mask:
            self.mask(record, channels, layer.mask)
        if not isinstance(layer.content, Group):
            self._content(layer, before, found)
        self._add(record, channels)

    def _content(self, layer: Layer, before: Layer, found: Any) -> None:
        if drawn_alike(layer, before):
            exact = (layer.left - before.left, layer.top - before.top)
            if exact != (0, 0):
                _shift(found, moved(layer, before), exact)
        else:
            self.paint(found._record, found._channels, *_drawn(layer))

    def hidden(self, found: Any) -> None:
        """A layer of the file, kept as it is, not shown."""
        found._record.flags.visible = False
        self._add(found._record, found._channels)


_NOTHING = np.zeros((0, 0, 3), np.uint8)


def _drawn(layer: Layer) -> tuple[Pixels, tuple[int, int]]:
    """A layer's pixels and their corner; of a picture of none, at least its sides."""
    sheet = sheet_of(layer)
    if sheet is not None:
        return sheet.pixels, (sheet.left, sheet.top)
    none = layer.pixels if layer.kind == "picture" else np.zeros((0, 0, 4), np.uint8)
    return none, (round(layer.left), round(layer.top))


def drawn_alike(layer: Layer, before: Layer) -> bool:
    """Whether a layer shows the same pixels, at most moved by whole ones."""
    if layer.content != before.content or layer.angle != before.angle:
        return False
    if isinstance(layer.content, Text):
        return layer.content.drawn is not None
    still = (layer.left, layer.top) == (before.left, before.top)
    whole = layer.left == int(layer.left) and layer.top == int(layer.top)
    return still or (whole and not isinstance(layer.content, Shape))


def moved(layer: Layer, before: Layer) -> tuple[int, int]:
    """How many pixels a layer has moved to the right and down."""
    now, then = sheet_of(layer), sheet_of(before)
    if now is None or then is None:
        return round(layer.left - before.left), round(layer.top - before.top)
    return now.left - then.left, now.top - then.top


def _shift(found: Any, pixels: tuple[int, int], exact: tuple[float, float]) -> None:
    """Move a record, and live text with it."""
    from psd_tools.constants import Tag

    record = found._record
    record.left, record.right = record.left + pixels[0], record.right + pixels[0]
    record.top, record.bottom = record.top + pixels[1], record.bottom + pixels[1]
    setting = record.tagged_blocks.get_data(Tag.TYPE_TOOL_OBJECT_SETTING)
    if setting is not None:
        *matrix, across, down = setting.transform
        setting.transform = (*matrix, across + exact[0], down + exact[1])


def _fade(found: Any, opacity: float) -> None:
    """Set the opacity that a layer and its fill have together, leaving the fill's where it can."""
    fill = found.fill_opacity / 255
    if opacity <= fill and fill > 0:
        found._record.opacity = round(opacity / fill * 255)
    else:
        found.fill_opacity = 255
        found._record.opacity = round(opacity * 255)


def _name(record: Any, name: str) -> None:
    """Set both names: the short one in Mac Roman, and the one that everybody reads."""
    from psd_tools.constants import Tag

    record.name = name.encode("macroman", "replace")[:255].decode("macroman")
    record.tagged_blocks.set_data(Tag.UNICODE_LAYER_NAME, name)


def _take_effects(record: Any, other: Any) -> None:
    for key in EFFECTS:
        if key in other.tagged_blocks:
            record.tagged_blocks[key] = other.tagged_blocks[key]
    record.blending_ranges = other.blending_ranges


def _plain(mask: Mask, size: tuple[int, int]) -> Mask:
    """A mask that is black or white beyond its pixels, which is all that a PSD can have."""
    if mask.outside in (0, 255):
        return mask
    high, wide = mask.pixels.shape
    left, top = min(0, mask.left), min(0, mask.top)
    right, bottom = max(size[0], mask.left + wide), max(size[1], mask.top + high)
    pixels = np.full((bottom - top, right - left), mask.outside, np.uint8)
    y, x = mask.top - top, mask.left - left
    pixels[y : y + high, x : x + wide] = mask.pixels
    return Mask(pixels, left, top, 0)

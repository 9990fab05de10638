"""How a fake endpoint of `images/edits` and `images/generations` answers, rightly or wrongly."""

import base64
import hashlib
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.document.layers import Pixels
from overpaint.document.pictures import decode_picture
from overpaint.errors import PictureError
from overpaint.testing.answer import Answer, as_json, failure

Mask = NDArray[np.bool_]
Paint = Callable[[Pixels, str], Pixels]  # RGB and the prompt to RGB
_WRONG = "invalid_request_error"
_HUGE = 8_000_000  # bytes


def inverted(pixels: Pixels, prompt: str) -> Pixels:
    """Every colour's contrary: an edit that anybody can check."""
    return 255 - pixels


def ground(prompt: str, size: str) -> Pixels:
    """What words alone become before they are painted over: one colour, the prompt's own."""
    match = re.fullmatch(r"(\d{1,4})x(\d{1,4})", size)
    wide, high = (int(match[1]), int(match[2])) if match else (64, 64)
    colour = hashlib.sha256(prompt.encode()).digest()[:3]
    return np.full((max(1, high), max(1, wide), 3), list(colour), np.uint8)


@dataclass(frozen=True)
class Painted:
    """One request for an edit, or for a picture made of words, as it came."""

    fields: Mapping[str, str]
    files: tuple[str, ...]  # the fields of its pictures, in order
    pictures: tuple[Pixels, ...]  # as RGB or RGBA; of words alone, their ground
    mask: Mask | None  # true where it may change

    @classmethod
    def of_words(cls, body: bytes) -> "Painted":
        """The request in a JSON body; a ValueError says what is missing."""
        told = json.loads(body.decode("utf-8", "replace"))
        if not isinstance(told, dict) or not isinstance(told.get("prompt"), str):
            raise ValueError("a prompt is required")
        fields = {str(name): str(value) for name, value in told.items()}
        return cls(fields, (), (ground(fields["prompt"], fields.get("size", "")),), None)

    @classmethod
    def of(cls, parts: Sequence[tuple[str, bool, bytes]]) -> "Painted":
        """The request in a form's parts; a ValueError says what is missing."""
        fields = {name: data.decode("utf-8", "replace") for name, file, data in parts if not file}
        files = [(name, decoded(data)) for name, file, data in parts if file]
        masks = [pixels for name, pixels in files if name in ("mask", "mask_image")]
        pictures = tuple(pixels for name, pixels in files if name in ("image", "image[]"))
        if not pictures or "prompt" not in fields:
            raise ValueError("image and prompt are required")
        mask = masks[0] if masks else None
        may = None if mask is None or mask.shape[2] < 4 else mask[:, :, 3] == 0
        if mask is not None and mask.shape[:2] != pictures[0].shape[:2]:
            raise ValueError("the mask has another size than the picture")
        return cls(fields, tuple(name for name, _ in files), pictures, may)


def decoded(data: bytes) -> Pixels:
    """The pixels of a picture that came; a ValueError where it is none."""
    try:
        return decode_picture(data, Path("upload"))[0]
    except PictureError as error:
        raise ValueError(str(error)) from None


def png(pixels: Pixels) -> bytes:
    """A PNG that has alpha if the pixels have it."""
    out = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(out, "PNG", compress_level=1)
    return out.getvalue()


# ── answers ─────────────────────────────────────────────────────────────────────────────────

Make = Callable[[Painted, Paint], Answer]


def _sends(data: bytes) -> Answer:
    return as_json({"created": 1, "data": [{"b64_json": base64.b64encode(data).decode()}]})


def _made(asked: Painted, paint: Paint, *, masked: bool = True) -> Pixels:
    before = asked.pictures[0][:, :, :3]
    after = paint(before, asked.fields["prompt"])
    if masked and asked.mask is not None and after.shape == before.shape:
        after = np.where(asked.mask[:, :, None], after, before)
    return after


def _ok(asked: Painted, paint: Paint) -> Answer:
    return _sends(png(_made(asked, paint)))


def _ignores_mask(asked: Painted, paint: Paint) -> Answer:
    return _sends(png(_made(asked, paint, masked=False)))


def _alpha(asked: Painted, paint: Paint) -> Answer:
    made = _made(asked, paint)
    return _sends(png(np.dstack([made, np.full(made.shape[:2], 200, np.uint8)])))


def _small(asked: Painted, paint: Paint) -> Answer:
    made = _made(asked, paint)
    return _sends(png(made[::2, ::2]))


def _square(asked: Painted, paint: Paint) -> Answer:
    made = Image.fromarray(_made(asked, paint)).resize((64, 64))
    return _sends(png(np.asarray(made)))


def _broken_png(asked: Painted, paint: Paint) -> Answer:
    whole = png(_made(asked, paint))
    return _sends(whole[: len(whole) // 2])


def _link(address: str) -> Make:
    return lambda asked, paint: as_json({"created": 1, "data": [{"url": address}]})


def _data_url(asked: Painted, paint: Paint) -> Answer:
    whole = base64.b64encode(png(_made(asked, paint))).decode()
    return as_json({"data": [{"url": f"data:image/png;base64,{whole}"}]})


def _body(data: bytes) -> Make:
    return lambda asked, paint: Answer(body=data)


def _error(status: int, told: str, code: str) -> Make:
    return lambda asked, paint: failure(status, told, _WRONG, code=code)


def _limited(asked: Painted, paint: Paint) -> Answer:
    told = "Rate limit reached: 5 pictures a minute."
    return failure(429, told, "requests", headers=(("Retry-After", "0.05"),))


def _without(name: str) -> Make:
    """Declines one field by its name; without it, answers rightly."""

    def make(asked: Painted, paint: Paint) -> Answer:
        if name in asked.fields or name in asked.files:
            told = f"Unknown parameter: '{name}'."
            return failure(400, told, _WRONG, param=name, code="unknown_parameter")
        return _ok(asked, paint)

    return make


_SAFETY = "Your request was rejected by the safety system. safety_violations=[violence]."
EDITS: Mapping[str, Make] = {
    "ok": _ok,
    "ignores_mask": _ignores_mask,
    "alpha": _alpha,
    "small": _small,
    "square": _square,
    "data_url": _data_url,
    "no_mask": _without("mask"),
    "no_format": _without("response_format"),
    "no_size": _without("size"),
    "no_list": _without("image[]"),
    "broken_png": _broken_png,
    "no_png": lambda asked, paint: _sends(b"GIF89a, or so it says"),
    "no_base64": _body(b'{"data": [{"b64_json": "%%%"}]}'),
    "no_picture": _body(b'{"created": 1, "data": []}'),
    "no_data": _body(b'{"object": "chat.completion", "choices": []}'),
    "bad_json": _body(b'{"created": 1, "data": [{"b64_json": "iVBORw0'),
    "no_body": _body(b""),
    "url": _link("http://elsewhere.invalid/picture.png"),
    "huge": lambda asked, paint: Answer(body=b" " * _HUGE),
    "hang": lambda asked, paint: Answer(never=True),
    "drip": lambda asked, paint: Answer(body=_ok(asked, paint).body, drip=0.05),
    "reset": lambda asked, paint: Answer(raw=b"", reset=True),
    "garbage": lambda asked, paint: Answer(raw=bytes(range(200))),
    "moderation": _error(400, _SAFETY, "moderation_blocked"),
    "rate_limited": _limited,
    "no_quota": lambda asked, paint: failure(
        429, "You exceeded your current quota.", "insufficient_quota", code="insufficient_quota"
    ),
    "server_error": _error(500, "The server had an error.", "server_error"),
    "bad_key": _error(401, "Incorrect API key provided.", "invalid_api_key"),
    "no_model": _error(404, "The model does not exist.", "model_not_found"),
    "moved": lambda asked, paint: Answer(302, headers=(("Location", "http://elsewhere.invalid"),)),
    "repeats": lambda asked, paint: failure(400, asked.fields["prompt"], _WRONG),
    "wrong": _error(400, "The prompt is in a language I do not know.", "bad_prompt"),
}

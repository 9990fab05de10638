"""CLIP: how like a text and a picture are, or two pictures, by the user's weights.

Which CLIP is taken, the first of these that is set; it is told in notes by name and hash:

    OVERPAINT_OPEN_CLIP=ViT-B-32=/path/weights.safetensors   a model of open_clip
    OVERPAINT_CLIP_MODEL=/path/folder                        of transformers: a folder, or its name
    OVERPAINT_CLIP=/path/encoder.onnx                        an image encoder; it reads no words

With none of them it is openai/clip-vit-base-patch32, where the hub's cache has it. Some names of
open_clip have weights that want their pictures otherwise: ViT-L-14:openai=/path says which.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.core import Evidence
from overpaint.document import Document, Pixels
from overpaint.errors import Unavailable
from overpaint.vision import embeddings
from overpaint.vision.embeddings import MEAN, SIDE, SPREAD, Encoder, Look, Network, prepared
from overpaint.vision.own_weights import Own, digest, preparation, tensors, without

OPEN_CLIP = "OVERPAINT_OPEN_CLIP"
USUAL = "openai/clip-vit-base-patch32"
# The hub's main branch of it has a pickle only; this change request of it has the safetensors.
OWN = Own(
    "CLIP", "OVERPAINT_CLIP_MODEL", USUAL, "references",
    f"hf download {USUAL} --revision refs/pr/15 --local-dir clip, then set OVERPAINT_CLIP_MODEL"
    f" to that folder; or set {OPEN_CLIP}=MODEL=FILE to weights of open_clip.",
)  # fmt: skip
LARGEST = 16 << 30  # bytes of an open_clip file
LARGEST_SIDE = 1024


def text_likeness(evidence: Evidence, text: str, document: Document) -> float:
    """The cosine of a text and a picture."""
    return embeddings.between_words(evidence, encoder(words=True), text, document)


def picture_likeness(evidence: Evidence, a: Document, b: Document) -> float:
    """The cosine of two pictures."""
    return embeddings.between_pictures(evidence, encoder(), a, b)


def notes(evidence: Evidence, *texts: str) -> tuple[str, ...]:
    """Whose cosines they are, and which of these texts were too long for it to read wholly."""
    by = encoder(words=bool(texts))
    cut = [embeddings.cut_off(evidence, by, text) for text in texts]
    lost = [f"the last {n} tokens of a text were not read by CLIP" for n in cut if n]
    return (f"by CLIP {by}", *lost)


def encoder(*, words: bool = False) -> Encoder:
    """The CLIP in use, for pictures or for words as well; `Unavailable` where there is none."""
    if os.environ.get(OPEN_CLIP, "").strip():
        return _open_clip()
    if os.environ.get(OWN.setting, "").strip():
        return _transformers()
    if os.environ.get(embeddings.SETTING, "").strip():
        if not words:
            return embeddings.onnx_encoder()
        raise Unavailable(
            f"{embeddings.SETTING} names an encoder of pictures, which reads no words.",
            "A whole CLIP was expected, its text encoder with it.", OWN.get,
        )  # fmt: skip
    return _transformers()


# ── transformers ────────────────────────────────────────────────────────────────────────


def _transformers() -> Encoder:
    at = OWN.folder()
    name = OWN.name if at != Path(OWN.name).expanduser() else at.name
    return Encoder(name, digest(at), at, _from_folder)


@dataclass(frozen=True)
class _Transformers:
    model: Any
    tokenizer: Any
    look: Look

    def picture(self, pixels: Pixels) -> NDArray[Any]:
        import torch

        values = torch.from_numpy(prepared(pixels, self.look))
        with torch.inference_mode():
            return _vector(self.model.get_image_features(pixel_values=values))

    def text(self, text: str) -> tuple[NDArray[Any], int]:
        import torch

        most = int(self.model.config.text_config.max_position_embeddings)
        whole = self.tokenizer(text)["input_ids"]
        told = self.tokenizer(text, truncation=True, max_length=most, return_tensors="pt")
        with torch.inference_mode():
            found = self.model.get_text_features(
                input_ids=told["input_ids"], attention_mask=told["attention_mask"]
            )
        return _vector(found), max(0, len(whole) - most)


def _vector(found: Any) -> NDArray[Any]:
    """The projected vector, which some versions hand over among other things."""
    return np.asarray(getattr(found, "pooler_output", found)[0].float().numpy())


def _from_folder(at: Path) -> Network:
    model = OWN.model("CLIPModel", at)
    told = preparation(at)
    look = Look(
        int(model.config.vision_config.image_size), _colours(told.get("image_mean"), MEAN),
        _colours(told.get("image_std"), SPREAD),
    )  # fmt: skip
    return _Transformers(model, OWN.tokenizer(at), look)


def _colours(told: Any, usual: NDArray[np.float32]) -> NDArray[np.float32]:
    """Three numbers of a checkpoint's settings, or the usual ones."""
    if isinstance(told, list | tuple) and len(told) == 3:
        found = [float(x) for x in told if isinstance(x, int | float) and abs(x) < 1e3]
        return np.array(found, np.float32) if len(found) == 3 else usual
    return usual


# ── open_clip ───────────────────────────────────────────────────────────────────────────


def _open_clip() -> Encoder:
    name, equals, path = os.environ[OPEN_CLIP].strip().partition("=")
    at = Path(path).expanduser()
    if not equals or not name or not at.is_file():
        raise Unavailable(
            f"{OPEN_CLIP} is {os.environ[OPEN_CLIP].strip()[:200]}, which names no file.",
            "The model's name and the file of its weights were expected, with = between them.",
            f"export {OPEN_CLIP}=ViT-B-32=/path/open_clip_model.safetensors",
        )
    return Encoder(f"open_clip {name}", digest(at), at, partial(_from_open_clip, name))


@dataclass(frozen=True)
class _OpenClip:
    model: Any
    tokenizer: Any
    look: Look

    def picture(self, pixels: Pixels) -> NDArray[Any]:
        import torch

        values = torch.from_numpy(prepared(pixels, self.look))
        with torch.inference_mode():
            return np.asarray(self.model.encode_image(values)[0].float().numpy())

    def text(self, text: str) -> tuple[NDArray[Any], int]:
        import torch

        most = int(self.tokenizer.context_length)
        whole = len(self.tokenizer.encode(text)) + 2  # a token at each end
        with torch.inference_mode():
            found = self.model.encode_text(self.tokenizer([text]))
        return np.asarray(found[0].float().numpy()), max(0, whole - most)


def _from_open_clip(named: str, at: Path) -> Network:
    try:
        import open_clip
    except ImportError as error:
        raise without("clip", error) from None
    name, _, tag = named.partition(":")
    refuse = partial(_refused, named, at)
    shape = open_clip.get_model_config(name)
    if shape is None:
        raise refuse("open_clip knows no model of that name")
    if any(key.startswith("hf_") for key in shape.get("text_cfg", {})):
        raise refuse("its texts are read with files of a hub, which are not fetched here")
    told = _published(open_clip, name, tag, refuse)
    # Built without weights, so that nothing is fetched, and filled with the user's.
    model = open_clip.create_model(
        name, pretrained=None, load_weights=False, pretrained_text=False, pretrained_image=False,
        force_quick_gelu=bool(tag and told.get("quick_gelu")),
    )  # fmt: skip
    read = tensors(at, largest=LARGEST, refuse=refuse)
    state = {key.removeprefix("module."): value.float() for key, value in read.items()}
    try:
        model.load_state_dict(state, strict=True)
    except RuntimeError as error:
        raise refuse(" ".join(str(error).split())[:300].rstrip(".")) from None
    look = _look({**told, "size": shape["vision_cfg"].get("image_size", SIDE)}, refuse)
    return _OpenClip(model.eval(), open_clip.get_tokenizer(name), look)


def _published(open_clip: Any, name: str, tag: str, refuse: Any) -> Mapping[str, Any]:
    """What open_clip tells of the weights with that tag, or of all of that name if they agree."""
    tags = open_clip.list_pretrained_tags_by_model(name)
    if tag and tag not in tags:
        raise refuse(f"open_clip knows no weights {tag!r} of it")
    known = [dict(open_clip.get_pretrained_cfg(name, each)) for each in ([tag] if tag else tags)]
    if len({repr([one.get(key) for key in _PREPARED]) for one in known}) > 1:
        raise refuse(
            "weights of that name differ in how pictures are prepared, so it must be said which"
            f" they are, as {name}:{tags[0]}"
        )
    return known[0] if known else {}


_PREPARED = ("mean", "std", "interpolation", "resize_mode")


def _look(told: Mapping[str, Any], refuse: Any) -> Look:
    """How that model's pictures are prepared."""
    side = told["size"] if isinstance(told["size"], int) else max(told["size"])
    mode, how = told.get("resize_mode") or "shortest", told.get("interpolation") or "bicubic"
    if mode not in ("shortest", "squash") or how not in _HOW or not 0 < side <= LARGEST_SIDE:
        raise refuse(f"its pictures are prepared as {mode}, {how}, {side}, which is not known here")
    return Look(
        side, _colours(told.get("mean"), MEAN), _colours(told.get("std"), SPREAD),
        mode == "squash", _HOW[how],
    )  # fmt: skip


_HOW = {"bicubic": Image.Resampling.BICUBIC, "bilinear": Image.Resampling.BILINEAR}


def _refused(name: str, at: Path, why: str) -> Unavailable:
    return Unavailable(
        f"{at} is no {name} of open_clip: {why}.",
        "The weights of that model as safetensors, or tensors that torch has saved, were expected.",
        f"OpenAI's weights go with a name that ends in -quickgelu. Set {OPEN_CLIP} again.",
    )

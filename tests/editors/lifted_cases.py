"""Text on grounds that are known: what the tests of lifting draw."""

import io
from dataclasses import dataclass
from random import Random

import numpy as np
from PIL import Image, ImageDraw

from overpaint.document.boxes import Box
from overpaint.document.layers import Layer, Picture, Pixels, Run, Style, Text
from overpaint.document.render import bounds, render
from overpaint.engines.documents.faces import FINE, face
from overpaint.engines.documents.pictures import landscape

WHITE = (255, 255, 255)


@dataclass(frozen=True)
class Case:
    """A picture with words, the same without them, how far pixels are ink, and the ink's box."""

    picture: Pixels
    ground: Pixels
    cover: np.ndarray  # 0–255
    box: Box


def flat(colour: tuple[int, int, int] = WHITE, size: tuple[int, int] = (420, 130)) -> Pixels:
    """One colour."""
    return np.full((size[1], size[0], 3), colour, np.uint8)


def gradient(size: tuple[int, int] = (420, 130)) -> Pixels:
    """From the upper left to the lower right, rounded to whole levels."""
    y, x = np.mgrid[: size[1], : size[0]]
    share = ((x / size[0] + y / size[1]) / 2)[..., None]
    made = (1 - share) * np.array([230, 180, 120]) + share * np.array([120, 150, 220])
    return np.rint(made).astype(np.uint8)


def scene(seed: int = 1) -> Pixels:
    """A part of a landscape: sky, hills, sun."""
    return landscape(Random(seed), 640, 360).finish()[100:240, 100:520].copy()


def rough(seed: int = 1, size: tuple[int, int] = (420, 140), *, fall: float = 1.7) -> Pixels:
    """Clouds of all sizes, as in a photograph: the power of waves falls with their length."""
    rng = np.random.default_rng(seed)
    across, down = np.meshgrid(np.fft.fftfreq(size[0]), np.fft.fftfreq(size[1]))
    length = np.hypot(across, down)
    length[0, 0] = 1
    planes = []
    shared = rng.standard_normal(length.shape)
    for _ in range(3):
        waves = np.fft.fft2(shared + 0.4 * rng.standard_normal(length.shape)) / length**fall
        plane = np.real(np.fft.ifft2(waves))
        planes.append((plane - plane.mean()) / plane.std())
    return np.clip(np.stack(planes, 2) * 35 + 120, 0, 255).astype(np.uint8)


def put(
    ground: Pixels, words: str, *, size: int = 24, colour: tuple[int, int, int] = (0, 0, 0),
    family: str = "PT Serif", at: tuple[int, int] = (30, 70), bold: bool = False,
) -> Case:  # fmt: skip
    """Words on a ground, their first baseline at a place, mixed in whole numbers."""
    sheet = Image.new("L", (ground.shape[1] * FINE, ground.shape[0] * FINE), 0)
    place = (at[0] * FINE, at[1] * FINE)
    ImageDraw.Draw(sheet).text(place, words, 255, face(family, size, bold), anchor="ls")
    cover = np.asarray(sheet.reduce(FINE)).copy()
    alpha = cover[..., None].astype(np.int32)
    mixed = ground * (255 - alpha) + np.array(colour) * alpha
    rows, columns = np.flatnonzero(cover.any(axis=1)), np.flatnonzero(cover.any(axis=0))
    box = (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
    return Case(((mixed + 127) // 255).astype(np.uint8), ground, cover, box)


def styled(ground: Pixels, words: str, style: Style) -> tuple[Pixels, Box]:
    """Words as a text layer draws them, and the box of all it draws."""
    layer = Layer(Text((Run(words, style),)), left=50, top=90)
    base = Layer(Picture(np.dstack([ground, np.full(ground.shape[:2], 255, np.uint8)])))
    box = bounds(layer)
    assert box
    return render((base, layer), ground.shape[1::-1])[:, :, :3], box


def jpeg(pixels: Pixels, quality: int, *, halved: bool = True) -> Pixels:
    """The pixels after that compression."""
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "JPEG", quality=quality, subsampling=2 if halved else 0)
    return np.asarray(Image.open(data).convert("RGB"))


def scanned(pixels: Pixels, seed: int, *, blur: float = 0.6, quality: int = 75) -> Pixels:
    """The pixels softened, with noise, and compressed."""
    import cv2

    noise = np.random.default_rng(seed).normal(0, 2.5, (*pixels.shape[:2], 1))
    soft = cv2.GaussianBlur(pixels.astype(np.float32), (0, 0), blur) + noise
    made = np.clip(np.rint(soft), 0, 255).astype(np.uint8)
    return jpeg(made, quality) if quality else made

"""Tesseract as an OCR engine: the installed program, asked once a picture, with a time limit."""

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overpaint.document.pictures import encode_png
from overpaint.errors import OverpaintError, Unavailable
from overpaint.vision.joining import joined
from overpaint.vision.page import Box, Line, union

WANTED = ("eng", "chi_sim")  # of which those that are installed are used
SECONDS = 300.0
_NUMBERS = re.compile(r"(\d{1,9}\t){10}-?\d{1,9}(\.\d{1,9})?\t")  # before the word itself
MARGIN = 16  # of background around the picture, so that a tight crop is read


def read(
    pixels: NDArray[np.uint8], name: str = "tesseract", *, seconds: float = SECONDS
) -> tuple[Line, ...]:
    """The lines Tesseract reads, words joined as their script wants it."""
    rim = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    height, width = pixels.shape[:2]
    padded = np.empty((height + 2 * MARGIN, width + 2 * MARGIN, 3), np.uint8)
    padded[:] = np.median(rim, axis=0)
    padded[MARGIN:-MARGIN, MARGIN:-MARGIN] = pixels
    command = ["stdin", "stdout", "-l", "+".join(_languages()), "tsv"]
    told = _run(command, encode_png(padded), seconds)
    return parse(told, margin=MARGIN)


def version(name: str = "tesseract") -> str:
    """Tesseract's own version and its languages."""
    return f"{_version()}/{'+'.join(_languages())}"


@functools.cache
def _version() -> str:
    first = _run(["--version"], b"", 30).splitlines()
    return first[0].strip().replace(" ", "-") if first else "tesseract"


@functools.cache
def _languages() -> tuple[str, ...]:
    listed = _run(["--list-langs"], b"", 30).split()
    if found := tuple(name for name in WANTED if name in listed):
        return found
    raise Unavailable(
        "Tesseract is installed without English and without simplified Chinese.",
        "One of them is needed.",
        "Install tesseract-ocr-eng or tesseract-ocr-chi-sim.",
    )


def _run(arguments: Sequence[str], given: bytes, seconds: float) -> str:
    if (program := shutil.which("tesseract")) is None:
        raise Unavailable(
            "The program tesseract is not on this machine.",
            "It is needed for the OCR engine of that name.",
            "Install it (Debian: apt install tesseract-ocr tesseract-ocr-chi-sim), "
            "or read with the engine small.",
        )
    # One thread, as for every engine: pages are read side by side in several processes.
    environment = os.environ | {"OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(
            [program, *arguments],
            input=given,
            capture_output=True,
            timeout=seconds,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise OverpaintError(
            f"Tesseract did not finish in {seconds:g} seconds and was stopped.",
            "",
            "Read this picture with the engine small.",
        ) from None
    except OSError as error:
        raise OverpaintError(f"Tesseract could not be started: {error}.") from error
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise OverpaintError(f"Tesseract gave up: {' '.join(last) or done.returncode}.")
    return done.stdout.decode(errors="replace")


def parse(told: str, *, margin: int = 0) -> tuple[Line, ...]:
    """The lines of Tesseract's TSV, in its order; a row that is no word is passed over."""
    words: dict[tuple[str, ...], list[tuple[Box, str, float]]] = {}
    for row in told.splitlines()[1:]:
        fields = row.split("\t")
        if len(fields) == 12 and fields[0] == "5" and _NUMBERS.match(row) and fields[11].strip():
            left, top, width, height, sure = (float(number) for number in fields[6:11])
            left, top = left - margin, top - margin
            box = (left, top, left + width, top + height)
            words.setdefault(tuple(fields[1:5]), []).append((box, fields[11].strip(), sure / 100))
    return tuple(_line(parts) for parts in words.values())


def _line(parts: Sequence[tuple[Box, str, float]]) -> Line:
    boxes, texts, sure = zip(*parts, strict=True)
    return Line(union(boxes), joined(texts), sum(sure) / len(sure))

"""A benchmark in one file: `overpaint run my_benchmark.py:folder --data PICTURES`.

PICTURES holds, for each sample, NAME.png, NAME.txt (the instruction), and where there are such
NAME.truth.png (what it should look like) and NAME.mask.png (white = may change).
"""

from dataclasses import dataclass
from pathlib import Path

from overpaint.core import Card, Loaded, Repair, Request, Sample
from overpaint.document import Document
from overpaint.errors import UserMistake


@dataclass(frozen=True)
class Folder:
    """Pictures in a folder, each with an instruction beside it."""

    measures: tuple[str, ...] = ("mse", "psnr", "ssim")
    breakdowns: tuple[str, ...] = ("length",)

    @property
    def card(self) -> Card:
        return Card(
            name="folder",
            data="a folder of pictures and instructions",
            reference="the truth where there is one, else the source",
            region="outside the mask; everywhere where there is none",
            resizing="Lanczos to the reference's size, flagged",
            alignment="SIFT, FLANN, RANSAC affine",
            aggregation="means over samples; PSNR of the mean MSE",
            failures="count in the denominator",
            sources=("our own pictures",),
        )

    def load(self, data: Path | None) -> Loaded:
        if data is None or not data.is_dir():
            raise UserMistake(f"{data} is no folder.", "Give the pictures' folder with --data.")
        texts = sorted(data.glob("*.txt"))
        lonely = [text for text in texts if not text.with_suffix(".png").exists()]
        samples = tuple(_sample(text) for text in texts if text not in lonely)
        repairs = tuple(Repair(text.name, "no picture", "left out") for text in lonely)
        return Loaded(samples, repairs, files=len(texts))


def _sample(text: Path) -> Sample:
    source, truth, mask = (text.with_suffix(end) for end in (".png", ".truth.png", ".mask.png"))
    instruction = text.read_text(encoding="utf-8").strip()
    return Sample(
        id=text.stem,
        request=Request(Document(source), instruction, names=(text.stem,)),
        target=Document(truth) if truth.exists() else None,
        masks=(Document(mask),) if mask.exists() else (),
        tags={"length": "short" if len(instruction) < 60 else "long"},
        cluster=text.stem,
    )


folder = Folder()

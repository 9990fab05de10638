"""Runs made on the spot whose samples have references: drawn scenes, named pictures, a caption."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from made_run import CARD
from PIL import Image, ImageDraw, ImageFilter

from overpaint.core import Edit, Request, Sample, Score
from overpaint.document import Document
from overpaint.store import Store, keep_picture
from overpaint.vision.references.told import Told, facts_of

WIDE, HIGH = 480, 320
CAPTION = "A red house with a blue door stands beside a round tree under a low evening sun."
MEASURES = ("ref_canny", "ref_mask", "ref_subject", "ref_style", "ref_caption", "ssim")
EDITORS = ("identity", "subject-paste", "mine=outputs:mine", "truth")
SAID = (
    "Paint a picture that keeps the edges of <canny_image>, has the house of <subject_1> and the"
    f" tree of <subject_2>, looks like <style_image>, following the caption: {CAPTION}"
)
REAL = "Put the sun of <image2> over the house of <image1>, in the colours of <image3>."


def scene(sky: str, house: str, sun: int = 380) -> Image.Image:
    """A house, a tree and a sun."""
    image = Image.new("RGB", (WIDE, HIGH), sky)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 230, WIDE, HIGH), fill="#6b8f4e")
    pen.ellipse((sun - 34, 60, sun + 34, 128), fill="#ffd166")
    pen.rectangle((90, 140, 230, 260), fill=house)
    pen.polygon(((76, 140), (160, 76), (244, 140)), fill="#4a3b36")
    pen.rectangle((146, 196, 180, 260), fill="#27548a")
    pen.rectangle((300, 200, 316, 262), fill="#5b4030")
    pen.ellipse((262, 110, 354, 214), fill="#2f6b3a")
    return image


def outlines(image: Image.Image) -> Image.Image:
    grey = np.asarray(image.convert("L").filter(ImageFilter.FIND_EDGES))
    edges = np.where(grey > 24, 255, 0).astype(np.uint8)
    edges[[0, -1]], edges[:, [0, -1]] = 0, 0
    return Image.fromarray(edges).convert("RGB")


def subject(image: Image.Image, box: tuple[int, int, int, int]) -> Image.Image:
    side = Image.new("RGB", (260, 260), "#f1efe9")
    part = image.crop(box)
    side.paste(part, ((260 - part.width) // 2, (260 - part.height) // 2))
    return side


def stripes() -> Image.Image:
    rows, columns = np.mgrid[0:300, 0:200]
    wave = 127 + 100 * np.sin((rows + columns) / 14) * np.cos(columns / 23)
    pixels = np.dstack([wave, wave * 0.7 + 30, 220 - wave * 0.6]).clip(0, 255)
    return Image.fromarray(pixels.astype(np.uint8))


def saved(folder: Path, name: str, image: Image.Image) -> Document:
    path = folder / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)
    return Document(path)


def synthetic(folder: Path, number: int = 0, **more: Any) -> Sample:
    """A sample with an empty canvas, four pictures and a caption."""
    truth = scene(("#f4a259", "#8ecae6")[number % 2], ("#b23a48", "#d4a373")[number % 2])
    here = folder / f"s{number}"
    grey = saved(folder, "canvas", Image.new("RGB", (WIDE, HIGH), (128, 128, 128)))
    pictures = {
        "<canny_image>": outlines(truth), "<subject_1>": subject(truth, (70, 70, 250, 266)),
        "<subject_2>": subject(truth, (258, 104, 358, 266)), "<style_image>": stripes(),
    }  # fmt: skip
    told = [
        Told("canny", "<canny_image>", 0, method="opencv", version="1"),
        Told("subject", "<subject_1>", 1, "house", "cutout", "1"),
        Told("subject", "<subject_2>", 2, "tree", "cutout", "1"),
        Told("style", "<style_image>", 3, "", "swatch", "1"),
        Told("caption", "", None, CAPTION, "model", "1"),
    ]
    documents = tuple(saved(here, name.strip("<>"), image) for name, image in pictures.items())
    request = Request(grey, SAID, documents, labels=tuple(pictures))
    settings: dict[str, Any] = {
        "target": saved(here, "truth", truth), "facts": facts_of(told),
        "tags": {"half": "synthetic"}, "cluster": f"c{number}",
    }  # fmt: skip
    return Sample(f"synthetic/{number:03}", request, **(settings | more))


def real_world(folder: Path, number: int = 0, *, pictures: int = 3) -> Sample:
    """A sample whose first input is its source; nobody says what kinds its pictures are."""
    here = folder / f"r{number}"
    skies = ("#8ecae6", "#f4a259", "#cdb4db", "#ffc8dd", "#bde0fe", "#a2d2ff")
    inputs = tuple(
        saved(here, f"image{n + 1}", scene(skies[n], "#b23a48", 60 + 60 * n))
        for n in range(pictures)
    )
    labels = tuple(f"<image{n + 1}>" for n in range(pictures))
    target = saved(here, "truth", scene("#cdb4db", "#b23a48", 120))
    return Sample(
        f"real/{number:03}", Request(inputs[0], REAL, inputs, labels=labels), target,
        tags={"half": "real-world"}, cluster=f"r{number}",
    )  # fmt: skip


def referenced_run(folder: Path, samples: list[Sample] | None = None) -> Path:
    """A run of both halves by a floor or two, one editor and the truth."""
    data = folder / "data"
    if samples is None:
        samples = [synthetic(data, 0), real_world(data, 0), synthetic(data, 1, target=None)]
        samples.append(real_world(data, 1, pictures=6))
    facts = {
        "benchmark": "toy", "card": asdict(CARD), "card_id": CARD.id,
        "versions": {"overpaint": "0.1.0"}, "command": ["overpaint", "run", "toy"],
        "created": "2026-11-15T12:00:00+00:00", "seed": 0, "breakdowns": ["half"], "weights": {},
        "data": "made", "floors": ["subject-paste"],
    }  # fmt: skip
    with Store.create(folder) as store:
        store.note(**facts)
        store.add_samples(samples)
        for name in MEASURES:
            store.add_measure(name, name, "1")
        for text in EDITORS:
            name, _, spec = text.rpartition("=")
            store.add_editor(name or spec, spec)
            for sample in samples:
                edit = _edit(folder, sample, name or spec)
                store.put_edit(edit)
                store.put_scores([*_scores(edit)], {})
    return folder


def _edit(folder: Path, sample: Sample, editor: str) -> Edit:
    request = sample.request
    made = {"identity": request.source, "truth": sample.target}.get(editor)
    if editor == "subject-paste":
        made = Document.of(np.full((HIGH, WIDE, 3), 128, np.uint8))
    if editor == "mine":
        made = Document.of(np.asarray(scene("#e9c46a", "#9b2226", 300)))
    if made is None:
        return Edit(sample, editor, "not_applicable", reason="This sample has no truth.")
    trace: tuple[dict[str, Any], ...] = ()
    if editor == "mine":
        trace = (
            {"step": "write", "by": "eye", "seen": ["<canny_image>: a house and a tree"],
             "prompt": "A red house beside a round tree, painted in waves.", "seconds": 1.2},
            {"step": "paint", "by": "brush", "notes": ["made at 512×512"], "seconds": 3.4},
        )  # fmt: skip
    return Edit(sample, editor, "ok", keep_picture(folder, made), trace=trace, seconds=0.5)


def _scores(edit: Edit) -> list[Score]:
    value = {"identity": 0.41, "subject-paste": 0.55, "mine": 0.8123, "truth": 0.998}[edit.editor]
    if edit.output is None:
        return [Score(edit, name, None, "no_edit", edit.reason) for name in MEASURES]
    kinds = {one["kind"] for one in edit.sample.facts.get("references", ())}
    found = []
    for name in MEASURES:
        kind = name.removeprefix("ref_")
        if name == "ref_caption":
            why = "CLIP's weights are not here. overpaint get clip"
            found.append(Score(edit, name, None, "unavailable", why))
        elif kind in kinds or name == "ssim":
            notes = ("0.912, 0.713",) if kind == "subject" else ()
            found.append(Score(edit, name, value, notes=notes))
        else:
            found.append(Score(edit, name, None, "not_applicable", f"There is no {kind} here."))
    return found

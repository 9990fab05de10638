"""Layered posters made on the spot for the report's tests, with what an agent did to them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from made_run import CARD

from overpaint.core import Edit, Evidence, Request, Sample
from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Group, Run, Shape, Style, Text
from overpaint.measures import milde_layers
from overpaint.store import Store, keep_picture

WIDE, HIGH = 360, 480


MEASURES = ("accuracy", "balanced", "precision", "recall", "specificity", "exact")
WORDS = {"headline": "SUMMER SALE", "date": "1–31 August", "shop": "Harbour Books"}


def words(id_: str, text: str, top: float, **style: Any) -> Layer:
    settings: dict[str, Any] = {"size": 40.0, "align": "centre", "colour": (255, 255, 255, 255)}
    run = Run(text, Style(**(settings | style)))
    return Layer(Text((run,)), id_, id_, left=WIDE / 2, top=top)


def ground(number: int) -> Layer:
    """A picture that is larger than the canvas."""
    rows, columns = np.mgrid[0 : HIGH + 80, 0 : WIDE + 60]
    pixels = np.empty((HIGH + 80, WIDE + 60, 4), np.uint8)
    pixels[..., 0], pixels[..., 1] = 30 + rows // 4, 90 + columns // 5
    pixels[..., 2], pixels[..., 3] = 150 + 20 * (number % 3), 255
    return Layer(Picture(pixels), "ground", "ground", left=-30, top=-40)


def poster(number: int = 0) -> Document:
    sun = Shape("ellipse", 150, 150, (255, 190, 60, 255))
    shade = Shape("rectangle", WIDE, 120, (40, 40, 90, 255))
    return Document(
        made=(
            ground(number),
            Layer(sun, "sun", "sun", left=105, top=150),
            Layer(shade, "shade", "shade", left=0, top=360, blend="multiply", opacity=0.8),
            words("headline", WORDS["headline"], 90, weight=700, size=46.0),
            words("date", WORDS["date"], 410, size=28.0),
            words("shop", WORDS["shop"], 450, size=20.0),
            replace(words("draft", "DRAFT", 260, size=90.0), visible=False),
        ),
        canvas=(WIDE, HIGH),
    )


def changed(document: Document, **texts: str) -> Document:
    """The poster with other words in some of its layers."""
    layers = []
    for layer in document.layers:
        if layer.id in texts and isinstance(layer.content, Text):
            run = replace(layer.content.runs[0], words=texts[layer.id])
            layer = replace(layer, content=Text((run,)))
        layers.append(layer)
    return document.having(*layers)


def crowd(count: int) -> Document:
    """A document of very many layers."""
    pixels = np.zeros((20, 20, 4), np.uint8)
    layers = []
    for number in range(count):
        tile = pixels.copy()
        tile[:] = (number % 256, 255 - number % 256, 128, 255)
        left, top = 18 * (number % 20), 30 * (number // 20)
        layers.append(Layer(Picture(tile), f"tile {number}", f"t{number}", left=left, top=top))
    return Document(made=tuple(layers), canvas=(WIDE, HIGH))


def grouped() -> Document:
    """A group half seen, in it a layer clipped to another, and a mode that CSS lacks."""
    pixels = np.full((60, 60, 4), 200, np.uint8)
    inner = (
        Layer(Shape("ellipse", 100, 100, (200, 30, 30, 255)), "base", "base", left=20, top=20),
        Layer(Picture(pixels), "clipped", "clipped", left=50, top=50, clip=True),
    )
    return Document(
        made=(
            ground(0),
            Layer(Group(inner), "group", "group", opacity=0.5),
            Layer(Picture(pixels), "burnt", "burnt", left=200, top=40, blend="linear-burn"),
        ),
        canvas=(WIDE, HIGH),
    )


def decision(layer: str, kind: str, edit: bool | None, prompt: str, why: str) -> dict[str, Any]:
    return {"layer": layer, "name": layer, "kind": kind, "edit": edit, "prompt": prompt, "why": why}


def trace(picture: str = "") -> tuple[dict[str, Any], ...]:
    """A trajectory with every kind of step, one that is not known, and a refusal."""
    first = [
        decision("ground", "image", False, "", "the colour of the paper has no season"),
        decision("sun", "decoration", True, "Turn the sun into a snowflake.", "a sun is summer"),
        decision("headline", "text", True, "Say “WINTER SALE”.", "it names the season"),
        decision("date", "text", True, "Say “1–31 January”.", "August is summer"),
        decision("shop", "text", None, "", "The decision reads “maybe”."),
    ]
    late = decision("date", "text", True, "Say “1–31 December”.", "")
    then = [late if one["layer"] == "date" else one for one in first]
    clash = {"kind": "two wordings", "layers": ["headline", "date"],
             "said": "the headline and the date name different months",
             "did": "the date takes the headline's season"}  # fmt: skip
    fault = {"kind": "overflow", "layer": "headline", "said": "12 px beyond the canvas"}
    return (
        {"step": "decide", "reasoner": "rules", "decisions": first, "seconds": 0.31},
        {"step": "joint", "clashes": [clash], "decisions": then},
        {"step": "edit", "layer": "headline", "prompt": "Say “WINTER SALE”.", "by": "typeset",
         "status": "ok", "did": ["set “WINTER SALE” in PT Sans Bold 46"], "notes": ["kerned"],
         "picture": picture, "seconds": 0.42},
        {"step": "edit", "layer": "sun", "prompt": "Turn the sun into a snowflake.", "by": "ops",
         "status": "refused", "reason": "No image editor is configured. Add ;image=EDITOR."},
        {"step": "check", "round": 0, "faults": [fault]},
        {"step": "repair", "round": 1, "layer": "headline", "kind": "overflow",
         "did": "made it 8 % smaller", "status": "ok"},
        {"step": "check", "round": 1, "faults": []},
        {"step": "ponder", "about": "the meaning of it all", "depth": 3},
    )  # fmt: skip


def make_sample(folder: Path, number: int, source: Document) -> Sample:
    truth = changed(source, headline="WINTER SALE", date="1–31 January")
    kinds = {"ground": "image", "sun": "decoration", "shade": "decoration"}
    return Sample(
        f"poster/{number:03}",
        Request(keep_picture(folder, source), "Turn it into a winter sale."),
        keep_picture(folder, truth),
        tags={"format": "poster"},
        facts={"layers": [{"id": layer.id, "kind": kinds.get(layer.id, "text")}
                          for layer in source if layer.visible],
               "gold": ["sun", "headline", "date"]},
        cluster=f"p{number}",
    )  # fmt: skip


def layered_run(folder: Path, *, samples: int = 3, **info: Any) -> Path:
    """An agent, an editor that gives a flat picture, and the two ends; one document of 240."""
    facts = {"benchmark": "milde", "card": {}, "card_id": CARD.id, "seed": 0,
             "breakdowns": ["format"], "created": "2026-11-16T12:00:00+00:00"}  # fmt: skip
    sources = [poster(0), crowd(240), grouped(), *(poster(n) for n in range(1, samples))]
    with Store.create(folder) as store:
        these = [make_sample(folder / "data", n, d) for n, d in enumerate(sources[:samples])]
        store.note(**(facts | info))
        store.add_samples(these)
        for name in MEASURES:
            store.add_measure(f"layer_{name}", f"{milde_layers.__file__}:layer_{name}", "1")
        for name in ("agent", "identity", "truth"):
            store.add_editor(name, name)
        store.add_editor("flat", "outputs:flat")
        for number, sample in enumerate(these):
            _put(store, sample, sources[number])
    return folder


def _put(store: Store, sample: Sample, source: Document) -> None:
    better = changed(source, headline="WINTER SALE", shop="Harbor Books")
    step = keep_picture(store.folder, changed(source, headline="WINTER SALE")).path
    assert step is not None
    made = {
        "agent": (better, trace(step.name)),
        "identity": (source, ()),
        "truth": (sample.target, ()),
        "flat": (Document.of(better.rgb), ()),
    }
    for name, (document, steps) in made.items():
        assert document is not None
        output = keep_picture(store.folder, document)
        edit = Edit(sample, name, "ok", output, trace=steps, seconds=1.2)
        store.put_edit(edit)
        for measure in MEASURES:
            score = getattr(milde_layers, f"layer_{measure}").score
            store.put_scores([*score([edit], Evidence())], {})

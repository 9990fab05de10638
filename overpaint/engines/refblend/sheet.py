"""The contact sheet: pictures, what was found in each, and the instructions made of that."""

import base64
import io
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from PIL import Image, ImageFilter

from overpaint.document import Document
from overpaint.engines.refblend.choosing import Chosen, Offer
from overpaint.engines.refblend.records import Drawn, Place, Voiced
from overpaint.engines.vde.records import write_text
from overpaint.vision.references import KINDS, Kind
from overpaint.work import Progress

FILE = "sheet.html"
MOST = 48  # pictures that are shown
EDGE, LARGE = 176, 420  # pixels of a reference's longer side, and of a picture's
QUALITY = 70
_NAME = re.compile(r"(<[a-z_]+(?:_\d+)?>)")


def write(
    place: Place, samples: Sequence[Chosen], told: Mapping[str, Any], progress: Progress
) -> None:
    """Write sheet.html: one file, with all that it shows inside."""
    groups: dict[str, list[Chosen]] = {}
    for one in samples:
        groups.setdefault(one.offer.source.id, []).append(one)
    shown, voices = list(groups.values())[:MOST], place.voiced()
    made, page = _Pictures(place.folder), list[str]()
    for done, group in enumerate(shown, 1):
        page.append(_card(group, voices, made))
        progress("sheet", done, len(shown))
    count = told["samples"]["all"]
    more = f"The first {MOST} of {len(groups)} pictures. " if len(groups) > MOST else ""
    about = (
        f"{more}Each card shows a picture, the references that were found in it, and the samples"
        " made of them: whoever is asked sees the instruction and the references, not the picture."
    )
    style = files(__package__).joinpath("sheet.css").read_text(encoding="utf-8") + made.style
    write_text(place.folder / FILE, (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>RefBlend: {count} samples</title><style>{style}</style>\n"
        f'<h1>{count} samples of {len(groups)} pictures</h1>\n<p class="about">{escape(about)}</p>'
        + "\n".join(page) + "\n</html>\n"
    ))  # fmt: skip


def _card(group: Sequence[Chosen], voices: Mapping[Any, Voiced], made: "_Pictures") -> str:
    offer = group[0].offer
    source = offer.source
    caption = f"<blockquote>{escape(offer.caption.text)}</blockquote>" if offer.caption else ""
    left = (
        f'<figure class="source">{made.whole(source.picture)}<figcaption><b>{escape(source.id)}</b>'
        f" {source.width}×{source.height}</figcaption>{caption}</figure>"
    )
    right = "".join(
        _figure(offer, kind, one, made)
        for kind in KINDS for one in offer.references.get(kind, ())
    )  # fmt: skip
    rows = "".join(_row(one, voices, made) for one in group)
    return (
        f'<section class="card"><div class="top">{left}<div class="all">{right}</div></div>'
        f"<ol>{rows}</ol></section>"
    )


def _figure(offer: Offer, kind: Kind, one: Drawn, made: "_Pictures") -> str:
    by = offer.found[kind]
    sure = f", {one.confidence:.2f}" if one.confidence is not None else ""
    label = f" {one.label}" if one.label else ""
    name = kind.replace("_", " ")
    return (
        f"<figure>{made.reference(one.file)}<figcaption><b>{escape(name + label)}</b><br>"
        f"{escape(f'{by.method}/{by.version}{sure}')}</figcaption></figure>"
    )


def _row(sample: Chosen, voices: Mapping[Any, Voiced], made: "_Pictures") -> str:
    kinds = "<br>".join(escape(kind.replace("_", " ")) for kind in sample.combination)
    said = _text(sample.instruction.text, sample, made)
    voice = voices.get((sample.id, 0))
    more = ""
    if voice is not None and voice.text and voice.structured == sample.instruction.text:
        words = _text(voice.text, sample, made)
        more = f'<div class="voice" title="{escape(voice.persona)}">{words}</div>'
    return f'<li><div class="kinds">{kinds}</div><div class="said">{said}{more}</div></li>'


def _text(words: str, sample: Chosen, made: "_Pictures") -> str:
    """An instruction with small pictures in the place of their names."""
    parts = []
    for part in _NAME.split(words):
        if part in sample.references:
            parts.append(made.chip(sample.references[part][1].file, part))
        else:
            parts.append(escape(part))
    return "".join(parts)


class _Pictures:
    """Small pictures, each inside the page once, as a class of its style."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[str, tuple[int, int]]] = {}
        self._rules: list[str] = []

    @property
    def style(self) -> str:
        """The rules that hold the pictures."""
        return "".join(self._rules)

    def whole(self, file: str) -> str:
        """A picture in its own form."""
        name, (wide, high) = self._named(file, LARGE)
        return f'<span class="pic {name}" role="img" style="aspect-ratio:{wide}/{high}"></span>'

    def reference(self, file: str) -> str:
        """A reference in a square."""
        return f'<span class="pic {self._named(file, EDGE)[0]}" role="img"></span>'

    def chip(self, file: str, name: str) -> str:
        """A reference within a line of text."""
        told = escape(name)
        named = self._named(file, EDGE)[0]
        return f'<span class="chip {named}" role="img" title="{told}" aria-label="{told}"></span>'

    def _named(self, file: str, edge: int) -> tuple[str, tuple[int, int]]:
        if file not in self._known:
            image = _thickened(Image.fromarray(Document(self._folder / file).rgb), file, edge)
            image.thumbnail((edge, edge), Image.Resampling.LANCZOS, reducing_gap=3.0)
            out = io.BytesIO()
            image.save(out, "WEBP", quality=QUALITY, method=4)
            name = f"p{len(self._known)}"
            data = base64.b64encode(out.getvalue()).decode()
            self._rules.append(f".{name}{{background-image:url(data:image/webp;base64,{data})}}\n")
            self._known[file] = name, image.size
        return self._known[file]


def _thickened(image: Image.Image, file: str, edge: int) -> Image.Image:
    """Thin bright lines made so wide that they survive being made small."""
    wide = int(max(image.size) / edge)
    if wide < 2 or not Path(file).stem.startswith(("canny", "bbox", "pose")):
        return image
    return image.filter(ImageFilter.MaxFilter(min(9, wide // 2 * 2 + 1)))

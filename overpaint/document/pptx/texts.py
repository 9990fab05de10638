"""Text of PPTX: a frame's paragraphs as one text, each run with all that it inherits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lxml import etree

from overpaint.document.layers import Align, Colour, Gradient, Run, Style, Text
from overpaint.document.pptx.bullets import bullet_of, pictured
from overpaint.document.pptx.theme import A, P, Theme, local, whole_number
from overpaint.document.text.drawing import load
from overpaint.document.text.fonts import here
from overpaint.document.text.setting import lay

_ALIGNS: dict[str, Align] = {"l": "left", "ctr": "centre", "r": "right", "just": "justify",
                             "dist": "justify"}  # fmt: skip
MAX_WORDS = 100_000
LARGEST = 1000.0  # pixels of a letter: more than a slide is high
_POINT = 12_700  # EMU


@dataclass(frozen=True)
class Said:
    """A run in the file, what it says and how that looks."""

    element: Any  # a:r, a:fld or a:br
    paragraph: Any
    words: str
    style: Style


@dataclass(frozen=True)
class Frame:
    """A frame's words as they are to be set."""

    text: Text
    said: tuple[Said, ...]
    paragraphs: tuple[Any, ...]
    indent: float  # of the first paragraph's words from the frame's left side
    pictured: bool  # whether bullets are pictures, which are not drawn


@dataclass(frozen=True)
class Inherited:
    """Where words take what they do not say themselves, the nearest first."""

    lists: tuple[Any, ...]  # lstStyle elements and the like, each with lvl1pPr …
    bodies: tuple[Any, ...]  # bodyPr elements
    theme: Theme
    shade: Colour | None = None  # of words in a shape that a style colours

    def body(self, name: str, usual: str) -> str:
        """A property of the frame."""
        for element in self.bodies:
            if element is not None and element.get(name) is not None:
                return str(element.get(name))
        return usual


def frame_of(body: Any, given: Inherited, scale: float, width: float | None) -> Frame:
    """A txBody as text; `scale` is pixels an EMU, `width` the room for a line."""
    said: list[Said] = []
    paragraphs = list(body.findall(f"{A}p"))
    shrink = _shrink(given)
    first = True
    indent, shown = 0.0, False
    for paragraph in paragraphs:
        levels = tuple(_levels(paragraph, given))
        if first:
            indent = whole_number(_attribute(levels, "marL")) * scale
        runs = list(_runs(paragraph, levels, given, (scale, shrink, indent)))
        shown = shown or (bool(runs) and pictured(levels))
        said += runs
        first = False
    room = None if width is None else max(1.0, width - indent)
    return Frame(Text(_joined(said, paragraphs), room), tuple(said), tuple(paragraphs), indent,
                 shown)  # fmt: skip


def _joined(said: Sequence[Said], paragraphs: Sequence[Any]) -> tuple[Run, ...]:
    """The runs, alike neighbours joined, with a break after each paragraph but the last."""
    runs: list[Run] = []
    own: dict[int, list[Said]] = {id(paragraph): [] for paragraph in paragraphs}
    for one in said:
        own[id(one.paragraph)].append(one)
    for number, paragraph in enumerate(paragraphs):
        if number:
            style = runs[-1].style if runs else Style()
            runs[-1:] = [Run((runs[-1].words if runs else "") + "\n", style)]
        for one in own[id(paragraph)]:
            if (runs and runs[-1].style == one.style) or (runs and not runs[-1].words.strip("\n")):
                runs[-1] = Run(runs[-1].words + one.words, one.style)
            else:
                runs.append(Run(one.words, one.style))
    return tuple(runs)


def _shrink(given: Inherited) -> float:
    """How much PowerPoint shrank words to fit their frame."""
    for body in given.bodies:
        fit = body.find(f"{A}normAutofit") if body is not None else None
        if fit is not None:
            return max(0.05, whole_number(fit.get("fontScale", "100000")) / 100_000)
    return 1.0


def _levels(paragraph: Any, given: Inherited) -> Iterator[Any]:
    """What holds for a paragraph, the nearest first: its own properties, then its level's."""
    own = paragraph.find(f"{A}pPr")
    level = 1
    if own is not None:
        yield own
        level = min(9, max(1, whole_number(own.get("lvl")) + 1))
    for style in given.lists:
        for name in (f"lvl{level}pPr", "defPPr"):
            found = style.find(f"{A}{name}") if style is not None else None
            if found is not None:
                yield found


def _attribute(elements: Sequence[Any], name: str) -> str | None:
    return next((e.get(name) for e in elements if e.get(name) is not None), None)


def _runs(
    paragraph: Any, levels: Sequence[Any], given: Inherited, more: tuple[float, float, float]
) -> Iterator[Said]:
    defaults = [d for level in levels if (d := level.find(f"{A}defRPr")) is not None]
    for element in paragraph:
        kind = local(element)
        if kind not in ("r", "fld", "br"):
            continue
        own = element.find(f"{A}rPr")
        chain = [etree.Element("none") if own is None else own, *defaults]
        words = "\v" if kind == "br" else (element.findtext(f"{A}t") or "")
        words = words.replace("\n", " ").replace("\r", "")[:MAX_WORDS]
        if words:
            yield Said(element, paragraph, words, _style(chain, levels, given, more))


def _style(
    chain: Sequence[Any], levels: Sequence[Any], given: Inherited, more: tuple[float, float, float]
) -> Style:
    scale, shrink, indent = more
    margin, hang = (whole_number(_attribute(levels, name)) * scale for name in ("marL", "indent"))
    bullet = bullet_of(levels)
    size = whole_number(_attribute(chain, "sz") or "1800") / 100 * _POINT * scale * shrink
    family = _family(chain, given.theme)
    bold, italic = (_attribute(chain, name) in ("1", "true") for name in ("b", "i"))
    filled = _filled(chain, given)
    shade: Colour = filled if isinstance(filled, tuple) else (0, 0, 0, 255)
    weight = 700 if bold else 400
    return Style(
        family, round(min(max(size, 0.5), LARGEST), 2), weight, italic, shade,
        _ALIGNS.get(_attribute(levels, "algn") or "l", "left"),
        spacing=round(whole_number(_attribute(chain, "spc")) / 100 * _POINT * scale, 2),
        leading=_leading(levels, family, weight, italic),
        underline=_attribute(chain, "u") not in (None, "none"),
        strike=_attribute(chain, "strike") not in (None, "noStrike"),
        gradient=filled if isinstance(filled, Gradient) else None,
        indent=round(margin - indent, 2), bullet=bullet, hang=round(-hang, 2) if bullet else 0.0,
    )  # fmt: skip


def _filled(chain: Sequence[Any], given: Inherited) -> Colour | Gradient:
    for element in chain[:1]:
        if (found := given.theme.fill(element)) is not None:
            return found
    if given.shade is not None:
        return given.shade
    for element in chain[1:]:
        if (found := given.theme.fill(element)) is not None:
            return found
    return given.theme.colours.get(given.theme.names.get("tx1", "dk1"), (0, 0, 0, 255))


def _family(chain: Sequence[Any], theme: Theme) -> str:
    for element in chain:
        font = element.find(f"{A}latin")
        if font is not None and (name := theme.family(font.get("typeface", ""))):
            return name[:100]
    return theme.family("+mn-lt") or Style().family


def _leading(levels: Sequence[Any], family: str, weight: int, italic: bool) -> float:
    """From line to line in sizes: as the font has it, times what the paragraph says."""
    rise, fall = metrics(family, weight, italic)
    for level in levels:
        spacing = level.find(f"{A}lnSpc/{A}spcPct")
        if spacing is not None:
            part = whole_number(str(spacing.get("val", "100000")).rstrip("%")) / 100_000
            return round((rise + fall) * min(5.0, max(0.2, part)), 4)
    return round(rise + fall, 4)


@lru_cache(maxsize=256)
def metrics(family: str, weight: int, italic: bool) -> tuple[float, float]:
    """How far a font reaches above and below its baseline, in sizes."""
    face = here().find(Style(family, weight=weight, italic=italic), "x").face
    rise, fall = load(face, 1000, 16).getmetrics()
    return rise / 1000, fall / 1000


def raised(text: Text) -> tuple[float, float]:
    """From the top of a text to its first baseline, and from there to its bottom, in pixels."""
    style = text.style
    rise, fall = metrics(style.family, style.weight, style.italic)
    lines = lay(text)
    first = (
        max((p.style.size for p in lines[0].pieces), default=style.size) if lines else style.size
    )
    extra = style.leading / (rise + fall)  # lines set wider stand lower, as PowerPoint has it
    last = lines[-1].baseline if lines else 0.0
    return rise * first * min(extra, 1.0), last + fall * style.size


def placeholder_lists(
    shape: Any, layout: Any, master: Any, presentation: Any
) -> tuple[list[Any], list[Any]]:
    """The list styles and body properties that a shape's words inherit, the nearest first."""
    bodies = [_own(shape.element, f"{A}bodyPr")]
    lists = [_own(shape.element, f"{A}lstStyle")]
    kind = "other"
    holder = shape.element.find(f".//{P}nvPr/{P}ph")
    if holder is not None:
        name, index = holder.get("type", "obj"), holder.get("idx", "0")
        kind = "title" if name in ("title", "ctrTitle") else "body"
        kind = "other" if name in ("dt", "ftr", "sldNum") else kind
        for sheet, by_index in ((layout, True), (master, False)):
            found = _matching(sheet, name, index, by_index=by_index)
            if found is not None:
                bodies.append(_own(found, f"{A}bodyPr"))
                lists.append(_own(found, f"{A}lstStyle"))
    styles = master.element.find(f"{P}txStyles") if master is not None else None
    if styles is not None:
        lists.append(styles.find(f"{P}{kind}Style"))
    lists.append(presentation.element.find(f"{P}defaultTextStyle"))
    return lists, bodies


def _own(element: Any, path: str) -> Any:
    body = element.find(f"{P}txBody")
    return body.find(path) if body is not None else None


def _matching(sheet: Any, kind: str, index: str, *, by_index: bool) -> Any:
    """The placeholder of a layout or master that one of a slide takes after."""
    alike = {"ctrTitle": "title", "subTitle": "body", "obj": "body"}
    best = None
    for holder in sheet.element.iter(f"{P}ph"):
        other = holder.get("type", "obj")
        if by_index and holder.get("idx", "0") == index and (index != "0" or other == kind):
            return holder.getparent().getparent().getparent()
        if alike.get(other, other) == alike.get(kind, kind) and best is None:
            best = holder.getparent().getparent().getparent()
    return best

"""The heat maps of a corpus: which document kinds give which elements room, and how much of it.

Drawn as SVG in pixels, by class; the colours are the style sheet's, so one drawing serves the
page and a file of its own, by day and by night.
"""

from collections.abc import Callable, Mapping, Sequence

from overpaint.engines.corpus import FIGURES, Corpus, scaled
from overpaint.report.markup import Html, join, node
from overpaint.report.numbers import NO_BOUND, count, decimals_for, number
from overpaint.report.one_file import one_file, style
from overpaint.report.wording import plain

ROW, GAP, LABELS, HEAD = 34, 2, 190, 96
DEEPEST = 2.5  # z-scores from here on have the full colour
DARK = 0.8  # cells above this share of the full colour have light letters
_SHEETS = ("base.css", "heat.css")
_LEADS = {
    "density": "Mean share of the page's area that elements of each kind take, standardised over"
    " the document kinds: how far each lies above (blue) or below (vermillion) their mean, in"
    " standard deviations.",
    "figures": "Each column coloured from its least to its most. Density: share of the page that"
    " is covered; complexity: kinds a page; richness: elements a page; entropy: of the kinds, in"
    " bits; text and visual: shares of the covered area.",
    "openness": "What the instructions leave open by rule, from 1 (nothing) to 5 (everything).",
}
_TITLES = {
    "density": "Element density", "figures": "Layout figures", "openness": "Instruction ambiguity",
}  # fmt: skip

Table = Mapping[str, Mapping[str, float | None]]


def heat_page(name: str, corpus: Corpus, openness: Mapping[str, float]) -> str:
    """One HTML file that needs nothing else: both heat maps and the instructions' openness."""
    drawings = {"density": density_map(corpus), "figures": figure_map(corpus)}
    if openness:
        drawings["openness"] = openness_bars(openness)
    pages = sum(corpus.pages.values())
    told = f"{count(pages, 'page')}, {count(len(corpus.pages), 'document kind')}"
    top = node(
        "header", node("p", "Overpaint corpus", class_="kicker"), node("h1", plain(name)),
        node("p", told, class_="facts"), class_="top",
    )  # fmt: skip
    figures = [_figure(key, drawing) for key, drawing in drawings.items()]
    body = node("main", node("div", *figures, class_="heat-figures"))
    return one_file(f"{plain(name)} · Overpaint corpus", node("body", top, body), *_SHEETS)


def heat_svg(corpus: Corpus) -> str:
    """Both heat maps in one SVG file, one below the other."""
    parts, y, wide = [], 0, 0
    for key, (drawing, width, height) in (
        ("density", _density(corpus)),
        ("figures", _figures(corpus)),
    ):
        title = node("text", _TITLES[key], x=0, y=y + 20, class_="title")
        parts.append(join(title, node("g", drawing, transform=f"translate(0 {y + 32})")))
        y, wide = y + height + 72, max(wide, width)
    margin = 24
    inside = node("g", *parts, transform=f"translate({margin} {margin})")
    paper = node("rect", width="100%", height="100%", fill="var(--paper)")
    return node(
        "svg", node("style", Html(style(*_SHEETS))), paper, inside, class_="heat",
        xmlns="http://www.w3.org/2000/svg", width=wide + 2 * margin, height=y + margin,
    )  # fmt: skip


def density_map(corpus: Corpus) -> Html:
    """The z-scores of every element kind by document kind."""
    return _drawing(*_density(corpus), told="z-scores of element density by document kind")


def figure_map(corpus: Corpus) -> Html:
    """The six figures by document kind."""
    return _drawing(*_figures(corpus), told="six layout figures by document kind")


def openness_bars(openness: Mapping[str, float]) -> Html:
    """The mean of each dimension as a bar from 1 to 5."""
    parts = []
    for place, (name, value) in enumerate(openness.items()):
        y, wide = place * 30, 360
        parts += [
            node("text", name, x=0, y=y + 19),
            node("rect", x=LABELS, y=y + 6, width=wide, height=18, rx=3, class_="track"),
            node("rect", x=LABELS, y=y + 6, width=max(2.0, wide * (value - 1) / 4), height=18,
                 rx=3, class_="bar"),
            node("text", number(value, 2), x=LABELS + wide + 12, y=y + 19),
        ]  # fmt: skip
    return _drawing(join(*parts), LABELS + 420, 30 * len(openness), told="mean openness")


def _density(corpus: Corpus) -> tuple[Html, int, int]:
    def shown(source: str, kind: str) -> tuple[str, float, str]:
        z = corpus.z[source][kind]
        if z is None:
            return NO_BOUND, 0.0, "more"
        return _signed(z), min(abs(z) / DEEPEST, 1.0), "more" if z > 0 else "less"

    kinds = [plain(kind).replace("_", " ") for kind in corpus.kinds]
    tip = {s: {k: f"{100 * v:.2f} % of the page" for k, v in row.items()}
           for s, row in corpus.densities.items()}  # fmt: skip
    return _map(corpus, list(zip(corpus.kinds, kinds, strict=True)), shown, 62, tip)


def _signed(value: float) -> str:
    text = f"{value:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def _figures(corpus: Corpus) -> tuple[Html, int, int]:
    shade = scaled(corpus.figures)
    decimals = {
        name: decimals_for(v for row in corpus.figures.values() if (v := row[name]) is not None)
        for name in FIGURES
    }

    def shown(source: str, name: str) -> tuple[str, float, str]:
        value, depth = corpus.figures[source][name], shade[source][name]
        ratio = value is not None and name.endswith("ratio")
        text = f"{100 * (value or 0):.0f} %" if ratio else number(value, decimals[name])
        return text, 0.6 * depth if depth is not None else 0.0, "more"

    return _map(corpus, [(name, name) for name in FIGURES], shown, 96, {})


def _map(
    corpus: Corpus,
    columns: Sequence[tuple[str, str]],
    shown: Callable[[str, str], tuple[str, float, str]],
    wide: int,
    tips: Mapping[str, Mapping[str, str]],
) -> tuple[Html, int, int]:
    """Rows of cells with names at the left and above; what it is, how wide and how high."""
    head = HEAD if wide < 80 else 30
    parts = [_column_name(label, LABELS + wide * n, wide, head)
             for n, (_, label) in enumerate(columns)]  # fmt: skip
    parts.append(node("text", "pages", x=LABELS - 14, y=head - 10, class_="soft end"))
    for place, (source, pages) in enumerate(corpus.pages.items()):
        y = head + place * ROW
        name = node("text", plain(source).replace("_", " ")[:24], x=0, y=y + 22)
        parts += [name, node("text", pages, x=LABELS - 14, y=y + 22, class_="soft end")]
        for n, (key, _) in enumerate(columns):
            tip = tips.get(source, {}).get(key)
            parts.append(_cell(LABELS + wide * n, y, wide, shown(source, key), tip))
    # Slanted names reach beyond the last column.
    return join(*parts), LABELS + wide * len(columns) + 40, head + ROW * len(corpus.pages)


def _column_name(label: str, x: int, wide: int, head: int) -> Html:
    if wide >= 80:
        return node("text", label, x=x + wide / 2, y=head - 10, class_="soft middle")
    turn = f"translate({x + wide / 2 - 2:.0f} {head - 8}) rotate(-40)"
    return node("text", label[:20], transform=turn, class_="soft")


def _cell(x: int, y: int, wide: int, shown: tuple[str, float, str], tip: str | None) -> Html:
    text, depth, way = shown
    size = {"x": x, "y": y, "width": wide - GAP, "height": ROW - GAP, "rx": 3}
    colour = node("rect", class_=way, fill_opacity=depth, **size) if depth else None
    letters = "middle on-colour" if depth > DARK else "middle"
    label = node("text", text, x=x + (wide - GAP) / 2, y=y + 21, class_=letters)
    return node("g", node("title", tip) if tip else None,
                node("rect", class_="cell", **size), colour, label)  # fmt: skip


def _drawing(inside: Html, width: int, height: int, *, told: str) -> Html:
    return node(
        "svg", inside, class_="heat", width=width, height=height, role="img", aria_label=told,
        view_box=f"0 0 {width} {height}",
    )  # fmt: skip


def _figure(key: str, drawing: Html) -> Html:
    caption = node("figcaption", node("b", _TITLES[key]), node("span", _LEADS[key]))
    return node("figure", caption, drawing)

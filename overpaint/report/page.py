"""The page: one HTML file made of the tables, the gallery's data and the files in `page/`."""

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from overpaint.core import Measure
from overpaint.report import account, gaps, plots, results
from overpaint.report.decisions import decisions_sheet, undecided
from overpaint.report.deck import Deck, in_script, who_decided
from overpaint.report.judges import sheet_table
from overpaint.report.markup import Html, join, node, prose
from overpaint.report.tables import Tables
from overpaint.report.thumbs import Sprite

# In this order they make one script; later ones use what earlier ones define.
SCRIPTS = (
    "dom.js", "data.js", "tables.js", "address.js", "paging.js", "choice.js", "gallery.js",
    "references.js",
    "boxes.js",
    "layers.js", "stage.js", "judged.js", "trajectory.js", "panel.js",
    "detail.js", "versus.js", "live.js", "main.js",
)  # fmt: skip
STYLES = (
    "base.css", "tables.css", "gallery.css", "detail.css", "judged.css", "boxes.css", "layers.css",
    "references.css",
)  # fmt: skip
SPRITES_A_CHUNK = 40
_END = "\n</body>\n</html>\n"
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect x="3" y="3" width="19" height="19" rx="4" fill="#0072b2"/>'
    '<rect x="11" y="11" width="18" height="18" rx="4" fill="#e69f00" fill-opacity=".85"/></svg>'
)
_HOW_TO_READ = (
    "A thin line reaches as far as the mean would if everything missing were worst or best."
    " An arrow at the edge stands for a floor or ceiling that lies beyond it."
)


def report_page(
    tables: Tables,
    deck: Deck,
    sprites: Sequence[Sprite | None],
    blocks: Sequence[str],
    *,
    inside: Sequence[str] = (),
    judges: Html | None = None,
) -> Iterator[str]:
    """The file that needs nothing else, piece by piece; thumbnails come last."""
    shapes = [
        [sprite.width, sprite.height, *sprite.broken] if sprite else None for sprite in sprites
    ]
    body = deck.body | {"sprites": shapes, "spritesAChunk": SPRITES_A_CHUNK}
    yield _page(tables, replace(deck, body=body), policy(connect="'none'"), judges)
    if any(blocks):
        yield node("script", Html("\n".join(blocks)), type="text/plain", id="blocks")
    if any(inside):
        yield node("script", Html("\n".join(inside)), type="text/plain", id="inside")
    for first in range(0, len(sprites), SPRITES_A_CHUNK):
        lines = [
            base64.b64encode(sprite.data).decode() if sprite else ""
            for sprite in sprites[first : first + SPRITES_A_CHUNK]
        ]
        yield node("script", Html("\n".join(lines)), type="text/plain", class_="sprites")
    yield _END


def live_page(tables: Tables, deck: Deck, version: str, judges: Html | None = None) -> str:
    """The page as it is served: thumbnails come one by one, and it asks for news."""
    body = deck.body | _served(deck, version)
    drawn = _page(tables, replace(deck, body=body), policy(connect="'self'"), judges)
    return drawn + _END


def listed_page(tables: Tables, deck: Deck, version: str) -> str:
    """One page of a run's samples, as it is served: the gallery alone, with ways to the others."""
    body = deck.body | _served(deck, version)
    benchmark = str(tables.info.get("benchmark", "run"))
    back = node("a", "← Report", href="./")
    drawn = [
        _top(benchmark),
        node("nav", back, node("span", id="news", role="status"), class_="sections",
             aria_label="Sections"),
        node("main", Html(_file("gallery.html"))),
    ]  # fmt: skip
    title = f"Samples of {benchmark} · Overpaint report"
    return "".join(_document(title, policy(connect="'self'"), drawn, body)) + _END


def refused_page(told: str) -> str:
    """Why an address has no samples to show, with ways back."""
    title, allowed = "No such samples · Overpaint report", policy(connect="'none'")
    ways = [node("a", "← Report", href="./"), node("a", "All samples", href="samples")]
    drawn = join(
        _top("No such samples"),
        node("nav", *ways, class_="sections", aria_label="Sections"),
        node("main", node("section", node("p", prose(told), class_="lead"))),
    )
    return "".join([*_opening(title, allowed), drawn, _END])


def encoded(page: str) -> bytes:
    """The page in UTF-8; halves of letters, which JSON can hold, as \\udcXX."""
    return page.encode("utf-8", "backslashreplace")


def _served(deck: Deck, version: str) -> dict[str, Any]:
    """What a served page knows beyond the file: samples by their numbers, and when it was drawn."""
    return {"sprites": None, "version": version, "numbers": deck.numbers}


def policy(*, connect: str) -> str:
    """What the page may do: run its own script, wear its own style, show pictures beside it."""
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none';"
        f" script-src '{_digest(script())}'; style-src '{_digest(style())}';"
        f" img-src 'self' file: data:; connect-src {connect};"
        " require-trusted-types-for 'script'; trusted-types 'none'"
    )


@cache
def script() -> str:
    """Every file of the script in one function of its own."""
    inside = "\n".join(_file(name) for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{inside}\n}})();\n'


@cache
def style() -> str:
    """The style sheet."""
    return "\n".join(_file(name) for name in STYLES)


@cache
def _file(name: str) -> str:
    return (files("overpaint.report") / "page" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _page(tables: Tables, deck: Deck, allowed: str, judges: Html | None) -> str:
    """Everything up to the thumbnails; the end of the document is left to the caller."""
    benchmark = str(tables.info.get("benchmark", "run"))
    drawn = [
        node("a", "Skip to the results", href="#results", class_="skip"),
        node("header", account.header(tables), class_="top"),
        Html(_file("nav.html")),
        node("main", *_sections(tables, deck, judges)),
    ]
    return "".join(_document(f"{benchmark} · Overpaint report", allowed, drawn, deck.body))


def _document(
    title: str, allowed: str, drawn: Sequence[Html], body: Mapping[str, Any]
) -> Iterator[str]:
    """What is drawn in a document that needs nothing else, with the view of a sample."""
    yield from (*_opening(title, allowed), *drawn)
    yield Html(_file("detail.html"))
    yield node("script", Html(in_script(body)), type="application/json", id="deck") + "\n"
    yield node("script", Html(script())) + "\n"


def _top(title: str) -> Html:
    return node(
        "header", node("p", "Overpaint report", class_="kicker"), node("h1", title), class_="top"
    )


def _opening(title: str, allowed: str) -> tuple[str, ...]:
    """Everything up to what is drawn."""
    head = join(
        node("meta", charset="utf-8"),
        node("meta", http_equiv="Content-Security-Policy", content=allowed),
        node("meta", name="viewport", content="width=device-width, initial-scale=1"),
        node("meta", name="referrer", content="no-referrer"),
        node("meta", name="color-scheme", content="light dark"),
        node("title", title),
        node("link", rel="icon", href=_icon()),
        node("style", Html(style())),
    )
    return ('<!doctype html>\n<html lang="en">\n', node("head", head), "\n<body>\n")


def _icon() -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(_ICON.encode()).decode()


def _sections(tables: Tables, deck: Deck, judges: Html | None) -> Iterator[Html]:
    lead = f"Each value with its 95 % interval. {results.coverage_line(tables)}"
    yield _section("results", "Results", lead, [
        results.leaderboard(tables, undecided(tables)), *_who_decided(deck),
        *(node("p", told, class_="quiet") for told in tables.mixed),
        node("details", node("summary", "All numbers, with bounds for what is missing"),
             results.all_numbers(tables)),
    ])  # fmt: skip
    if decided := decisions_sheet(tables):
        yield _section("decisions", decided.title, decided.lead, [sheet_table(decided)])
    yield _section("gap", gaps.TITLE, *_ways(tables))
    yield _section("plots", "Plots", None, _figures(tables))
    if tags := tables.tags():
        lead = "Deeper blue is better among the editors of one table."
        if not tables.whole:
            lead += " A percentage beside a value is the share that could be scored."
        shape = "pair" if len(tables.entries) <= 4 else "column"
        yield _section("breakdowns", "Breakdowns", lead, [
            results.measure_picker(tables),
            node("div", *(results.breakdown(tables, *tag) for tag in tags.items()), class_=shape),
        ])  # fmt: skip
    if judges is not None:
        yield judges
    yield _section("failures", "Failures", None, [account.failures(tables)])
    yield _section("protocol", "Protocol", None, [account.protocol(tables)])
    yield _section("run", "Run", None, [account.run_details(tables)])
    yield Html(_file("gallery.html"))


def _section(name: str, title: str, lead: str | None, parts: Sequence[Html]) -> Html:
    intro = node("p", prose(lead), class_="lead") if lead else None
    return node("section", node("h2", title), intro, *parts, id=name)


def _who_decided(deck: Deck) -> Iterator[Html]:
    """Who decided for each agent and what it could not do, below the table that compares them."""
    of = " of the samples shown below" if "chosen" in deck.body else ""
    yield from (node("p", line, class_="quiet") for line in who_decided(deck.agents, of))


def _ways(tables: Tables) -> tuple[str, list[Html]]:
    """The plots of the way from source to truth, or the sentence that says why there are none."""
    if (why := gaps.no_gaps(tables)) is not None:
        return f"{why[:1].upper()}{why[1:]}", []
    board = gaps.gap_board(tables)
    figures = [
        _figure(m.name, "% of the way, 95 % interval", plots.gap_plot(board, m))
        for m in board.measures
    ]
    notes = [node("p", prose(line), class_="quiet") for line in gaps.gap_notes(tables)]
    lead = f"{gaps.LEAD.format(*tables.ends)}; below 0 % is worse than doing nothing."
    return lead, [node("div", *figures, class_="figures"), *notes]


def _figures(tables: Tables) -> list[Html]:
    means = [
        _figure(m.name, _direction(m), plots.interval_plot(tables, m)) for m in tables.measures
    ]
    spreads = []
    for measure in tables.measures:
        scale = "logarithmic axis" if plots.is_logarithmic(tables, measure) else "one axis for all"
        spreads.append(_figure(measure.name, scale, plots.distribution_plot(tables, measure)))
    coverage = _figure("all measures", "share of scores by status", plots.coverage_plot(tables))
    return [
        node("h3", "Means with 95 % intervals"),
        node("p", _HOW_TO_READ, class_="quiet"),
        node("div", *means, class_="figures"),
        node("h3", "How scores spread"),
        node("div", *spreads, class_="figures"),
        node("h3", "Coverage, and editor against editor"),
        node("div", coverage, Html(_file("versus.html")), class_="figures"),
    ]  # fmt: skip


def _direction(measure: Measure) -> str:
    better = "higher is better" if measure.higher_is_better else "lower is better"
    return f"{measure.unit}, {better}" if measure.unit else better


def _figure(title: str, aside: str, drawing: Html) -> Html:
    caption = node("figcaption", node("b", title), node("span", aside))
    return node("figure", caption, drawing)

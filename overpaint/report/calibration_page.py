"""Measures and people as one HTML file that needs nothing else."""

from collections.abc import Iterator
from dataclasses import replace

from overpaint.measures.calibration_run import Calibration
from overpaint.measures.people import People
from overpaint.report.calibration_editor_sheets import (
    duel_sheet,
    editors_sheet,
    estimate_sheet,
    knots_sheet,
    maps_sheet,
    rankings_sheet,
    score_all_sheet,
)
from overpaint.report.calibration_opening import opening
from overpaint.report.calibration_pictures import (
    curve_plot,
    heat_map,
    legend,
    means_plot,
    ranking_plot,
)
from overpaint.report.calibration_sheets import overall_sheets, people_sheet
from overpaint.report.judges import sheet_table
from overpaint.report.markup import Html, join, node
from overpaint.report.numbers import count
from overpaint.report.one_file import one_file
from overpaint.report.sheets import Sheet
from overpaint.report.wording import plain

_SHEETS = ("base.css", "tables.css", "calibration.css")
_MAP = (
    "How far each measure orders edits as people do: Spearman's rank correlation with opinion"
    " scores, task by task. The first row is people with people, which no measure can be expected"
    " to pass by much."
)
_YES_NO_MAP = (
    "How often a measure puts an edit that most people answer yes to above one that they answer no"
    " to, task by task."
)


def calibration_page(found: Calibration, title: str, budget: int | None = None) -> str:
    """The page."""
    name = plain(title)
    ratings = sum(one.ratings for one in found.people)
    facts = [
        count(len(found.measures), "measure"), count(len(found.people), "dimension"),
        count(ratings, "rating") if ratings else "published opinion scores",
        count(max((len(one.scores) for one in found.people), default=0), "rated edit"),
    ]  # fmt: skip
    top = node(
        "header", node("p", "Overpaint calibration", class_="kicker"), node("h1", name),
        node("p", *(node("span", fact) for fact in facts), class_="facts"),
        *(node("p", line) for line in opening(found)), class_="top",
    )  # fmt: skip
    body = join(_nav(found), node("main", *_sections(found, budget), id="content"))
    skip = node("a", "Skip to the results", href="#content", class_="skip")
    whole = node("body", skip, top, body)
    return one_file(f"{name} · Overpaint calibration", whole, *_SHEETS)


def _nav(found: Calibration) -> Html:
    places = [("people", "People")]
    places += [(f"d{at}", plain(one.dimension)) for at, one in enumerate(found.people)]
    places += [("ranking", "Ranking of editors"), ("maps", "Calibration")]
    links = [node("a", words, href=f"#{where}") for where, words in places]
    return node("nav", *links, class_="sections", aria_label="Sections")


def _sections(found: Calibration, budget: int | None) -> Iterator[Html]:
    yield _section("people", people_sheet(found))
    for at, people in enumerate(found.people):
        yield node("section", *_dimension(found, people, budget), id=f"d{at}")
    parts = [_more(score_all_sheet(found))] if found.overall is not None else []
    yield _section("ranking", rankings_sheet(found), *parts)
    yield _section("maps", maps_sheet(found))


def _section(name: str, sheet: Sheet, *parts: Html) -> Html:
    return node(
        "section", node("h2", plain(sheet.title)), node("p", plain(sheet.lead), class_="lead"),
        _table(sheet), *parts, id=name,
    )  # fmt: skip


def _more(sheet: Sheet) -> Html:
    lead = node("p", plain(sheet.lead), class_="quiet")
    return join(node("h3", plain(sheet.title)), lead, _table(sheet))


def _table(sheet: Sheet) -> Html:
    """The sheet's table; names in its heads and remarks come from outside."""
    heads, remarks = (tuple(map(plain, texts)) for texts in (sheet.heads, sheet.remarks))
    return sheet_table(replace(sheet, title=plain(sheet.title), heads=heads, remarks=remarks))


def _dimension(found: Calibration, people: People, budget: int | None) -> Iterator[Html]:
    yield node("h2", plain(people.dimension))
    yield node("p", _YES_NO_MAP if people.yes_no else _MAP, class_="lead")
    yield heat_map(found, people)
    yield legend(people)
    for sheet in overall_sheets(found, people):
        yield _more(sheet)
    estimates = [one for one in found.estimates if one.dimension == people.dimension]
    if not estimates:
        return
    yield _more(estimate_sheet(found, people))
    if (drawn := means_plot(estimates)) is not None:
        yield _figure("Editors' means", "grey: ratings alone; blue: with the measure", drawn)
    yield _more(duel_sheet(found, people, budget))
    yield from _drawings(found, people)


def _drawings(found: Calibration, people: People) -> Iterator[Html]:
    """The measure that goes best with people: its ranking, and its map."""
    best = (found.best(people.dimension), people.dimension)
    ranked = next((one for one in found.rankings if (one.measure, one.dimension) == best), None)
    mapped = next((one for one in found.maps if (one.measure, one.dimension) == best), None)
    figures = []
    if ranked is not None and (drawn := ranking_plot(ranked)) is not None:
        figures.append(
            _figure(f"Editors by {plain(ranked.measure)}", "on the line: as people say", drawn,
                    editors_sheet(ranked))
        )  # fmt: skip
    if mapped is not None and (drawn := curve_plot(found, people, mapped)) is not None:
        figures.append(
            _figure(f"{plain(mapped.measure)} on people's scale", "each dot an edit", drawn,
                    knots_sheet(mapped))
        )  # fmt: skip
    if figures:
        yield node("div", *figures, class_="figures")


def _figure(title: str, aside: str, drawing: Html, numbers: Sheet | None = None) -> Html:
    caption = node("figcaption", node("b", title), node("span", aside))
    table = node("details", node("summary", "The numbers"), _table(numbers)) if numbers else None
    return node("figure", caption, drawing, table)

"""Measures and people for readers: sheets, JSON, and a page that needs nothing else."""

import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import calibrating_toy as toy
import pytest

from overpaint.measures.calibration import Column
from overpaint.measures.calibration_run import Calibration, calibrate
from overpaint.measures.people import opinion_of, published
from overpaint.report.calibration import calibration_json, calibration_sheets, calibration_text
from overpaint.report.calibration_page import calibration_page
from overpaint.report.sheets import Sheet

WILD = "<script>alert(1)</script>\x1b[31m"


@cache
def found() -> Calibration:
    """Two dimensions on the first half of the samples, one of them yes or no."""
    few = {key: said for key, said in toy.given().items() if key[0] < "s14"}
    yes = {key: {r: float(v > 3.2) for r, v in said.items()} for key, said in few.items()}
    people = [opinion_of("quality", few), opinion_of("done", yes)]
    says = Column("says", {key: float(value > 3.2) for key, value in toy.truth().items()})
    columns = [*toy.columns(), says, Column("empty", {})]
    return calibrate(columns, people, toy.ground(draws=60), list(toy.truth()), by="task")


def sheet(title: str, budget: int | None = None) -> Sheet:
    return next(one for one in calibration_sheets(found(), budget) if one.title == title)


def test_the_ceiling_stands_first_and_measures_follow_by_how_far_they_agree() -> None:
    rows = sheet("quality: measures").rows
    assert rows[0][0] == "people with people"
    assert rows[1][0] in ("sees", "error", "says")
    assert rows[-1][0] == "upside"
    assert str(rows[-1][2]).startswith("−0.")
    assert "(" in str(rows[1][2])


def test_people_s_sheet_says_what_was_rated_removed_and_left_out() -> None:
    told = sheet("People")
    assert [row[1] for row in told.rows] == ["scale", "yes or no"]
    assert told.rows[0][5] == "56 of 96"
    assert "empty is left out: it has scored no edit." in told.remarks


def test_a_rejected_rater_is_named_with_the_reason() -> None:
    given = {key: dict(said) for key, said in toy.given().items()}
    for said in given.values():
        said.update({"r0": 6 - said["r0"]} if "r0" in said else {})
    other = calibrate([toy.columns()[0]], [opinion_of("quality", given)], toy.ground(20), [*given])
    remarks = next(calibration_sheets(other)).remarks
    assert any(
        line.startswith("quality: r0 is left out: ") and "r = -0." in line for line in remarks
    )


def test_raters_left_out_for_one_reason_are_named_together() -> None:
    given = {(f"s{n:02}", "fine"): {"r1": 3.0, "r2": 4.0} for n in range(12)}
    other = calibrate([toy.columns()[0]], [opinion_of("quality", given)], toy.ground(20), [*given])
    remarks = next(calibration_sheets(other)).remarks
    assert [line for line in remarks if "left out" in line] == [
        "quality: r1, r2 are left out: the ratings are all the same or only one, so that they have"
        " no spread."
    ]


def test_yes_and_no_have_an_area_and_judges_of_yes_and_no_say_how_often_they_agree() -> None:
    told = sheet("done: measures")
    assert told.heads == ("Measure", "Edits", "Area", "Says the same")
    by_name = {row[0]: row for row in told.rows}
    assert by_name["sees"][3] == "–"
    assert str(by_name["says"][3]).endswith(")")
    assert by_name["one rater with the others"][2] == "–"


def test_tasks_with_too_few_edits_have_no_number_and_are_named() -> None:
    few = {key: said for key, said in toy.given().items() if key[0] in ("s00", "s01", "s03", "s06")}
    other = calibrate(
        toy.columns()[:1], [opinion_of("quality", few)], toy.ground(20), [*few], by="task"
    )
    told = next(s for s in calibration_sheets(other) if s.title == "quality: SRCC by task")
    assert told.heads == ("Measure", "add")
    assert "So it is in all of remove." in told.lead


def test_means_stand_beside_those_of_ratings_alone_and_a_budget_is_answered() -> None:
    rows = sheet("quality: editors").rows
    assert [row[0] for row in rows] == list(toy.LEVELS)
    assert all(int(str(row[2])) == 10 for row in rows)
    assert sheet("quality: neighbours", 5000).remarks[-1].startswith("5,000 more ratings would")


def test_the_terminal_gets_sentences_of_at_most_a_hundred_columns() -> None:
    text = calibration_text(found(), 10)
    assert "QUALITY: MEASURES" in text
    prose = [
        line for line in text.splitlines() if re.match(r"[A-Za-z][^─]*[a-z] [a-z]+ [a-z]+ ", line)
    ]
    assert max(map(len, prose)) <= 100


def test_json_holds_everything_and_no_number_that_is_none() -> None:
    data = json.loads(calibration_json(found()))
    assert data["parts"] == ["all", *toy.TASKS]
    assert len(data["agreements"]) == 5 * 4 * 2
    assert {one["measure"] for one in data["maps"]} == {"sees", "error", "noise", "upside", "says"}
    first = data["people"][0]
    assert (first["dimension"], len(first["edits"])) == ("quality", 56)
    assert data["duels"][0]["needed"].keys() == {"alone", "with_judge", "notes"}


def test_published_opinions_have_no_ceiling_and_say_so() -> None:
    scores = {key: 20 * value for key, value in toy.truth().items()}
    other = calibrate(
        toy.columns()[:2], [published("quality", scores, "as released")], toy.ground(20), [*scores]
    )
    assert other.ceilings == ()
    text = calibration_text(other)
    assert "people with people" not in text
    assert "quality: as released." in text


def test_the_text_the_json_and_the_page_open_with_whose_ratings_and_the_best_measures() -> None:
    told = replace(found(), whose="r.csv, 12 raters, all simulated")
    first, quality, done, after = calibration_text(told).splitlines()[:4]
    assert first == "Ratings: r.csv, 12 raters, all simulated"
    assert re.fullmatch(
        r"quality: (sees|error) 0\.\d\d \(0.* – .*\), not clearly better than (sees|error);"
        r" people with people 0\.\d\d",
        quality,
    )
    assert re.match(r"done: \w+ area \d+ % \(", done)
    assert after == ""
    data = json.loads(calibration_json(told))
    assert (data["whose"], data["opening"][:2]) == (told.whose, [first, quality])
    page = calibration_page(told, "toy")
    assert page.index(first) < page.index(quality) < page.index("<main")


def test_the_best_of_measures_that_are_all_noise_may_be_chance() -> None:
    given = toy.given()
    other = calibrate([toy.columns()[2]], [toy.people()], toy.ground(60), [*given])
    assert "which may be chance" in calibration_text(other).splitlines()[0]


def test_opinion_scores_are_explained_and_raw_means_need_no_explanation() -> None:
    told = "50 is a rater's average"
    assert told in sheet("People").lead
    assert told in sheet("quality: editors").lead
    assert told not in sheet("done: editors").lead
    raw = opinion_of("quality", toy.given(), plain=True)
    other = calibrate(toy.columns()[:1], [raw], toy.ground(20), [*toy.given()])
    assert told not in calibration_text(other)


def test_where_every_edit_is_rated_the_measure_has_nothing_to_add() -> None:
    other = calibrate(toy.columns()[:1], [toy.people()], toy.ground(20), [*toy.given()])
    told = next(s for s in calibration_sheets(other) if s.title == "quality: editors")
    assert "Every edit is rated, so the measure has nothing to add." in told.remarks
    assert "cannot help" not in calibration_text(other)


@pytest.mark.parametrize(("worse", "told"), [(0.0, "unanimous"), (1.0, "tied")])
def test_neighbours_of_whom_everyone_says_the_same_are_not_called_open(
    worse: float, told: str
) -> None:
    said = {"fine": 1.0, "good": worse}
    given = {(s, e): {"a": v, "b": v} for s in toy.samples() for e, v in said.items()}
    other = calibrate(toy.columns()[:1], [opinion_of("done", given)], toy.ground(20), [*given])
    duels = next(s for s in calibration_sheets(other) if s.title == "done: neighbours")
    assert duels.rows[0][3] == told
    assert not any("too few ratings" in line for line in duels.remarks)


def test_a_ceiling_without_a_number_is_not_told_as_one() -> None:
    (top, *others) = found().ceilings
    assert top.srcc is not None
    bare = replace(top, srcc=replace(top.srcc, best=None))
    text = calibration_text(replace(found(), ceilings=(bare, *others)))
    assert "(Spearman–Brown)." in text
    assert "an SRCC of" not in text


# ── the page ────────────────────────────────────────────────────────────────────────────


class Reader(HTMLParser):
    """What a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def read(page: str) -> list[tuple[str, dict[str, str | None]]]:
    reader = Reader()
    reader.feed(page)
    return reader.tags


def test_the_page_needs_nothing_else_and_runs_nothing() -> None:
    tags = read(calibration_page(found(), "toy"))
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in tags}
    policy = next(a for t, a in tags if t == "meta" and a.get("http-equiv"))["content"] or ""
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert not [a for _, a in tags if "style" in a or any(key.startswith("on") for key in a)]
    ids = [a["id"] for _, a in tags if "id" in a]
    assert len(ids) == len(set(ids))
    hrefs = [a["href"] for t, a in tags if t == "a"]
    assert all(href and href[0] == "#" and href[1:] in ids for href in hrefs)


def test_the_heat_map_is_a_table_with_colours_and_reasons() -> None:
    page = calibration_page(found(), "toy")
    tags = read(page)
    assert sum(t == "table" and a.get("class") == "people-map" for t, a in tags) == 2
    cells = [a for t, a in tags if t == "td" and "title" in a]
    assert any((a.get("class") or "").startswith("plus-") for a in cells)
    assert any((a.get("class") or "").startswith("minus-") for a in cells)
    assert all(a["title"] for a in cells)
    assert all(a.get("aria-label") for t, a in tags if t == "svg" and a.get("role") == "img")
    assert page.count("The numbers") >= 3  # a table beside every drawing


def test_names_from_outside_are_text() -> None:
    bad = replace(toy.columns()[0], name=WILD)
    given = {(s, e + WILD): said for (s, e), said in toy.given().items()}
    values = {(s, e + WILD): v for (s, e), v in bad.values.items()}
    ground = replace(toy.ground(20), tasks=dict.fromkeys(toy.samples(), WILD))
    other = calibrate(
        [replace(bad, values=values)], [opinion_of(WILD, given)], ground, [*given], by="x"
    )
    page = calibration_page(other, WILD, 10)
    assert "<script" not in page
    assert "\x1b" not in page
    assert "\x1b" not in calibration_text(other)
    assert read(page)


@pytest.mark.parametrize("edits", [0, 3])
def test_hardly_anything_rated_makes_a_page_that_says_so(edits: int) -> None:
    few = dict(list(toy.given().items())[: edits or 1])
    other = calibrate(
        toy.columns() if edits else [], [opinion_of("quality", few)], toy.ground(20), [*few]
    )
    page = calibration_page(other, "toy")
    assert ("too few edits: 3" in page) == bool(edits)
    assert "None" not in page
    assert "The numbers" not in page


def test_what_an_evaluator_has_learned_from_is_said_once_and_never_lost() -> None:
    from overpaint.measures.calibration import Column
    from overpaint.measures.calibration_run import Calibration
    from overpaint.report.calibration_opening import opening

    known = [Column(f"{name}@fusion", {}, learned_here="has learned from 8") for name in "ab"]
    columns = (*known, Column("c@fusion", {}))
    found = Calibration("", (), (), (), (), (), (), (), None, (), (), columns, {})
    assert list(opening(found)) == [
        "@fusion: has learned from 8, so that its agreement here tells nothing."
    ]

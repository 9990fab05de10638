"""MultiRef's judges: a fifth of the points, the mean of category means, and people beside them."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging_toy import plain, shade, verdict
from rows_read import tabulate

import overpaint.run as pipeline
from overpaint import catalog
from overpaint.core import Card, Loaded, Measure, Request, Sample, each
from overpaint.errors import UserMistake
from overpaint.measures.aggregate import plain_mean
from overpaint.measures.judge import columns
from overpaint.measures.reliability import BETWEEN
from overpaint.report.exports import judges_json
from overpaint.report.judges import judges_text
from overpaint.report.judging import Judging, read_judging
from overpaint.store import Row, Store
from overpaint.testing import Asked, FakeServer

GOLDEN = Path(__file__).parents[1] / "golden" / "multiref_table5.csv"
LINES = [line for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]
ROWS = list(csv.DictReader(LINES))
CATEGORIES = [name.removesuffix("_iq") for name in ROWS[0] if name.endswith("_iq")][:-1]
SIZES = {"addition": 12, "spatial": 7, "style": 5}
CARD = Card("judged", "made", "target", "all", "none", "none", "mean", "counted", ())
POINTS = [1 + n % 5 for n in range(sum(SIZES.values()))]  # what the judge gives each sample


@pytest.mark.parametrize("dimension", ["iq", "if", "sf"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["system"])
def test_the_papers_overall_is_the_plain_mean_of_its_categories(
    row: dict[str, str], dimension: str
) -> None:
    found = plain_mean([float(row[f"{name}_{dimension}"]) for name in CATEGORIES])
    # Five numbers rounded to a thousandth, and their mean rounded again.
    assert found == pytest.approx(float(row[f"overall_{dimension}"]), abs=0.001)


def test_the_table_has_33_cells_of_five_categories() -> None:
    assert (len(ROWS) * 3, len(CATEGORIES)) == (33, 5)


# ── in a run ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Bench:
    """Requests of three categories, unlike in size, and one without; shades tell the points."""

    card: Card = CARD
    measures: tuple[str, ...] = ()
    breakdowns: tuple[str, ...] = ("category",)

    def load(self, data: Path | None) -> Loaded:
        names = [name for name, size in SIZES.items() for _ in range(size)]
        made = [_sample(n, name) for n, name in enumerate(names)]
        return Loaded((*made, _sample(len(made), "")))


def _sample(number: int, category: str) -> Sample:
    points = [*POINTS, 5][number]
    tags = {"category": category} if category else {}
    request = Request(plain(45 * points, number), "Put it there.")
    return Sample(f"s{number:02}", request, tags=tags, cluster=f"c{number}")


bench = Bench()


def by_shade(asked: Asked) -> Any:
    return verdict(asked, round(shade(asked.pictures[0]) / 45))


@pytest.fixture(scope="module")
def ratings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three people: one says what the judge says, one a point less, one nearly always 3."""
    path = tmp_path_factory.mktemp("people") / "ratings.csv"
    lines = ["sample,editor,rater,value,dimension"]
    for number, points in enumerate(POINTS):
        said = {"ann": points, "ben": max(1, points - 1), "cem": 3 + (number == 0)}
        lines += [f"s{number:02},identity,{who},{value},IQ" for who, value in said.items()]
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory, ratings: Path) -> pipeline.Run:
    with FakeServer(by_shade, process=False) as server:
        specs = columns(["multiref:iq", "multiref:iq_categories"], [f"{server.url}#m"], repeats=2)
        people = f"human:{ratings};dimension=IQ;scale=1-5"
        return pipeline.run(
            f"{__file__}:bench", editors=["identity"], floors=False, measures=[*specs, people],
            out=tmp_path_factory.mktemp("judged") / "run", settings=pipeline.Settings(workers=0),
        )  # fmt: skip


def read(run: pipeline.Run) -> Judging:
    with Store.open(run.folder) as store:
        return read_judging(store)


def test_points_are_told_as_fifths_from_a_fifth_up(judged: pipeline.Run) -> None:
    with Store.open(judged.folder) as store:
        told = {row.sample: row.value for row in store.rows() if row.measure == "multiref_iq@m"}
    assert [told[f"s{n:02}"] for n in range(5)] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    measure = catalog.measure("multiref:sf:openai/gpt-4o")
    assert (measure.name, measure.worst, measure.best) == ("multiref_sf@gpt-4o", 0.2, 1.0)


def test_both_means_stand_side_by_side(judged: pipeline.Run) -> None:
    (row,) = judged.table()
    samples, categories = row.cells["multiref_iq@m"], row.cells["multiref_iq_categories@m"]
    assert samples.value == pytest.approx(np.mean([*POINTS, 5]) / 5)
    parts = np.split(np.array(POINTS) / 5, np.cumsum(list(SIZES.values()))[:-1])
    assert categories.value == pytest.approx(np.mean([part.mean() for part in parts]))
    assert categories.value != pytest.approx(samples.value)
    assert categories.notes == ("the plain mean over 3 category values",)
    assert (categories.n, categories.scored, categories.clusters) == (24, 24, 24)
    assert categories.low < categories.value < categories.high
    sliced = {row.slice: row.cells for row in judged.table("category")}
    for name, part in zip(SIZES, parts, strict=True):
        assert sliced[name]["multiref_iq_categories@m"].value == pytest.approx(part.mean())
    none = sliced["no category"]["multiref_iq_categories@m"]
    assert (none.n, none.value) == (0, None)
    assert none.notes == ("no sample that counts has a category",)


def test_what_is_wrong_with_a_spec_is_said() -> None:
    for wrong in ("multiref:iq", "multiref:taste:openai/gpt-4o", "multiref:categories:m"):
        with pytest.raises(UserMistake, match="not understood.*multiref:iq, multiref:if"):
            catalog.measure(wrong)


def test_judges_are_held_against_people_in_points_and_people_against_each_other(
    judged: pipeline.Run,
) -> None:
    judging = read(judged)
    found = {(one.a, one.b): one for one in judging.people}
    judge = found["multiref_iq@m", "IQ@people"]
    said = np.array(POINTS, float)
    raters = np.array([said, np.maximum(1, said - 1), np.where(np.arange(24) == 0, 4, 3)])
    means = raters.mean(axis=0)
    assert judge.n == 24
    assert judge.apart == pytest.approx(np.abs(said - means).mean())
    assert judge.squared == pytest.approx(np.square(said - means).mean())
    assert judge.pearson.value == pytest.approx(np.corrcoef(said, means)[0, 1])
    between = found["IQ@people", BETWEEN]
    pairs = [(raters[a], raters[b]) for a in range(3) for b in range(3) if a != b]
    one, other = (np.concatenate(side) for side in zip(*pairs, strict=True))
    assert between.n == 24
    assert between.pearson.value == pytest.approx(np.corrcoef(one, other)[0, 1])
    assert between.squared == pytest.approx(np.square(one - other).mean())
    assert between.apart == pytest.approx(np.abs(one - other).mean())
    text = judges_text(judging)
    assert "MSE" in text
    assert BETWEEN in text
    assert '"squared": ' in judges_json(judging)


def test_asked_again_its_answers_are_read_on_its_own_scale(judged: pipeline.Run) -> None:
    (again,) = read(judged).retests
    assert (again.column, again.turns, again.spread) == ("multiref_iq@m", 2, 0.0)
    (standing,) = [one for one in read(judged).standings if one.kind == "model"]
    assert standing.mean == pytest.approx(np.mean([*POINTS, 5]) / 5)


# ── the mean of means as a law ──────────────────────────────────────────────────────────


def one(name: str, **more: Any) -> Measure:
    return Measure(name, each(name, lambda edit, evidence: 0.0), True, 0.0, 1.0, **more)


SCORES = st.lists(st.tuples(st.sampled_from("abc"), st.one_of(st.none(), st.floats(0, 1))))


@given(SCORES.filter(lambda found: any(value is not None for _, value in found)))
def test_every_category_counts_once_and_what_is_missing_stays_in_the_count(
    found: Sequence[tuple[str, float | None]],
) -> None:
    samples = [
        Sample(f"s{n}", Request(plain(9), "…"), tags={"category": name})
        for n, (name, _) in enumerate(found)
    ]
    rows = [
        Row(f"s{n}", "me", "part", value, "ok" if value is not None else "unreadable", "", (), 1, 0)
        for n, (_, value) in enumerate(found)
    ]
    measures = [one("part"), one("whole", parts=("part",), over="category")]
    (row,) = tabulate(measures, rows, samples)
    cell = row.cells["whole"]
    groups = {name: [v for c, v in found if c == name and v is not None] for name, _ in found}
    if all(groups.values()):
        means = [float(np.mean(values)) for values in groups.values()]
        assert cell.value == pytest.approx(float(np.mean(means)))
        assert cell.if_worst <= cell.value + 1e-12
        assert cell.if_best >= cell.value - 1e-12
    else:
        assert cell.value is None
        assert "has no score" in cell.notes[1]
    assert (cell.n, cell.scored) == (len(found), sum(value is not None for _, value in found))

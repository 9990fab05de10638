"""Which samples a gallery shows that cannot show all."""

from pathlib import Path

import numpy as np
import pytest
from made_run import Made, make_run, make_sample

from overpaint import catalog
from overpaint.core import Sample, Score
from overpaint.report.choosing import Choice, Standings, choose, read_standings, standing
from overpaint.report.deck import make_deck
from overpaint.report.pictures import Shelf
from overpaint.report.tables import read_tables
from overpaint.store import Store

SAMPLES = 30


def made(editor: str, n: int) -> Made:
    """An edit whose error grows with the sample's number, and on two samples against all others."""
    if editor == "weak" and n == 3:
        return Made(None, reason="The command ended with exit code 1.")
    error = 10.0 + n + (300 if (editor, n) == ("good", 7) else 0) + 40 * (editor == "weak")
    return Made(100 + n, error, 1 - error / 1000)


def run_of(folder: Path, order: list[int]) -> Path:
    """The same run with its samples in another order."""
    samples: list[Sample] = [make_sample(folder / "data", f"a/{n:03}", n) for n in order]
    edits: dict[str, list[Made | None]] = {
        f"{name}={spec}": [made(name, n) for n in order]
        for name, spec in (("good", "outputs:a"), ("weak", "outputs:b"), ("fair", "outputs:c"))
    }
    return make_run(folder, samples, edits)


def standings_of(run: Path) -> Standings:
    with Store.open(run) as store:
        return read_standings(store, read_tables(store))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Standings:
    return standings_of(run_of(tmp_path_factory.mktemp("run"), [*range(SAMPLES)]))


def ids(found: Standings, places: object) -> list[str]:
    return [found.tables.columns.ids[place] for place in places]  # type: ignore[attr-defined]


def test_the_worst_have_the_lowest_mean_standing_and_a_lost_edit_stands_last(
    found: Standings,
) -> None:
    assert ids(found, found.worst())[:2] == ["a/029", "a/028"]  # mse: more is worse
    assert ids(found, found.worst("weak"))[0] == "a/003"  # made nothing
    assert ids(found, found.worst("good"))[0] == "a/007"
    ssim = next(m for m in found.tables.measures if m.name == "ssim")
    assert ids(found, found.worst("good", ssim))[0] == "a/007"


def test_the_most_disputed_is_where_the_editors_lie_farthest_apart(found: Standings) -> None:
    assert ids(found, found.disputed())[0] == "a/007"
    assert found.by(7) == "the editors"


def test_the_order_of_the_samples_changes_no_choice(found: Standings, tmp_path: Path) -> None:
    order = np.random.default_rng(0).permutation(SAMPLES).tolist()
    other = choose(standings_of(run_of(tmp_path, order)), 5)
    this = choose(found, 5)

    def by_id(choice: Choice) -> dict[str, object]:
        return {
            name: (dict(why), by)
            for name, why, by in zip(choice.ids, choice.why, choice.by, strict=True)
        }

    assert by_id(other) == by_id(this)
    for kind in ("worst", "disputed", "random"):
        assert sum(kind in why for why in this.why) == 5


def test_another_seed_draws_other_samples(tmp_path: Path, found: Standings) -> None:
    run = run_of(tmp_path, [*range(SAMPLES)])
    with Store.open(run) as store:
        store.note(seed=1)
    assert ids(found, found.random()[:8]) != ids(found, standings_of(run).random()[:8])


def test_a_small_run_is_shown_whole_and_says_of_no_card_why_it_is_there(tmp_path: Path) -> None:
    run = run_of(tmp_path, [*range(SAMPLES)])
    with Store.open(run) as store:
        tables = read_tables(store)
        whole = make_deck(store, tables, Shelf(run), limit=SAMPLES).body
        some = make_deck(store, tables, Shelf(run), limit=12).body
    assert [card["id"] for card in whole["samples"]] == [f"a/{n:03}" for n in range(SAMPLES)]
    assert "chosen" not in whole
    assert not any("why" in card for card in whole["samples"])
    assert 3 <= len(some["samples"]) <= 9
    assert all(card["why"] for card in some["samples"])
    assert some["chosen"]["worst"] == "3 worst by the editors' mean standing under mse"


def test_a_standing_is_the_share_that_lies_below_and_counts_equals_half() -> None:
    nan, inf = np.nan, np.inf
    assert standing(np.array([1.0, 2.0, 2.0, nan])).tolist()[:3] == [1 / 6, 4 / 6, 4 / 6]
    assert standing(np.array([-inf, 0.0, inf, nan])).tolist()[:3] == [1 / 6, 3 / 6, 5 / 6]
    assert np.isnan(standing(np.array([nan]))).all()


def test_raters_and_judges_who_lie_apart_come_before_editors(tmp_path: Path) -> None:
    told = Standings(
        standings_of(run_of(tmp_path, [*range(SAMPLES)])).tables,
        {},
        {"a/011": 0.25, "a/012": 0.125, "a/007": 0.0},
        (),
    )
    order = ids(told, told.disputed())
    assert (order[:2], order[-1]) == (["a/011", "a/012"], "a/007")  # on which they agree
    assert told.by(11) == "the raters"
    judged = Standings(told.tables, {}, {}, (("mse", "psnr"),))  # which always agree
    assert judged.by(7) == "the judges"


def judged_run(folder: Path, said: dict[str, list[float]]) -> Standings:
    """The standings of a run in which models said so much of the first editor's edits."""
    run = run_of(folder, [*range(SAMPLES)])
    with Store.open(run) as store:
        for column, values in said.items():
            dimension, _, who = column.partition("@")
            spec = f"judge:textedit_{dimension.lower()}:openai/{who}"
            assert catalog.measure(spec).name == column
            store.add_measure(column, spec, "1")
            edits = [store.edit(sample, "good") for sample in store.samples()]
            scores = [Score(e, column, v) for e, v in zip(edits, values, strict=True) if e]
            store.put_scores(scores, {})
    return standings_of(run)


def test_only_what_several_judges_say_of_one_dimension_is_disputed(tmp_path: Path) -> None:
    rising, falling = [n / 6 for n in range(SAMPLES)], [5 - n / 6 for n in range(SAMPLES)]
    alone = judged_run(tmp_path / "alone", {"IF@a": rising, "TA@a": falling})
    assert alone.by(7) == "the editors"  # one judge, of two dimensions, disputes nothing
    assert ids(alone, alone.disputed())[0] == "a/007"
    other = [*rising[:11], 0.0, *rising[12:]]
    several = judged_run(tmp_path / "several", {"IF@a": rising, "TA@a": falling, "IF@b": other})
    assert ids(several, several.disputed())[0] == "a/011"
    assert {several.by(n) for n in range(SAMPLES)} == {"the judges"}


def test_where_only_floors_and_ceilings_were_rated_their_raters_count(tmp_path: Path) -> None:
    samples = [make_sample(tmp_path / "data", f"a/{n}", n) for n in range(4)]
    run = make_run(tmp_path / "run", samples, {"identity": [Made(9, 4.0, 0.5)] * 4})
    with Store.open(run) as store:
        ratings = tmp_path / "ratings.csv"
        ratings.write_text("sample,editor,rater,value\na/0,identity,one,3\n")
        store.add_measure("human", f"human:{ratings}", "1")
        for place, high in enumerate((3, 5, 2, 4)):
            edit = store.edit(samples[place], "identity")
            assert edit
            notes = (f"2 raters, from 1 to {high}",)
            store.put_scores([Score(edit, "human", 3.0, notes=notes)], {})
    found = standings_of(run)
    assert ids(found, found.disputed()) == ["a/1", "a/3", "a/0", "a/2"]
    assert found.by(1) == "the raters"


def test_a_sample_on_which_few_editors_have_a_score_is_not_the_worst_for_that(
    tmp_path: Path,
) -> None:
    samples = [make_sample(tmp_path / "data", f"a/{n}", n) for n in range(10)]
    errors = [10.0 + n if n != 5 else 20.0 for n in range(10)]
    edits: dict[str, list[Made | None]] = {
        f"{name}=outputs:x": [
            Made(9, error, 0.5) if n != 5 or name == "one" else None
            for n, error in enumerate(errors)
        ]
        for name in ("one", "two", "three")
    }
    found = standings_of(make_run(tmp_path / "run", samples, edits))
    assert ids(found, found.worst("one"))[0] == "a/5"
    assert ids(found, found.worst())[:4] == ["a/9", "a/8", "a/7", "a/5"]


def test_one_long_id_makes_no_other_sample_dearer(tmp_path: Path) -> None:
    names = ["b", "a" * 20_000, "aa", "c\0"]
    samples = [make_sample(tmp_path / "data", name, n) for n, name in enumerate(names)]
    run = make_run(tmp_path / "run", samples, {"mine=outputs:x": [Made(9, 4.0, 0.5)] * 4})
    found = standings_of(run)
    assert found.ranks.tolist() == [2, 1, 0, 3]
    assert found.ranks.nbytes == 8 * len(names)
    assert ids(found, found.worst()) == sorted(names)  # ties are broken by ids

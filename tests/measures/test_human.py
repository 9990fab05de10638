"""People's ratings as a column: means, and every fault of the file told by its line."""

from pathlib import Path

import judging_toy as toy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint import catalog
from overpaint.core import Edit, Evidence, Measure, Score
from overpaint.errors import UserMistake
from overpaint.measures.human import human, ratings
from overpaint.measures.rated import LARGEST
from overpaint.store import Store
from overpaint.testing import Asked

HEAD = "sample,editor,rater,value\n"


def made(path: Path, body: str, *, head: str = HEAD, more: str = "") -> Measure:
    path.write_text(head + body, encoding="utf-8")
    ratings.cache_clear()
    return human(f"{path}{more}")


def scored(measure: Measure, editor: str = "good") -> Score:
    edit = Edit(toy.bench.load(None).samples[0], editor, "ok")
    (found,) = measure.score([edit], Evidence())
    return found


def test_a_score_is_the_mean_of_an_edit_s_ratings(tmp_path: Path) -> None:
    body = "s00,good,ann,5\ns00,good,ben,4\ns00,good,cem,3.5\ns00,poor,ann,1\ns01,good,ann,1\n"
    measure = made(tmp_path / "r.csv", body, more=";scale=1-5")
    assert (measure.name, measure.worst, measure.best) == ("human", 1, 5)
    assert "5 ratings by 3 people" in measure.about
    found = scored(measure)
    assert found.value == pytest.approx(12.5 / 3)
    assert found.notes == ("3 raters, from 3.5 to 5",)
    assert scored(measure, "poor").notes == ("1 rater",)
    nobody = scored(measure, "fair")
    assert (nobody.status, nobody.reason) == ("not_applicable", "Nobody rated this edit.")


def test_dimensions_are_columns_of_their_own(tmp_path: Path) -> None:
    head = "Sample, Editor ,RATER,value,dimension,remark\n"
    body = "s00,good,ann,5,IF,x\ns00,good,ann,2,TA,\n\n"
    measure = made(tmp_path / "r.csv", body, head=head, more=";dimension=TA")
    assert measure.name == "TA@people"
    assert scored(measure).value == 2
    with pytest.raises(UserMistake, match="no ratings of no dimension. Its dimensions: IF, TA"):
        made(tmp_path / "r.csv", body, head=head)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("s00,good,ann,five\n", "Line 2 of .*'five' is no number"),
        ("s00,good,ann,nan\n", "no number"),
        ("s00,good,ann,1e999\n", "no number"),
        ("s00,good,ann,7\n", "7 is not on the scale. The scale is from 1 to 5"),
        ("s00,good,ann,4\ns00,good,ann,4\n", "Line 3 of .*ann rates good on s00 twice"),
        ("s00,good,ann\n", "it has 3 columns, the first line 4"),
        ("s00,,ann,3\n", "it has no editor"),
        ("", "It has no rows"),
        ('s00,good,"' + "x" * 200_000 + '",3\n', "it is no CSV"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, body: str, told: str) -> None:
    with pytest.raises(UserMistake, match=told) as caught:
        made(tmp_path / "r.csv", body, more=";scale=1-5")
    if body:
        assert caught.value.right
        assert caught.value.todo == "Mend that line and try again."


def test_a_file_that_is_no_table_of_ratings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    with pytest.raises(UserMistake, match="no column editor, rater"):
        made(path, "", head="sample,value\n")
    with pytest.raises(UserMistake, match="two columns of one name"):
        made(path, "", head="sample,editor,rater,value,value\n")
    told = "cannot be read: No such file.* It is human:FILE.* Name a file that is there"
    with pytest.raises(UserMistake, match=told):
        human(str(tmp_path / "nowhere.csv"))
    with pytest.raises(UserMistake, match="cannot be read"):
        human(str(tmp_path))
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserMistake, match="not UTF-8, from byte 0. .* CSV in UTF-8. Save it again"):
        human(str(path))
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(UserMistake, match="too large. At most 67,108,864 bytes are read. Leave"):
        human(str(path))
    with pytest.raises(UserMistake, match="No file of ratings"):
        catalog.measure("human:")
    with pytest.raises(UserMistake, match="scale '5' of the ratings"):
        human(f"{path};scale=5")
    with pytest.raises(UserMistake, match="no name of a dimension"):
        human(f"{path};dimension=<b>")


@given(st.binary(max_size=200))
@settings(max_examples=60, deadline=None)
def test_no_bytes_make_it_raise_anything_else(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    for head in (b"", HEAD.encode()):
        path.write_bytes(head + data)
        ratings.cache_clear()
        try:
            human(str(path))
        except UserMistake as error:
            assert str(error)


def test_a_run_has_people_s_means_as_a_column_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def four(asked: Asked) -> object:
        return toy.verdict(asked, 4)

    (tmp_path / "r.csv").write_text(f"{HEAD}s00,good,ann,5\ns00,good,ben,4\n")
    monkeypatch.chdir(tmp_path)
    run = toy.judged(tmp_path / "run", four, limit=2, measures=["human:r.csv;scale=1-5"])
    monkeypatch.chdir("/")
    with Store.open(run.folder) as store:
        column = {(r.sample, r.editor): r.value for r in store.rows() if r.measure == "human"}
        assert catalog.measure(store.measures["human"]).best == 5
    assert column["s00", "good"] == 4.5
    assert column["s01", "good"] is None


def test_opinion_scores_are_a_column_of_their_own(tmp_path: Path) -> None:
    body = "".join(
        f"s{n:02},{editor},{rater},{value + bias + n % 3 / 10}\n"
        for n in range(8)
        for editor, value in (("good", 4), ("poor", 2))
        for rater, bias in (("ann", 0), ("ben", 0.5), ("cem", -0.5), ("dan", 0.2))
    )
    measure = made(tmp_path / "r.csv", body, more=";as=mos")
    assert (measure.name, measure.worst, measure.best) == ("human@mos", None, None)
    assert measure.version.endswith("+mos1")
    assert "Opinion score (MOS), screened: 64 ratings by 4 people" in measure.about
    good, poor = scored(measure), scored(measure, "poor")
    assert good.value is not None
    assert poor.value is not None
    assert 50 < good.value < 80
    assert 20 < poor.value < 50
    assert good.notes == ("4 raters, mean rating 4.05",)
    assert scored(measure, "fair").status == "not_applicable"


def test_a_rating_that_screening_removed_leaves_the_edit_without_a_score(tmp_path: Path) -> None:
    body = "".join(f"s{n:02},good,ann,{1 + n % 4}\n" for n in range(1, 8))
    measure = made(tmp_path / "r.csv", body + "s00,good,eve,3\n", more=";as=mos")
    found = scored(measure)  # eve gave one rating, so she has no spread
    assert (found.status, found.reason) == (
        "not_applicable", "Screening left no rating of this edit."
    )  # fmt: skip


def test_as_many_yes_as_no_leave_the_edit_undecided(tmp_path: Path) -> None:
    body = "s00,good,ann,1\ns00,good,ben,0\ns01,good,ann,1\n"
    found = scored(made(tmp_path / "r.csv", body, more=";as=mos"))
    assert (found.value, found.status) == (None, "undecided")
    assert found.reason == "As many say yes as say no."


def test_two_kinds_of_people_can_stand_side_by_side(tmp_path: Path) -> None:
    head = "sample,editor,rater,value,dimension\n"
    measure = made(
        tmp_path / "r.csv", "s00,good,ann,5,IF\n", head=head, more=";dimension=IF;by=lab"
    )
    assert measure.name == "IF@lab"
    assert scored(measure).value == 5


@pytest.mark.parametrize(
    ("more", "told"),
    [(";as=median", "cannot be had as 'median'"), (";by=a:b", "'a:b' is no name for people")],
)
def test_settings_that_nobody_knows_are_refused(tmp_path: Path, more: str, told: str) -> None:
    with pytest.raises(UserMistake, match=told):
        made(tmp_path / "r.csv", "s00,good,ann,5\n", more=more)


def test_a_file_of_votes_says_how_votes_are_added(tmp_path: Path) -> None:
    head = "sample,editor,rater,value,against\n"
    with pytest.raises(UserMistake, match="has votes on pairs of edits") as caught:
        made(tmp_path / "r.csv", "s00,good,ann,1,poor\n", head=head)
    assert caught.value.todo.startswith("overpaint score RUN --pairwise human:")

"""Studies: what is fixed when they begin, what their questions are, how long people rate."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_study import begin, make_run, make_study

from overpaint.errors import DataError, StoreError, UserMistake
from overpaint.rating import clock, raters, schema
from overpaint.rating.book import Book
from overpaint.rating.gold import read_gold
from overpaint.rating.items import pool_of_run
from overpaint.rating.presets import SCALES, questions_of
from overpaint.rating.study import LANGUAGES, Question, differences, load_study, words


@pytest.mark.parametrize("kind", ["ebench", "scale", "pairs", "boxes", "tasks"])
def test_a_study_comes_back_from_its_json_as_it_was(kind: str) -> None:
    study = make_study(kind)
    assert load_study(study.dumped()) == study
    assert load_study(study.dumped()).id == study.id


def test_any_other_option_is_another_study_and_the_difference_is_told() -> None:
    study, other = make_study(), make_study(minutes=20)
    assert study.id != other.id
    assert differences(study, other) == ["minutes is 30.0, not 20"]
    assert differences(study, make_study("pairs"))[:2] == [
        "kind is ebench, not pairs", "questions differs",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"raters": 0}, "raters cannot be 0"),
        ({"repeats": 0.9}, "repeats cannot be 0.9"),
        ({"minutes": 0}, "minutes cannot be 0"),
        ({"per_item": 10**6}, "per item cannot be"),
        ({"training": -1}, "training cannot be -1"),
    ],
)
def test_options_out_of_range_are_refused_with_the_range(change: Any, told: str) -> None:
    with pytest.raises(UserMistake, match=told):
        make_study(**change)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"questions": [{"name": 1}]}', "null"])
def test_a_damaged_description_is_told(text: str) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        load_study(text)


@pytest.mark.parametrize("scale", SCALES)
def test_every_preset_speaks_both_languages_at_every_level(scale: str) -> None:
    low, high = map(float, scale.split("-"))
    for question in questions_of("scale", scale=scale):
        assert question.ends == (low, high)
        assert question.meanings is not None
        for code in LANGUAGES:
            assert question.label[code]
            assert question.help[code]
            assert len(question.meanings[code]) == high - low + 1
    for question in questions_of("ebench"):
        assert all(question.label[code] for code in LANGUAGES)


def test_a_rubrics_levels_are_shown_with_what_it_says_of_them() -> None:
    (question,) = questions_of("scale", rubric="textedit_if")
    assert question.values == (0, 1, 2, 3, 4, 5)
    assert question.meanings is not None
    assert question.meanings["en"][5].startswith("Exactly the asked operation")
    assert "\n" not in question.meanings["en"][4]
    assert questions_of("scale", rubric="ebench_question")[0].kind == "yesno"


def test_a_rubric_without_scores_and_an_unknown_scale_are_refused() -> None:
    with pytest.raises(UserMistake, match="gives no scores"):
        questions_of("scale", rubric="milde_check")
    with pytest.raises(UserMistake, match="no scale '1-7'"):
        questions_of("scale", scale="1-7")


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "slider"}, {"kind": "slider", "low": 5.0, "high": 1.0}, {"kind": "dial"},
     {"kind": "levels", "values": (1.0,)}, {"kind": "levels", "values": (2.0, 1.0)},
     {"kind": "levels", "values": (1.0, 2.0), "meanings": {"en": ["one"]}},
     {"kind": "yesno", "name": "a b"}],
)  # fmt: skip
def test_a_question_without_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UserMistake):
        Question(**({"name": "q", "label": words("a", "b")} | wrong))


# ── time ────────────────────────────────────────────────────────────────────────────────

RULES = clock.Rules(1800.0, 300.0)


@given(steps=st.lists(st.floats(0, 2000), min_size=1, max_size=60))
def test_nobody_rates_longer_than_allowed_and_a_break_always_ends(steps: list[float]) -> None:
    now, period = 0.0, clock.Period()
    for step in steps:
        now += step
        found = clock.standing(period, RULES, now)
        assert (found.seconds_left > 0) != found.resting
        if found.resting:
            assert found.break_left <= RULES.pause
            assert not clock.standing(period, RULES, now + found.break_left).resting
        else:
            period = clock.touched(found, now)
            assert period.start is not None
            assert now - period.start < RULES.length


def test_a_break_is_as_long_as_it_should_be_however_long_the_last_item_was_looked_at() -> None:
    period = clock.Period(0.0, 1560.0)  # at minute 26 something was opened
    for now in (1810.0, 1861.0, 2099.0):
        assert clock.standing(period, RULES, now).break_left == 2100.0 - now
    assert clock.standing(period, RULES, 2100.0).seconds_left == RULES.length
    rested = clock.Period(0.0, 1440.0)  # five minutes without a word before the end
    assert [clock.standing(rested, RULES, now).resting for now in (1741.0, 1805.0)] == [False] * 2


def test_without_a_break_nobody_is_ever_stopped() -> None:
    rules = clock.Rules(60.0, 0.0)
    period = clock.touched(clock.standing(clock.Period(), rules, 0.0), 0.0)
    assert not clock.standing(period, rules, 61.0).resting


# ── the book ────────────────────────────────────────────────────────────────────────────


def test_a_run_without_edits_cannot_be_rated(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", samples=0)
    with pytest.raises(UserMistake, match="has no edits to rate"):
        pool_of_run(folder, make_study())


def test_a_study_of_one_editor_is_one_but_pairs_need_two(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", editors=("quagga",))
    assert {item.editor for item in pool_of_run(folder, make_study()).items} == {"quagga"}
    with pytest.raises(UserMistake, match="Pairs need two editors"):
        pool_of_run(folder, make_study("pairs"))


def test_an_editor_that_is_not_there_is_named(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run")
    with pytest.raises(UserMistake, match="no editor 'zebra'.*zebrafish, quagga"):
        pool_of_run(folder, make_study(editors=("zebra",)))


def test_floors_serve_for_training_and_known_answers_and_are_not_rated(tmp_path: Path) -> None:
    pool = pool_of_run(make_run(tmp_path / "run"), make_study(training=2))
    assert {item.editor for item in pool.items} == {"zebrafish", "quagga"}
    assert len(pool.training) == 2
    assert pool.gold
    assert {item.editor for item in pool.gold} <= {"identity", "blank", "truth"}
    assert not {item.sample for item in pool.training} & {item.sample for item in pool.gold}


def test_a_study_goes_on_under_its_own_options_only(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run")
    with begin(folder) as book:
        book.expect(make_study())
        with pytest.raises(UserMistake, match="begun with other options: raters is 2, not 9"):
            book.expect(make_study(raters=9))
    with pytest.raises(StoreError, match="has begun already"):
        begin(folder)
    with pytest.raises(StoreError, match="no study 'other'.*It has test"):
        Book.open(folder, "other")


def test_more_raters_than_items_want_get_no_link(tmp_path: Path) -> None:
    with begin(make_run(tmp_path / "run")) as book:
        raters.make_links(book, "rater", 2)
        with pytest.raises(UserMistake, match="Every item has its 2 raters"):
            raters.make_links(book, "rater", 1)
        raters.revoke(book, "R01")
        assert raters.make_links(book, "rater", 1)[0].rater == "R03"


def test_a_network_file_system_is_refused_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_run(tmp_path / "run")
    for kind in ("nfs4", "CIFS", "fuse.sshfs", "9p", "lustre", "fuse.weed", "virtiofs", "drvfs"):
        monkeypatch.setattr(schema, "file_system", lambda _, kind=kind: kind)
        with pytest.raises(UserMistake, match=rf"network file system.*\({kind}\).*this machine"):
            begin(folder)
    assert not list((folder / "studies").iterdir())
    for kind in ("ext4", "fuseblk", "fuse.ext4", "overlay", ""):
        monkeypatch.setattr(schema, "file_system", lambda _, kind=kind: kind)
        schema.refuse_network(folder)


def test_the_file_system_of_a_folder_is_the_deepest_mount_it_lies_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psutil

    class Part:
        def __init__(self, mountpoint: str, fstype: str) -> None:
            self.mountpoint, self.fstype = mountpoint, fstype

    parts = [Part("/", "ext4"), Part(str(tmp_path), "nfs"), Part(f"{tmp_path}-other", "tmpfs")]
    monkeypatch.setattr(psutil, "disk_partitions", lambda **_: parts)
    assert schema.file_system(tmp_path / "run") == "nfs"
    assert schema.file_system(Path("/")) == "ext4"
    parts += [Part(str(tmp_path), "autofs")]
    assert schema.file_system(tmp_path / "run") == "nfs", "what is mounted on demand is below it"
    parts.reverse()
    assert schema.file_system(tmp_path / "run") == "nfs"


def test_what_people_said_is_for_nobody_else_on_the_machine(tmp_path: Path) -> None:
    with begin(make_run(tmp_path / "run")):
        files = sorted((tmp_path / "run" / "studies").iterdir())
        assert len(files) == 3, "SQLite's log and its index too"
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    files[0].chmod(0o644)  # as an earlier one left it
    with Book.open(tmp_path / "run", "test"):
        assert files[0].stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["../run", "a/b", "/etc/x", ".hidden", "x" * 61])
def test_a_study_lies_in_its_folder_whatever_its_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserMistake, match="is no name of a study"):
        Book.open(make_run(tmp_path / "run"), name)


def test_a_study_that_cannot_be_written_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(make_run(tmp_path / "run")).db.close()
    for error in (PermissionError(13, "no"), OSError(30, "read-only")):
        with monkeypatch.context() as patched:
            patched.setattr(os, "open", lambda *_, e=error: (_ for _ in ()).throw(e))
            with pytest.raises(StoreError, match="cannot be written.*where you may write"):
                Book.open(tmp_path / "run", "test")


def test_a_study_of_a_newer_overpaint_is_refused(tmp_path: Path) -> None:
    with begin(make_run(tmp_path / "run")) as book:
        book.db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="has schema 99"):
        Book.open(tmp_path / "run", "test")


def test_known_answers_from_a_file_are_gold_and_no_longer_counted(tmp_path: Path) -> None:
    folder, study = make_run(tmp_path / "run"), make_study()
    file = tmp_path / "gold.csv"
    file.write_text(
        "sample,editor,rater,dimension,value\nsample-1,quagga,us,quality,4\n"
        "sample-1,quagga,us,done,1\nsample-2,blank,us,quality,1\n"
    )
    pool = read_gold(file, study, pool_of_run(folder, study))
    assert {(one.sample, one.editor): dict(one.expected) for one in pool.gold} == {
        ("sample-1", "quagga"): {"quality": [3.0, 5.0], "done": True},
        ("sample-2", "blank"): {"quality": [1.0, 2.0]},
    }
    assert len(pool.items) == 7
    for row, told in (
        ("nowhere,quagga,us,quality,4", "no edit of nowhere"),
        ("sample-1,quagga,us,beauty,4", "nothing called 'beauty'"),
        ("sample-1,quagga,us,quality,9", "no answer to that question"),
        ("sample-1,quagga,us,done,0.5", "no answer to that question"),
    ):
        file.write_text(f"sample,editor,rater,dimension,value\n{row}\n")
        with pytest.raises(UserMistake, match=told):
            read_gold(file, study, pool_of_run(folder, study))


def test_ratings_from_elsewhere_are_taken_once_and_only_of_known_edits(tmp_path: Path) -> None:
    from overpaint.rating.ratings import Rating, Taken

    with begin(make_run(tmp_path / "run")) as book:
        one = Rating("sample-1", "quagga", "ann", "quality", 4.0)
        assert book.take([one], "a.csv") == Taken(1, 0, 0)
        assert book.take([one], "a.csv") == Taken(1, 1, 0)
        assert book.ratings() == [replace(one, rater="a.csv:ann")]
        box = Rating("sample-1", "quagga", "ann", "box", None, box=(1.0, 2.0, 3.0, 4.0))
        book.take([box], "b.csv")
        assert book.ratings()[-1] == replace(box, rater="b.csv:ann")
        with pytest.raises(UserMistake, match="no item of gnu on sample-1"):
            book.take([Rating("sample-1", "gnu", "ann", "quality", 4.0)], "c.csv")


def test_questions_as_the_page_gets_them_have_every_key() -> None:
    for kind in ("ebench", "pairs", "boxes"):
        for question in questions_of(kind):  # type: ignore[arg-type]
            told = json.loads(json.dumps(question.as_json()))
            assert set(told) == {"name", "kind", "label", "help", "low", "high", "values",
                                 "meanings", "texts"}  # fmt: skip

"""Trained evaluators as measures: folders read and refused, columns, intervals, blindness."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overpaint import catalog
from overpaint.core import Edit, Evidence, Request, Sample
from overpaint.document import Document
from overpaint.errors import UserMistake
from overpaint.measures.learned import (
    FILE,
    check_name,
    columns,
    embedded,
    known_among,
    learned,
    read_package,
    write_package,
)
from overpaint.measures.learned import fusion as model
from overpaint.measures.learned.fusion import Curves, Dimension, Fusion, Trees, as_row

SCALES = {"quality": (0.0, 100.0), "done": (0.0, 1.0)}


def toy() -> Fusion:
    """Quality falls with the worst harm, by a tree and a curve; done is beyond its scale."""
    tree = Trees(
        50.0, np.array([[0, -1, 1]]), np.array([[0.2, np.inf, 0.5]]),
        np.array([[True, False, False]]), np.array([[10.0, 0.0, -5.0, -20.0]]),
    )  # fmt: skip
    curve = Curves(40.0, {0: (np.array([0.0, 1.0]), np.array([20.0, -20.0]))})
    return Fusion(
        ("worst0", "progress"), (),
        {"quality": Dimension([tree, curve], [0.5, 0.5], 7.5), "done": Dimension([curve], [1.0])},
        SCALES,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "toy"
    made.mkdir()
    write(made, toy())
    return made


def write(folder: Path, fusion: Fusion) -> None:
    model.write(folder / model.FILE, fusion)
    facts = {"name": "toy", "kind": "fusion", "scales": {k: list(v) for k, v in SCALES.items()}}
    write_package(folder, facts, [model.FILE])
    read_package.cache_clear()


def edit(shade: int = 90, **more: Any) -> Edit:
    random = np.random.default_rng(0)
    source = random.integers(0, 200, (64, 64, 3)).astype(np.uint8)
    output = np.clip(source + np.array((shade, 0, 0)), 0, 255).astype(np.uint8)
    request = Request(Document.of(source), "Remove the ball.")
    return Edit(Sample("a", request, **more), "e", "ok", Document.of(output))


# ── what it tells ───────────────────────────────────────────────────────────────────────


def test_members_are_weighed_together() -> None:
    values = np.array([[0.1, 0.0], [0.3, 0.4], [0.3, 0.6], [np.nan, 0.0], [0.3, np.nan]])
    told = toy().dimensions["quality"](values)
    assert told == pytest.approx([58.0, 46.5, 39.0, 50.0, 39.0])


def test_a_fusion_reads_as_it_was_written(folder: Path) -> None:
    again = model.load(read_package(folder))
    values = np.random.default_rng(0).uniform(-1, 2, (50, 2))
    for name, one in toy().dimensions.items():
        assert again.dimensions[name](values) == pytest.approx(one(values))
        assert again.dimensions[name].reach == one.reach


def test_an_interval_stands_beside_the_score_and_holds_it(folder: Path) -> None:
    (score,) = learned(f"{folder};dimension=quality").score([edit()], Evidence())
    assert score.value is not None
    assert score.notes == (f"95 % interval {score.value - 7.5:.1f} to {score.value + 7.5:.1f}",)
    (chance,) = learned(f"{folder};dimension=done").score([edit()], Evidence())
    assert chance.value == 1.0  # what is beyond the scale of a question is its end
    assert chance.notes == ()


def test_an_evaluator_is_blind_to_target_tags_editor_and_sample(folder: Path) -> None:
    bare = edit()
    told = edit(target=bare.output, tags={"task": "add"}, facts={"strength": 1.0}, cluster="c")
    named = Edit(Sample("graded", told.sample.request, told.output), "thorough", "ok", told.output)
    values = [next(iter(learned(str(folder)).score([one], Evidence()))).value
              for one in (bare, told, named)]  # fmt: skip
    assert values[0] == values[1] == values[2]


def test_a_feature_of_another_version_is_told(folder: Path) -> None:
    told = json.loads((folder / model.FILE).read_text())
    told["features"][0] = "of another day"
    found = model.read(told, read_package(folder).scales)
    with pytest.raises(UserMistake, match="asks for the feature 'of another day'"):
        found(edit(), Evidence())


def test_what_features_are_made_of_tells_nothing_but_the_request_and_the_output(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Edit] = []

    def watched(one: Edit, *words: Any) -> dict[str, float]:
        seen.append(one)
        return {"worst0": 0.1, "progress": 0.5}

    monkeypatch.setattr(model, "features", watched)
    mine = edit()
    told = replace(mine.sample, id="s9", tags={"task": "add"}, facts={"strength": 1.0},
                   target=mine.sample.request.source)  # fmt: skip
    list(learned(str(folder)).score([replace(mine, sample=told, editor="secret")], Evidence()))
    (one,) = seen
    assert (one.editor, one.sample.id, one.sample.target) == ("", "", None)
    assert not one.sample.tags
    assert not one.sample.facts


def test_features_that_are_endless_count_as_missing() -> None:
    row = as_row({"a": float("inf"), "b": None, "c": 1.0}, ("c", "a", "b"))
    assert row[0] == 1
    assert np.isnan(row[1:]).all()


# ── columns ─────────────────────────────────────────────────────────────────────────────


def test_each_dimension_is_a_column(folder: Path) -> None:
    specs = columns(str(folder))
    assert [spec.partition(";known=")[0] for spec in specs] == [
        f"learned:{folder};dimension=quality", f"learned:{folder};dimension=done"
    ]  # fmt: skip
    found = [catalog.measure(spec) for spec in specs]
    assert [one.name for one in found] == ["quality@toy", "done@toy"]
    assert [(one.worst, one.best) for one in found] == [(None, None), (0.0, 1.0)]
    assert columns(f"{folder};dimension=done") == specs[1:]


def test_the_embedded_one_has_three_columns_and_claims_nothing_about_people() -> None:
    names = [catalog.measure(spec).name for spec in columns("")]
    assert names == ["quality@simulated", "alignment@simulated", "preservation@simulated"]
    card = (embedded() / "card.md").read_text(encoding="utf-8")
    text = card.split("\n\n")[1]
    assert text.startswith("It has learned simulated opinion and makes no claim about people.")
    assert model.load(read_package(embedded())).measures


def test_a_folder_is_meant_from_where_it_was_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    assert catalog.anchored("learned:toy;dimension=done") == f"learned:{folder};dimension=done"
    assert catalog.anchored("learned:;dimension=done") == "learned:;dimension=done"
    assert catalog.anchored("learned") == "learned"


def test_a_dimension_that_it_does_not_judge_is_refused(folder: Path) -> None:
    with pytest.raises(UserMistake, match="does not judge 'beauty'. It judges quality, done"):
        learned(f"{folder};dimension=beauty")


def test_a_name_that_no_column_could_bear_is_refused() -> None:
    check_name("my fusion 2")
    with pytest.raises(UserMistake, match="cannot be called 'a:b'"):
        check_name("a:b")


# ── hostile folders ─────────────────────────────────────────────────────────────────────


def test_a_folder_without_an_evaluator_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="no trained evaluator in .*learned.json"):
        learned(str(tmp_path / "nowhere"))


def test_a_file_that_was_changed_is_refused(folder: Path) -> None:
    path = folder / model.FILE
    path.write_text(path.read_text().replace("7.5", "0.5"))
    read_package.cache_clear()
    with pytest.raises(UserMistake, match="is not the one that was trained"):
        learned(str(folder))


def changed(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = folder / FILE
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))
    read_package.cache_clear()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda told: told.update(kind="pickle"), "lacks a name, a kind or scales"),
        (lambda told: told.update(name="../../x\n"), "lacks a name, a kind or scales"),
        (lambda told: told.update(scales={"quality": [0, 0]}), "lacks a name, a kind or scales"),
        (lambda told: told.update(scales={"quality": [0, float("nan")]}), "lacks a name"),
        (lambda told: told.update(files=[]), "does not name its files"),
        (lambda told: told.update(files={"../../../etc/hostname": "0"}), "is not there"),
        (lambda told: told.update(files={"/etc/hostname": "0"}), "is not there"),
        (lambda told: told.update(files={"a\0b": "0"}), "a name that training gives none"),
        (lambda told: told.update(files={"x" * 5_000: "0"}), "a name that training gives none"),
        (lambda told: told.update(files={"\ud800": "0"}), "a name that training gives none"),
        (lambda told: told.update(scales={"a\x1b[31m;x": [0, 1]}), "a name that training gives"),
        (lambda told: told.update(scales={"quality": [0, 10**400]}), "lacks a name"),
        (lambda told: told.update(needs=5), "no list of names"),
        (lambda told: told.update(format="overpaint learned 9"), "not of the form"),
    ],
)  # fmt: skip
def test_a_package_that_is_not_one_is_refused(
    folder: Path, change: Callable[[dict[str, Any]], object], why: str
) -> None:
    changed(folder, change)
    with pytest.raises(UserMistake, match=why):
        learned(str(folder))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, "\x00" * 50])
def test_a_package_that_is_no_json_is_refused(folder: Path, text: str) -> None:
    (folder / FILE).write_text(text)
    read_package.cache_clear()
    with pytest.raises(UserMistake, match="cannot be used"):
        learned(str(folder))


def test_a_fusion_that_its_package_does_not_name_is_refused(folder: Path) -> None:
    changed(folder, lambda told: told.update(files={}))
    with pytest.raises(UserMistake, match="does not name its file"):
        model.load(read_package(folder))


def _quality(told: dict[str, Any], **more: Any) -> None:
    told["dimensions"]["quality"]["members"][0].update(more)


HOSTILE: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda t: t.update(format="x"), "not of the form"),
    (lambda t: t.update(features=[]), "no features"),
    (lambda t: t.update(features=["x"] * 9_999), "too many"),
    (lambda t: t.update(features=[1, 2]), "no name"),
    (lambda t: t.update(measures=["judge:x.md:openai/x"]), "no fusion is made of"),
    (lambda t: t["dimensions"].pop("done"), "not those of its package"),
    (lambda t: t["dimensions"]["done"].update(weights=[]), "not as many"),
    (lambda t: t["dimensions"]["done"].update(weights=[float("nan")]), "is none"),
    (lambda t: t["dimensions"]["quality"].update(reach=-1), "no width"),
    (lambda t: t["dimensions"]["quality"].update(reach=float("inf")), "no width"),
    (lambda t: _quality(t, start=float("nan")), "is none"),
    (lambda t: _quality(t, start=10**400), "cannot be used"),
    (lambda t: _quality(t, feature=[[10**30, -1, 1]]), "cannot be used"),
    (lambda t: _quality(t, leaves=[[1.0, 2.0, 3.0, 1e308]]), "too large"),
    (lambda t: t["dimensions"]["done"].update(weights=[1e308]), "too large"),
    (lambda t: _quality(t, kind="pickle"), "no known kind"),
    (lambda t: _quality(t, feature=[[5, -1, 1]]), "no known feature"),
    (lambda t: _quality(t, feature=[[-9, -1, 1]]), "no known feature"),
    (lambda t: _quality(t, feature=[[0, 1]]), "not full"),
    (lambda t: _quality(t, leaves=[[1.0, 2.0]]), "do not fit"),
    (lambda t: _quality(t, leaves=[[1.0, 2.0, 3.0, float("inf")]]), "is none"),
    (lambda t: _quality(t, threshold=[[float("nan"), None, 0.5]]), "no number"),
    (lambda t: _quality(t, threshold=7), "cannot be used"),
    (lambda t: t["dimensions"]["done"]["members"][0].update(curves=[[0, [1, 0], [1, 2]]]), "order"),
    (lambda t: t["dimensions"]["done"]["members"][0].update(curves=[[9, [0], [1]]]), "no known f"),
    (lambda t: t["dimensions"]["done"]["members"][0].update(curves=[[0, [], []]]), "no knots"),
    (lambda t: t.pop("dimensions"), "cannot be used"),
    (lambda t: t.update(dimensions=None), "cannot be used"),
]


@pytest.mark.parametrize(("change", "why"), HOSTILE)
def test_a_fusion_with_anything_wrong_in_it_is_refused(
    folder: Path, change: Callable[[dict[str, Any]], object], why: str
) -> None:
    path = folder / model.FILE
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))
    facts = {"name": "toy", "kind": "fusion", "scales": {k: list(v) for k, v in SCALES.items()}}
    write_package(folder, facts, [model.FILE])
    read_package.cache_clear()
    with pytest.raises(UserMistake, match=why):
        model.load(read_package(folder))


@pytest.mark.parametrize("cut", [0, 1, 100, -3])
def test_a_truncated_fusion_is_refused(folder: Path, cut: int) -> None:
    path = folder / model.FILE
    path.write_bytes(path.read_bytes()[:cut])
    facts = {"name": "toy", "kind": "fusion", "scales": {k: list(v) for k, v in SCALES.items()}}
    write_package(folder, facts, [model.FILE])
    read_package.cache_clear()
    with pytest.raises(UserMistake, match="cannot be used"):
        model.load(read_package(folder))


def test_a_fusion_that_is_huge_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "LARGEST", 100)
    with pytest.raises(UserMistake, match="more than 0 MB"):
        model.load(read_package(folder))


# ── in a run ────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_one_word_adds_a_column_for_each_dimension(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from overpaint import weights
    from overpaint.cli import main
    from overpaint.errors import Unavailable
    from overpaint.store import Store

    try:
        for name in ("features", "niqe", "lpips-alex", "brisque-svm"):
            weights.find(name)
    except Unavailable:
        pytest.skip("the weights are not here")
    run = tmp_path / "run"
    words = ["--editor", "graded:thorough", "--editor", "graded:careless", "--limit", "2"]
    main(["run", "ebench", *words, "--measure", "learned", "-o", str(run), "--json"])
    capsys.readouterr()
    with Store.open(run) as store:
        rows = [row for row in store.rows() if row.measure.endswith("@simulated")]
        edits = sum(edit.output is not None for edit in store.edits())
    assert {row.measure for row in rows} == {
        "quality@simulated", "alignment@simulated", "preservation@simulated"
    }  # fmt: skip
    assert sum(row.status == "ok" for row in rows) == 3 * edits
    told = {(row.editor, row.measure): row.value for row in rows if row.value is not None}
    for name in ("quality", "alignment", "preservation"):
        thorough, careless = (told[who, f"{name}@simulated"] for who in ("thorough", "careless"))
        assert thorough > careless + 10


def test_missing_weights_make_a_score_unavailable(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overpaint.errors import Unavailable

    def gone() -> None:
        raise Unavailable("features is not here. Get it with: overpaint get features")

    path = folder / model.FILE
    told = json.loads(path.read_text())
    told["measures"] = ["likeness"]
    told["versions"] = model.versions(["likeness"])
    path.write_text(json.dumps(told))
    facts = {"name": "toy", "kind": "fusion", "scales": {k: list(v) for k, v in SCALES.items()}}
    write_package(folder, facts, [model.FILE])
    read_package.cache_clear()
    monkeypatch.setattr("overpaint.vision.features._network", gone)
    (score,) = learned(str(folder)).score([edit()], Evidence())
    assert (score.value, score.status) == (None, "unavailable")
    assert "overpaint get features" in score.reason


def test_a_fusion_of_other_versions_of_its_measures_is_refused(folder: Path) -> None:
    path = folder / model.FILE
    told = json.loads(path.read_text())
    told["versions"]["features"] = "0"
    path.write_text(json.dumps(told))
    facts = {"name": "toy", "kind": "fusion", "scales": {k: list(v) for k, v in SCALES.items()}}
    write_package(folder, facts, [model.FILE])
    (score,) = learned(str(folder)).score([edit()], Evidence())
    assert (score.value, score.status) == (None, "measure_failed")
    assert "other versions of its measures" in score.reason


def test_a_run_has_a_column_for_each_dimension_however_it_is_asked_for(folder: Path) -> None:
    from overpaint.run.planning import columns_of

    known = f";known=toy/{read_package(folder).digest[:12]}"
    each = [f"learned:{folder};dimension=quality{known}/scores",
            f"learned:{folder};dimension=done{known}/chances"]  # fmt: skip
    asked = [f"learned:{folder}", "mse", f"learned:{folder};dimension=done", each[0], "mse"]
    assert columns_of(asked) == [*each, "mse"]
    assert columns_of(["learned"])[0] == "learned:;dimension=quality"
    measures = [catalog.measure(spec).name for spec in columns_of([f"learned:{folder}"])]
    assert measures == ["quality@toy", "done@toy"]


def test_scores_of_an_evaluator_that_was_moved_away_can_still_be_read(folder: Path) -> None:
    specs = columns(str(folder))
    before = [learned(spec.removeprefix("learned:")) for spec in specs]
    folder.rename(folder.with_name("elsewhere"))
    read_package.cache_clear()
    after = [learned(spec.removeprefix("learned:")) for spec in specs]
    for one, two in zip(before, after, strict=True):
        assert (one.name, one.version, one.worst, one.best) == (
            two.name, two.version, two.worst, two.best
        )  # fmt: skip
    (score,) = after[0].score([edit()], Evidence())
    assert (score.value, score.status) == (None, "unavailable")
    assert "Put the folder back" in score.reason
    other = toy()
    folder.mkdir()
    write(
        folder, replace(other, dimensions={**other.dimensions, "done": other.dimensions["quality"]})
    )
    assert [learned(spec.removeprefix("learned:")).version for spec in specs] == [
        one.version for one in before
    ]  # another one in its place does not speak for it
    (folder / FILE).write_text("{")
    read_package.cache_clear()
    assert learned(specs[0].removeprefix("learned:")).name == "quality@toy"
    assert "not where it was" in known_among(specs[0], before[0].version, [])
    with pytest.raises(UserMistake, match="cannot be used"):
        learned(f"{folder};dimension=quality")

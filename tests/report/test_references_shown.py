"""References in reports: what a page is told of them, what a terminal lists, what traces tell."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_run import HOSTILE, usual_run
from referenced_runs import CAPTION, EDITORS, MEASURES, real_world, referenced_run, synthetic
from test_report_page import Reader

from overpaint import catalog, cli
from overpaint.core import Request, Sample
from overpaint.document import Document
from overpaint.report import write_report
from overpaint.report.references import columns_of, is_bare, other_facts, shown_references
from overpaint.report.trajectory import WRITTEN, steps, told
from overpaint.store import Store
from overpaint.vision.references import KINDS


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return referenced_run(tmp_path_factory.mktemp("references"))


@pytest.fixture(scope="module")
def deck(run: Path) -> dict[str, Any]:
    with Store.open(run) as store:
        return Reader(write_report(store, run / "report")).deck


# ── what is known of a sample's references ──────────────────────────────────────────────


def test_references_have_their_name_kind_finder_words_and_picture(tmp_path: Path) -> None:
    sample = synthetic(tmp_path)
    first, house, _, _, caption = shown_references(sample)
    assert (first.name, first.kind, first.by) == ("<canny_image>", "canny", "opencv 1")
    assert first.picture == sample.request.references[0]
    assert (house.kind, house.text) == ("subject", "house")
    assert (caption.name, caption.text, caption.picture) == ("", CAPTION, None)


def test_without_facts_the_names_of_the_request_are_told(tmp_path: Path) -> None:
    names = [one.name for one in shown_references(real_world(tmp_path, pictures=2))]
    assert names == ["<image1>", "<image2>"]
    assert shown_references(Sample("a", Request(Document(), "x"))) == ()


JUNK: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
FACTS = st.fixed_dictionaries(
    {"kind": st.sampled_from(KINDS) | JUNK, "name": JUNK},
    optional={"place": JUNK, "text": JUNK, "method": JUNK, "version": JUNK, "more": JUNK},
)


@given(st.lists(FACTS | JUNK, max_size=3) | JUNK)
def test_whatever_facts_say_references_are_told_or_not_and_nothing_breaks(facts: Any) -> None:
    request = Request(Document(), "x", (Document(), Document()), labels=("<a>", "<b>"))
    found = shown_references(Sample("a", request, facts={"references": facts}))
    assert len([one for one in found if one.picture is not None]) >= 2
    assert {one.name for one in found if not one.kind} <= {"<a>", "<b>"}


def test_a_place_beyond_the_pictures_is_no_picture(tmp_path: Path) -> None:
    sample = synthetic(tmp_path)
    facts = {"references": [{"kind": "canny", "name": "<canny_image>", "place": 9}]}
    first, *rest = shown_references(replace(sample, facts=facts))
    assert first.picture is None
    assert [one.name for one in rest] == [*sample.request.labels]


def test_only_a_source_of_one_colour_beside_references_is_bare(tmp_path: Path) -> None:
    assert is_bare(synthetic(tmp_path))
    assert not is_bare(real_world(tmp_path))
    alone = replace(synthetic(tmp_path).request, references=())
    assert not is_bare(Sample("a", alone))


def test_each_kind_knows_the_columns_that_score_it() -> None:
    names = ("ssim", "ref_canny_mse", "ref_canny", "ref_subject", "subject_features", "ref_mask")
    found = columns_of([catalog.measure(name) for name in names])
    assert found == {"canny": [2, 1], "subject": [3, 4], "mask": [5]}


# ── on the page ─────────────────────────────────────────────────────────────────────────


def test_the_page_is_told_of_each_reference_and_of_empty_canvases(deck: dict[str, Any]) -> None:
    first, second = deck["samples"][:2]
    word = deck["words"]
    assert (first["bare"], second["bare"]) == (True, False)
    assert [one["name"] for one in second["refs"]] == ["<image1>", "<image2>", "<image3>"]
    canny, house, _, style, caption = first["refs"]
    assert (word[canny["kind"]], word[canny["by"]], canny["form"]) == ("canny", "opencv 1", 1.5)
    assert (house["text"], house["form"], style["form"]) == ("house", 1.0, 0.6667)
    assert (caption["picture"], caption["text"]) == (None, CAPTION)
    pictures = [one["picture"] for one in first["refs"][:4]]
    assert pictures == first["references"]
    assert deck["kinds"]["canny"] == [[one["name"] for one in deck["measures"]].index("ref_canny")]


def test_a_page_without_named_references_is_told_nothing_of_them(tmp_path: Path) -> None:
    with Store.open(usual_run(tmp_path, samples=4)) as store:
        told_of = Reader(write_report(store, tmp_path / "report")).deck
    assert "kinds" not in told_of
    assert all("refs" not in card and "bare" not in card for card in told_of["samples"])


def test_a_benchmarks_own_floor_stands_among_the_floors(deck: dict[str, Any]) -> None:
    roles = {one["name"]: one["role"] for one in deck["editors"]}
    assert roles["subject-paste"] == roles["identity"] == "floor"
    assert roles["mine"] == "editor"
    assert len(roles) == len(EDITORS)


# ── on a terminal ───────────────────────────────────────────────────────────────────────


def test_show_lists_the_references_of_a_sample(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["show", str(run), "synthetic/000"]) == 0
    text = capsys.readouterr().out
    lines = text.partition("\nReferences\n")[2].splitlines()
    assert lines[0].startswith("  <canny_image>  canny by opencv 1, ")
    assert lines[0].endswith("canny_image.png")
    assert "subject by cutout 1, “house”, " in lines[1]
    assert lines[4] == f"  {'–':13}  caption by model 1, “{CAPTION}”"
    assert "'kind'" not in text
    assert "eye looked at the references and wrote one prompt" in text


def test_show_gives_references_to_machines(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", str(run), "real/000", "--json"]) == 0
    told_of = json.loads(capsys.readouterr().out)["references"]
    assert [one["name"] for one in told_of] == ["<image1>", "<image2>", "<image3>"]
    assert all(Path(one["picture"]).is_file() for one in told_of)


def test_facts_that_are_told_elsewhere_are_not_told_twice(tmp_path: Path) -> None:
    sample = synthetic(tmp_path)
    assert other_facts(sample) == {}
    odd = replace(sample, facts={"references": "none", "gold": [1]})
    assert other_facts(odd) == odd.facts


# ── trajectories ────────────────────────────────────────────────────────────────────────


def test_a_prompt_that_was_written_is_told_whole() -> None:
    prompt = "a red house " * 100
    wrote = {"step": "write", "by": "eye", "seen": ["<a>: a house"], "prompt": prompt,
             "again": "The prompt is empty."}  # fmt: skip
    painted = {"step": "paint", "by": "brush", "notes": ["made at 64×64"]}
    first, second = steps((wrote, painted))
    assert first.title == "eye looked at the references and wrote one prompt"
    assert [item.mark for item in first.items] == ["asked again:", "saw", ""]
    assert first.items[-1].text == f"→ {prompt.strip()}"
    assert second.title == "brush painted it from the prompt alone"
    assert steps(({"step": "write", "prompt": "x" * 9999},))[0].items[0].text.endswith("…")
    assert len(steps(({"step": "write", "prompt": "x" * 9999},))[0].items[0].text) == WRITTEN + 2


def test_a_turn_is_told_with_its_picture_and_its_instruction() -> None:
    turn = {"step": "turn", "number": 2, "of": 3, "label": "<style_image>", "prompt": "do so",
            "notes": ["scaled back"], "picture": "x.png", "seconds": 1.0}  # fmt: skip
    (found,) = steps((turn,))
    assert (found.title, found.picture) == ("Turn 2 of 3: <style_image>", "x.png")
    assert told((turn,))[1:] == ["    → do so", "    note scaled back"]
    assert steps(({"step": "turn"}, {"step": "paint"}))[0].title == "Turn"


@pytest.mark.parametrize("step", ["write", "paint", "turn"])
def test_hostile_steps_stay_words(step: str) -> None:
    entry = {"step": step, **dict.fromkeys(("by", "prompt", "label", "seen", "notes"), HOSTILE[0])}
    assert all(isinstance(line, str) for line in told((entry,)))


def test_every_measure_of_the_run_is_known() -> None:
    assert {*MEASURES} <= {*catalog.MEASURES}

"""What a reasoner learns from: rows that line up, classes in balance, nothing held out among it."""

import json
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overpaint import catalog
from overpaint.core import Request, Sample
from overpaint.document import Document, Layer
from overpaint.document.layers import Run, Shape, Style, Text
from overpaint.editors.agent.deciding import read_decision
from overpaint.editors.agent.reasoners import CURRENT, SHORT
from overpaint.engines.milde import album
from overpaint.engines.milde.generate import draft
from overpaint.errors import UserMistake
from overpaint.training import reasoner_data
from overpaint.training.reasoner import gather
from overpaint.training.reasoner_data import (
    Case,
    apart_from,
    balanced,
    data_hash,
    of_samples,
    rows_of,
    split,
)
from overpaint.training.reasoner_pictures import shown
from overpaint.training.reasoner_settings import Settings
from overpaint.training.reward import reward


def design(title: str = "Summer Camp") -> Document:
    words = Text((Run(title, Style(size=40.0)),))
    return Document(
        made=(
            Layer(Shape("rectangle", 420.0, 260.0, (250, 245, 230, 255)), "ground", id="1"),
            Layer(Shape("rectangle", 120.0, 60.0, (200, 60, 60, 255)), "panel", id="2", left=270.0),
            Layer(words, "title", id="3", left=30.0, top=70.0),
        ),
        canvas=(420, 260),
    )


def sample(name: str = "a", **facts: Any) -> Sample:
    known = {
        "layers": [{"id": one, "kind": "decoration"} for one in "123"], "gold": ["3"],
        "layer_instructions": {"3": "Make it a winter camp."},
    }  # fmt: skip
    request = Request(design(f"Camp {name}"), "Make it wintry", names=(name,))
    return Sample(name, request, facts={**known, **facts}, cluster=name)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(reasoner_data, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def case() -> Case:
    return of_samples([sample()])[0][0]


def test_a_set_becomes_a_row_for_each_layer_that_shows(case: Case) -> None:
    rows = rows_of([case], sees=False, form=SHORT)
    assert [row.layer.id for row in rows] == ["1", "2", "3"]
    assert [row.truth.edit for row in rows] == [False, False, True]
    assert "> Make it wintry" in rows[0].question
    assert "“ground”" in rows[0].question


def test_the_right_answer_has_the_form_and_the_whole_reward(case: Case) -> None:
    for row in rows_of([case], sees=False, form=SHORT):
        decision = read_decision(row.layer.id, row.answer)
        assert (decision.edit, decision.prompt) == (row.truth.edit, row.truth.prompt)
        assert reward(row.answer, row.truth).total == 1


def test_what_was_looked_at_is_not_looked_at_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = of_samples([sample()])[0][0]
    assert len(list((cache / "layers-told").glob("*.json"))) == 1
    monkeypatch.setattr(reasoner_data, "seen", lambda document: 1 / 0)
    assert of_samples([sample()])[0][0].layers == first.layers


def test_what_another_version_told_is_looked_at_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_samples([sample()])
    monkeypatch.setattr("overpaint.vision.layers._VERSION", "of another day")
    of_samples([sample()])
    assert len(list((cache / "layers-told").glob("*.json"))) == 2


def test_a_benchmark_to_keep_apart_from_needs_documents_of_ones_own() -> None:
    with pytest.raises(UserMistake, match="--against holds documents of your own"):
        gather(Settings(), None, against=["milde"])


@pytest.mark.parametrize("spoilt", ["", "[]", "{}", '{"layers": [{"id": 1}]}', '{"layers": 3}'])
def test_a_spoilt_cache_is_looked_at_anew(cache: Path, spoilt: str) -> None:
    first = of_samples([sample()])[0][0]
    (path,) = (cache / "layers-told").glob("*.json")
    path.write_text(spoilt)
    assert of_samples([sample()])[0][0].layers == first.layers
    assert json.loads(path.read_text())["layers"][0]["name"] == "ground"


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"layer_instructions": {}}, "layer '3' must change and no instruction says how"),
        ({"gold": ["3", "9"], "layer_instructions": {"3": "x", "9": "y"}}, "'9' .*cannot be seen"),
        ({"layers": [{"id": "3", "kind": "text"}]}, "nothing is said of the layer '1'"),
    ],
)
def test_rows_that_do_not_line_up_are_left_out_and_told(facts: dict[str, Any], why: str) -> None:
    if "9" in facts.get("gold", ()):
        facts = {**facts, "layers": [{"id": one, "kind": "text"} for one in "1239"]}
    cases, left_out = of_samples([sample("a"), sample("b", **facts)])
    assert [case.id for case in cases] == ["a"]
    assert len(left_out) == 1
    assert left_out[0].startswith("b: ")
    with pytest.raises(UserMistake, match=why):
        of_samples([sample("b", **facts)])


def test_as_many_rows_change_as_stay(case: Case) -> None:
    rows = rows_of([case], sees=False, form=SHORT)
    drawn = list(islice(balanced(rows, seed=1), 40))
    assert Counter(row.truth.edit for row in drawn) == {True: 20, False: 20}
    assert Counter(row.layer.id for row in drawn) == {"3": 20, "1": 10, "2": 10}


def test_rows_that_are_all_kept_do_not_stop_it(case: Case) -> None:
    rows = rows_of([case], sees=False, form=SHORT)[:2]
    assert len(list(islice(balanced(rows, seed=1), 5))) == 5


def test_parts_of_a_set_share_no_document() -> None:
    cases = of_samples([sample(name) for name in "abcdefgh"])[0]
    learn, other = split(cases, 3, seed=1)
    names = {case.id for case in learn}, {case.id for case in other}
    assert (len(names[0]), len(names[1])) == (5, 3)
    assert not names[0] & names[1]


def test_two_requests_about_one_document_are_on_one_side() -> None:
    cases = of_samples([replace(sample(name), cluster=name.lower()) for name in "aAbBcCdDeE"])[0]
    learn, other = split(cases, 2, seed=1)
    documents = {case.document for case in learn}, {case.document for case in other}
    assert (len(learn), len(other)) == (6, 4)
    assert not documents[0] & documents[1]


def test_documents_that_look_alike_are_one_and_those_of_a_benchmark_are_left_out() -> None:
    cases = of_samples([sample(name) for name in "ab"])[0]
    merged, told = apart_from(cases, [])
    assert (len({case.document for case in merged}), told) == (1, [])
    known = catalog.benchmark("demo").load(None).samples[0].request.source
    leaking = replace(cases[0], opened=lambda: known)
    kept, told = apart_from([leaking, cases[1]], ["demo"])
    assert [case.id for case in kept] == ["b"]
    assert told[0].startswith("1 of 2 sources look like ones of demo")


def test_a_set_that_is_too_small_is_told() -> None:
    with pytest.raises(UserMistake, match="documents are too few to learn from") as error:
        gather(Settings(), [sample(name) for name in "abcd"])
    assert "At least 10" in error.value.right


def test_the_hash_tells_other_data(case: Case) -> None:
    assert data_hash([case]) == data_hash([case])
    assert data_hash([case]) != data_hash([replace(case, instruction="Make it green")])
    assert data_hash([case]) != data_hash([replace(case, layers=case.layers[::-1])])


def test_what_is_learned_from_and_what_is_held_out_share_no_wording_and_no_theme() -> None:
    for at in range(0, 40, 4):
        known = draft(at, seed=reasoner_data.SEED).plan.content
        held_out = draft(at + 2, seed=album.SEED).plan.content
        assert (known.split, known.language) == ("known", "English")
        assert (held_out.split, held_out.language) == ("held-out", "English")
        known_says, held_out_says = (
            draft(at + more, seed=seed).change.said
            for more, seed in ((0, reasoner_data.SEED), (2, album.SEED))
        )
        assert known_says != held_out_says
    assert reasoner_data.SEED != album.SEED
    assert len(range(2, album.COUNT, 4)) == 50


def test_a_reasoner_that_sees_is_shown_the_document_and_the_layer(case: Case) -> None:
    row = rows_of([case], sees=True, form=CURRENT)[1]
    whole, alone = shown(row, 210)
    assert whole.size == alone.size == (210, 130)
    assert np.asarray(alone)[65, 10].tolist() == [128, 128, 128]  # the ground is not there
    assert "two pictures" in row.question

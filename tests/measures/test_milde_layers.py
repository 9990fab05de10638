"""Layer decisions: from traces and outputs, their shares, and the floors beside them."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from milde_toy import TRUTH, blank, design, edited, flat, sample, with_layer
from rows_read import tabulate

from overpaint import catalog
from overpaint.core import Edit, Evidence, Request, Sample, Score
from overpaint.measures.milde_layers import Counts, changed, counted, floors_of
from overpaint.store import Row

NAMES = ("layer_accuracy", "layer_recall", "layer_specificity", "layer_precision", "layer_exact",
         "layer_balanced")  # fmt: skip


def scored(name: str, edit: Edit) -> Score:
    (score,) = catalog.measure(name).score([edit], Evidence())
    return score


def values(edit: Edit) -> dict[str, float | None]:
    return {name.removeprefix("layer_"): scored(name, edit).value for name in NAMES}


def traced(*steps: Mapping[str, Any]) -> Edit:
    return edited(TRUTH, trace=steps)


def decided(**layers: bool | None) -> dict[str, Any]:
    return {"step": "decide", "decisions": [
        {"layer": name.removeprefix("l"), "edit": edit} for name, edit in layers.items()
    ]}  # fmt: skip


def test_the_truth_changes_all_and_only_what_must_change() -> None:
    assert set(values(edited(TRUTH)).values()) == {100.0}


def test_an_unedited_design_keeps_all() -> None:
    assert values(edited(design())) == {
        "accuracy": 50.0, "recall": 0.0, "specificity": 100.0, "precision": None, "exact": 0.0,
        "balanced": 50.0,
    }  # fmt: skip
    assert scored("layer_precision", edited(design())).reason == "No layer was edited."


def test_a_flat_output_without_a_trace_decides_nothing() -> None:
    for output in (flat(TRUTH), blank()):
        found = scored("layer_accuracy", edited(output))
        assert found.status == "not_applicable"
        assert found.reason.startswith("The output is a flat picture")


def test_the_last_decisions_of_a_trace_count_whatever_was_changed() -> None:
    first, last = decided(l1=True, l2=True, l3=True, l4=True), decided(l1=False, l2=True, l4=True)
    found = values(traced(first, {"step": "joint"}, last, {"step": "check"}))
    assert found == {
        "accuracy": 50.0, "recall": 50.0, "specificity": 50.0, "precision": 50.0, "exact": 0.0,
        "balanced": 50.0,
    }  # fmt: skip


def test_a_decision_that_could_not_be_read_is_wrong_either_way() -> None:
    edit = traced(decided(l1=None, l2=True, l3=None, l4=False))
    found = values(edit)
    assert (found["accuracy"], found["recall"], found["specificity"]) == (50.0, 50.0, 50.0)
    assert found["precision"] == 100.0
    assert scored("layer_accuracy", edit).notes[1] == "2 replies could not be read"


def test_a_decision_off_the_form_is_said_so() -> None:
    for odd in ({"layer": 3, "edit": True}, {"layer": "3", "edit": "yes"}, "3"):
        found = scored("layer_accuracy", traced({"decisions": [odd]}))
        assert (found.status, "The trace tells the decision" in found.reason) == (
            "measure_failed", True
        )  # fmt: skip


def test_a_layer_that_is_gone_or_moved_has_been_edited() -> None:
    assert changed(design(), with_layer(design(), "2", left=1.0)) == {
        "1": False, "2": True, "3": False, "4": False,
    }  # fmt: skip
    lesser = design().having(*design().layers[1:])
    assert changed(design(), lesser)["1"] is True


def test_a_sample_that_tells_no_layers_asks_nothing() -> None:
    assert scored("layer_accuracy", edited(TRUTH, sample(layers=[]))).status == "not_applicable"
    assert scored("layer_recall", edited(TRUTH, sample(gold=[]))).reason == "No layer is to change."
    every = sample(gold=["1", "2", "3", "4"])
    assert scored("layer_specificity", edited(TRUTH, every)).reason == "Every layer is to change."
    assert scored("layer_balanced", edited(TRUTH, every)).status == "not_applicable"


# ── pooled ──────────────────────────────────────────────────────────────────────────────


def made(number: int, kinds: str, gold: str) -> Sample:
    names = {"t": "text", "i": "image", "d": "decoration"}
    layers = [{"id": str(at), "kind": names[kind]} for at, kind in enumerate(kinds)]
    facts = {"layers": layers, "gold": list(gold)}
    return Sample(f"s{number}", Request(design(), ""), facts=facts, cluster=f"c{number}")


def test_floors_at_the_papers_rates() -> None:
    # 4.45 layers a document, of which 1.66 are edited: 445 and 166 in a hundred.
    samples = [made(n, "tiddd"[: 5 if n < 45 else 4], "01"[: 2 if n < 66 else 1])
               for n in range(100)]  # fmt: skip
    floors = floors_of(samples)
    assert floors["never edit"].accuracy == pytest.approx(62.7, abs=0.05)
    assert floors["edit all"].accuracy == pytest.approx(37.3, abs=0.05)
    assert [floors[name].balanced for name in ("never edit", "edit all")] == [50.0, 50.0]
    assert floors["edit all text"].recall == pytest.approx(100 * 100 / 166)
    assert floors["edit all text"].specificity == 100.0
    assert floors["never edit"].precision is None


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([True, False, None])), max_size=8))
def test_counts_are_what_one_counts_by_hand(told: list[tuple[bool, bool | None]]) -> None:
    gold = "".join(str(at) for at, (must, _) in enumerate(told) if must)
    if not told:
        return
    one = counted(made(0, "t" * len(told), gold), {str(n): e for n, (_, e) in enumerate(told)})
    right = sum(must is edit for must, edit in told)
    assert one.accuracy == pytest.approx(100 * right / len(told))
    assert one.exact == (right == len(told))
    chosen = [must for must, edit in told if edit]
    assert one.precision == (100 * sum(chosen) / len(chosen) if chosen else None)
    assert one + Counts() == one
    assert one.gold + one.rest == len(told)


def test_tables_pool_layers_and_balance_the_two_pooled_shares() -> None:
    samples = [made(n, "tidd", "01" if n % 2 else "0") for n in range(12)]
    measures = [catalog.measure(name) for name in NAMES]
    total, rows = Counts(), []
    for n, one in enumerate(samples):
        decisions = [{"layer": str(at), "edit": bool((n + at) % 3)} for at in range(4)]
        edit = Edit(one, "e", "ok", design(), trace=({"decisions": decisions},))
        total += counted(one, {row["layer"]: row["edit"] for row in decisions})
        for measure in measures:
            (score,) = measure.score([edit], Evidence())
            rows.append(Row(one.id, "e", measure.name, score.value, score.status, score.reason, (),
                            score.weight, 0.0))  # fmt: skip
    cells = tabulate(measures, rows, samples)[0].cells
    for name in ("accuracy", "recall", "specificity", "precision", "balanced"):
        assert cells[f"layer_{name}"].value == pytest.approx(getattr(total, name))
    assert cells["layer_exact"].value == pytest.approx(total.exact_share)
    assert cells["layer_balanced"].low < cells["layer_balanced"].value

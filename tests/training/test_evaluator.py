"""A tiny vision-language model learns a toy, is tried on new sources, and loads as a measure."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("peft")

from evaluator_toy import toy_data, toy_settings  # noqa: E402

from overpaint.core import Edit, Evidence, Request, Sample  # noqa: E402
from overpaint.errors import UserMistake  # noqa: E402
from overpaint.measures.learned import (  # noqa: E402
    FILE,
    Package,
    columns,
    learned,
    read_package,
    vlm,
    write_package,
)
from overpaint.measures.learned.vlm import ADAPTER, CONFIG, HEADS, WEIGHTS  # noqa: E402
from overpaint.models.vlm import load_base  # noqa: E402
from overpaint.testing.tiny import tiny_vlm  # noqa: E402
from overpaint.training.evaluator import train_evaluator  # noqa: E402
from overpaint.training.evaluator_card import agreement_of  # noqa: E402
from overpaint.training.evaluator_settings import SCORES, TEXT, Data  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    return tiny_vlm(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def data() -> Data:
    return toy_data()


@pytest.fixture(scope="module")
def package(base: Path, data: Data, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    out = tmp_path_factory.mktemp("trained") / "evaluator"
    return train_evaluator(data, out, toy_settings(base), whose="a toy",
                          notes=["No source is a benchmark's."])  # fmt: skip


def test_the_loss_falls_in_both_stages(package: Package) -> None:
    lines = (package.folder / "losses.csv").read_text().splitlines()[1:]
    rows = [line.split(",") for line in lines]
    assert len(rows) == sum(package.facts["training"]["steps"].values())
    for stage in (TEXT, SCORES):
        losses = [float(loss) for _, of, _, loss in rows if of == stage]
        third = len(losses) // 3
        # Half an epoch is little for words: a random model has to find the tokens first.
        much = 0.95 if stage == TEXT else 0.8
        assert fmean(losses[-third:]) < much * fmean(losses[:third]), stage


def test_it_ranks_edits_of_sources_it_never_saw_as_people_do(package: Package) -> None:
    found = {one["dimension"]: one for one in package.facts["agreement"] if one["part"] == "all"}
    scored = [found[name]["srcc"]["value"] for name in ("quality", "alignment", "preservation")]
    assert min(scored) > 0.5
    assert fmean(scored) > 0.7
    assert found["quality"]["srcc"]["low"] > 0
    assert found["done"]["agreement"]["value"] > 0.8, "yes and no are not forgotten"
    assert found["done"]["auc"]["value"] > 0.9


def test_the_folder_loads_as_a_measure_that_says_what_training_found(
    package: Package, data: Data
) -> None:
    specs = columns(str(package.folder))
    assert [re.findall(";dimension=([^;]+)", spec)[0] for spec in specs] == list(data.dimensions)
    edits = [
        Edit(Sample(one.sample, Request(one.source, one.instruction)), one.editor, "ok", one.output)
        for one in data.test
    ]
    values: dict[str, dict[Any, float]] = {}
    for spec in specs:
        measure = learned(spec.partition(":")[2])
        scores = list(measure.score(edits, Evidence()))
        assert {score.status for score in scores} == {"ok"}
        assert measure.name.endswith("@lmm4edit")
        dimension = measure.name.partition("@")[0]
        values[dimension] = {
            (score.edit.sample.id, score.edit.editor): float(score.value or 0) for score in scores
        }
    again = agreement_of(data, values, "lmm4edit")
    for one, other in zip(again, package.facts["agreement"], strict=True):
        for name in ("srcc", "plcc", "auc", "agreement"):
            if name in one:
                # Ranks that were taken away are not kept, so sums are added up in other orders.
                assert one[name]["value"] == pytest.approx(other[name]["value"], abs=1e-6)


def test_adaloras_ranks_went_down_to_the_budget_and_differ_among_layers(package: Package) -> None:
    ranks = package.facts["training"]["ranks"]
    layers = package.facts["training"]["layers"]
    assert len(ranks) == layers["vision"] + layers["language"] == 24
    assert sum(ranks.values()) == 8 * 24, "twelve each at the beginning, eight on average now"
    assert len(set(ranks.values())) > 2


def test_the_projector_was_trained_and_stands_in_the_adapters_file(
    package: Package, base: Path
) -> None:
    from safetensors.torch import load_file

    saved = load_file(package.folder / ADAPTER / WEIGHTS)
    before = load_file(base / "model.safetensors")
    pairs = [
        (value, before[name.removeprefix("base_model.model.").replace("model.visual", "visual")])
        for name, value in saved.items()
        if "merger" in name
    ]
    assert len(pairs) == 5
    assert all((one - other).abs().max() > 1e-3 for one, other in pairs)


def test_the_card_says_what_can_be_published(package: Package) -> None:
    card = (package.folder / "card.md").read_text()
    for told in ("a toy", "- No source is a benchmark's.", "Base model",
                 "sources that it never saw", "| quality | 20 |", "0.914", "## By task", "| 12 |",
                 "learned:FOLDER"):  # fmt: skip
        assert told in card
    assert str(package.folder.parent.parent) not in card, "no folder of one's own"
    facts = json.loads((package.folder / FILE).read_text())
    assert set(facts["files"]) == {f"{ADAPTER}/{CONFIG}", f"{ADAPTER}/{WEIGHTS}", HEADS}
    assert facts["data"]["digest"] == toy_data().digest
    assert facts["vlm"]["units"].keys() == {"quality", "alignment", "preservation"}


def test_what_is_finished_is_not_trained_again_and_leaves_no_checkpoint(
    package: Package, base: Path, data: Data
) -> None:
    assert not (package.folder / "checkpoint").exists()
    seen: list[str] = []
    same = train_evaluator(data, package.folder, toy_settings(base),
                           progress=lambda label, done, total: seen.append(label))  # fmt: skip
    assert same.digest == package.digest
    assert seen == []
    with pytest.raises(UserMistake, match="holds a trained evaluator already") as error:
        train_evaluator(data, package.folder, toy_settings(base, seed=1))
    assert "another folder" in error.value.todo


# ── folders that are not what training wrote ────────────────────────────────────────────


@pytest.fixture
def copy(package: Package, tmp_path: Path) -> Path:
    return Path(shutil.copytree(package.folder, tmp_path / "copy"))


def test_weights_that_were_changed_are_refused(copy: Path) -> None:
    weights = copy / ADAPTER / WEIGHTS
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    with pytest.raises(UserMistake, match="is not the one that was trained"):
        learned(str(copy))


def rewritten(folder: Path, name: str, change: dict[str, Any]) -> None:
    """Change the adapter's or the evaluator's own JSON, with hashes that fit."""
    path = folder / name
    told = json.loads(path.read_text())
    told |= change
    path.write_text(json.dumps(told))
    facts = json.loads((folder / FILE).read_text())
    parts = list(facts.pop("files"))
    facts.pop("format")
    write_package(folder, facts, parts)


def asked(folder: Path, data: Data) -> Any:
    """What the evaluator in a folder says of an edit."""
    one = data.test[0]
    sample = Sample(one.sample, Request(one.source, one.instruction))
    edit = Edit(sample, one.editor, "ok", one.output)
    return vlm.load(read_package(folder))(edit, Evidence())


def test_an_adapter_that_points_to_another_model_is_not_followed(
    copy: Path, package: Package, data: Data
) -> None:
    rewritten(copy, f"{ADAPTER}/{CONFIG}", {"base_model_name_or_path": "elsewhere/else"})
    assert asked(copy, data) == asked(package.folder, data)


def test_an_adapter_of_a_kind_that_loads_others_is_refused(copy: Path, data: Data) -> None:
    rewritten(copy, f"{ADAPTER}/{CONFIG}", {"peft_type": "XLORA", "adapters": {"0": "some/where"}})
    with pytest.raises(UserMistake, match="no adapter that can be used"):
        asked(copy, data)


def test_another_base_model_is_refused(copy: Path, data: Data, tmp_path: Path) -> None:
    other = tiny_vlm(tmp_path / "other", seed=1)
    facts = json.loads((copy / FILE).read_text())
    rewritten(copy, FILE, {"vlm": facts["vlm"] | {"base": str(other)}})
    with pytest.raises(UserMistake, match="is not the one that .* was trained from"):
        asked(copy, data)


def test_a_base_model_that_is_gone_is_told_in_the_row_with_what_to_do(
    copy: Path, data: Data, tmp_path: Path
) -> None:
    facts = json.loads((copy / FILE).read_text())
    rewritten(copy, FILE, {"vlm": facts["vlm"] | {"base": str(tmp_path / "gone")}})
    one = data.test[0]
    sample = Sample(one.sample, Request(one.source, one.instruction))
    edit = Edit(sample, one.editor, "ok", one.output)
    (score,) = learned(str(copy)).score([edit], Evidence())
    assert (score.value, score.status) == (None, "unavailable")
    assert "holds what was learned alone" in score.reason
    assert f"as `base` in {copy / FILE}" in score.reason


@pytest.mark.parametrize(
    "spoilt", [{}, {"units": {"quality": [1.0]}}, {"dtype": "float8"}, {"pixels": -1}]
)
def test_a_folder_that_does_not_tell_its_model_is_refused_with_a_sentence(
    copy: Path, data: Data, spoilt: dict[str, Any]
) -> None:
    facts = json.loads((copy / FILE).read_text())
    rewritten(copy, FILE, {"vlm": facts["vlm"] | spoilt if spoilt else None})
    with pytest.raises(UserMistake, match="does not tell what its model is"):
        asked(copy, data)


def test_a_file_that_the_folder_does_not_name_is_not_read(copy: Path, data: Data) -> None:
    facts = json.loads((copy / FILE).read_text())
    facts.pop("format")
    write_package(copy, facts, [part for part in facts.pop("files") if part != HEADS])
    with pytest.raises(UserMistake, match="does not name its file"):
        asked(copy, data)


def test_what_cannot_be_loaded_is_tried_once_for_all_edits(
    copy: Path, data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = json.loads((copy / FILE).read_text())
    rewritten(copy, FILE, {"vlm": facts["vlm"] | {"fingerprint": "another"}})
    tried = []
    monkeypatch.setattr(vlm, "load_base", lambda *_, **__: tried.append(1) or load_base(*_, **__))
    measure = learned(str(copy))
    edits = [Edit(Sample(one.sample, Request(one.source, one.instruction)), one.editor, "ok",
                  one.output) for one in data.test[:3]]  # fmt: skip
    scores = list(measure.score(edits, Evidence()))
    assert [one.status for one in scores] == ["measure_failed"] * 3
    assert tried == [1]


def test_a_prompt_of_another_version_is_refused(copy: Path, data: Data) -> None:
    facts = json.loads((copy / FILE).read_text())
    rewritten(copy, FILE, {"vlm": facts["vlm"] | {"prompt": "2031-01-01-evaluator"}})
    with pytest.raises(UserMistake, match="'2031-01-01-evaluator', which is not known here"):
        asked(copy, data)


def test_an_evaluator_is_read_by_its_own_folder_alone(copy: Path) -> None:
    (copy / FILE).unlink()
    with pytest.raises(UserMistake, match="no trained evaluator"):
        read_package(copy)

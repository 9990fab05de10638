"""Adapters sit where they are meant to and learn there; ablations; models of other makes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("peft")

from evaluator_toy import short_data, short_settings  # noqa: E402
from other_vlms import tiny_idefics, tiny_llava  # noqa: E402

from overpaint.core import Edit, Evidence, Request, Sample  # noqa: E402
from overpaint.errors import UserMistake  # noqa: E402
from overpaint.measures.learned import learned, vlm  # noqa: E402
from overpaint.measures.learned.vlm import ADAPTER, WEIGHTS  # noqa: E402
from overpaint.measures.learned.vlm_chat import lead, told  # noqa: E402
from overpaint.models.vlm import load_base  # noqa: E402
from overpaint.testing.tiny import tiny_vlm  # noqa: E402
from overpaint.training import evaluator as script  # noqa: E402
from overpaint.training.evaluator import answer_loss, train_evaluator, words_loss  # noqa: E402
from overpaint.training.evaluator_adapters import adapted, orthogonality  # noqa: E402
from overpaint.training.evaluator_parts import parts_of  # noqa: E402
from overpaint.training.evaluator_plan import asked_of, plan_of  # noqa: E402
from overpaint.training.evaluator_schedule import schedule_of  # noqa: E402
from overpaint.training.evaluator_state import Shares  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    return tiny_vlm(tmp_path_factory.mktemp("base"))


def learner(base: Path, **changed: Any) -> Any:
    from accelerate import Accelerator

    plan = plan_of(short_data(), short_settings(base, **changed))
    return script._learner(plan, Shares(Accelerator()))


def trained(one: Any) -> dict[str, Any]:
    return one.inside.weights


@pytest.mark.parametrize("towers", ["both", "vision", "language"])
@pytest.mark.parametrize("adapter", ["adalora", "lora"])
def test_adapters_sit_on_the_towers_that_were_asked_for_and_each_gets_gradients(
    base: Path, towers: str, adapter: str
) -> None:
    one = learner(base, towers=towers, adapter=adapter, projector=False)
    names = {name for name in trained(one) if "lora_" in name}
    sees = {name for name in names if ".visual.blocks." in name}
    speaks = {name for name in names if ".language_model.layers." in name}
    assert names == sees | speaks
    factors = 3 if adapter == "adalora" else 2
    assert len(sees) == (0 if towers == "language" else 10 * factors)
    assert len(speaks) == (0 if towers == "vision" else 14 * factors)
    # A first step moves the factor that begins with nothing; then all have something to learn.
    for step in range(2):
        script._step(one, one.plan.schedule, one.plan.schedule.words + step)
    asked = asked_of(one.plan.data.train[0], "quality", one.plan.data)
    one.optimizer.zero_grad()
    script.score_loss(one.evaluator, asked, 90.0).backward()
    for name, weight in trained(one).items():
        if "lora_" in name:
            assert weight.grad is not None, name
            assert weight.grad.abs().max() > 0, name
    assert not any("merger" in name for name in trained(one))


def test_the_parameters_that_are_told_are_those_that_learn(base: Path) -> None:
    for changed in ({}, {"adapter": "lora"}, {"projector": False}, {"towers": "vision"}):
        one = learner(base, **changed)
        count = sum(weight.numel() for weight in trained(one).values())
        assert one.plan.sizes.trained == count, changed
        whole = one.evaluator.model.get_base_model()
        frozen = [n for n, p in whole.named_parameters() if p.requires_grad]
        assert all("lora_" in name or "modules_to_save" in name for name in frozen)


def test_a_layer_in_half_precision_has_its_projector_and_adapters_in_full(base: Path) -> None:
    one = learner(base, dtype="bfloat16")
    assert {weight.dtype for weight in trained(one).values()} == {torch.float32}
    kinds = {p.dtype for p in one.evaluator.model.parameters() if not p.requires_grad}
    assert torch.bfloat16 in kinds
    loss = script._step(one, one.plan.schedule, one.plan.schedule.words)
    assert 0 < loss < 100


def test_what_was_trained_in_half_precision_loads_as_it_was(base: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    package = train_evaluator(short_data(), tmp_path, short_settings(base, dtype="bfloat16"))
    saved = load_file(tmp_path / ADAPTER / WEIGHTS)
    model = vlm.load(package).evaluator.model  # type: ignore[attr-defined]
    whole = {name: one for name, one in model.named_parameters() if "modules_to_save" in name}
    assert len(whole) == 5
    for name, one in whole.items():
        kept = saved[name.replace("modules_to_save.default.", "")]
        assert one.dtype == torch.float32
        assert torch.equal(one, kept), name


def test_the_term_for_orthogonality_is_pefts_own(base: Path) -> None:
    settings = short_settings(base)
    data = short_data()
    whole = load_base(str(base), dtype="float32")
    model = adapted(whole, parts_of(whole), settings, schedule_of(data, settings))
    one = learner(base)
    inputs = one.evaluator.chat.inputs(asked_of(data.train[0], "done", data), "Yes", ended=True)
    labels = inputs["input_ids"]
    with torch.no_grad():
        plain = model.get_base_model()(**inputs, labels=labels).loss
        theirs = model.base_model(**inputs, labels=labels).loss
    ours = settings.orthogonality * orthogonality(model).detach()
    assert float(theirs - plain) == pytest.approx(float(ours), rel=1e-4)
    assert float(ours) > 0.1


def test_the_words_that_are_learned_are_those_of_the_answer(base: Path) -> None:
    one = learner(base)
    question, value = asked_of(one.plan.data.train[0], "quality", one.plan.data), 48.95
    chat = one.evaluator.chat
    answer = told("quality", value, yes_no=False)
    inputs = chat.inputs(question, answer, ended=True)
    labels = inputs["input_ids"].clone()
    labels[:, : -len(chat.answer_ids(answer, ended=True))] = -100
    with torch.no_grad():
        theirs = one.evaluator.model.get_base_model()(**inputs, labels=labels).loss
        ours = words_loss(one.evaluator, question, value)
    assert float(ours) == pytest.approx(float(theirs), rel=1e-5)


def test_a_score_is_read_from_the_token_before_the_number(base: Path) -> None:
    one = learner(base)
    question = asked_of(one.plan.data.train[0], "quality", one.plan.data)
    inputs = one.evaluator.chat.inputs(question, told("quality", 48.95, yes_no=False))
    led = one.evaluator.chat.inputs(question, lead("quality"))["input_ids"].shape[1]
    with torch.no_grad():
        model = one.evaluator.model.get_base_model()
        hidden = model(**inputs, output_hidden_states=True).hidden_states[-1][0, led - 1]
        theirs = one.evaluator.heads[list(one.evaluator.units).index("quality")](hidden)[0]
        ours = one.evaluator.score(question)
    assert float(ours) == pytest.approx(float(theirs), rel=1e-4)


@pytest.mark.parametrize(("gap", "value"), [(25.0, 0.0), (-25.0, 1.0), (60.0, 0.0)])
def test_an_answer_that_is_surely_wrong_is_learned_from_as_much_as_it_can_be(
    gap: float, value: float
) -> None:
    logits = torch.tensor([gap, 0.0], requires_grad=True)
    evaluator: Any = type("Sure", (), {"answers": lambda self, asked: logits})()
    answer_loss(evaluator, None, value).backward()  # type: ignore[arg-type]
    sign = 1.0 if value == 0 else -1.0
    assert logits.grad.tolist() == pytest.approx([sign, -sign], abs=1e-6)  # type: ignore[union-attr]


def test_checkpointing_of_gradients_sits_on_both_towers(base: Path) -> None:
    inside = learner(base, checkpointing=True).evaluator.model.named_modules()
    on = [name for name, one in inside if getattr(one, "gradient_checkpointing", False)]
    assert any("visual" in name for name in on)
    assert any("language_model" in name for name in on)


def test_checkpointing_of_gradients_changes_no_number(base: Path) -> None:
    losses = []
    for checkpointing in (True, False):
        one = learner(base, checkpointing=checkpointing)
        losses.append([script._step(one, one.plan.schedule, step) for step in range(4)])
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


def test_a_loss_that_is_no_number_ends_the_training_with_a_sentence(base: Path) -> None:
    broken = learner(base)
    with torch.no_grad():
        for head in broken.evaluator.heads:
            head[0].weight.fill_(float("nan"))
    with pytest.raises(UserMistake, match="is nan: the training has come apart") as error:
        script._step(broken, broken.plan.schedule, broken.plan.schedule.words)
    assert "--rate" in error.value.todo


@pytest.mark.parametrize("make", [tiny_idefics, tiny_llava])
def test_models_of_other_makes_are_trained_and_used_alike(
    tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    torch.set_num_threads(1)
    base, data = make(tmp_path / "base"), short_data()
    package = train_evaluator(data, tmp_path / "out", short_settings(base))
    training = package.facts["training"]
    assert training["layers"] == {"vision": 12, "language": 14}
    assert len(package.facts["vlm"]["projector"]) == 1
    assert sum(training["ranks"].values()) <= 26 * 8
    one = data.test[0]
    sample = Sample(one.sample, Request(one.source, one.instruction))
    edit = Edit(sample, one.editor, "ok", one.output)
    (score,) = learned(f"{package.folder};dimension=preservation").score([edit], Evidence())
    assert score.status == "ok", score.reason

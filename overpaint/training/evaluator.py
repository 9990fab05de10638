"""Train a vision-language model to tell what people would say of an edit (LMM4Edit).

One model learns every dimension. First words: it answers in the right form, with a rough score or
yes or no, and learns by cross-entropy. Then scores: a head of two layers reads the hidden state of
the token just before the number and learns people's scores by squared error, in spreads of each
dimension. Questions answered by yes or no go on as well, for they would else be forgotten while
the scores are learned: by the cross-entropy of yes against no, which is what is read from them.

Read from top to bottom: `train_evaluator` says what happens, the rest says how. On several GPUs
(`accelerate launch`) each process takes its share of every step's questions, and what they learned
is added up before the step, so that one GPU and eight do the same.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overpaint.errors import UserMistake
from overpaint.measures.learned import FILE, Package, read_package
from overpaint.measures.learned.vlm import Evaluator, heads_of, width_of
from overpaint.measures.learned.vlm_chat import Asked, Chat, told
from overpaint.measures.people import Key
from overpaint.models.vlm import config_of, fingerprint, load_base, processor_of
from overpaint.training.evaluator_adapters import adapted, give_ranks, orthogonality
from overpaint.training.evaluator_card import Trained, agreement_of, write_evaluator, write_losses
from overpaint.training.evaluator_plan import Plan, asked_of, plan_of
from overpaint.training.evaluator_schedule import Schedule
from overpaint.training.evaluator_settings import TEXT, Data, Settings, run_of
from overpaint.training.evaluator_state import (
    Inside,
    Progressed,
    Shares,
    check_folder,
    check_run,
    forget,
    resume,
    save,
)
from overpaint.work import Progress, silent

Values = dict[str, dict[Key, float]]  # dimension -> edit -> what the evaluator says


def train_evaluator(
    data: Data,
    out: Path,
    settings: Settings,
    *,
    whose: str = "",
    notes: Sequence[str] = (),
    progress: Progress = silent,
) -> Package:
    """Train an evaluator, try it on the sources that were held out, and write it to a folder.

    `whose` opinion it learns and `notes` on the data stand in its card.
    What was stopped goes on from its last checkpoint; what is finished is not trained again.
    """
    config_of(settings.base)  # what is not installed, or cannot see, is told before anything else
    from accelerate import Accelerator

    shares = Shares(Accelerator())
    progress = progress if shares.first else silent
    run = run_of(data, settings)
    if finished := _finished(out, run):
        return finished
    check_run(out, run)
    plan = plan_of(data, settings, device=shares.accelerator.device.type)
    plan.check()
    check_folder(out)
    learner = _learner(plan, shares)
    at = resume(out, learner.inside, shares)
    for _ in _steps(learner, at, progress):
        done = at.step == plan.schedule.total
        if done or at.step % settings.every == 0:
            save(out, run, at, learner.inside, shares)
            if shares.first:
                write_losses(out, at.losses, plan.schedule)
    values = _tried(learner, progress)
    if shares.first:
        agreement = agreement_of(data, values, settings.name)
        trained = Trained(plan, learner.evaluator, learner.base, at, agreement, whose, tuple(notes))
        write_evaluator(out, run, trained)
        forget(out)
    shares.wait()
    return read_package(out)


def _finished(out: Path, run: str) -> Package | None:
    """The evaluator that this training has already made; another one's place is not taken."""
    if not (out / FILE).exists():
        return None
    found = read_package(out)
    if found.facts.get("run") == run:
        return found
    raise UserMistake(
        f"{out} holds a trained evaluator already, of other data or settings.",
        "A new one has a folder of its own.",
        "Give another folder.",
    )


# ── what learns ─────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Learner:
    """A model with adapters and heads, and what they are trained by."""

    plan: Plan
    shares: Shares
    evaluator: Evaluator
    optimizer: Any
    base: str  # the fingerprint of the model before training

    @property
    def inside(self) -> Inside:
        """What changes in training."""
        return Inside(self.evaluator.model, self.evaluator.heads, self.optimizer, self.base)

    @property
    def weights(self) -> list[Any]:
        """Everything that learns."""
        return list(self.inside.weights.values())


def _learner(plan: Plan, shares: Shares) -> Learner:
    import torch

    settings, device = plan.settings, shares.accelerator.device
    revision = plan.revision
    base = load_base(settings.base, dtype=plan.dtype, revision=revision)
    known = fingerprint(base)
    torch.manual_seed(settings.seed)  # every process begins with the same adapters and heads
    model = adapted(base, plan.parts, settings, plan.schedule).to(device)
    heads = heads_of(width_of(base), len(plan.data.units)).to(device)
    torch.manual_seed(settings.seed + 1 + shares.index)  # and drops out what it drops out
    if settings.checkpointing:
        usual = base.gradient_checkpointing_enable
        getattr(base, "activation_checkpointing_enable", usual)({"use_reentrant": False})
    chat = Chat(processor_of(settings.base, revision), settings.pixels)
    evaluator = Evaluator(model.train(), heads.train(), chat, plan.data.units, plan.dtype)
    weights = Inside(model, heads, None).weights.values()
    # Weights that decay would let AdaLoRA's ranks fade that nothing has been learned from yet.
    optimizer = torch.optim.AdamW(weights, lr=settings.rate, weight_decay=0.0)
    return Learner(plan, shares, evaluator, optimizer, known)


# ── steps ───────────────────────────────────────────────────────────────────────────────


def _steps(learner: Learner, at: Progressed, progress: Progress) -> Iterable[None]:
    """Take the steps that are left; after each, `at` says how far it is."""
    schedule, first = learner.plan.schedule, at.step
    for step in range(first, schedule.total):
        started = time.monotonic()
        loss = _step(learner, schedule, step)
        at.step, at.seconds = step + 1, at.seconds + time.monotonic() - started
        at.losses.append(loss)
        yield
        stage, done, steps = schedule.place(step)
        before = max(0, first - (step - done))  # steps of this stage that an earlier call took
        progress(stage, done + 1 - before, steps - before)


def _step(learner: Learner, schedule: Schedule, step: int) -> float:
    import torch

    for group in learner.optimizer.param_groups:
        group["lr"] = schedule.rate(step)
    learner.optimizer.zero_grad(set_to_none=True)
    loss = _learned_from(learner, schedule, step)
    if learner.inside.allocator:
        (learner.plan.settings.orthogonality * orthogonality(learner.evaluator.model)).backward()
    torch.nn.utils.clip_grad_norm_(learner.weights, learner.plan.settings.clip)
    learner.optimizer.step()
    if learner.inside.allocator:
        give_ranks(learner.evaluator.model, step + 1)
    return loss


def _learned_from(learner: Learner, schedule: Schedule, step: int) -> float:
    """The mean loss of a step's questions, whose gradients are left on the weights."""
    import torch

    data, shares = learner.plan.data, learner.shares
    stage, asked = schedule.place(step)[0], schedule.asked(step)
    questions, total = data.questions, torch.zeros((), device=shares.accelerator.device)
    for number in asked[shares.index :: shares.count]:
        example, dimension = questions[number]
        one = data.train[example]
        question, value = asked_of(one, dimension, data), one.scores[dimension]
        way = words_loss if stage == TEXT else answer_loss if question.yes_no else score_loss
        loss = way(learner.evaluator, question, value)
        (loss / len(asked)).backward()
        total += loss.detach() / len(asked)
    shares.add_gradients(learner.weights)
    found = float(shares.added(total))
    if found != found or found == float("inf"):
        raise UserMistake(
            f"The loss of step {step + 1} is {found}: the training has come apart.",
            "Losses are finite numbers that fall on the whole.",
            "Give a lower rate (--rate) or full precision (--dtype float32), and another folder.",
        )
    return found


def words_loss(evaluator: Evaluator, asked: Asked, value: float) -> Any:
    """Cross-entropy of the answer in words, a token's on average."""
    import torch

    answer = told(asked.dimension, value, yes_no=asked.yes_no, prompt=evaluator.chat.prompt)
    ids = evaluator.chat.answer_ids(answer, ended=True)
    inputs = evaluator.chat.inputs(asked, answer, ended=True)
    _, logits = evaluator.look(inputs, len(ids) + 1)
    wanted = torch.tensor(ids, device=logits.device)
    return torch.nn.functional.cross_entropy(logits[:-1], wanted)


def answer_loss(evaluator: Evaluator, asked: Asked, value: float) -> Any:
    """Cross-entropy of yes against no, other words being left aside."""
    import torch

    logits = evaluator.answers(asked)
    wanted = torch.tensor(int(value < 0.5), device=logits.device)
    return torch.nn.functional.cross_entropy(logits, wanted)


def score_loss(evaluator: Evaluator, asked: Asked, value: float) -> Any:
    """Squared error of a score, in spreads."""
    wanted = evaluator.units[asked.dimension].scaled(value)
    return (evaluator.score(asked) - wanted) ** 2


# ── what it has learned ─────────────────────────────────────────────────────────────────


def _tried(learner: Learner, progress: Progress) -> Values:
    """What the evaluator says of the edits that were held out; each process asks for its share."""
    evaluator, data, shares = learner.evaluator, learner.plan.data, learner.shares
    evaluator.model.eval()
    evaluator.heads.eval()
    mine = data.test[shares.index :: shares.count]
    said = []
    for done, one in enumerate(mine, 1):
        asked = {name: yes_no for name, yes_no in data.dimensions.items() if name in one.scores}
        found = evaluator.values(one.source, one.output, one.instruction, asked)
        said += [(name, one.key, value) for name, value in found.items()]
        progress("tried", done, len(mine))
    values: Values = {name: {} for name in data.dimensions}
    for name, key, value in shares.gathered(said):
        values[name][key] = value
    return values

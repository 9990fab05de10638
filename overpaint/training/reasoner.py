"""Training a reasoner, read from top to bottom: it learns which layers to edit, and how.

    look      documents become rows, one for each layer                      reasoner_data.py
    before    how well the model decides as it comes                         reasoner_report.py
    warm up   right answers are shown to it, so that it knows the form       reasoner_warming.py
    reward    it answers five times, and what was worth more becomes likelier (GRPO)
                                                                             reasoner_rewarding.py
    after     how well it decides now, beside the floors; the card

MiLDE trains its reasoner by the second of these (equations 5 to 9). The adapter is PEFT's LoRA. A
run that is stopped goes on from its last checkpoint when the same command is given again. The same
script trains on one CPU, on one GPU, and on several under `accelerate launch`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from overpaint.core import Sample
from overpaint.editors.agent.deciding import Scene
from overpaint.editors.agent.options import RULES
from overpaint.editors.agent.rules import Rules
from overpaint.errors import Unavailable, UserMistake
from overpaint.models.trained import SMOLLM2, Running, base_model
from overpaint.models.trained_card import FILE
from overpaint.models.vlm import (
    INSTALL,
    base_of,
    fingerprint,
    first_line,
    libraries,
    revision_of,
)
from overpaint.training import reasoner_memory as memory
from overpaint.training import reasoner_report as report
from overpaint.training.processes import is_main, main_first
from overpaint.training.reasoner_data import (
    Case,
    Row,
    apart_from,
    balanced,
    data_hash,
    drawn,
    of_samples,
    rows_of,
    split,
)
from overpaint.training.reasoner_rewarding import Worth, dataset, milde_worth
from overpaint.training.reasoner_settings import (
    Settings,
    check_folder,
    claim,
    last_checkpoint,
)
from overpaint.training.reasoner_warming import batched, warm_trainer
from overpaint.work import Progress, silent

WARM, GRPO = "warm", "grpo"
FEWEST = 10  # documents of a set
BEFORE, WARMED, REWARDED = report.STAGES


@dataclass(frozen=True)
class Data:
    """Documents in three parts that share none, and what is to be said of them."""

    train: Sequence[Case]
    validation: Sequence[Case]
    held_out: Sequence[Case]
    source: str
    notes: Sequence[str] = ()

    @property
    def key(self) -> str:
        """Changes whenever any of it does."""
        return data_hash([*self.train, *self.validation, *self.held_out])


def gather(
    settings: Settings,
    samples: Sequence[Sample] | None = None,
    *,
    against: Sequence[str] = (),
    workers: int = 0,
    progress: Progress = silent,
) -> Data:
    """The documents to learn from and to be held against: a set's, or our own.

    Of a set, what a benchmark or run named in `against` has as well is left out.
    """
    if samples is None and against:
        raise UserMistake(
            "--against holds documents of your own against a benchmark's.",
            "Designs that are drawn for training share no theme with the built-in set.",
            "Name your documents as well: --data FOLDER",
        )
    if samples is None:
        number = settings.documents + settings.validation
        known = drawn(number, workers=workers, progress=progress)
        unknown = drawn(settings.held_out, held_out=True, workers=workers, progress=progress)
        some = settings.validation
        return Data(known[some:], known[:some], unknown, "drawn by Overpaint, English")
    cases, left_out = of_samples(samples, workers=workers, progress=progress)
    cases, told = apart_from(cases, against)
    documents = len({case.document for case in cases})
    if documents < FEWEST:
        raise UserMistake(
            f"{documents} documents are too few to learn from and to hold some out.",
            f"At least {FEWEST} were expected.",
        )
    # A fifth of a set is held out, and a fifth of the rest is to choose by.
    rest, held_out = split(cases, min(settings.held_out, documents // 5), settings.seed)
    left = len({case.document for case in rest})
    train, validation = split(rest, min(settings.validation, left // 5), settings.seed)
    notes = (*told, *(f"Left out: {why}" for why in left_out))
    return Data(train, validation, held_out, "a set of your own", notes)


def check(folder: Path, settings: Settings) -> None:
    """Refuse what cannot be trained here, before documents are looked at."""
    _check_machine()
    check_folder(folder)
    memory.check(settings)


def train(
    folder: Path,
    settings: Settings,
    data: Data,
    *,
    worth: Worth | None = None,
    progress: Progress = silent,
) -> report.Report:
    """Train, and write the reasoner with its card to the folder.

    Answers are worth MiLDE's reward, or what `worth` says of them.
    """
    check(folder, settings)
    revision = None if settings.base == SMOLLM2 else revision_of(settings.base)
    running = base_model(
        settings.base, sees=settings.sees, half=settings.half, revision=revision
    )  # fmt: skip
    with main_first():  # not before: another model may be named in the same folder until it loads
        claim(folder, settings, data.key)
    base = report.Base(base_of(settings.base), revision, fingerprint(running.model))
    run = _Run(folder, settings, data, worth or milde_worth, progress, base)
    table = report.Report.begun(folder, settings, data)
    if (folder / FILE).is_file():  # it is finished, and not trained again
        return table
    table = run.judged(run.by_rules(table), BEFORE, running)
    model = run.adapted(running.model)
    if settings.warm_steps:
        run.warm_up(Running(model, running.processor))
        table = run.judged(table, WARMED, Running(model, running.processor))
        if not (folder / WARM / FILE).is_file():  # its card tells of no later stage
            run.save(model, folder / WARM, table)
    if settings.steps:
        run.reward(Running(model, running.processor))
        table = run.judged(table, REWARDED, Running(model, running.processor))
    run.save(model, folder, table)
    return table


@dataclass(frozen=True)
class _Run:
    """One run: where it is written, how it is trained, and on what."""

    folder: Path
    settings: Settings
    data: Data
    worth: Worth
    progress: Progress
    base: report.Base

    # ── the stages ──────────────────────────────────────────────────────────────────────

    def adapted(self, model: Any) -> Any:
        """The model with adapters on its linear parts; nothing else is trained."""
        from peft import LoraConfig, get_peft_model
        from transformers import set_seed

        set_seed(self.settings.seed)
        return get_peft_model(
            model,
            LoraConfig(
                r=self.settings.rank, lora_alpha=self.settings.alpha, lora_dropout=0.0,
                target_modules="all-linear", task_type="CAUSAL_LM",
            ),
        )  # fmt: skip

    def warm_up(self, running: Running) -> None:
        """Show it right answers."""
        from transformers import TrainingArguments

        chosen = self.settings
        rows = batched(self.warm_rows(), chosen.warm_batch * _devices(), chosen.seed)
        args = TrainingArguments(
            **self._arguments(WARM), max_steps=chosen.warm_steps, learning_rate=chosen.warm_rate,
            lr_scheduler_type="cosine", warmup_steps=8, remove_unused_columns=False,
            per_device_train_batch_size=chosen.warm_batch, train_sampling_strategy="sequential",
        )  # fmt: skip
        trainer = warm_trainer(
            running, rows, args, pixels=chosen.pixels, callbacks=[_told(self.progress, "warm-up")]
        )
        _go_on(trainer, self.folder / WARM)

    def reward(self, running: Running) -> None:
        """Make likelier what was worth more than the other answers to the same question."""
        from trl import GRPOConfig, GRPOTrainer

        chosen = self.settings
        parts = chosen.prompts * chosen.rollouts // chosen.at_once
        trainer = GRPOTrainer(
            model=running.model, reward_funcs=self.worth, processing_class=running.processor,
            train_dataset=dataset(self.reward_rows(), running, chosen),
            callbacks=[_told(self.progress, "GRPO")],
            args=GRPOConfig(
                **self._arguments(GRPO), max_steps=chosen.steps, learning_rate=chosen.rate,
                lr_scheduler_type="constant_with_warmup", warmup_steps=3,
                per_device_train_batch_size=chosen.at_once, gradient_accumulation_steps=parts,
                num_generations=chosen.rollouts, max_completion_length=chosen.longest,
                temperature=chosen.temperature, epsilon=chosen.epsilon, beta=chosen.beta,
                scale_rewards="group",
                num_iterations=chosen.passes,
                # Equation 9 averages over tokens, not over each answer first; of the step's groups
                # together, where the equation has one group.
                loss_type="dapo",
            ),
        )  # fmt: skip
        _go_on(trainer, self.folder / GRPO)

    def _arguments(self, stage: str) -> dict[str, Any]:
        """What both trainers are told."""
        import torch

        chosen = self.settings
        return {
            "output_dir": str(self.folder / stage), "seed": chosen.seed, "report_to": [],
            "save_steps": chosen.save_every, "save_total_limit": 2, "logging_steps": 1,
            "disable_tqdm": True, "use_cpu": not torch.cuda.is_available(),
            "bf16": chosen.half, "gradient_checkpointing": torch.cuda.is_available(),
            "max_grad_norm": 1.0, "weight_decay": 0.0,
        }  # fmt: skip

    # ── what came of them ───────────────────────────────────────────────────────────────

    def judged(self, table: report.Report, stage: str, running: Running) -> report.Report:
        """The table with another stage; one that a stopped run has judged is not judged again."""
        if stage in table.stages:
            return table
        for name, cases in (("held out", self.data.held_out), ("validation", self.data.validation)):
            if cases and (stage != BEFORE or name == "held out"):
                rows = self._rows(cases)
                said = report.ask_all(running, rows, self.settings, self.progress, stage)
                table = table.having(stage, name, rows, said)
        if is_main():
            table.keep(self.folder)
        return table

    def by_rules(self, table: report.Report) -> report.Report:
        """The table with the agent's rules, which need no model."""
        if RULES in table.stages:
            return table
        rows, decided = self._rows(self.data.held_out), list[bool | None]()
        for case in self.data.held_out:
            scene = Scene(case.opened(), case.instruction, case.layers)
            decided += [one.edit for one in Rules().decide(scene)]
            self.progress("rules", len(decided), len(rows))
        return table.beside(RULES, rows, decided)

    def save(self, model: Any, folder: Path, table: report.Report) -> None:
        """Write the adapter in half precision, and the card beside it."""
        import torch

        if not is_main():
            return
        model.peft_config["default"].base_model_name_or_path = self.settings.base  # no path of ours
        if "ref" in model.peft_config:  # TRL's copy of the model before GRPO
            model.delete_adapter("ref")
        kept = {name: p.data for name, p in model.named_parameters() if p.requires_grad}
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.data = parameter.data.to(torch.bfloat16)
        model.save_pretrained(str(folder), save_embedding_layers=False)
        for name, parameter in model.named_parameters():
            if name in kept:
                parameter.data = kept[name]
        (folder / "README.md").unlink(missing_ok=True)  # a form for a hub, filled in by nobody
        report.write_card(folder, self.settings, self.data, table, self.base)

    def warm_rows(self) -> list[Row]:
        """The rows of the first stage, as many that change as that stay."""
        return list(islice(self._balanced(), self._warmed))

    def reward_rows(self) -> list[Row]:
        """The rows of the second stage: those after the first's, as far as there are more.

        As many change as stay here as well, or keeping would pay on the whole.
        """
        number = self.settings.steps * self.settings.prompts * _devices()
        return list(islice(self._balanced(), self._warmed, self._warmed + number))

    @property
    def _warmed(self) -> int:
        return self.settings.warm_steps * self.settings.warm_batch * _devices()

    def _balanced(self) -> Iterator[Row]:
        return balanced(self._rows(self.data.train), self.settings.seed)

    def _rows(self, cases: Sequence[Case]) -> list[Row]:
        return rows_of(cases, sees=self.settings.sees, form=self.settings.form)


# ── around a trainer ────────────────────────────────────────────────────────────────────


def _go_on(trainer: Any, folder: Path) -> None:
    """Train from the last checkpoint of the stage, or from the start, and print nothing."""
    import torch
    from transformers import PrinterCallback

    trainer.remove_callback(PrinterCallback)  # what a step says is in the log; stdout is ours
    last = last_checkpoint(folder)
    if last and int(last.rpartition("-")[2]) >= trainer.args.max_steps:
        # Nothing is left to do, which a trainer that goes on would not notice until a step later.
        trainer.model.load_adapter(last, "default", is_trainable=True)
        return
    try:
        trainer.train(resume_from_checkpoint=last)
    except torch.OutOfMemoryError as error:
        raise UserMistake(
            f"The memory does not suffice: {first_line(error)}",
            "Less is needed with smaller --warm-batch, --prompts, --at-once, --longest or --pixels,"
            " or a smaller model.",
            f"Give them with another folder: what is learned in {folder.parent} goes on with its"
            " own settings alone.",
        ) from error


def _told(progress: Progress, label: str) -> Any:
    """Tells the progress of a trainer as ours is told."""
    from transformers import TrainerCallback

    class Told(TrainerCallback):  # type: ignore[misc]
        def on_step_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            if is_main():
                progress(label, state.global_step, state.max_steps)

        def on_log(
            self, args: Any, state: Any, control: Any, logs: Any = None, **more: Any
        ) -> None:
            if is_main():
                report.log(Path(args.output_dir), state.global_step, logs or {})

    return Told()


def _devices() -> int:
    from accelerate import PartialState

    return int(PartialState().num_processes)


def _check_machine() -> None:
    """Refuse a machine without the libraries, or one whose GPUs nobody shares the work among."""
    torch, _ = libraries()
    try:
        import datasets  # noqa: F401
        import trl  # noqa: F401
    except ImportError as error:
        raise Unavailable(f"{error.name}, which trains reasoners, is not installed.", "",
                          INSTALL) from error  # fmt: skip
    if torch.cuda.device_count() > 1 and _devices() == 1:
        raise UserMistake(
            f"There are {torch.cuda.device_count()} GPUs, and one process.",
            "Each GPU has a process of its own, or one GPU is used alone.",
            "Begin the command with: accelerate launch --multi_gpu -m overpaint train reasoner …"
            "; or set CUDA_VISIBLE_DEVICES=0",
        )

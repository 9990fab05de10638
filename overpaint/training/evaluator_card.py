"""The folder of a trained evaluator: weights, what it is, and a card that can be published."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from overpaint.measures.calibration import (
    ALL,
    FEWEST,
    Agreement,
    Column,
    Ground,
    HumanCeiling,
    agreements,
    ceilings,
)
from overpaint.measures.learned import YES_NO, write_package
from overpaint.measures.learned.vlm import ADAPTER, CONFIG, HEADS, WEIGHTS, Evaluator
from overpaint.measures.people import Key, People, published
from overpaint.models.vlm import base_of
from overpaint.stats.correlation import Correlation
from overpaint.training.evaluator_adapters import ranks_left
from overpaint.training.evaluator_plan import Plan
from overpaint.training.evaluator_schedule import Schedule
from overpaint.training.evaluator_settings import Data
from overpaint.training.evaluator_state import ADAPTER as DEFAULT
from overpaint.training.evaluator_state import Progressed
from overpaint.training.rated import learned_from

SCALE = (0.0, 100.0)  # of opinion scores
CARD, LOSSES = "card.md", "losses.csv"
COEFFICIENTS = ("srcc", "krcc", "plcc", "auc", "agreement")
LIBRARIES = ("torch", "transformers", "peft", "accelerate")
# LMM4Edit on EBench's test sources: SRCC of scores, accuracy of the question.
PAPER = {"quality": 0.9136, "alignment": 0.8830, "preservation": 0.9048, "done": 0.878}


@dataclass(frozen=True)
class Trained:
    """A training that is done."""

    plan: Plan
    evaluator: Evaluator
    fingerprint: str  # of the model before
    progressed: Progressed
    agreement: list[dict[str, Any]]
    whose: str  # opinion it learned, in words
    notes: tuple[str, ...] = ()  # on the data


# ── agreement with people ───────────────────────────────────────────────────────────────


def agreement_of(
    data: Data, values: Mapping[str, Mapping[Key, float]], name: str
) -> list[dict[str, Any]]:
    """How far the evaluator says what people say of the edits held out, overall and by task.

    Coefficients and intervals are `overpaint calibrate`'s. A question has two columns: the chance
    of a yes, whose area needs no threshold, and the answer, which agrees with most people or not.
    """
    ground = Ground(
        {one.sample: one.cluster for one in data.test},
        {one.sample: one.task for one in data.test if one.task},
    )
    found = []
    for people in _held_out(data):
        column = Column(f"{people.dimension}@{name}", values[people.dimension])
        told = agreements(column, people, ground)
        answers = Column(column.name, {key: float(v > 0.5) for key, v in column.values.items()})
        said = agreements(answers, people, ground) if people.yes_no else told
        best = {one.part: one for one in ceilings(people, ground)} if people.keys else {}
        found += [
            _facts(one, other, best.get(one.part)) for one, other in zip(told, said, strict=True)
        ]
    return found


def _held_out(data: Data) -> Iterator[People]:
    """What people think of the edits held out, with their ratings where these are known."""
    known = {one.dimension: one for one in data.people}
    keys = {one.key for one in data.test}
    for name in data.dimensions:
        if name in known:
            yield known[name].among(keys)
        else:
            scores = {one.key: one.scores[name] for one in data.test if name in one.scores}
            yield published(name, scores, "opinion scores without the ratings behind them")


def _facts(one: Agreement, answers: Agreement, ceiling: HumanCeiling | None) -> dict[str, Any]:
    found: dict[str, Any] = {"dimension": one.dimension, "part": one.part, "edits": one.n}
    for name in COEFFICIENTS:
        coefficient = getattr(answers if name == "agreement" else one, name)
        if coefficient is not None and coefficient.value is not None:
            found[name] = _spanned(coefficient)
    if ceiling is not None:
        whole, single = ceiling.srcc and ceiling.srcc.panel, ceiling.agreement
        best = single.value if single else whole
        if best is not None:
            found["people"] = best
    return found | ({"notes": list(one.notes)} if one.notes else {})


def _spanned(one: Correlation) -> dict[str, float | int | None]:
    return {"value": one.value, "low": one.low, "high": one.high, "sources": one.clusters}


# ── the folder ──────────────────────────────────────────────────────────────────────────


def write_evaluator(out: Path, run: str, trained: Trained) -> None:
    """Write weights, card and losses; what says that it is an evaluator comes last."""
    from safetensors.torch import save_model

    model, base = trained.evaluator.model, base_of(trained.plan.settings.base)
    model.peft_config[DEFAULT].base_model_name_or_path = _shown(base)
    model.save_pretrained(out / ADAPTER, save_embedding_layers=False)
    (out / ADAPTER / "README.md").unlink(missing_ok=True)  # a form to fill in; the card is ours
    save_model(trained.evaluator.heads, str(out / HEADS))
    write_losses(out, trained.progressed.losses, trained.plan.schedule)
    facts = facts_of(run, trained)
    (out / CARD).write_text(card_of(facts), encoding="utf-8")
    write_package(out, facts, [f"{ADAPTER}/{CONFIG}", f"{ADAPTER}/{WEIGHTS}", HEADS])


def write_losses(out: Path, losses: Sequence[float], schedule: Schedule) -> None:
    """The loss of every step so far, as a table."""
    told = io.StringIO()
    table = csv.writer(told, lineterminator="\n")
    table.writerow(("step", "stage", "rate", "loss"))
    for step, loss in enumerate(losses):
        rate = f"{schedule.rate(step):.4g}"
        table.writerow((step + 1, schedule.place(step)[0], rate, f"{loss:.6g}"))
    (out / LOSSES).write_text(told.getvalue(), encoding="utf-8")


def facts_of(run: str, trained: Trained) -> dict[str, Any]:
    """All that `learned.json` says."""
    plan, chat = trained.plan, trained.evaluator.chat
    settings, data = plan.settings, plan.data
    planned = plan.facts
    return {
        "name": settings.name, "kind": "vlm", "run": run,
        "about": f"{settings.base.rstrip('/').rpartition('/')[2]} trained on opinion scores",
        "scales": {name: list(YES_NO if yes_no else SCALE)
                   for name, yes_no in data.dimensions.items()},
        "vlm": {
            "base": base_of(settings.base), "revision": plan.revision,
            "fingerprint": trained.fingerprint, "dtype": plan.dtype, "pixels": settings.pixels,
            "prompt": chat.prompt, "projector": planned["projector"],
            "units": {name: [unit.mean, unit.spread] for name, unit in data.units.items()},
        },
        "data": {
            "whose": trained.whose, "digest": data.digest, "train": planned["train"],
            "test": planned["test"], "questions": planned["questions"],
            "editors": sorted({one.editor for one in data.train}), "notes": list(trained.notes),
            "learned_from": learned_from(data.train),
        },
        "training": {
            "settings": {k: v for k, v in asdict(settings).items() if k != "base"},
            "steps": planned["steps"],
            "parameters": planned["parameters"], "trained": planned["trained"],
            "layers": planned["layers"], "seconds": round(trained.progressed.seconds, 1),
            "device": plan.device, "ranks": ranks_left(trained.evaluator.model),
            "libraries": {name: version(name) for name in LIBRARIES},
        },
        "agreement": trained.agreement,
    }  # fmt: skip


# ── the card ────────────────────────────────────────────────────────────────────────────


def card_of(facts: Mapping[str, Any]) -> str:
    """The facts as a page to be read, and to be published with the weights."""
    vlm, data, training = facts["vlm"], facts["data"], facts["training"]
    settings, train, test = training["settings"], data["train"], data["test"]
    at = f" at {vlm['revision']}" if vlm["revision"] else ""
    kept = ", ".join(f"{count} {which}" for which, count in training["layers"].items())
    lines = [
        f"# {facts['name']}: an evaluator of edited pictures", "",
        "It sees an edited picture, its source and the instruction, and tells what people would"
        f" say of the edit: {', '.join(_told(n, s) for n, s in facts['scales'].items())}.", "",
        f"- Base model: {_shown(vlm['base'])}{at}; its licence holds for this one as well.",
        f"- Learned from: {data['whose'] or 'opinion scores'}; {train['edits']:,} edits of"
        f" {train['sources']:,} sources (editors: {train['editors']}; data"
        f" {data['digest'][:12]}).",
        f"- Tried on: {test['edits']:,} edits of {test['sources']:,} sources that it never saw;"
        " their editors it knows.",
        *(f"- {note}" for note in data["notes"]),
        f"- Trained: {training['trained']:,} of {training['parameters']:,} parameters:"
        f" {settings['adapter']} ({kept} layers),"
        f" projector {'as a whole' if vlm['projector'] else 'left as it was'};"
        f" {training['steps']['words']:,} steps of words and {training['steps']['scores']:,} of"
        f" scores, {settings['batch']} questions each, in {training['seconds'] / 3600:.2g} hours.",
        "", "## Agreement with people", "",
        "On the sources held out; 95 % intervals by drawing sources. LMM4Edit's are of EBench's"
        " own test sources, and comparable only if these are the same.", "",
        *agreement_table(facts["agreement"], papers=True), "", "## By task", "",
        f"Tasks with fewer than {FEWEST} edits held out have no coefficient.", "",
        *agreement_table(facts["agreement"], by_task=True), "", "## Use", "", "```",
        "overpaint score RUN --measure learned:FOLDER", "```", "",
        "What it says of editors, tasks and languages that it has not met is untried:"
        " `overpaint calibrate` tries it.", "",
    ]  # fmt: skip
    return "\n".join(lines)


def _shown(base: str) -> str:
    """A model as others may know it: a hub id, or the last name of a folder of one's own."""
    told = base.rstrip("/\\").replace("\\", "/")
    return told.rpartition("/")[2] if Path(base).is_absolute() else told


def _told(name: str, scale: Sequence[float]) -> str:
    if tuple(scale) == YES_NO:
        return f"{name} (the chance of a yes)"
    return f"{name} ({scale[0]:g} to {scale[1]:g})"


def agreement_table(
    agreement: Sequence[Mapping[str, Any]], *, by_task: bool = False, papers: bool = False
) -> list[str]:
    """The agreement as a table: scores have correlations, questions a share and an area."""
    rows = [
        one for one in agreement
        if (one["part"] == ALL) != by_task and (not by_task or one["edits"] >= FEWEST)
    ]  # fmt: skip
    if not rows:
        return []
    heads = ["Dimension", "Task", "Edits", "SRCC", "KRCC", "PLCC", "Same answer", "Area",
             "People with people", "LMM4Edit"]  # fmt: skip
    heads = [one for one in heads
             if (by_task or one != "Task") and (papers or one != "LMM4Edit")]  # fmt: skip
    names = ("srcc", "krcc", "plcc", "agreement", "auc")
    found = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for one in rows:
        cells = [one["dimension"], *([one["part"]] if by_task else []), f"{one['edits']:,}"]
        cells += [_cell(one.get(name)) for name in names]
        cells.append(f"{one['people']:.3f}" if "people" in one else "–")
        if papers:
            known = PAPER.get(one["dimension"])
            cells.append(f"{known:.3f}" if known else "–")
        found.append(f"| {' | '.join(cells)} |")
    return found


def _cell(found: Mapping[str, float | None] | None) -> str:
    if not found or found["value"] is None:
        return "–"
    told = f"{found['value']:.3f}"
    if found["low"] is not None and found["high"] is not None:
        told += f" ({found['low']:.2f} – {found['high']:.2f})"
    return told.replace("-", "−")

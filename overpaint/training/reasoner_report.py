"""How well a reasoner decides before and after training, beside the floors; and its card.

Layer decision accuracy is MiLDE's: pooled over layers, an unreadable reply counted wrong.
Intervals are bootstrapped over documents. A reasoner that always answers the same is told so.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from overpaint.editors.agent.deciding import read_decision
from overpaint.errors import Unreadable, UserMistake
from overpaint.measures.milde_layers import Counts
from overpaint.models.trained import Running, answers
from overpaint.models.trained_card import FILE, FORM
from overpaint.stats.bootstrap import cluster, intervals
from overpaint.training.reasoner_data import Row, rows_of, written_whole
from overpaint.training.reasoner_pictures import shown
from overpaint.training.reasoner_settings import Settings
from overpaint.training.reward import rewards
from overpaint.work import Progress

if TYPE_CHECKING:
    from overpaint.training.reasoner import Data

TABLE, LOG = "table.json", "log.jsonl"
PAPER = "MiLDE's paper, a 7B model on its own set: 20.7 before, 80.5 after GRPO"
STAGES = ("before", "after warm-up", "after GRPO")
AT_ONCE = 32  # questions that are answered at once
SEED = 1  # of the bootstrap


class Base(NamedTuple):
    """The model that was trained from, as it is found and known again."""

    name: str
    revision: str | None
    fingerprint: str


@dataclass(frozen=True)
class Line:
    """How one reasoner did on one part of the documents; shares are in percent."""

    who: str
    on: str
    documents: int
    layers: int
    accuracy: float
    low: float | None
    high: float | None
    balanced: float | None
    precision: float | None
    recall: float | None
    exact: float
    unreadable: float
    edited: float  # of all layers, the share it would edit
    reward: float | None = None  # the mean of MiLDE's reward
    bleu: float | None = None  # of the prompts of layers rightly edited


def line(who: str, on: str, rows: Sequence[Row], decided: Sequence[bool | None]) -> Line:
    """What decisions about these rows are worth."""
    names = [row.case.document for row in rows]
    right = [edit == row.truth.edit for row, edit in zip(rows, decided, strict=True)]
    exact = dict.fromkeys((row.case.id for row in rows), True)
    for row, good in zip(rows, right, strict=True):
        exact[row.case.id] = exact[row.case.id] and good
    pairs = [(row.truth.edit, edit) for row, edit in zip(rows, decided, strict=True)]
    counts = Counts(
        hit=pairs.count((True, True)), missed=pairs.count((True, False)),
        spoilt=pairs.count((False, True)), kept=pairs.count((False, False)),
        unread_gold=pairs.count((True, None)), unread_rest=pairs.count((False, None)),
        exact=sum(exact.values()), documents=len(exact),
    )  # fmt: skip
    ends = intervals([cluster([100.0 * good for good in right], names)], seed=SEED)[0]
    return Line(
        who, on, len(set(names)), len(rows), counts.accuracy or 0.0,
        ends.low if ends else None, ends.high if ends else None,
        counts.balanced, counts.precision, counts.recall, counts.exact_share or 0.0,
        100 * decided.count(None) / len(rows), 100 * counts.edited / len(rows),
    )  # fmt: skip


def ask_all(
    running: Running, rows: Sequence[Row], settings: Settings, progress: Progress, stage: str
) -> list[str]:
    """What the model answers about each row; the work is shared among processes."""
    from accelerate import PartialState
    from accelerate.utils import gather_object

    state = PartialState()
    order = sorted(range(len(rows)), key=lambda at: len(rows[at].question))  # little padding
    mine = order[state.process_index :: state.num_processes]
    running.model.to(state.device).eval()
    found: list[tuple[int, str]] = []
    for start in range(0, len(mine), AT_ONCE):
        places = mine[start : start + AT_ONCE]
        some = [rows[at] for at in places]
        pictures = [shown(row, settings.pixels) for row in some] if settings.sees else None
        asked = [row.question for row in some]
        found += zip(places, answers(running, asked, pictures, longest=settings.longest),
                     strict=True)  # fmt: skip
        progress(f"asking, {stage}", len(found), len(mine))
    running.model.train()
    gathered = dict(gather_object(found)) if state.num_processes > 1 else dict(found)
    return [gathered[at] for at in range(len(rows))]


def decisions(rows: Sequence[Row], said: Sequence[str]) -> list[bool | None]:
    """What was decided; None where an answer cannot be read."""
    found: list[bool | None] = []
    for row, reply in zip(rows, said, strict=True):
        try:
            found.append(read_decision(row.layer.id, reply).edit)
        except Unreadable:
            found.append(None)
    return found


@dataclass(frozen=True)
class Report:
    """The table of a run as far as it got."""

    lines: Sequence[Line] = ()
    samples: Sequence[Mapping[str, str]] = ()  # some answers of each stage, to look at
    notes: Sequence[str] = field(default=())

    @staticmethod
    def begun(folder: Path, settings: Settings, data: "Data") -> "Report":
        """The table a stopped run had written, or a new one with the floors."""
        path = folder / TABLE
        if path.is_file():
            try:
                kept = json.loads(path.read_bytes())
                lines = [Line(**one) for one in kept["lines"]]
                return Report(lines, kept["samples"], kept["notes"])
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise UserMistake(
                    f"{path} cannot be read: {error}.",
                    "It stands as training wrote it.",
                    "Remove it, and what was asked is asked again.",
                ) from error
        rows = rows_of(data.held_out, sees=settings.sees, form=settings.form)
        lines = [
            line("always keep", "held out", rows, [False] * len(rows)),
            line("always edit", "held out", rows, [True] * len(rows)),
        ]
        return Report(lines, notes=list(data.notes))

    def beside(self, who: str, rows: Sequence[Row], decided: Sequence[bool | None]) -> "Report":
        """The report with somebody else's decisions about the documents held out."""
        return replace(self, lines=[*self.lines, line(who, "held out", rows, decided)])

    @property
    def stages(self) -> set[str]:
        """The stages that are in the table."""
        return {one.who for one in self.lines}

    def having(self, stage: str, on: str, rows: Sequence[Row], said: Sequence[str]) -> "Report":
        """The report with what a stage answered about a part."""
        worth = rewards(said, [row.truth for row in rows])
        both = [one.prompt for one, row in zip(worth, rows, strict=True)
                if row.truth.edit and one.decision]  # fmt: skip
        new = replace(
            line(stage, on, rows, decisions(rows, said)),
            reward=sum(one.total for one in worth) / len(worth),
            bleu=sum(both) / len(both) if both else None,
        )
        some = [{"stage": stage, "question": row.question, "answer": reply, "right": row.answer}
                for row, reply in list(zip(rows, said, strict=True))[:6]]  # fmt: skip
        return replace(self, lines=[*self.lines, new], samples=[*self.samples, *some])

    def keep(self, folder: Path) -> None:
        """Write what there is."""
        told = {"lines": [asdict(one) for one in self.lines], "samples": list(self.samples),
                "notes": list(self.notes)}  # fmt: skip
        written_whole(folder / TABLE, json.dumps(told, indent=1, ensure_ascii=False))

    @property
    def last(self) -> str:
        """The stage that the weights are of."""
        return next((one for one in reversed(STAGES) if one in self.stages), STAGES[0])

    @property
    def warnings(self) -> list[str]:
        """What a reader must not overlook."""
        return [told for one in self.lines for told in _warnings(one)]


def _warnings(one: Line) -> list[str]:
    if one.who.startswith("always"):
        return []
    if one.unreadable == 100:
        return [f"{one.who}, {one.on}: not one answer can be read."]
    if one.edited == 0:
        return [f"{one.who}, {one.on}: it never edits a layer. It answers “Don't Edit” to"
                " everything that can be read: its accuracy is the floor's, and it has learned"
                " nothing of use."]  # fmt: skip
    if one.edited + one.unreadable == 100:
        return [f"{one.who}, {one.on}: it edits every layer it decides about: its accuracy is the"
                " floor's, and it has learned nothing of use."]  # fmt: skip
    return []


def log(folder: Path, step: int, said: Mapping[str, Any]) -> None:
    """Keep what a trainer says of a step."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOG).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"step": step, **said}, default=str) + "\n")


def write_card(folder: Path, settings: Settings, data: "Data", table: Report, base: Base) -> None:
    """Write what has to be known of the reasoner to ask it and to believe it."""
    card = {
        "form": FORM, "base": base.name, "prompt": settings.form, "sees": settings.sees,
        "pixels": settings.pixels if settings.sees else 0, "longest": settings.longest,
        "revision": base.revision, "fingerprint": base.fingerprint, "stage": table.last,
        "data": {"source": data.source, "sha256": data.key, "train": len(data.train),
                 "validation": len(data.validation), "held_out": len(data.held_out)},
        "settings": asdict(settings), "table": [asdict(one) for one in table.lines],
        "warnings": table.warnings, "notes": [PAPER, *table.notes],
    }  # fmt: skip
    written_whole(folder / FILE, json.dumps(card, indent=1, ensure_ascii=False))


# ── in words ────────────────────────────────────────────────────────────────────────────

_HEAD = ("", "documents", "layers", "accuracy (95 %)", "balanced", "precision", "recall",
         "exact sets", "unreadable", "edits", "reward", "BLEU")  # fmt: skip


def report_text(table: Report) -> str:
    """The table, what a reader must not overlook, and what to hold it against."""
    parts = []
    for on in dict.fromkeys(one.on for one in table.lines):
        rows = [_HEAD, *(_cells(one) for one in table.lines if one.on == on)]
        parts.append(f"Layer decisions, {on}\n{_aligned(rows)}")
    parts += [f"Warning: {told}" for told in table.warnings]
    return "\n\n".join([*parts, *table.notes, PAPER])


def _cells(one: Line) -> tuple[str, ...]:
    ends = f" ({one.low:.1f} – {one.high:.1f})" if one.low is not None else ""
    shares = (one.balanced, one.precision, one.recall, one.exact, one.unreadable, one.edited)
    told = ("–" if value is None else f"{value:.1f}" for value in shares)
    small = ("–" if value is None else f"{value:.3f}" for value in (one.reward, one.bleu))
    return (
        one.who,
        f"{one.documents}",
        f"{one.layers}",
        f"{one.accuracy:.1f}{ends}",
        *told,
        *small,
    )


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    wide = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    padded = ([cell.ljust(size) for cell, size in zip(row, wide, strict=True)] for row in rows)
    return "\n".join("  ".join(cells).rstrip() for cells in padded)

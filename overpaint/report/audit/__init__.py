"""The card of an audit: what measures said of probes whose right answer is known."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from overpaint import catalog
from overpaint.report.audit.numbers import Scores
from overpaint.report.audit.verdicts import FAULTS, SOUND, Column, Grade, Line, column_of, rules
from overpaint.report.numbers import count
from overpaint.store import Row, Store
from overpaint.store.calls import Bill


@dataclass(frozen=True)
class AuditCard:
    """An audit as read from its run."""

    run: str
    card_id: str
    benchmark: str
    samples: int
    sources: int
    probes: int
    seed: int
    rules: tuple[str, ...]
    columns: tuple[Column, ...]
    bill: tuple[Bill, ...]

    @property
    def cost(self) -> str:
        """What it cost, in a sentence; a price that nobody knows is said to be unknown."""
        return " ".join(map(_paid, self.bill)) or "No model was asked, so it cost nothing."


def read_audit(store: Store, bill: Iterable[Bill] = ()) -> AuditCard:
    """What the run's measures said of its probes, and what asking models cost."""
    told, seed = dict(store.info.get("audit", {})), store.fact("seed")
    known = {s.id: (s.tags["probe"], s.tags["base"], s.cluster) for s in store.samples()}
    sources = {base: cluster for _, base, cluster in known.values()}
    asked: dict[str, list[str]] = {}
    for probe, base, _ in known.values():
        asked.setdefault(probe, []).append(base)
    rows: dict[str, dict[str, dict[str, Row]]] = {}
    for row in store.rows():
        probe, base, _ = known[row.sample]
        rows.setdefault(row.measure, {}).setdefault(probe, {})[base] = row
    columns = tuple(
        column_of(Scores(catalog.measure(spec), rows.get(name, {}), asked, sources, seed))
        for name, spec in store.measures.items()
    )
    return AuditCard(
        str(store.folder), store.fact("card_id"), str(told.get("benchmark", "")), len(sources),
        len(set(sources.values())), len(asked), int(told.get("seed", 0)), rules(), columns,
        tuple(bill),
    )  # fmt: skip


def as_data(card: AuditCard) -> dict[str, Any]:
    """The card for programs, with the findings of each column sorted as people read them."""
    data = asdict(card)
    for column, told in zip(card.columns, data["columns"], strict=True):
        told |= {key: [told_of(one) for one in found] for key, found in sorted_out(column).items()}
    return data


def sorted_out(column: Column) -> "dict[str, list[Line | Grade]]":
    """The findings by what they say of the measure."""
    kinds = {"noticed": SOUND, "missed": FAULTS, "not_its_job": ("not its job",),
             "no_score": ("no score",)}  # fmt: skip
    return {
        key: [one for one in column.findings if one.verdict in verdicts]
        for key, verdicts in kinds.items()
    }


def _paid(bill: Bill) -> str:
    told = f"{bill.model} was asked {count(bill.calls, 'question')}"
    if bill.unpriced and not bill.price:
        return f"{told}; what it costs is unknown."
    unknown = f", and {bill.unpriced:,} of unknown price" if bill.unpriced else ""
    return f"{told} for ${bill.price:,.2f}{unknown}."


def told_of(one: "Line | Grade") -> str:
    """A finding in one line."""
    return f"{one.title}: {one.verdict} ({one.why})" if one.why else f"{one.title}: {one.verdict}"


def as_json(card: AuditCard) -> str:
    """The card as a JSON file."""
    return json.dumps(as_data(card), ensure_ascii=False, indent=1) + "\n"

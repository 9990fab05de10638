"""What is known of a run's judges, read from its scores, its votes and its call table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from overpaint.measures.bias import (
    Contest,
    Kin,
    SelfPreference,
    contests,
    kin_of,
    self_preferences,
)
from overpaint.measures.human import ratings, read_argument
from overpaint.measures.opinions import MAKERS
from overpaint.measures.reliability import (
    Concord,
    Dispute,
    Judged,
    Retest,
    TotalRetest,
    between_people,
    concords,
    disputes,
    read_judged,
    retests,
    total_retests,
    with_people,
)
from overpaint.measures.standings import Standing, standings
from overpaint.store import Store
from overpaint.store.calls import Bill, bill_of


@dataclass(frozen=True)
class Raters:
    """The people behind a column."""

    column: str
    ratings: int
    people: int
    edits: int  # of this run that they rated
    elsewhere: int  # edits they rated that this run does not have


@dataclass(frozen=True)
class Judging:
    """Everything known of a run's judges."""

    standings: tuple[Standing, ...] = ()
    retests: tuple[Retest, ...] = ()
    totals: tuple[TotalRetest, ...] = ()
    concords: tuple[Concord, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    raters: tuple[Raters, ...] = ()
    people: tuple[Concord, ...] = ()
    contests: tuple[Contest, ...] = ()
    kin: tuple[Kin, ...] = ()
    preferences: tuple[SelfPreference, ...] = ()
    bills: tuple[Bill, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.standings or self.contests)


def read_judging(store: Store, kin: Sequence[tuple[str, str]] = ()) -> Judging:
    """What is known of the judges of a run; `kin` adds to what was declared in it."""
    if not store.contests and not any(_is_opinion(spec) for spec in store.measures.values()):
        return Judging()
    judged, editors = read_judged(store), store.editors
    declared = [(str(judge), str(editor)) for judge, editor in store.info.get("kin", ())]
    related = kin_of(judged, editors, [*declared, *kin], own=store.floors)
    return Judging(
        tuple(standings(judged)), tuple(retests(judged)), tuple(total_retests(judged)),
        tuple(concords(judged)), tuple(disputes(judged)),
        tuple(_raters(judged, store.measures)),
        (*with_people(judged), *_between(judged, store.measures)),
        tuple(contests(store, judged)), tuple(related),
        tuple(self_preferences(judged, related, editors, own=store.floors)),
        tuple(bill_of(store.folder)),
    )  # fmt: skip


def _is_opinion(spec: str) -> bool:
    return spec.partition(":")[0] in MAKERS


def _between(judged: Judged, specs: Mapping[str, str]) -> Iterator[Concord]:
    for one in judged.of_kind("people"):
        given = ratings(*read_argument(specs[one.name].partition(":")[2])[:3]).of
        if (found := between_people(judged, one.name, given)) is not None:
            yield found


def _raters(judged: Judged, specs: Mapping[str, str]) -> Iterator[Raters]:
    for one in judged.of_kind("people"):
        found = ratings(*read_argument(specs[one.name].partition(":")[2])[:3])
        here = judged.statuses[one.name].keys()
        elsewhere = sum(key not in here for key in found.of)
        yield Raters(one.name, found.count, found.raters, len(judged.values[one.name]), elsewhere)


# ── for programs ────────────────────────────────────────────────────────────────────────


def judging_data(judging: Judging) -> dict[str, Any]:
    """Everything known of the judges; null where a number cannot be had."""
    return asdict(judging) | {"bills": [bill_data(bill) for bill in judging.bills]}


def bill_data(bill: Bill) -> dict[str, Any]:
    """A bill for programs; null where a number is not known."""
    return {
        "model": bill.model, "host": bill.host, "calls": bill.calls, "replies": bill.replies,
        "attempts": bill.attempts, "tokens_in": bill.tokens_in or None,
        "tokens_out": bill.tokens_out or None,
        "price": bill.price if bill.replies > bill.unpriced == 0 else None,
        "price_so_far_as_known": bill.price if bill.replies > bill.unpriced else None,
        "replies_of_unknown_price": bill.unpriced,
        "possibly_paid_twice": bill.possibly_paid_twice,
    }  # fmt: skip

"""What becomes of planted conflicts, planted bad edits, and of decisions and results that are good.

Nothing here asks the joint pass or the self-check how it went, but for where a fault was found: a
conflict is gone, a bad edit repaired and a good result spoiled where the outcome says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from milde_conflicts import carried_out, conflicts
from milde_outcomes import found
from milde_spoils import SEED, Spoil, planted
from milde_truths import Truth, truth, wrongs

from overpaint.document import Document
from overpaint.editors.agent import Loop
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.hands import Hands
from overpaint.editors.agent.joint import settle
from overpaint.vision.layers import seen

ROUNDS = 2
GOOD = 120  # good results, the first ones of the planted bad edits' seed
PEACEFUL = 60  # gold decisions


@dataclass(frozen=True)
class Settled:
    """What the joint pass made of one set of decisions."""

    name: str
    kind: str
    planted: bool  # whether there was a conflict at all without it
    left: tuple[str, ...]  # what clashes after it
    disturbed: tuple[str, ...]  # layers that had no part in it and were decided anew


@dataclass(frozen=True)
class Checked:
    """What the self-check made of one result."""

    name: str
    kind: str
    planted: bool  # whether it was wrong without it
    found: bool  # a fault was seen on the right layer, or on the whole
    possible: bool  # the real hands get it right from the source, or it need only be put back
    left: tuple[str, ...]  # what is wrong after it
    changed: bool
    said: tuple[str, ...]


@dataclass(frozen=True)
class Fixed:
    """A reasoner whose mind is made up."""

    decisions: tuple[Decision, ...]
    name: str = "fixed"

    def decide(self, scene: Scene) -> Sequence[Decision]:
        """The same each time."""
        return self.decisions


# ── the joint pass ──────────────────────────────────────────────────────────────────────


def conflict(number: int) -> Settled:
    """One planted conflict, settled and carried out."""
    one = conflicts()[number]
    scene, hands = one.scene(), Hands()
    before = one.decisions(scene)
    after = settle(scene, before).decisions
    there = bool(one.wrong(before, carried_out(scene, before, hands)))
    left = one.wrong(after, carried_out(scene, after, hands))
    changed = [a.layer for a, b in zip(before, after, strict=True) if _said(a) != _said(b)]
    others = tuple(name for name in changed if name not in one.involved)
    return Settled(one.name, one.kind, there, tuple(left), others)


def _said(decision: Decision) -> tuple[bool | None, str]:
    return decision.edit, decision.prompt


def peace(number: int) -> Settled:
    """The peaceful decisions of a conflict's page, which must come out as they went in."""
    one = conflicts()[number]
    scene = one.scene()
    return _unchanged(one.name, "own pages", scene, one.decisions(scene, peaceful=True))


def gold(number: int) -> Settled:
    """The gold decisions of a generated document, which must come out as they went in."""
    case = _good(number)
    scene = _scene(case)
    return _unchanged(f"sample {case.number}", "gold", scene, case.decisions(scene))


def _unchanged(name: str, kind: str, scene: Scene, before: Sequence[Decision]) -> Settled:
    settled = settle(scene, before)
    pairs = zip(before, settled.decisions, strict=True)
    changed = [
        f"{a.layer}: “{b.prompt}”, not “{a.prompt}”" for a, b in pairs if _said(a) != _said(b)
    ]
    return Settled(name, kind, planted=False, left=tuple(changed), disturbed=())


# ── the self-check ──────────────────────────────────────────────────────────────────────


def _scene(case: Truth) -> Scene:
    return Scene(case.source, case.entry["instruction"], seen(case.source))


def _checked(case: Truth, result: Document) -> tuple[Document, list[dict[str, str]]]:
    """The result after the self-check, and the faults it saw at first."""
    decisions = case.decisions(_scene(case))
    loop = Loop(Fixed(decisions), planted(case, result), joint=False, rounds=ROUNDS)
    checked, trace = loop.run(case.source, case.entry["instruction"])
    first = next(step for step in trace if step["step"] == "check")
    return checked, first["faults"]


def spoil(one: Spoil) -> Checked:
    """One planted bad edit, looked at and repaired."""
    case = one.case
    result, where = one.made()
    checked, faults = _checked(case, result)
    seen_there = [fault for fault in faults if fault["layer"] in ("", *where)]
    return Checked(
        name=f"{one.way.name}, {case.language}, sample {one.number}, layer {one.layer}",
        kind=one.way.name, planted=bool(wrongs(case, result)), found=bool(seen_there),
        possible=_possible(case, result), left=tuple(wrongs(case, checked)),
        changed=checked != result, said=tuple(f"{f['layer']}: {f['said']}" for f in faults),
    )  # fmt: skip


def _possible(case: Truth, result: Document) -> bool:
    """Whether what was spoiled can be had right: put back, or edited again as was asked."""
    scene = _scene(case)
    bad = {name for name in case.gold if found(result, name) != found(case.truth, name)}
    again = [one for one in case.decisions(scene) if one.layer in bad]
    edited = carried_out(scene, again, Hands())
    layers = [found(edited, layer.id) if layer.id in bad else layer for layer in case.truth.layers]
    return not wrongs(case, case.truth.having(*(layer for layer in layers if layer is not None)))


def good(number: int) -> Checked:
    """The truth itself, looked at: nothing is to be changed for the worse."""
    case = _good(number)
    checked, faults = _checked(case, case.truth)
    return Checked(
        name=f"sample {case.number}, {case.language}, {case.entry['kind']}", kind="good",
        planted=False, found=bool(faults), possible=True, left=tuple(wrongs(case, checked)),
        changed=checked != case.truth, said=tuple(f"{f['layer']}: {f['said']}" for f in faults),
    )  # fmt: skip


@cache
def _numbers() -> tuple[int, ...]:
    """The first good samples of the known half."""
    return tuple(n for n in range(2 * GOOD) if n // 2 % 2 == 0)


def _good(number: int) -> Truth:
    return truth(_numbers()[number], SEED)

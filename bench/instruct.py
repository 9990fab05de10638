"""How many of the 1,196 real TextEditBench prompts the parser of instructions understands.

The prompts are split in two by the first byte of their SHA-256: even is the tuning half, whose
prompts the rules may be written after; odd is the held-out half, of which only counts are shown.
An annotated operation agrees with ops of these kinds:

    change       replace-text                   insert    insert
    delete       delete                         scaling   scale, restyle with a size
    relocation   move, swap, rotate             attribute restyle, recolour

Where one prompt gives several ops, it agrees if the annotated operation is among them. It is
wrong if it was understood and none is; refused if the parser said that it does not understand.
A prompt quotes text if two quotation marks of any kind stand in it, apostrophes inside words
left out. For held-out prompts that quote text the parser is to agree with at least 85 % and to
be wrong in at most 5 %. The last line is one JSON object.
"""

import argparse
import hashlib
import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from overpaint.benchmarks.textedit import load
from overpaint.document.instruct import parse
from overpaint.document.ops import (
    Delete,
    Insert,
    Move,
    Op,
    Recolour,
    ReplaceText,
    Restyle,
    Rotate,
    Scale,
    Swap,
)
from overpaint.errors import Refused

KINDS: dict[str, tuple[type[Op], ...]] = {
    "change": (ReplaceText,),
    "delete": (Delete,),
    "insert": (Insert,),
    "relocation": (Move, Swap, Rotate),
    "scaling": (Scale,),
    "attribute": (Restyle, Recolour),
}
QUOTE = re.compile("[\"“”„«»「」『』《》]|(?<!\\w)[‘’'`´]|[‘’'`´](?!\\w)")
LEAST_AGREEING, MOST_WRONG = 0.85, 0.05


class Row(NamedTuple):
    """One prompt and what became of it."""

    prompt: str
    operation: str
    tuning: bool
    ops: tuple[Op, ...]  # none: refused
    reason: str

    @property
    def quotes(self) -> bool:
        return len(QUOTE.findall(self.prompt)) >= 2

    @property
    def outcome(self) -> str:
        if not self.ops:
            return "refused"
        agrees = any(isinstance(op, KINDS[self.operation]) for op in self.ops)
        sized = any(isinstance(op, Restyle) and op.size is not None for op in self.ops)
        return "agree" if agrees or (self.operation == "scaling" and sized) else "wrong"


def main() -> None:
    """Parse every prompt; print the counts of both halves, and what is asked for of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", type=int, default=0, help="so many sampled parses, tuning half")
    parser.add_argument("--seed", type=int, default=0, help="of that sample")
    parser.add_argument(
        "--missed", action="store_true", help="what is not agreed with, tuning half"
    )
    args = parser.parse_args()
    data = Path(os.environ.get("OVERPAINT_FIXTURES", ""), "texteditbench", "annotations_all")
    if not os.environ.get("OVERPAINT_FIXTURES") or not data.is_dir():
        print("OVERPAINT_FIXTURES names no folder with texteditbench/annotations_all: skipped.")
        print(json.dumps({"skipped": True}))
        return
    rows = [judge(s.request.instruction, s.tags["operation"]) for s in load(data).samples]
    tuning = [row for row in rows if row.tuning]
    if args.missed:
        show(row for row in tuning if row.outcome != "agree")
    understood = [row for row in tuning if row.ops]
    show(random.Random(args.seed).sample(understood, min(args.show, len(understood))))
    report(rows)


def judge(prompt: str, operation: str) -> Row:
    """What the parser makes of a prompt."""
    tuning = hashlib.sha256(prompt.encode()).digest()[0] % 2 == 0
    try:
        return Row(prompt, operation, tuning, parse(prompt), "")
    except Refused as refusal:
        return Row(prompt, operation, tuning, (), str(refusal))


def show(rows: Iterable[Row]) -> None:
    """Prompts of the tuning half with what was made of them."""
    for row in rows:
        assert row.tuning
        print(f"{row.outcome} · {row.operation} · {row.prompt}")
        for op in row.ops:
            print(f"    {brief(op)}")
        print(f"    {row.reason}" if row.reason else "")


def brief(value: object) -> str:
    """An op without the fields that say nothing."""
    if not hasattr(value, "__dataclass_fields__"):
        return repr(value)
    fields = {name: getattr(value, name) for name in value.__dataclass_fields__}
    plain = type(value)()
    said = [f"{k}={brief(v)}" for k, v in fields.items() if v != getattr(plain, k)]
    return f"{type(value).__name__}({', '.join(said)})"


def report(rows: list[Row]) -> None:
    """A line of counts for every slice, whether the goal is reached, and the JSON."""
    found: dict[str, dict[str, float]] = {}
    print(f"{'':36}{'n':>6}{'understood':>12}{'agree':>8}{'wrong':>8}{'refused':>9}")
    for half in ("tuning", "held out"):
        mine = [row for row in rows if row.tuning == (half == "tuning")]
        for what, chosen in (("all", mine), ("quoted", [row for row in mine if row.quotes])):
            for operation in ("", *KINDS):
                part = [row for row in chosen if operation in ("", row.operation)]
                name = " ".join(filter(None, (half, what, operation)))
                found[name] = counts(part)
                print(f"{name:36}" + line(found[name]))
    goal = found["held out quoted"]
    agree, wrong = goal["agree"] / goal["n"], goal["wrong"] / goal["n"]
    reached = agree >= LEAST_AGREEING and wrong <= MOST_WRONG
    print(f"\nHeld out, quoted: agree {agree:.1%}, wrong {wrong:.1%}: goal "
          f"{'reached' if reached else 'missed'}.")  # fmt: skip
    print(json.dumps(found | {"goal_reached": reached}))


def counts(rows: list[Row]) -> dict[str, float]:
    """How many prompts came out how."""
    outcomes = Counter(row.outcome for row in rows)
    names = ("agree", "wrong", "refused")
    return {"n": len(rows), "understood": len(rows) - outcomes["refused"]} | {
        name: outcomes[name] for name in names
    }


def line(part: dict[str, float]) -> str:
    """The counts of a slice, one below the other with those of all slices."""
    share = f" ({part['agree'] / part['n']:.0%})" if part["n"] else ""
    return (f"{part['n']:>6}{part['understood']:>12}{part['agree']:>8}{part['wrong']:>8}"
            f"{part['refused']:>9}{share}")  # fmt: skip


if __name__ == "__main__":
    main()

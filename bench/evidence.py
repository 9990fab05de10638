"""How much the evidence judge decides, and how often it is right: planted faults, real samples.

The cases are those of `evidence_cases.py`: edits of our own with ten kinds of planted fault, and
faultless ones. Of what is decidable by construction at least 80 % is to be decided; of all
verdicts for which there is a right one, whether it had to be decided or not, 98 % are to be right.

The second part judges the real samples of TextEditBench where `OVERPAINT_FIXTURES` has them:
`identity` must never pass IF; of the truths it shows how many pass, fail and are left open, and
every one that fails, to be looked at. `--dev` judges the cases for tuning instead. One core; the
last line is one JSON object.
"""

import argparse
import hashlib
import json
import os
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from evidence_cases import DEV_SEED, DIMENSIONS, FAULTS, REVISIONS, SEED, Case, cases, stamp

from overpaint.benchmarks.textedit import load
from overpaint.core import Evidence, Sample
from overpaint.document import Document
from overpaint.measures.evidence import verdicts
from overpaint.measures.evidence.judged import Verdict

ASKED = {"decided": 0.80, "right": 0.98}
Told = dict[str, Verdict]


@dataclass
class Tally:
    """What became of some verdicts."""

    decidable: int = 0
    decided: int = 0  # of the decidable ones
    given: int = 0  # verdicts for which there is a right one
    right: int = 0

    def add(self, case: Case, dimension: str, said: bool | None) -> None:
        """Count what was said of one case."""
        right = case.right[dimension]
        if dimension in case.decidable:
            self.decidable += 1
            self.decided += said is not None
        if said is not None and right is not None:
            self.given += 1
            self.right += said == right

    def row(self, name: str) -> str:
        """A line of the table."""
        return (
            f"{name:14} {self.decidable:9} {_share(self.decided, self.decidable):>8}"
            f" {self.given:9} {_share(self.right, self.given):>8}"
        )


@dataclass
class Account:
    """All tallies of a run, and what was wrong."""

    tallies: dict[tuple[str, str], Tally] = field(default_factory=lambda: defaultdict(Tally))
    wrong: list[str] = field(default_factory=list)
    hash: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    count: int = 0

    def add(self, case: Case, told: Told) -> None:
        """Count one case."""
        self.count += 1
        self.hash.update(stamp(case))
        for name in DIMENSIONS:
            said = told[name].passed
            for of in ((case.fault, ""), ("", name), ("", "")):
                self.tallies[of].add(case, name, said)
            if said is not None and case.right[name] not in (None, said):
                verdict = "passed" if said else "failed"
                self.wrong.append(f"{case.name} {name} {verdict}: {'; '.join(told[name].notes)}")


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


@dataclass
class Memory:
    """What was read, kept in a file of lines, so that the next run need not read it again."""

    file: Path | None
    known: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.file is not None and self.file.is_file():
            with self.file.open(encoding="utf-8") as lines:
                self.known.update(json.loads(line) for line in lines)

    def judged(
        self, pair: tuple[Document, Document], instruction: str, masks: Sequence[Document],
        *, implies: bool,
    ) -> Told:  # fmt: skip
        """The verdicts on a source and an output."""
        source, output = pair
        evidence = Evidence(self.known.get)
        found: Told = verdicts(evidence, output, source, instruction, implies, *masks)
        self.known |= evidence.fresh
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as kept:
                kept.writelines(json.dumps(item) + "\n" for item in evidence.fresh.items())
        return found


def planted(seed: int, memory: Memory) -> Account:
    """The judge on the cases of a seed."""
    account = Account()
    for case in cases(seed):
        masks = [] if case.mask is None else [Document.of(np.dstack([case.mask] * 3))]
        pair = Document.of(case.source), Document.of(case.output)
        account.add(case, memory.judged(pair, case.instruction, masks, implies=False))
    return account


def show(account: Account) -> None:
    """The tables, for people."""
    head = f"{'':14} decidable  decided  verdicts    right"
    print(f"\n{head}")
    for fault in FAULTS:
        print(account.tallies[fault, ""].row(fault))
    print(f"\n{head}")
    for name in DIMENSIONS:
        print(account.tallies["", name].row(name))
    print(account.tallies["", ""].row("all"))
    print(f"\nWrong verdicts: {len(account.wrong)}")
    for line in account.wrong:
        print(f"  {line}")


# ── real samples ────────────────────────────────────────────────────────────────────────


def real(memory: Memory) -> dict[str, object] | None:
    """The floors and ceilings of the real samples under the judge; None where they are absent."""
    folder = Path(os.environ.get("OVERPAINT_FIXTURES", "."), "texteditbench", "samples")
    if not folder.is_dir():
        print("\nThe real samples are left out: OVERPAINT_FIXTURES names no texteditbench/samples.")
        return None
    samples = load(folder).samples
    floors = [(sample, _told(memory, sample, sample.request.source)) for sample in samples]
    passed = [sample.id for sample, told in floors if told["IF"].passed]
    print(f"\nReal samples: {len(samples)}. identity passes IF: {len(passed)} {' '.join(passed)}")
    truths = [(s, _told(memory, s, s.target)) for s in samples if s.target is not None]
    shares = {name: _shares(truths, name) for name in DIMENSIONS}
    print(f"Of {len(truths)} truths:   passed   failed     open")
    for name, counts in shares.items():
        print(f"  {name:14} {counts['passed']:10} {counts['failed']:8} {counts['open']:8}")
    for sample, told in truths:
        for name in DIMENSIONS:
            if told[name].passed is False:
                print(f"  failed: {sample.id} {name}: {'; '.join(told[name].notes)}")
    return {"samples": len(samples), "identity_passes_IF": len(passed), "truths": shares}


def _told(memory: Memory, sample: Sample, output: Document) -> Told:
    implies = bool(sample.facts.get("knowledge_prompt"))
    pair = sample.request.source, output
    return memory.judged(pair, sample.request.instruction, sample.masks, implies=implies)


def _shares(truths: list[tuple[Sample, Told]], name: str) -> dict[str, int]:
    words = {True: "passed", False: "failed", None: "open"}
    counts = Counter(words[told[name].passed] for _, told in truths)
    return {word: counts[word] for word in words.values()}


def main() -> None:
    """Judge all cases, then the real samples."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dev", action="store_true", help="the cases for tuning")
    parser.add_argument("--keep", type=Path, help="a file for what was read, for the next run")
    parser.add_argument("--real-only", action="store_true", help="only the real samples")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    memory = Memory(args.keep)
    start, seed = time.perf_counter(), DEV_SEED if args.dev else SEED
    result: dict[str, object] = {}
    if not args.real_only:
        account = planted(seed, memory)
        same = account.hash.hexdigest() == REVISIONS[seed]
        print(f"{account.count} cases of seed {seed}, {'as fixed' if same else 'NOT AS FIXED'}")
        show(account)
        total = account.tallies["", ""]
        decided, right = total.decided / total.decidable, total.right / total.given
        result = {
            "cases": account.count, "as_fixed": same,
            "decidable": total.decidable, "decided": round(decided, 4),
            "verdicts": total.given, "right": round(right, 4),
            "met": decided >= ASKED["decided"] and right >= ASKED["right"],
        }  # fmt: skip
    result |= {"real": real(memory), "seconds": round(time.perf_counter() - start)}
    print()
    print(json.dumps(result))


if __name__ == "__main__":
    main()

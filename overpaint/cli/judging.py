"""Judging: pairwise votes; and show RUN --judges, --bill, --calls, on what came of it."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from overpaint.errors import StoreError, UserMistake
from overpaint.models.prices import Prices, prices
from overpaint.report.judges import judges_text, sheet_text
from overpaint.report.judging import bill_data, judging_data, read_judging
from overpaint.report.numbers import count
from overpaint.report.sheets import bill_sheet
from overpaint.run import Settings
from overpaint.run.votes import vote
from overpaint.store import DATABASE, Store
from overpaint.store.calls import Bill, Call, Calls, bill_of
from overpaint.store.schema import undamaged

PAIRWISE = "pairwise"  # the rubric

UNASKED = "No model has been asked anything in this run."


def ask_votes(args: argparse.Namespace, settings: Settings) -> None:
    """Have models say which of two edits is better, in both orders, where that is not known."""
    if args.kin:
        with Store.open(args.run) as store:
            known = {tuple(pair) for pair in store.info.get("kin", [])}
            store.note(kin=sorted({*known, *read_kin(args.kin, store)}))
    if not args.pairwise:
        if args.pair or args.samples:
            raise UserMistake(
                "--pair and --samples say what is held against each other, but not by whom.",
                todo="Name the judge: --pairwise MODEL",
            )
        return
    specs = [
        name if name.startswith("human:") else f"pairwise:{PAIRWISE}:{name}"
        for name in args.pairwise
    ]
    pairs = [_pair(text) for text in args.pair]
    number = vote(args.run, specs, pairs, samples=args.samples, settings=settings)
    print(f"{count(number, 'vote')} asked for: overpaint show {args.run} --judges", file=sys.stderr)


def _pair(text: str) -> tuple[str, str]:
    one, comma, two = text.partition(",")
    if not comma or not one.strip() or not two.strip() or "," in two:
        raise UserMistake(f"--pair {text!r} does not name two editors.", "Write --pair A,B.")
    return one.strip(), two.strip()


def read_kin(texts: Sequence[str], store: Store) -> list[tuple[str, str]]:
    """(judge, editor) of each JUDGE=EDITOR: made by the same people, so that one may favour it."""
    found, editors = [], store.editors
    for text in texts:
        judge, equals, editor = text.rpartition("=")
        if not equals or not judge or not editor:
            raise UserMistake(f"--kin {text!r} names no judge and editor.", "JUDGE=EDITOR does.")
        if editor not in editors:
            raise UserMistake(
                f"--kin {text!r}: the run has no editor {editor!r}.",
                f"It has {', '.join(editors)}.",
            )
        found.append((judge, editor))
    return found


def show_judges(args: argparse.Namespace) -> int:
    """How far the judges of a run can be relied on."""
    with Store.open(Path(args.name)) as store:
        judging = read_judging(store, read_kin(args.kin, store))
    if args.json:
        _print_json(judging_data(judging))
    else:
        print(judges_text(judging))
    return 0


# ── the bill ────────────────────────────────────────────────────────────────────────────


def show_bill(args: argparse.Namespace) -> int:
    """What each model was asked and what that cost; what is not known is never 0."""
    bills = [_at_price(bill, prices(args.prices)) for bill in bill_of(Path(args.name))]
    if args.json:
        _print_json([bill_data(bill) for bill in bills])
    else:
        print(sheet_text(bill_sheet(bills)) if bills else UNASKED)
    return 0


def _at_price(bill: Bill, known: Prices) -> Bill:
    """A bill whose price was not known when it was run up, at a price that is known now."""
    price = known.of(bill.model)
    if price is None or not bill.replies or bill.unpriced < bill.replies:
        return bill
    return replace(bill, price=price.of(bill.tokens_in, bill.tokens_out), unpriced=0)


# ── the transcript ──────────────────────────────────────────────────────────────────────


def show_calls(args: argparse.Namespace) -> int:
    """Every call as a line of JSON: the words, the pictures by hash, the raw reply, the state."""
    if args.out is not None and args.out.name.startswith(DATABASE):
        raise UserMistake(
            f"{args.out} is where a run keeps what it knows.", "", "Name another file."
        )
    run = Path(args.name)
    with undamaged(run), closing(Calls.open(run)) as calls:
        if args.out is None:
            _write_calls(calls, sys.stdout, ascii_only=True)
            return 0
        try:
            with args.out.open("w", encoding="utf-8", newline="\n") as file:
                number = _write_calls(calls, file, ascii_only=False)
        except OSError as error:
            raise StoreError(f"{args.out} cannot be written: {error.strerror}.") from error
    told = f"{count(number, 'call')} in {args.out}"
    _print_json({"calls": number, "file": str(args.out)}) if args.json else print(told)
    return 0


def _write_calls(calls: Calls, file: IO[str], *, ascii_only: bool) -> int:
    """One line each; a terminal gets no letters that could steer it."""
    number = 0
    for call in calls:
        told = call_data(call, calls.prompt(call.prompt))
        file.write(json.dumps(told, ensure_ascii=ascii_only) + "\n")
        number += 1
    return number


def call_data(call: Call, prompt: str) -> dict[str, Any]:
    """A call for programs: what was asked in full, and what came back as it came."""
    return call._asdict() | {"prompt": prompt, "prompt_hash": call.prompt}


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=1))

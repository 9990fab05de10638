"""Judging: pairwise votes; and show RUN --judges, --bill, --calls, on what came of it."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from overpaint.errors import StoreError, UserMistake
from overpaint.report.numbers import count
from overpaint.report.wording import plain_lines
from overpaint.run import Settings
from overpaint.run.votes import vote
from overpaint.store import Store
from overpaint.store.calls import Bill, Call, Calls

PAIRWISE = "pairwise"  # the rubric

_HEADS = ("model", "host", "calls", "replies", "attempts", "tokens in", "tokens out", "price")


def ask_votes(args: argparse.Namespace, settings: Settings) -> None:
    """Have models say which of two edits is better, in both orders, where that is not known."""
    if args.kin:
        with Store.open(args.run) as store:
            known = {tuple(pair) for pair in store.info.get("kin", [])}
            store.note(kin=sorted({*known, *read_kin(args.kin)}))
    if not args.pairwise:
        if args.pair or args.samples:
            raise UserMistake(
                "--pair and --samples say what is held against each other, but not by whom.",
                todo="Name the judge: --pairwise MODEL",
            )
        return
    specs = [f"pairwise:{PAIRWISE}:{name}" for name in args.pairwise]
    pairs = [_pair(text) for text in args.pair]
    number = vote(args.run, specs, pairs, samples=args.samples, settings=settings)
    print(f"{count(number, 'vote')} asked for: overpaint show {args.run} --judges", file=sys.stderr)


def _pair(text: str) -> tuple[str, str]:
    one, comma, two = text.partition(",")
    if not comma or not one.strip() or not two.strip() or "," in two:
        raise UserMistake(f"--pair {text!r} does not name two editors.", "Write --pair A,B.")
    return one.strip(), two.strip()


def read_kin(texts: Sequence[str]) -> list[tuple[str, str]]:
    """(judge, editor) of each JUDGE=EDITOR: made by the same people, so that one may favour it."""
    found = []
    for text in texts:
        judge, equals, editor = text.rpartition("=")
        if not equals or not judge or not editor:
            raise UserMistake(f"--kin {text!r} names no judge and editor.", "JUDGE=EDITOR does.")
        found.append((judge, editor))
    return found


# ── the bill ────────────────────────────────────────────────────────────────────────────


def show_bill(args: argparse.Namespace) -> int:
    """What each model was asked and what that cost; what is not known is never 0."""
    with closing(Calls.open(Path(args.name))) as calls:
        bills = calls.bill()
    if args.json:
        _print_json([bill_data(bill) for bill in bills])
    else:
        print(plain_lines(bill_text(bills)))
    return 0


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


def bill_text(bills: Sequence[Bill]) -> str:
    """The bills as lines."""
    if not bills:
        return "No model has been asked anything in this run."
    rows = [_HEADS, *(_line(bill) for bill in bills)]
    wide = [max(len(row[at]) for row in rows) for at in range(len(_HEADS))]
    lines = [
        "  ".join(
            cell.ljust(size) if at < 2 else cell.rjust(size)
            for at, (cell, size) in enumerate(zip(row, wide, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, *_remarks(bills)])


def _line(bill: Bill) -> tuple[str, ...]:
    tokens = [f"{n:,}" if n else "unknown" for n in (bill.tokens_in, bill.tokens_out)]
    counts = [f"{n:,}" for n in (bill.calls, bill.replies, bill.attempts)]
    return (bill.model, bill.host, *counts, *tokens, _price(bill))


def _price(bill: Bill) -> str:
    if not bill.replies:
        return "nothing came back"
    if bill.unpriced == bill.replies:
        return "unknown"
    rest = f" + {bill.unpriced:,} unknown" if bill.unpriced else ""
    return f"${bill.price:,.4f}{rest}"


def _remarks(bills: Sequence[Bill]) -> Iterator[str]:
    known = sum(bill.price for bill in bills)
    unknown = sum(bill.unpriced for bill in bills)
    if len(bills) > 1 and known:
        beside = f", and {unknown:,} times what is not known" if unknown else ""
        yield f"In all ${known:,.4f}{beside}."
    if unknown:
        yield "A price is unknown where the list of prices lacks the model: --prices gives yours."
    if twice := sum(bill.possibly_paid_twice for bill in bills):
        yield (
            f"Possibly paid twice: {count(twice, 'attempt')} went out and nothing came back, by a"
            " kill, a cut or a deadline; whether they were charged only the vendor knows."
        )


# ── the transcript ──────────────────────────────────────────────────────────────────────


def show_calls(args: argparse.Namespace) -> int:
    """Every call as a line of JSON: the words, the pictures by hash, the raw reply, the state."""
    with closing(Calls.open(Path(args.name))) as calls:
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

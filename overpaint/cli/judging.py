"""show RUN --judges, --bill, --calls: what judges said, what that cost, every word of it."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from overpaint.errors import StoreError
from overpaint.report.numbers import count
from overpaint.report.wording import plain_lines
from overpaint.store.calls import Bill, Call, Calls

_HEADS = ("model", "host", "calls", "replies", "attempts", "tokens in", "tokens out", "price")


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

"""edit: change a file as a sentence says, or as a plan of ops says."""

import argparse
import json
import sys
import time
from pathlib import Path

from overpaint.document import Document, files, plan
from overpaint.document.ops import Op
from overpaint.errors import OverpaintError, Refused, UserMistake
from overpaint.report.wording import plain


def edit_command(args: argparse.Namespace) -> int:
    """Read a file, do what is asked, write the result and say what was done."""
    ops = _ops(args)
    if args.ops:
        print(json.dumps(plan.to_json(ops), ensure_ascii=False, indent=1))
        return 0
    if args.file is None:
        raise UserMistake("There is no file to edit.", "`overpaint edit FILE …` was expected.")
    out = args.out or _beside(args.file)
    started = time.perf_counter()
    before, after = _edited(args.file, args.page, ops)
    notes = (*after.notes, *files.write(after, out))
    if args.preview:
        from overpaint.report.preview import write_preview

        write_preview(before, after, args.preview)
    _tell(args, out, after, notes, time.perf_counter() - started)
    return 0


def _ops(args: argparse.Namespace) -> tuple[Op, ...]:
    if (args.instruction is None) == (args.apply is None):
        raise UserMistake(
            "What to do is said " + ("not at all." if args.apply is None else "twice."),
            "Either an instruction or --apply PLAN was expected.",
            "For example: overpaint edit page.png \"replace 'Friday' with 'Monday'\" -o out.png",
        )
    if args.apply is None:
        from overpaint.document.instruct import parse

        return parse(args.instruction)
    try:
        return plan.loads(args.apply.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserMistake(f"The plan {args.apply} cannot be read: {error}.") from None


def _edited(path: Path, page: int | None, ops: tuple[Op, ...]) -> tuple[Document, Document]:
    """The page that was meant, before and after: the one asked for, or the only one that fits."""
    from overpaint.editors.typeset import perform

    count = files.pages(path)
    if page is not None or count == 1:
        before = Document(path, page=page or 1)
        return before, perform(before, ops)
    done: list[tuple[int, Document, Document]] = []
    why: OverpaintError | None = None
    for number in range(1, count + 1):
        before = Document(path, page=number)
        try:
            done.append((number, before, perform(before, ops)))
        except Refused as error:
            why = why or error
    if len(done) == 1:
        return done[0][1:]
    if not done and why:
        raise Refused(f"None of the {count} pages of {path} can be edited so.", str(why))
    numbers = ", ".join(str(number) for number, *_ in done)
    raise Refused(
        f"Pages {numbers} of {path} can all be edited so.", "One was expected.",
        f"Say which: --page {done[0][0]}",
    )  # fmt: skip


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.stem}-edited{path.suffix or '.png'}")


def _tell(
    args: argparse.Namespace, out: Path, after: Document, notes: tuple[str, ...], seconds: float
) -> None:
    if args.json:
        told = {"out": str(out), "ops": plan.to_json(after.history), "notes": notes,
                "seconds": round(seconds, 3)}  # fmt: skip
        print(json.dumps(told, ensure_ascii=False, indent=1))
        return
    for note in notes:
        print(plain(note), file=sys.stderr)
    print(plain(f"{out}  ({seconds:.1f} s)"))

"""rate: people look at edits, and what they say is kept like any other score."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from overpaint.errors import UserMistake
from overpaint.rating import raters
from overpaint.rating.book import Book
from overpaint.rating.items import pool_of_run
from overpaint.rating.presets import CONSENT, questions_of
from overpaint.rating.schema import study_file
from overpaint.rating.study import PER_ITEM, Kind, Study
from overpaint.rating.tasks import pool_of_build
from overpaint.report.wording import plain_lines


def rate_command(args: argparse.Namespace) -> int:
    """Begin or go on with a study and serve it, or do what was asked instead."""
    return _serve(args)


def _serve(args: argparse.Namespace) -> int:
    from overpaint.rating.serving import listening, serve

    # First of all: links that were made and could not be told would be lost.
    with listening(args.host, args.port) as listener:
        book, links = begun(args)

        def ready(address: str) -> None:
            found = {"address": address, "study": book.study.name, "id": book.study.id,
                     "links": raters.told(links, address)}  # fmt: skip
            _emit(args.json, found, _told(found))

        with book:
            serve(book, listener, proxy=args.https_behind_proxy, ready=ready)
    return 0


def begun(args: argparse.Namespace) -> tuple[Book, list[raters.Link]]:
    """The study, and the links made now: all when it begins, a new admin's when it goes on."""
    name = args.study or args.kind or "ebench"
    if study_file(args.run, name).exists():
        book = Book.open(args.run, name)
        return book, raters.make_links(book, "admin", 1)
    study = asked_for(args, name)
    pool = pool_of_build(args.run) if study.kind == "tasks" else pool_of_run(args.run, study)
    for note in pool.notes:
        print(note, file=sys.stderr)
    book = Book.begin(args.run, study, pool)
    links = raters.make_links(book, "admin", 1)
    return book, links + raters.make_links(book, "rater", study.raters)


def asked_for(args: argparse.Namespace, name: str) -> Study:
    """The study that the options describe."""
    kind: Kind = args.kind or "ebench"
    given: dict[str, Any] = {
        "raters": args.raters, "per_rater": args.per_rater, "samples": args.samples,
        "training": args.training, "repeats": args.repeats, "minutes": args.minutes,
        "break_minutes": args.break_minutes, "seed": args.seed,
    }  # fmt: skip
    return Study(
        name=name, title=args.title or "Rating edits", kind=kind,
        questions=questions_of(kind, scale=args.scale or "1-5", rubric=args.rubric or ""),
        consent=_consent(args.consent), editors=tuple(args.editor),
        per_item=args.per_item or PER_ITEM.get(kind, 3), ties=not args.no_ties,
        **{key: value for key, value in given.items() if value is not None},
    )  # fmt: skip


def _consent(file: Path | None) -> dict[str, str]:
    if file is None:
        return dict(CONSENT)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserMistake(
            f"The consent text {file} cannot be read: {error}.",
            "A text in UTF-8 was expected; English, then Chinese after a line of ---.",
        ) from error
    english, _, chinese = text.partition("\n---\n")
    return {"en": english.strip(), "zh": chinese.strip() or english.strip()}


def _told(found: dict[str, Any]) -> str:
    lines = [f"Serving the study {found['study']} at {found['address']}  (Ctrl-C ends it)"]
    lines += [f"{one['id']:5} {one['link']}" for one in found["links"]]
    return "\n".join(lines)


def _emit(as_json: bool, data: Any, text: str) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=1) if as_json else plain_lines(text))
    sys.stdout.flush()

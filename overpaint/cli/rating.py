"""rate: people look at edits, and what they say is kept like any other score."""

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overpaint.document import regular
from overpaint.errors import UserMistake
from overpaint.rating import raters
from overpaint.rating.book import Book, studies
from overpaint.rating.gold import read_gold
from overpaint.rating.items import Pool, pool_of_run
from overpaint.rating.presets import CONSENT, questions_of
from overpaint.rating.ratings import Rating
from overpaint.rating.schema import study_file
from overpaint.rating.study import PER_ITEM, Kind, Study
from overpaint.rating.tasks import ANSWERS, TASKS, pool_of_build
from overpaint.report.wording import plain_lines
from overpaint.store import DATABASE

if TYPE_CHECKING:
    from socket import socket


def rate_command(args: argparse.Namespace) -> int:
    """Begin or go on with a study and serve it, or do what was asked instead."""
    if not (_is_run(args.run) or (args.run / TASKS).is_file()):
        raise UserMistake(
            f"There is neither a run nor a build in {args.run}.",
            f"A folder with a {DATABASE} or a {TASKS} in it was expected.",
            "`overpaint list runs` shows what is below this folder.",
        )
    if args.interval and not args.plan:
        raise UserMistake("--interval is about --plan.", "It says how narrow one should be.")
    if args.out and not args.simulate:
        raise UserMistake("-o is where --simulate writes.", "Ratings are written by --export FILE.")
    if (args.seconds or args.comments) and not args.export:
        raise UserMistake(
            "--seconds and --comments are about --export.", "They say what else it writes."
        )
    if args.plan:
        return _plan(args)
    if args.simulate:
        return _simulate(args)
    if args.export:
        return _export(args)
    if args.taken:
        return _import(args)
    if args.collect:
        return _collect(args)
    return _progress(args) if args.progress else _serve(args)


# ── serving ─────────────────────────────────────────────────────────────────────────────


def _serve(args: argparse.Namespace) -> int:
    from overpaint.rating.serving import public_name, serve

    proxy = public_name(args.https_behind_proxy)
    # First of all: links that were made and could not be told would be lost.
    with _listening(args) as listener, opened(args) as book, book.served():
        links = linked(book, args)
        book.note_port(listener.getsockname()[1])

        def ready(address: str) -> None:
            found = {"address": address, "study": book.study.name, "id": book.study.id,
                     "links": raters.told(links, address)}  # fmt: skip
            _emit(args.json, found, _told(found))

        serve(book, listener, proxy=proxy, ready=ready)
    return 0


def _listening(args: argparse.Namespace) -> "socket":
    """Where it listens: at the port asked for, else where links sent before lead, else anywhere."""
    from overpaint.rating.serving import listening

    last = _last_port(args)
    if args.port or not last:
        return listening(args.host, args.port)
    try:
        return listening(args.host, last)
    except UserMistake:
        print(
            f"Port {last}, to which links sent before lead, is taken: they do not work now. Free it"
            " and give the command again, or send new ones: --renew all.", file=sys.stderr,
        )  # fmt: skip
        return listening(args.host, 0)


def _last_port(args: argparse.Namespace) -> int:
    """The port at which the study was served last; 0 where it never was."""
    name = _name(args)
    if not study_file(args.run, name).exists():
        return 0
    with Book.open(args.run, name) as book:
        return book.last_port


def opened(args: argparse.Namespace) -> Book:
    """The study, begun now or gone on with."""
    name = _name(args)
    if study_file(args.run, name).exists():
        book = Book.open(args.run, name)
        book.expect(asked_for(args, name, known=book.study))
        return book
    if args.renew:
        raise UserMistake(f"The study {name} has not begun.", "--renew is for one that has.")
    study, pool = made(args, name)
    for note in pool.notes:
        print(note, file=sys.stderr)
    if study.per_item > study.raters and study.kind != "tasks":
        print(
            f"{study.per_item} raters an item are wanted, and {study.raters} get a link now;"
            " the admin's page makes more.", file=sys.stderr,
        )  # fmt: skip
    return Book.begin(args.run, study, pool)


def linked(book: Book, args: argparse.Namespace) -> list[raters.Link]:
    """The links made now: all where there are none yet, else an admin's and renewed ones."""
    if raters.anyone(book):
        return [*raters.make_links(book, "admin", 1), *raters.renew(book, args.renew)]
    links = raters.first_links(book)
    if (made := len(links) - 1) < book.study.raters:
        print(
            f"{made} raters get a link, not {book.study.raters}: with {book.study.per_item} raters"
            " an item there is nothing for others to rate.", file=sys.stderr,
        )  # fmt: skip
    return links


def made(args: argparse.Namespace, name: str) -> tuple[Study, Pool]:
    """A new study and what it is made of."""
    study = asked_for(args, name)
    if study.kind == "tasks":
        return study, pool_of_build(args.run)
    pool = pool_of_run(args.run, study)
    return study, read_gold(args.gold, study, pool) if args.gold else pool


def _name(args: argparse.Namespace) -> str:
    """The study's name: as said, the only one there is, or its kind."""
    if args.study or args.kind:
        return str(args.study or args.kind)
    there = studies(args.run)
    return there[0] if len(there) == 1 else "ebench" if _is_run(args.run) else "tasks"


def _is_run(folder: Path) -> bool:
    return (folder / DATABASE).is_file()


def asked_for(args: argparse.Namespace, name: str, known: Study | None = None) -> Study:
    """The study that the options describe; what they leave open is as it is known, or usual."""
    kind: Kind = args.kind or (known.kind if known else "ebench" if _is_run(args.run) else "tasks")
    given: dict[str, Any] = {
        "raters": args.raters, "per_rater": args.per_rater, "samples": args.samples,
        "training": args.training, "repeats": args.repeats, "minutes": args.minutes,
        "break_minutes": args.break_minutes, "seed": args.seed, "per_item": args.per_item,
        "title": args.title, "editors": tuple(args.editor) or None,
        "ties": False if args.no_ties else None, "gold": _digest(args.gold),
        "consent": _consent(args.consent) if args.consent else None,
    }  # fmt: skip
    if args.scale or args.rubric or known is None or kind != known.kind:
        scale = args.scale or "1-5"
        given["questions"] = questions_of(kind, scale=scale, rubric=args.rubric or "")
    people = min(PER_ITEM.get(kind, 3), args.raters or Study.raters)
    usual: dict[str, Any] = {"title": "Rating edits", "per_item": people, "consent": dict(CONSENT)}
    if known is not None:
        usual = {key: getattr(known, key) for key in known.__dataclass_fields__}
    said = {key: value for key, value in given.items() if value is not None}
    return Study(**(usual | said | {"name": name, "kind": kind}))


def _digest(file: Path | None) -> str | None:
    import hashlib

    return hashlib.sha256(_read(file, "known answers").encode()).hexdigest() if file else None


def _consent(file: Path) -> dict[str, str]:
    english, _, chinese = _read(file, "consent text").partition("\n---\n")
    return {"en": english.strip(), "zh": chinese.strip() or english.strip()}


def _read(file: Path, what: str) -> str:
    try:
        return regular.read_text(file)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        raise UserMistake(
            f"The {what} in {file} cannot be read: {why}.", "A text file in UTF-8 was expected.",
            "Name a file that is there and that you may read.",
        ) from error  # fmt: skip


def _told(found: dict[str, Any]) -> str:
    lines = [f"Serving the study {found['study']} at {found['address']}  (Ctrl-C ends it)"]
    lines += [f"{one['id']:5} {one['link']}" for one in found["links"]]
    lines += [
        "A link is one person's; it is shown this once, and only its hash is kept. A… is yours and"
        " shows progress; send each R… to one rater.",
        "When they are done:  overpaint rate RUN --collect, then overpaint calibrate RUN",
    ]
    return "\n".join(lines)


# ── instead of serving ──────────────────────────────────────────────────────────────────


def _progress(args: argparse.Namespace) -> int:
    from overpaint.rating.progress import as_text, progress

    with _study(args) as book:
        found = progress(book, time.time())
    _emit(args.json, found, as_text(found))
    return 0


def _study(args: argparse.Namespace) -> Book:
    return Book.open(args.run, args.study or args.kind or "")


def _export(args: argparse.Namespace) -> int:
    from overpaint.rating.exchange import anonymised, export_csv
    from overpaint.rating.exchange_checks import numbered

    ending = args.export.suffix.casefold()
    if ending not in (".csv", ".json"):
        raise UserMistake(
            f"{args.export} is no file of ratings by its name.",
            "CSV ends in .csv, tasks of Label Studio in .json.",
        )
    asked = {"seconds": args.seconds, "comments": args.comments}
    with _study(args) as book:
        if book.study.kind == "tasks":
            raise UserMistake(
                "A study of tasks has no ratings to export.",
                f"What people answered stands in {args.run / ANSWERS}.",
            )
        ratings = anonymised(book.ratings(), book.secret, **asked)
        found: dict[str, Any] = {"file": str(args.export), "ratings": len(ratings)}
        try:
            if ending == ".csv":
                text = export_csv(ratings, **asked)
                args.export.write_text(text, encoding="utf-8", newline="")
            else:
                found["pictures"] = _hand_out(book, ratings, args.export)
        except OSError as error:
            raise UserMistake(f"{args.export} cannot be written: {error.strerror}.") from error
    _emit(args.json, found, f"{numbered(len(ratings), 'is', 'are')} in {args.export}.")
    return 0


def _hand_out(book: Book, ratings: list[Rating], file: Path) -> int:
    """Write tasks for Label Studio, what a project is set up with, and the pictures: how many."""
    from overpaint.rating import exchange_label_studio as label_studio

    questions, items = book.study.questions, book.items()
    pictures = file.with_name(f"{file.stem}-pictures")
    tasks = label_studio.label_studio_tasks(questions, items, ratings, folder=pictures.name)
    config = label_studio.labelling_config(questions, ties=book.study.ties)
    file.write_text(json.dumps(tasks, ensure_ascii=False), encoding="utf-8")
    file.with_suffix(".xml").write_text(config, encoding="utf-8")
    return label_studio.write_pictures(items, pictures)


def _import(args: argparse.Namespace) -> int:
    from overpaint.rating.exchange import read_exchanged
    from overpaint.rating.exchange_checks import numbered

    with _study(args) as book:
        items = {item.id: item for item in book.items()}
        ratings = read_exchanged(args.taken, book.study.questions, items)
        returned = args.taken.suffix.casefold() == ".json"
        taken = book.take(ratings, args.taken.name, returned=returned)
    lines = [f"{numbered(taken.ratings, 'was', 'were')} taken from {args.taken}."]
    if taken.replaced:
        before = numbered(taken.replaced, "that a file", "that a file")
        lines.append(f"That replaced {before} of this name had brought.")
    if taken.known:
        lines.append(
            f"{numbered(taken.known, 'was', 'were')} left out: the study had them already."
        )
    _emit(args.json, {"file": str(args.taken)} | asdict(taken), "\n".join(lines))
    return 0


def _collect(args: argparse.Namespace) -> int:
    from overpaint.rating.filing import collect

    with _study(args) as book:
        found = collect(args.run, book)
    _emit(args.json, found.data(), found.told())
    return 0


def _plan(args: argparse.Namespace) -> int:
    from overpaint.rating.planning import plan, plan_text

    study, pool = made(args, args.study or args.kind or "plan")
    found = plan(study, pool, tuple(args.interval or ()))
    _emit(args.json, found, plan_text(found))
    return 0


def _simulate(args: argparse.Namespace) -> int:
    from overpaint.rating.planning import simulate_ratings

    if args.out is None:
        raise UserMistake("Nowhere was said to write to.", "", "Say where: -o ratings.csv")
    count = simulate_ratings(
        args.run, args.out, raters=args.simulate, per_item=args.per_item or 15, seed=args.seed or 0,
        tell=lambda line: print(line, file=sys.stderr),
    )  # fmt: skip
    _emit(args.json, {"file": str(args.out), "ratings": count}, f"{count:,} ratings: {args.out}")
    return 0


def _emit(as_json: bool, data: Any, text: str) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=1) if as_json else plain_lines(text))
    sys.stdout.flush()

"""compare, report, view, list, show: the commands that read what is there."""

import argparse
import difflib
import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from overpaint import catalog
from overpaint.cli.progress import Bar
from overpaint.core import Measure, Sample
from overpaint.errors import StoreError, UserMistake
from overpaint.report import (
    read_tables,
    references,
    serve,
    text_table,
    trajectory,
    write_report,
)
from overpaint.report.numbers import count
from overpaint.report.wording import plain, plain_lines, typed
from overpaint.store import DATABASE, Row, Store, reading
from overpaint.store.record import protocol

LONGEST = 400  # letters of a command


def report_command(args: argparse.Namespace) -> int:
    """Write the page, its pictures, and the tables in other forms."""
    with Store.open(args.run) as store:
        page = write_report(store, args.out or args.run / "report", progress=Bar())
    _emit(args.json, {"page": str(page)}, f"{page.resolve().as_uri()}")
    return 0


def view_command(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    Store.open(args.run).__exit__()  # a wrong folder is said now, not in the browser

    def ready(address: str) -> None:
        _emit(args.json, {"address": address}, f"Serving {args.run} at {address}  (Ctrl-C ends it)")

    serve(args.run, port=args.port, ready=ready)
    return 0


def list_command(args: argparse.Namespace) -> int:
    """Name what there is."""
    kinds = [args.kind] if args.kind else ["benchmarks", "editors", "measures", "rubrics", "runs"]
    found = {kind: _listed(kind) for kind in kinds}
    wide = max((len(name) for rows in found.values() for name in rows), default=0)
    lines = [
        f"{kind}\n" + "\n".join(f"  {name:{wide}}  {about}" for name, about in rows.items())
        for kind, rows in found.items()
    ]
    _emit(args.json, found, "\n\n".join(lines))
    return 0


def show_command(args: argparse.Namespace) -> int:
    """One thing from the catalogue, or one run, or one sample of it."""
    asked = args.judges or args.bill or args.calls
    if (Path(args.name) / DATABASE).exists():
        return _show_judging(args) if asked else _show_run(args)
    if asked:
        raise UserMistake(
            f"There is no run in {args.name}.",
            "--judges, --bill and --calls are about a run's folder.",
            "`overpaint list runs` shows what is below this folder.",
        )
    if (shown := _rubric(args.name)) is not None:
        _emit(args.json, {"name": args.name, "kind": "rubric", "text": shown}, shown)
        return 0
    kind = _kind_of(args.name)
    if kind != "benchmark":
        about = _about(kind, args.name)
        _emit(args.json, {"name": args.name, "kind": kind, "about": about}, f"{args.name}: {about}")
        return 0
    if args.stats or args.judge:
        from overpaint.cli.building import show_stats

        return show_stats(args)
    bench = catalog.benchmark(args.name)
    card = protocol(bench.card, bench.measures)
    if args.cite:
        _emit(args.json, {"sources": card.sources}, "\n".join(card.sources))
        return 0
    facts = {key: value for key, value in asdict(card).items() if value}
    _emit(args.json, facts, _lines(facts))
    return 0


def _kind_of(name: str) -> str:
    """Whether a name is that of a benchmark, an editor or a measure."""
    if ".py:" in name:
        found = catalog.load("thing", name)
        return "measure" if isinstance(found, Measure) else (
            "benchmark" if hasattr(found, "load") else "editor"
        )  # fmt: skip
    for kind in catalog.KINDS:  # first: a benchmark may be called as its makers of measures are
        if name in catalog.names(kind):
            return kind
    if name.partition(":")[0] in catalog.MAKERS:
        catalog.measure(name)  # says what is wrong with it
        return "measure"
    raise UserMistake(
        f"{name!r} is neither a run's folder nor a name in the catalogue.",
        todo="`overpaint list` shows both.",
    )


def _show_judging(args: argparse.Namespace) -> int:
    from overpaint.cli import judging

    if args.judges:
        return judging.show_judges(args)
    return judging.show_bill(args) if args.bill else judging.show_calls(args)


def _show_run(args: argparse.Namespace) -> int:
    with Store.open(Path(args.name)) as store:
        if args.sample is None:
            facts = dict(store.info) | store.counts()
            _emit(args.json, facts, f"{text_table(read_tables(store))}\n{_lines(_in_short(facts))}")
            return 0
        sample = _find_sample(store, args.sample)
        edits = [edit for name in store.editors if (edit := store.edit(sample, name))]
        [scores] = reading.rows_of(store, reading.samples_of(store, [sample.id])).values()
    pictures = {"source": sample.request.source, "truth": sample.target}
    pictures |= {f"mask {n}": mask for n, mask in enumerate(sample.masks, 1)}
    pictures |= {edit.editor: edit.output for edit in edits}
    facts = {"id": sample.id, "instruction": sample.request.instruction,
             "tags": dict(sample.tags), "facts": dict(sample.facts),
             "references": references.told_data(sample),
             "pictures": {name: str(d.path) for name, d in pictures.items() if d}}  # fmt: skip
    apart = ("references", "pictures")
    lines = facts | {"facts": references.other_facts(sample)}
    text = _lines({key: value for key, value in lines.items() if key not in apart})
    if listed := references.told_lines(sample):
        text += "\n\nReferences\n" + "\n".join(listed)
    text += "\n\n" + _lines(facts["pictures"]) + "\n\n" + "\n".join(map(_score_line, scores))
    told = {edit.editor: edit.trace for edit in edits if edit.trace}
    text += "".join(f"\n\nHow {name} got there\n" + "\n".join(trajectory.told(trace))
                    for name, trace in told.items())  # fmt: skip
    body = facts | {"scores": [row._asdict() for row in scores]}
    _emit(args.json, body | ({"trajectories": told} if told else {}), text)
    return 0


def _in_short(facts: dict[str, Any]) -> dict[str, Any]:
    """A run's facts with its commands as one can type them, a line each."""
    commands = facts.get("commands", ())
    short = facts | {"command": _cut(typed(facts.get("command", "")))}
    if len(commands) < 2:
        short.pop("commands", None)  # it would only say the command again
        return short
    lines = [f"{one.get('started')}  {_cut(typed(one.get('command')))}" for one in commands]
    return short | {"commands": f"\n{'':15}".join(lines)}


def _cut(line: str) -> str:
    line = plain(line)
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _find_sample(store: Store, name: str) -> Sample:
    """The sample of that id, or the only one whose id ends like that."""
    ids = [*reading.ids(store).values()]
    ending = [one for one in ids if one == name] or [one for one in ids if one.endswith(name)]
    if len(ending) == 1:
        return store.sample(ending[0])
    near = ending or difflib.get_close_matches(name, ids, 3, 0.3) or ids
    raise UserMistake(
        f"{len(ending) or 'No'} samples of the run are called {name!r}.",
        f"For example there is {', '.join(near[:3])}.",
    )


def _score_line(row: Row) -> str:
    value = f"{row.value:.5g}" if row.value is not None else f"{row.status}: {row.reason}"
    return f"  {row.editor:16} {row.measure:12} {value}  {'; '.join(row.notes)}".rstrip()


def compare_command(args: argparse.Namespace) -> int:
    """Hold editors against a baseline, with Holm's correction over all that is printed."""
    from overpaint.cli.comparing import compare_runs

    found, text = compare_runs(args)
    _emit(args.json, found, text)
    return 0


def _rubric(name: str) -> str | None:
    """The text of a rubric, built in or in a file; None for any other name."""
    from overpaint.measures import rubric

    if name in rubric.names():
        return (rubric.FOLDER / f"{name}.md").read_text(encoding="utf-8")
    if name.endswith(".md"):
        rubric.load(name)  # says what is wrong with it
        return Path(name).read_text(encoding="utf-8-sig")
    return None


def _listed(kind: str) -> dict[str, str]:
    """The names of a kind, each with one line on what it is."""
    if kind == "runs":
        return _runs()
    if kind == "rubrics":
        from overpaint.measures import rubric

        return {name: rubric.load(name).about for name in rubric.names()}
    made = catalog.FORMS if kind == "measures" else {}
    return {name: _about(kind[:-1], name) for name in catalog.names(kind[:-1])} | made


def _about(kind: str, name: str) -> str:
    """One line on what a catalogued name is."""
    if kind == "measure":
        return catalog.measure(name).about
    if kind == "benchmark":
        return catalog.benchmark(name).card.data.split(". ")[0].rstrip(".")
    return (catalog.editor_class(name).__doc__ or "").split("\n")[0]


def _runs() -> dict[str, str]:
    """The runs in this folder and up to three below it, and how far each has come."""
    depths = ("", "*/", "*/*/", "*/*/*/")
    found = [file for depth in depths for file in sorted(Path().glob(depth + DATABASE))]
    return {str(file.parent): _standing(file.parent) for file in found}


def _standing(folder: Path) -> str:
    try:
        with Store.open(folder) as store:
            counts, card = store.counts(), store.info.get("card_id", "no protocol yet")
    except StoreError as error:
        return str(error)
    return f"{card}, {count(counts['edits'], 'edit')}, {count(counts['scores'], 'score')}"


def _lines(facts: dict[str, Any]) -> str:
    return "\n".join(f"{key.replace('_', ' '):14} {_plain(value)}" for key, value in facts.items())


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_plain(part)}" for key, part in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(_plain, value))
    return str(value)


def _emit(as_json: bool, data: Any, text: str) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=1) if as_json else plain_lines(text))
    sys.stdout.flush()

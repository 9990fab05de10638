"""build, and `show --stats`: sets made from a user's own pages, and what a set is made of."""

import argparse
import json
import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import overpaint.run as pipeline
from overpaint import catalog
from overpaint.cli.progress import Bar
from overpaint.cli.terms import tell, terms_of
from overpaint.core import Sample
from overpaint.engines.corpus import FIGURES, Corpus, describe, layouts_of
from overpaint.errors import UserMistake
from overpaint.report.text import padded, wide
from overpaint.report.wording import plain
from overpaint.work import silent

if TYPE_CHECKING:
    from overpaint.engines.vde import Built
    from overpaint.engines.vde.judged import Judgement


def build_command(args: argparse.Namespace) -> int:
    """Take a build as far as it goes, or make documents."""
    _check_options(args)
    if args.generate is not None:
        return _generate(args)
    if args.set == "milde":
        from overpaint.cli.layered import build_layered

        return build_layered(args)
    if args.set == "refblend":
        from overpaint.cli.blending import build_blended

        return build_blended(args)
    from overpaint.engines.vde import build
    from overpaint.engines.vde.records import Terms

    _check_reader(args.ocr)
    progress = silent if args.quiet else Bar()
    terms = Terms(
        args.workers, args.deadline, args.memory, progress, terms_of(args), tell=tell
    )  # fmt: skip
    built = build(
        args.pages, args.out, editor=args.editor, instructions=args.instructions,
        settings=_settings(args), terms=terms,
    )  # fmt: skip
    return told(args, built)


def told(args: argparse.Namespace, built: "Built") -> int:
    """How far a build has come, for people or for programs; the exit code."""
    for problem in built.problems:
        print(plain(f"not taken: {problem}"), file=sys.stderr)
    if args.json:
        data = {"out": str(built.folder), "steps": built.steps, "next": built.next}
        problems = [str(problem) for problem in built.problems]
        print(json.dumps(data | {"problems": problems, "report": built.report},
                         ensure_ascii=False, indent=1))  # fmt: skip
    else:
        for number, (name, did) in enumerate(built.steps.items(), 1):
            print(f"{number} {name:13} {did}")
        print(plain(f"→ {built.next}"))
    return 1 if built.problems else 0


# What only some of the sets can be told, and by which name.
_ONLY = {
    "editor": "vde", "instructions": "vde", "per_page": "vde", "ocr": "vde", "dpi": "vde",
    "pdf_pages": "vde", "model": "milde refblend", "classes": "milde", "per_document": "milde",
    "dry_run": "milde refblend", "document": "vde milde",
    "captions": "refblend", "combinations": "refblend", "per_image": "refblend",
    "kinds": "refblend", "extractor": "refblend", "judge": "refblend", "personas": "refblend",
}  # fmt: skip


def _check_options(args: argparse.Namespace) -> None:
    """That nothing was said that means nothing for this set."""
    for name, own in _ONLY.items():
        if args.set not in own.split() and getattr(args, name) not in (None, False):
            whose = " and ".join(f"{one}'s" for one in own.split())
            raise UserMistake(
                f"--{name.replace('_', '-')} says nothing about {args.set}.", f"It is {whose}."
            )
    if args.set == "vde" and args.raters == 0:
        raise UserMistake("--raters is 0.", "vde needs people: 1 or more was expected.")


def _check_reader(name: str | None) -> None:
    """That whoever is to read the pages is known, before any page is drawn."""
    from overpaint.models.names import endpoint
    from overpaint.vision.ocr import ENGINES

    if name is None or name in ENGINES:
        return
    if "/" not in name:
        raise UserMistake(
            f"There is no OCR engine called {name!r}.",
            f"Known: {', '.join(ENGINES)}, or a model: http://HOST:PORT/v1#MODEL, VENDOR/MODEL.",
        )
    endpoint(name).key()


def _settings(args: argparse.Namespace) -> Any:
    """What was asked for; options left away keep what the build was begun with."""
    from overpaint.engines.vde.records import Settings, kept_settings

    names = ("seed", "per_page", "ocr", "raters", "document", "dpi", "pdf_pages")
    asked = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    kept = {name: value for name, value in kept_settings(args.out).items() if name in names}
    return Settings(**(kept | asked))


def _generate(args: argparse.Namespace) -> int:
    if args.pages or args.editor or args.instructions or args.model:
        raise UserMistake("--generate makes its own pages and edits.",
                          "It goes with -o and --seed alone.")  # fmt: skip
    progress = None if args.quiet else partial(Bar(), "making")
    if args.set == "milde":
        from overpaint.engines.milde import album

        workers = (os.cpu_count() or 1) if args.workers is None else args.workers
        album.write(args.out, count=args.generate, seed=args.seed or 0, workers=workers,
                    progress=progress)  # fmt: skip
    elif args.set == "refblend":
        from overpaint.engines.scenes import album as pictures

        pictures.write(args.out, count=args.generate, seed=args.seed or 0, progress=progress)
    else:
        from overpaint.engines import documents

        documents.write(args.out, count=args.generate, seed=args.seed or 0, progress=progress)
    out, blended = shlex.quote(str(args.out)), args.set == "refblend"
    next_command = (
        f"overpaint build refblend {out} -o built" if blended
        else f"overpaint run {args.set} --data {out}"
    )  # fmt: skip
    if args.json:
        print(json.dumps({"out": str(args.out), "samples": args.generate, "next": next_command}))
    else:
        made = "pictures" if blended else "documents"
        print(f"{args.generate} {made} in {args.out}\n→ {next_command}")
    return 0


# ── what a set is made of ───────────────────────────────────────────────────────────────────


def show_stats(args: argparse.Namespace) -> int:
    """Corpus statistics and instruction ambiguity of a benchmark's set; heat maps with -o."""
    bench = catalog.benchmark(args.name)
    samples = pipeline.load(bench, args.data, Bar()).samples[: args.limit]
    from overpaint.cli.layered import is_layered, show_layered

    if is_layered(samples):
        return show_layered(args, samples)
    corpus = describe(layouts_of(samples))
    if not corpus.pages:
        raise UserMistake(
            f"No sample of {args.name} says which blocks stand on its page.",
            "The statistics are about blocks: page_blocks in a sample's facts, as vde has them.",
        )
    if args.dry_run:
        return _foretell(args, samples)
    said = _judged(args, samples) if args.judge else None
    openness = _openness(samples)
    if args.out:
        _draw(args.out, args.name, corpus, openness)
    _print_stats(args, corpus, openness, said)
    if args.out:
        print(f"The heat maps: {args.out.resolve().as_uri()}", file=sys.stderr)
    return int(said is not None and bool(said.missing))


def _foretell(args: argparse.Namespace, samples: Sequence[Sample]) -> int:
    """Say what would be asked, and ask nothing."""
    from overpaint.cli.openness import foretold

    expected = foretold(args, samples)
    if args.json:
        print(json.dumps({"samples": len(samples), "asked": [one.data for one in expected]}))
    elif not expected:
        print("Nothing is asked of anybody: no --judge is named.", file=sys.stderr)
    return 0


def _judged(args: argparse.Namespace, samples: Sequence[Sample]) -> "Judgement":
    from overpaint.cli.openness import foretold, heard

    foretold(args, samples)
    return heard(args, samples)


def _print_stats(
    args: argparse.Namespace, corpus: Corpus, openness: Mapping[str, float],
    said: "Judgement | None",
) -> None:  # fmt: skip
    from overpaint.cli.openness import closing, data, rows

    if args.json:
        judged = {} if said is None else {"judged": data(said)}
        print(json.dumps(_data(corpus, openness) | judged, ensure_ascii=False, indent=1))
        return
    print(_text(corpus, openness))
    if said is not None:
        print(f"\n{table(rows(said))}\n{closing(said)}")


def _openness(samples: Iterable[Sample]) -> dict[str, float]:
    """The mean of each dimension over the samples' instructions."""
    from overpaint.engines.vde.ambiguity import DIMENSIONS, of_sample

    found = [of_sample(sample) for sample in samples]
    return {name: sum(one[name].score for one in found) / len(found) for name in DIMENSIONS}


def _draw(out: Path, name: str, corpus: Corpus, openness: Mapping[str, float]) -> None:
    from overpaint.report.heatmaps import heat_page, heat_svg

    if out.suffix.lower() not in (".html", ".svg"):
        raise UserMistake(f"{out} is neither .html nor .svg.", "The heat maps are drawn as one.")
    drawn = heat_svg(corpus) if out.suffix.lower() == ".svg" else heat_page(name, corpus, openness)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(drawn, encoding="utf-8", errors="replace")
    except OSError as error:
        wrong = f"The heat maps cannot be written to {out}: {error.strerror}."
        raise UserMistake(wrong, "A place that can be written was expected.") from None


def _data(corpus: Corpus, openness: Mapping[str, float]) -> dict[str, Any]:
    return {"pages": corpus.pages, "kinds": corpus.kinds, "density": corpus.densities,
            "z": corpus.z, "figures": corpus.figures, "ambiguity": openness}  # fmt: skip


def _text(corpus: Corpus, openness: Mapping[str, float]) -> str:
    figures = [["document", "pages", *FIGURES]]
    for source, row in corpus.figures.items():
        values = [number(row[name]) for name in FIGURES]
        figures.append([plain(source), str(corpus.pages[source]), *values])
    kinds = corpus.kinds[:8]
    scores = [["z of density", *map(plain, kinds)]]
    for source, row in corpus.z.items():
        scores.append([plain(source), *(number(row[kind], sign=True) for kind in kinds)])
    more = len(corpus.kinds) - len(kinds)
    tail = f"and {more} more kinds in --json and the heat map\n" if more > 0 else ""
    means = "  ".join(f"{name} {value:.2f}" for name, value in openness.items())
    return (
        f"{table(figures)}\n\n{table(scores)}\n{tail}\n"
        f"instruction ambiguity by rule (1 leaves nothing open, 5 everything)\n{means}"
    )


def number(value: float | None, *, sign: bool = False) -> str:
    return "–" if value is None else f"{value:{'+' if sign else ''}.2f}"


def table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(wide(row[n]) for row in rows) for n in range(len(rows[0]))]
    return "\n".join(
        "  ".join(padded(cell, width, left=n == 0) for n, (cell, width) in
                  enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    )  # fmt: skip

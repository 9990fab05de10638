"""`overpaint compare`: who beats the baseline, and could the run have shown it?"""

import argparse
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from overpaint import catalog
from overpaint.errors import StoreError, UserMistake
from overpaint.measures.aggregate import Contrast, contrasts
from overpaint.measures.columns import stored_columns
from overpaint.report.text import padded, wide
from overpaint.report.wording import plain
from overpaint.store import Store

FOOTNOTE = """\
difference: editor minus baseline on the samples both have, with its 95 % interval (bootstrap,
clustered by source); p: sign-flip test, after Holm's correction over all rows shown; could show:
the smallest difference this many pairs would reveal with 80 % power at 5 % over all rows shown
(5 % divided by the number of tests, which is what Holm asks of the smallest p)"""


def compare_runs(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """The comparisons of the runs' editors with the baseline, as data and as text."""
    if len(args.run) > 2:
        raise UserMistake(f"{len(args.run)} runs were given.", "One or two can be compared.")
    renamed, measures, cards = _gather(args.run)
    names = [name for one in renamed for name in one.values()]
    if len(set(cards)) > 1 and not args.force:
        raise StoreError(
            f"The runs follow different protocols: {' and '.join(cards)}.",
            "Numbers under two protocols are not comparable.",
            "--force compares them all the same.",
        )
    _check_versions(args.run, args.measure, force=args.force)
    chosen = [catalog.measure(measures.get(name, name)) for name in args.measure or measures]
    baseline = args.baseline or _default_baseline(names)
    if baseline not in names:
        raise UserMistake(f"No editor {baseline!r} here.", f"There are {', '.join(names)}.")
    pairs = [(name, baseline) for name in _compared(args.run, renamed) or names if name != baseline]
    with ExitStack() as opened:
        stores = [opened.enter_context(Store.open(folder)) for folder in args.run]
        columns = stored_columns(chosen, stores, renamed=renamed)
    found = contrasts(columns, chosen, pairs)
    told = [asdict(c) | {"better": c.better, "reversible": c.reversible} for c in found]
    data = {"card_id": cards[0], "baseline": baseline, "comparisons": told}
    return data, _text(found, baseline, cards[0])


def _gather(folders: Sequence[Path]) -> tuple[list[dict[str, str]], dict[str, str], list[str]]:
    """Editors (by run: as stored -> as told), measures (name -> spec), ids of cards.

    Where two runs have an editor of one name, the second's is called NAME@FOLDER.
    """
    renamed: list[dict[str, str]] = []
    measures: dict[str, str] = {}
    cards = []
    for folder in folders:
        with Store.open(folder) as store:
            taken = {name for one in renamed for name in one.values()}
            renamed.append(
                {n: n if n not in taken else f"{n}@{folder.name}" for n in store.editors}
            )
            measures |= store.measures
            cards.append(store.fact("card_id"))
    return renamed, measures, cards


def _check_versions(folders: Sequence[Path], asked: Sequence[str], *, force: bool) -> None:
    """Refuse to compare scores of one name that two measures, judges or prompts have given."""
    known: dict[str, tuple[str, str]] = {}
    for folder in folders:
        with Store.open(folder) as store:
            for name, made in store.made_by().items():
                first = known.setdefault(name, made)
                if first != made and not force and (not asked or name in asked):
                    raise StoreError(
                        f"{name} is {' version '.join(first)} in one run and"
                        f" {' version '.join(made)} in the other.",
                        "Scores of two measures are not comparable, whatever they are called.",
                        "--force compares them all the same; --measure leaves others out.",
                    )


def _compared(folders: Sequence[Path], renamed: Sequence[Mapping[str, str]]) -> list[str]:
    """The editors in question, which floors and ceilings are not.

    Each comparison makes the correction stricter for all, so those nobody asks about stay out.
    """
    found: list[str] = []
    for folder, names in zip(folders, renamed, strict=True):
        with Store.open(folder) as store:
            found += (names[one] for one in catalog.competing(store.editors, store.floors))
    return found


def _default_baseline(names: Sequence[str]) -> str:
    return "identity" if "identity" in names else names[0]


def _text(found: Sequence[Contrast], baseline: str, card: str) -> str:
    heads = ("measure", "editor", "difference", "95 % interval", "p (Holm)", "pairs", "could show",
             "")  # fmt: skip
    lines = [heads, *map(_line, found)]
    widths = [max(wide(line[i]) for line in lines) for i in range(len(heads))]
    body = "\n".join("  ".join(map(padded, line, widths)).rstrip() for line in lines)
    told = dict.fromkeys(
        f"\n{plain(f'{one.measure}: {note}.')}" for one in found for note in one.mixed
    )
    head = f"against {plain(baseline)}, protocol {plain(card)}"
    return f"{head}\n\n{body}\n\n{FOOTNOTE}{''.join(told)}"


def _line(one: Contrast) -> tuple[str, ...]:
    found, names = one.found, (plain(one.measure), plain(one.a))
    if found.difference is None:
        return (*names, "–", "–", "–", str(found.pairs), "–", "; ".join(found.notes))
    span = "–" if found.low is None else f"{_number(found.low)} … {_number(found.high)}"
    return (
        *names, _number(found.difference, sign=True), span, _p(found.p_holm),
        str(found.pairs), _number(found.detectable), _verdict(one),
    )  # fmt: skip


def _verdict(one: Contrast) -> str:
    if one.better is None:
        return "not settled"
    if one.reversible:
        return f"{plain(one.better)} is better on what both have; what is missing could reverse it"
    return f"{plain(one.better)} is better"


def _number(value: float | None, *, sign: bool = False) -> str:
    return "–" if value is None else f"{value:{'+' if sign else ''}.4g}"


def _p(value: float | None) -> str:
    return "–" if value is None else "< .001" if value < 0.001 else f"{value:.3f}"

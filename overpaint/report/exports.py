"""The tables as Markdown, CSV, LaTeX and JSON; whatever came from outside is escaped for each."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache
from itertools import chain, product
from typing import Any

from overpaint.core import IDENTICAL, Measure
from overpaint.measures.aggregate import Summary
from overpaint.report.decisions import COLUMNS, decisions_sheet
from overpaint.report.gaps import LEAD, TITLE, gap_board, gap_notes, no_gaps, told_share
from overpaint.report.judging import Judging, judging_data
from overpaint.report.numbers import NO_BOUND, arrow, count, interval, number, percent
from overpaint.report.tables import Entry, Slice, Tables
from overpaint.report.wording import UNSETTLED, absence, plain
from overpaint.store import Row, Store, Vote, reading
from overpaint.store.samples import listed

_MARKDOWN = re.compile(r"([\\`*_{}\[\]#|<>~&$:@])")
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "–": "--", "−": r"$-$",
    "±": r"$\pm$", "×": r"$\times$",
}  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_AT_ONCE = 20_000  # lines held at a time


# ── Markdown ────────────────────────────────────────────────────────────────────────────────


def markdown(tables: Tables) -> str:
    """The leaderboard and one table for each tag and measure."""
    info = tables.info
    head = f"# {in_markdown(str(info.get('benchmark', 'run')))}\n\n{_subtitle(tables)}\n"
    blocks = [head, _markdown_leaderboard(tables)]
    blocks += [f"{in_markdown(told)}\n" for told in tables.mixed]
    blocks += [*_markdown_decisions(tables), *_markdown_gaps(tables)]
    for tag, parts in tables.tags().items():
        blocks.append(f"\n## By {in_markdown(tag)}\n")
        blocks += [_markdown_breakdown(tables, measure, parts) for measure in tables.measures]
    return "\n".join(blocks)


def _markdown_decisions(tables: Tables) -> Iterator[str]:
    """What was decided about layers, beside what needs no decision."""
    if sheet := decisions_sheet(tables):
        yield f"## {sheet.title}\n\n{in_markdown(sheet.lead)}\n"
        yield _pipes(sheet.heads, ([in_markdown(str(cell)) for cell in row] for row in sheet.rows))
        yield f"{in_markdown(sheet.remarks[0])}\n"


def _markdown_gaps(tables: Tables) -> Iterator[str]:
    """How much of the way from source to truth each went, or why that cannot be said."""
    yield f"\n## {TITLE}\n"
    if (why := no_gaps(tables)) is not None:
        yield in_markdown(why) + "\n"
        return
    board = gap_board(tables)
    heads = ["editor", *(in_markdown(measure.name) for measure in board.measures)]
    rows = [
        [_named(entry), *(in_markdown(told_share(board.at(entry, m))) for m in board.measures)]
        for entry in board.entries
    ]
    yield f"{in_markdown(LEAD.format(*tables.ends))}.\n"
    yield _pipes(heads, rows)
    yield from (f"{in_markdown(line)}\n" for line in gap_notes(tables))


def in_markdown(text: str) -> str:
    """Text that Markdown shows as it is: no markup, no links, no table cells of its own."""
    return _MARKDOWN.sub(r"\\\1", plain(text))


def _subtitle(tables: Tables) -> str:
    card = plain(str(tables.info.get("card_id", ""))).replace("`", "'")
    missing = (
        "" if tables.whole else f" A percentage is the share that could be scored. {UNSETTLED}"
    )
    return (
        f"Protocol `{card}`, {count(tables.samples, 'sample')}."
        f" Values with 95 % intervals.{missing}"
    )


def _markdown_leaderboard(tables: Tables) -> str:
    heads = ["editor", "n", *(_heading(measure) for measure in tables.measures)]
    entries = tables.ranked(tables.measures[0]) if tables.measures else tables.entries
    rows = [
        [_named(entry), str(tables.denominator(entry)),
         *(_markdown_cell(tables, entry, m) for m in tables.measures)]
        for entry in entries
    ]  # fmt: skip
    return _pipes([in_markdown(head) for head in heads], rows)


def _markdown_cell(tables: Tables, entry: Entry, measure: Measure) -> str:
    text = in_markdown(_told(tables, entry, measure))
    return f"**{text}** best" if entry.name in tables.best(measure) else text


def _markdown_breakdown(tables: Tables, measure: Measure, parts: Sequence[Slice]) -> str:
    decimals = tables.decimals[measure.name]
    heads = [in_markdown(_heading(measure)), "n", *(_named(entry) for entry in tables.entries)]
    rows = [
        [
            in_markdown(part.value),
            str(tables.slices[part]),
            *(_brief(tables.at(e, measure, part), decimals) for e in tables.entries),
        ]
        for part in parts
    ]
    return _pipes(heads, rows)


def _brief(summary: Summary, decimals: int) -> str:
    """A cell of a breakdown: the value, and its coverage where that is not whole."""
    if summary.value is None:
        return IDENTICAL if summary.identical else NO_BOUND
    share = f" ({percent(summary.scored, summary.n)})" if summary.scored < summary.n else ""
    return number(summary.value, decimals) + share


def _pipes(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = [":--", *("--:" for _ in heads[1:])]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, rule, *rows]) + "\n"


def _heading(measure: Measure) -> str:
    unit = f" {measure.unit}" if measure.unit else ""
    return f"{measure.name}{unit} {arrow(measure)}"


def _named(entry: Entry) -> str:
    role = "" if entry.role == "editor" else f" ({entry.role})"
    return in_markdown(entry.name) + role


def _told(tables: Tables, entry: Entry, measure: Measure) -> str:
    summary = tables.at(entry, measure)
    if summary.value is None:
        return absence(summary, tables.why(entry, measure))
    decimals = tables.decimals[measure.name]
    share = f"{percent(summary.scored, summary.n)} scored" if summary.scored < summary.n else ""
    beside = ", ".join(part for part in (interval(summary, decimals), share) if part)
    return number(summary.value, decimals) + (f" ({beside})" if beside else "")


# ── LaTeX ───────────────────────────────────────────────────────────────────────────────────


def latex(tables: Tables) -> str:
    """The leaderboard as a table for booktabs, best values bold."""
    heads = ["Editor", "n", *(_heading(measure) for measure in tables.measures)]
    ranked = tables.ranked(tables.measures[0]) if tables.measures else tables.entries
    lines = []
    for before, entry in zip([None, *ranked], ranked, strict=False):
        if before and before.role == "editor" != entry.role:
            lines.append(r"\midrule")
        lines.append(_latex_row(tables, entry))
    card = in_latex(str(tables.info.get("card_id", "")))
    return "\n".join([
        "% needs \\usepackage[T1]{fontenc} and \\usepackage{booktabs}",
        r"\begin{table}", r"\centering",
        rf"\caption{{{in_latex(str(tables.info.get('benchmark', 'run')))}, protocol {card},"
        rf" $n = {tables.samples}$; 95\,\% intervals in brackets{_coverage_told(tables)}.}}",
        rf"\begin{{tabular}}{{lr{'r' * len(tables.measures)}}}", r"\toprule",
        " & ".join(in_latex(head) for head in heads) + r" \\", r"\midrule",
        *lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", "",
    ])  # fmt: skip


def _coverage_told(tables: Tables) -> str:
    return "" if tables.whole else r", then the share of rows that could be scored"


def in_latex(text: str) -> str:
    """Text that LaTeX sets as it is."""
    return "".join(_LATEX.get(letter, letter) for letter in plain(text))


def _latex_row(tables: Tables, entry: Entry) -> str:
    role = "" if entry.role == "editor" else rf" \emph{{({entry.role})}}"
    cells = [_latex_cell(tables, entry, measure) for measure in tables.measures]
    name, count = in_latex(entry.name) + role, str(tables.denominator(entry))
    return " & ".join([name, count, *cells]) + r" \\"


def _latex_cell(tables: Tables, entry: Entry, measure: Measure) -> str:
    summary = tables.at(entry, measure)
    if summary.value is None:
        return rf"\emph{{{in_latex(absence(summary, tables.why(entry, measure)))}}}"
    decimals = tables.decimals[measure.name]
    value = in_latex(number(summary.value, decimals))
    value = rf"\textbf{{{value}}}" if entry.name in tables.best(measure) else value
    span = in_latex(interval(summary, decimals))
    share = in_latex(percent(summary.scored, summary.n)) if summary.scored < summary.n else ""
    beside = ", ".join(part for part in (f"[{span}]" if span else "", share) if part)
    return f"{value} {{\\footnotesize {beside}}}" if beside else value


# ── CSV ─────────────────────────────────────────────────────────────────────────────────────

SUMMARY_FIELDS = (
    "n", "scored", "coverage", "value", "low", "high", "if_worst", "if_best", "median",
    "identical", "clusters",
)  # fmt: skip


def summary_csv(tables: Tables) -> str:
    """One line for each slice, editor and measure, with everything known about it."""
    heads = ("protocol", "tag", "slice", "editor", "role", "measure", "unit", *SUMMARY_FIELDS)
    card = str(tables.info.get("card_id", ""))
    return "".join(_csv(heads, ([card, *row] for row in _summary_rows(tables))))


def _summary_rows(tables: Tables) -> Iterator[list[Any]]:
    for part, entry, measure in product(tables.slices, tables.entries, tables.measures):
        summary = tables.at(entry, measure, part)
        numbers = [getattr(summary, name) for name in SUMMARY_FIELDS]
        yield [
            part.tag or "all", part.value or "all",
            entry.name, entry.role, measure.name, measure.unit, *numbers,
        ]  # fmt: skip


GAP_FIELDS = (
    "n", "scored", "share", "low", "high", "if_worst", "if_best", "gap", "clusters",
)  # fmt: skip


def gaps_csv(tables: Tables) -> str:
    """One line for each measure and editor: the share of the gap from source to truth."""
    heads = ("protocol", "editor", "role", "measure", *GAP_FIELDS, "notes")
    card = str(tables.info.get("card_id", ""))
    roles = {entry.name: entry.role for entry in tables.entries}
    rows = (
        [card, gap.editor, roles[gap.editor], gap.measure,
         *(getattr(gap, name) for name in GAP_FIELDS), "; ".join(gap.notes)]
        for gap in tables.gaps
    )  # fmt: skip
    return "".join(_csv(heads, rows))


def scores_csv(store: Store) -> Iterator[str]:
    """Every score there is, one a line, some thousands of lines at a time.

    What many rows say is written by the writer of CSV once, and put together by hand.
    """
    ids = {number: _cells((name,)) for number, name in reading.ids(store).items()}
    keys = {key: _cells(names) for key, names in reading.key_names(store).items()}
    yield ",".join(Row._fields) + "\n"
    told = lru_cache(maxsize=4096)(_told_csv)
    found: list[str] = []
    for sample, key, value, status, reason, notes, weight, seconds in reading.lines(store):
        if sample not in ids or key not in keys:  # it has come meanwhile
            continue
        number = "" if value is None else repr(value)
        found.append(
            f"{ids[sample]},{keys[key]},{number},{told(status, reason, notes)},"
            f"{weight!r},{seconds!r}\n"
        )
        if len(found) >= _AT_ONCE:
            yield "".join(found)
            found.clear()
    yield "".join(found)


def _told_csv(status: str, reason: str, notes: str) -> str:
    return _cells((status, reason, "; ".join(map(str, listed(notes)))))


def votes_csv(votes: Iterable[Vote]) -> Iterator[str]:
    """Every vote for one of two edits, one a line, line by line."""
    return _csv(Vote._fields, ([*vote[:-1], "; ".join(vote.notes)] for vote in votes))


def _cells(texts: Sequence[str]) -> str:
    """Cells as the writer of CSV writes them among others."""
    return _line([*texts, 0]).removesuffix(",0")


def _csv(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    return (f"{_line(row)}\n" for row in chain([heads], rows))


def _line(row: Sequence[Any]) -> str:
    """A row without its end; a cell that breaks the line is quoted."""
    out = io.StringIO()
    # The writer quotes only those breaks that its own end has.
    csv.writer(out, lineterminator="\r\n").writerow(map(in_csv, row))
    return out.getvalue().removesuffix("\r\n")


def in_csv(cell: Any) -> Any:
    """Numbers as they are, nothing for None; text that a spreadsheet would run gets a '."""
    if not isinstance(cell, str):
        return cell
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) else cell


# ── JSON ────────────────────────────────────────────────────────────────────────────────────


def as_json(tables: Tables) -> str:
    """Everything in the tables, with full precision."""
    body = {
        "run": dict(tables.info),
        "samples": tables.samples,
        "measures": [_measure(measure) for measure in tables.measures],
        "editors": [asdict(entry) for entry in tables.entries],
        "results": list(_results(tables)),
        "gaps": [asdict(gap) for gap in tables.gaps],
        "no_gaps": no_gaps(tables),
        "failures": [asdict(failure) for failure in tables.failures],
    } | ({"layer_floors": _layer_floors(tables)} if tables.floors else {})
    return json.dumps(body, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _layer_floors(tables: Tables) -> dict[str, dict[str, float | None]]:
    """What deciding about layers without a look at them gets, by measure."""
    return {
        name: {measure: getattr(counts, share) for measure, (share, _) in COLUMNS.items()}
        for name, counts in tables.floors.items()
    }


def _measure(measure: Measure) -> dict[str, Any]:
    names = (
        "name", "version", "higher_is_better", "worst", "best", "pool", "scope", "unit", "about"
    )  # fmt: skip
    return {name: getattr(measure, name) for name in names}


def _results(tables: Tables) -> Iterator[dict[str, Any]]:
    for part, entry, measure in product(tables.slices, tables.entries, tables.measures):
        summary = tables.at(entry, measure, part)
        where = {"tag": part.tag or "all", "slice": part.value or "all"}
        statuses = {} if part.tag else {"statuses": tables.why(entry, measure).statuses}
        who = {"editor": entry.name, "measure": measure.name}
        yield where | who | _numbers(summary) | {"notes": summary.notes} | statuses


def _numbers(summary: Summary) -> dict[str, Any]:
    return {name: getattr(summary, name) for name in SUMMARY_FIELDS}


def judges_json(judging: Judging) -> str:
    """Everything known of the judges, with full precision."""
    return json.dumps(judging_data(judging), ensure_ascii=False, indent=1, allow_nan=False)

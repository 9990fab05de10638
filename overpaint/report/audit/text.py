"""The card of an audit for a terminal, at most 100 columns wide."""

import textwrap
from collections.abc import Iterator, Sequence

from overpaint.report.audit import AuditCard
from overpaint.report.audit.verdicts import Column, Grade, Line, percent_of
from overpaint.report.numbers import count
from overpaint.report.text import WIDTH, padded, wide
from overpaint.report.wording import plain, status

_GAP = "  "
_LONGEST = 160  # characters of a reason
LEGEND = (
    "% of samples in which the truth is scored better than the probe, a tie counting half; of"
    " damage the first of five levels from which it is noticed"
)


def audit_text(card: AuditCard) -> str:
    """The verdicts, one column a measure, and in a sentence what they come to."""
    title = f"{count(card.samples, 'sample')} of {plain(card.benchmark)}"
    head = f"audit · {title} · {count(card.probes, 'probe')} each · {card.card_id}"
    names = ["probe", *(finding.title for finding in _first(card))]
    blocks = [_table(names, block) for block in _blocks(names, card.columns)]
    return "\n\n".join([head, *blocks, "\n".join(textwrap.wrap(LEGEND, WIDTH)), *_told(card)])


def _first(card: AuditCard) -> Sequence[Line | Grade]:
    return card.columns[0].findings if card.columns else ()


def _blocks(names: Sequence[str], columns: Sequence[Column]) -> Iterator[list[list[str]]]:
    """As many columns side by side as fit; the rest below, under the names again."""
    block: list[list[str]] = []
    used = first = max(map(wide, names))
    for column in columns:
        cells = [plain(column.measure), *map(_cell, column.findings)]
        needed = len(_GAP) + max(map(wide, cells))
        if block and used + needed > WIDTH:
            yield block
            block, used = [], first
        block.append(cells)
        used += needed
    yield block


def _cell(found: Line | Grade) -> str:
    if isinstance(found, Grade):
        return f"{found.verdict} from {found.noticed_from}" if found.noticed_from else found.verdict
    if found.claim != "worse" or found.share is None or found.verdict == "not its job":
        return found.verdict
    return f"{found.verdict} {percent_of(found.share.value)}"


def _table(names: Sequence[str], columns: Sequence[Sequence[str]]) -> str:
    widths = [max(map(wide, column)) for column in (names, *columns)]
    lines = [
        _GAP.join(map(padded, cells, widths)).rstrip()
        for cells in zip(names, *columns, strict=True)
    ]
    rule = "─" * (sum(widths) + len(_GAP) * (len(widths) - 1))
    return "\n".join([lines[0], rule, *lines[1:]])


def _told(card: AuditCard) -> Iterator[str]:
    for column in card.columns:
        lines = [f"{plain(column.measure)}: {column.headline}", *_unscored(column)]
        yield "\n".join(
            part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent="  ")
        )


def _unscored(column: Column) -> Iterator[str]:
    """What has no score, by status, with the first reason."""
    reasons: dict[str, str] = {}
    lines = [line for found in column.findings for line in lines_in(found)]
    for line in lines:
        for reason in line.reasons:
            reasons.setdefault(reason, line.title)
    missing = {name: n for name, n in column.statuses.items() if name not in ("ok", "identical")}
    if missing:
        told = ", ".join(f"{n:,} {status(name)}" for name, n in missing.items())
        yield f"  without a score: {told}"
    for reason, title in list(reasons.items())[:3]:
        yield f"  {title}: {plain(reason)[:_LONGEST]}"


def lines_in(found: Line | Grade) -> tuple[Line, ...]:
    """The lines a finding is made of: itself, or a damage's levels."""
    return found.levels if isinstance(found, Grade) else (found,)

"""What a reader must know beside the numbers, as HTML: header, failures, protocol, the run."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from overpaint.core import IDENTICAL
from overpaint.report.markup import Html, join, node, prose
from overpaint.report.numbers import count
from overpaint.report.results import scrolling
from overpaint.report.tables import Failure, Tables
from overpaint.report.wording import helpful_command, status, typed

GROUPS_SHOWN = 60


# ── header ──────────────────────────────────────────────────────────────────────────────────


def header(tables: Tables) -> Html:
    """What this is a report of."""
    info = tables.info
    editors = sum(entry.role == "editor" for entry in tables.entries)
    marks = len(tables.entries) - editors
    facts = [
        count(tables.samples, "sample"),
        count(editors, "editor") if editors else None,
        f"{marks} {'floor or ceiling' if marks == 1 else 'floors and ceilings'}" if marks else None,
        count(len(tables.measures), "measure"),
        day(str(info.get("created", ""))),
        f"overpaint {info.get('versions', {}).get('overpaint', '')}".strip(),
    ]
    card = node("a", str(info.get("card_id", "")), href="#protocol", class_="card-id")
    return join(
        node("p", "Overpaint report", class_="kicker"),
        node("h1", str(info.get("benchmark", "run"))),
        node("p", *(node("span", fact) for fact in facts if fact), card, class_="facts"),
    )


def day(moment: str) -> str:
    """`15 November 2026` of an ISO moment; anything else as it is."""
    try:
        when = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return f"{when.day} {when:%B %Y}"


# ── failures ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Group:
    """Rows that are missing for the same reason, wherever they are."""

    status: str
    reason: str
    editors: tuple[str, ...]
    measures: tuple[str, ...]
    count: int


def grouped(failures: Iterable[Failure]) -> list[Group]:
    """Failures by status and reason, the commonest first."""
    found: dict[tuple[str, str], list[Failure]] = {}
    for failure in failures:
        found.setdefault((failure.told, failure.reason), []).append(failure)
    groups = [
        Group(
            name, reason,
            tuple(dict.fromkeys(one.editor for one in members)),
            tuple(dict.fromkeys(one.measure for one in members)),
            sum(one.count for one in members),
        )
        for (name, reason), members in found.items()
    ]  # fmt: skip
    return sorted(groups, key=lambda group: (-group.count, group.status, group.reason))


def failures(tables: Tables) -> Html:
    """What is missing and why, and apart from it what was never asked."""
    # An edit that was not made is told once, not again for each measure that lacks it.
    inside = grouped(f for f in tables.failures if f.status not in ("not_applicable", "no_edit"))
    pooled = {measure.name for measure in tables.measures if measure.pool == "psnr"}
    beyond = [f for f in tables.failures if f.status == "not_applicable" and f.measure != "edit"]
    same = grouped(f for f in beyond if f.told == IDENTICAL and f.measure in pooled)
    outside = grouped(f for f in beyond if f.told != IDENTICAL or f.measure not in pooled)
    parts = [
        _groups(inside, "Missing, and counted as missing")
        if inside
        else node("p", "Nothing is missing.", class_="quiet")
    ]
    if same:
        told = "Identical to the reference: no PSNR of their own, counted as no error."
        parts += [node("h3", "Identical"), node("p", told, class_="quiet"), _groups(same, told)]
    if outside:
        told = "The question did not arise there, or has no number for an answer."
        parts += [node("h3", "Outside the count"), node("p", told, class_="quiet"),
                  _groups(outside, "Not applicable, outside the count")]  # fmt: skip
    return join(*parts, node("h3", "By editor and measure"), _matrix(tables))


def _groups(groups: list[Group], told: str) -> Html:
    heads = ("Rows", "What", "Why", "Editors", "Where", "What helps")
    head = node("tr", *(node("th", text, scope="col") for text in heads))
    lines = [_group(group) for group in groups[:GROUPS_SHOWN]]
    table = node("table", node("thead", head), node("tbody", *lines), class_="plain")
    more = len(groups) - GROUPS_SHOWN
    note = f"{more:,} more reasons are in scores.csv." if more > 0 else None
    return join(scrolling(table, told), node("p", note, class_="quiet") if note else None)


def _group(group: Group) -> Html:
    command = helpful_command(group.status, group.reason)
    return node(
        "tr",
        node("td", f"{group.count:,}", class_="figure"),
        node("td", status(group.status)),
        node("td", prose(group.reason or "–"), class_="long"),
        node("td", ", ".join(group.editors)),
        node("td", ", ".join(group.measures)),
        node("td", node("code", command) if command else "–"),
    )


def _matrix(tables: Tables) -> Html:
    heads = ["Editor", *(measure.name for measure in tables.measures)]
    head = node("tr", *(node("th", text, scope="col") for text in heads))
    lines = []
    for entry in tables.entries:
        cells = []
        for measure in tables.measures:
            statuses = tables.why(entry, measure).statuses
            cells.append(", ".join(f"{n:,} {status(name)}" for name, n in statuses.items()))
        lines.append(
            node("tr", node("th", entry.name, scope="row"), *(node("td", cell) for cell in cells))
        )
    table = node("table", node("thead", head), node("tbody", *lines), class_="plain")
    return scrolling(table, "Statuses by editor and measure")


# ── protocol and run ────────────────────────────────────────────────────────────────────────


def protocol(tables: Tables) -> Html:
    """The protocol card: whatever would change a number if it changed."""
    card = tables.info.get("card") or {}
    return join(
        node("p", "Two results compare only under the same id: ",
             node("code", str(tables.info.get("card_id", ""))), class_="quiet"),
        _facts({key: value for key, value in card.items() if value not in ("", (), [], None)}),
    )  # fmt: skip


_TOLD_ELSEWHERE = frozenset(
    {"card", "card_id", "benchmark", "editors", "measures", "breakdowns", "claimed", "floors"}
)
_RUN_ORDER = ("command", "commands", "data", "created", "seed", "versions", "weights")


def run_details(tables: Tables) -> Html:
    """How the numbers were made: command, versions, seed, hashes of weights."""
    info = {key: value for key, value in tables.info.items() if key not in _TOLD_ELSEWHERE}
    if len(info.get("commands", ())) < 2:
        info.pop("commands", None)  # it would only say the command again
    order = [key for key in _RUN_ORDER if key in info]
    return _facts({key: info[key] for key in [*order, *(k for k in info if k not in order)]})


def _facts(facts: Mapping[str, Any]) -> Html:
    pairs = []
    for key, value in facts.items():
        pairs.append(node("dt", key.replace("_", " ")))
        pairs.append(node("dd", _fact(key, value)))
    return node("dl", *pairs, class_="facts-list")


def _fact(key: str, value: Any) -> Html | str:
    if key == "command" and isinstance(value, list):
        return node("code", typed(value))
    if key == "commands" and isinstance(value, list):
        return node("ul", *(node("li", f"{v.get('started')} ", _command(v)) for v in value))
    if isinstance(value, Mapping):
        inside = [node("li", f"{name} ", node("code", _brief(v))) for name, v in value.items()]
        return node("ul", *inside) if inside else "none"
    if isinstance(value, list | tuple):
        return node("ul", *(node("li", _brief(v)) for v in value)) if value else "none"
    return node("code", _brief(value)) if key == "command" else _brief(value)


def _command(entry: Mapping[str, Any]) -> Html:
    return node("code", typed(entry.get("command")))


def _brief(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

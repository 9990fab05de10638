"""The tables of the MiLDE bench, for people, and the figures in them, for programs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from milde_planted import Checked, Settled
from milde_rows import ALL, FLOORS, MEASURES, PLAIN, Cell

from overpaint.measures.milde_layers import Counts
from overpaint.measures.milde_totals import without_taste

Figures = dict[str, Any]
ASKED = {
    "balanced above floors": 15.0, "conflicts removed": 0.80, "faults found": 0.80,
    "faults repaired": 0.60, "good spoiled": 0.01, "kept identical": 100.0, "texts right": 95.0,
    "masks seconds": 1.5, "masks faster": 20.0, "consolidate seconds": 3.0,
}  # fmt: skip
SHARES = ("accuracy", "balanced", "precision", "recall", "exact_share")
HEADS = ("accuracy", "balanced", "precision", "recall", "exact set")
# MiLDE, Table 2 and section 5; other documents, masks by Doc2Mask, questions by InternVL3-38B.
PAPER = (
    ("never edit, at the paper's rates", 62.7, None, None, None, None),
    ("edit all, at the paper's rates", 37.3, None, None, None, None),
    ("Step1X-Edit with thinking", None, 10.48, 82.16, 28.67, 14.17),
    ("Nano Banana", None, 24.04, 58.42, 40.32, 27.10),
    ("MiLDEAgent 7B + Flux", 80.46, 20.71, 93.24, 36.75, 25.90),
)


def _number(value: float | None, wide: int = 9) -> str:
    return f"{'–' if value is None else f'{value:.1f}':>{wide}}"


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _line(said: Sequence[str], most: int = 200) -> str:
    """What was said in one line, cut short; nothing where nothing was."""
    return " / ".join("; ".join(said).split("\n"))[:most] or "nothing"


def _verdict(name: str, value: float | None, *, least: bool = True) -> str:
    if value is None:
        return "not measured"
    asked = ASKED[name]
    met = value >= asked if least else value <= asked
    return f"asked: {'at least' if least else 'at most'} {asked:g}: {'met' if met else 'NOT MET'}"


# ── decisions ───────────────────────────────────────────────────────────────────────────


def decisions(found: Mapping[str, Mapping[str, Counts]], count: int) -> Figures:
    """Layer decisions, half by half, and how far the rules are above the floors."""
    told: Figures = {"samples": count}
    for half in sorted(found, reverse=True):
        rows = found[half]
        documents = max(counts.documents for counts in rows.values())
        print(f"\nLayer decisions, {half} half: {documents} documents (%)")
        print(f"{'':32}" + "".join(f"{head:>11}" for head in HEADS))
        for name, counts in sorted(rows.items(), key=_place):
            cells = "".join(_number(getattr(counts, share), 11) for share in SHARES)
            print(f"{name:32}{cells}")
        told[half] = {
            name: {share: _rounded(getattr(counts, share)) for share in SHARES}
            for name, counts in rows.items()
        }
        told[half]["rules above floors"] = _above(rows)
    return told


def _place(row: tuple[str, Any]) -> tuple[bool, str, int]:
    name, _, way = row[0].rpartition("/")
    return name not in FLOORS, name, ALL.index(way)


def _above(rows: Mapping[str, Counts]) -> float | None:
    """Points of balanced accuracy between the rules and the best floor."""
    if f"rules/{PLAIN}" not in rows:
        print("The rule reasoner is not there.")
        return None
    best = max(rows[f"{name}/{PLAIN}"].balanced or 0.0 for name in FLOORS)
    above = (rows[f"rules/{PLAIN}"].balanced or 0.0) - best
    print(f"Rules above the best floor by {above:.1f} points of balanced accuracy;"
          f" {_verdict('balanced above floors', above)}")  # fmt: skip
    return round(above, 2)


# ── the table ───────────────────────────────────────────────────────────────────────────


def table(found: Mapping[str, Mapping[str, Cell]]) -> Figures:
    """The agent's rows, half by half, and the paper's beside them."""
    told: Figures = {}
    for half in sorted(found, reverse=True):
        rows = found[half]
        documents = max(cell.documents for cell in rows.values())
        print(f"\nThe agent, {half} half: {documents} documents of our own")
        heads = ("accuracy", "balanced", "IF", "LC", "TR", "partial", "kept %", "texts %",
                 "wanted %", "edits", "no image", "refused", "repairs", "seconds")  # fmt: skip
        print(f"{'':32}" + "".join(f"{head:>9}" for head in heads))
        for name, cell in sorted(rows.items(), key=_place):
            print(f"{name:32}" + "".join(_cells(cell)))
        told[half] = {name: _figures(cell) for name, cell in rows.items()}
    _legend()
    _paper()
    return told


def _cells(cell: Cell) -> list[str]:
    values = [cell.counts.accuracy, cell.counts.balanced, *map(cell.mean, MEASURES)]
    values += [_partial(cell), _share(*cell.kept), _share(*cell.texts), _share(*cell.wanted)]
    whole = [cell.edits, cell.no_painter, cell.refused, cell.repairs]
    return [*map(_number, values), *(f"{one:>9}" for one in whole),
            _number(cell.seconds / max(1, cell.documents))]  # fmt: skip


def _partial(cell: Cell) -> float | None:
    means = [cell.mean(name) for name in MEASURES]
    if any(mean is None for mean in means):
        return None
    return without_taste([mean for mean in means if mean is not None])


def _figures(cell: Cell) -> Figures:
    return {
        **{share: _rounded(getattr(cell.counts, share)) for share in SHARES},
        **{name: _rounded(cell.mean(name)) for name in MEASURES},
        "undecided": cell.undecided, "partial": _rounded(_partial(cell)),
        "kept": list(cell.kept), "texts": list(cell.texts), "wanted": list(cell.wanted),
        "edits": cell.edits, "refused_no_image_editor": cell.no_painter,
        "refused": cell.refused, "repairs": cell.repairs, "documents": cell.documents,
        "seconds": round(cell.seconds / max(1, cell.documents), 2),
    }  # fmt: skip


def _legend() -> None:
    print(
        "\nIF, TR: answered by OCR and pixels; LC: our regions; partial: MiLDEScore without"
        " aesthetics.\nkept: layers that must stay and that nobody asked to change, identical to"
        f" the last byte (asked: {ASKED['kept identical']:g}).\ntexts: right, of the text edits"
        f" that were made (asked: {ASKED['texts right']:g}); wanted: right, of all that should be"
        " made.\nno image: edits refused because a picture has to show something else and no image"
        " editor is named.\nrefused: for another reason. seconds: of a document, alone in its"
        " process."
    )


def _paper() -> None:
    print(
        "\nThe paper's rows. Its documents, questions and masks are others: no comparison, a scale."
    )
    print(f"{'':36}{'decisions':>10}{'IF':>8}{'LC':>8}{'TR':>8}{'MiLDEScore':>12}")
    for name, right, *rest, score in PAPER:
        cells = "".join(f"{'–' if one is None else one:>8}" for one in rest)
        told = ["–" if one is None else str(one) for one in (right, score)]
        print(f"{name:36}{told[0]:>10}{cells}{told[1]:>12}")


# ── what was planted ────────────────────────────────────────────────────────────────────


def conflicts(
    settled: Sequence[Settled], peace: Sequence[Settled], gold: Sequence[Settled]
) -> Figures:
    """Conflicts by kind, then what is left, then what was disturbed."""
    by_kind: dict[str, list[Settled]] = defaultdict(list)
    for one in settled:
        by_kind[one.kind].append(one)
    print(f"\nPlanted conflicts{'':15}    there  removed   others disturbed")
    for kind, ones in by_kind.items():
        there, gone = (sum(x) for x in zip(*((o.planted, _gone(o)) for o in ones), strict=True))
        print(f"  {kind:30}{there:9}{gone:9}{sum(bool(o.disturbed) for o in ones):19}")
    there, gone = sum(o.planted for o in settled), sum(map(_gone, settled))
    share = gone / there if there else None
    print(f"removed {gone} of {there}; {_verdict('conflicts removed', share)}")
    for one in settled:
        if one.left:
            print(f"  left: {one.name}: {_line(one.left)}")
        if one.disturbed:
            print(f"  disturbed: {one.name}: {', '.join(one.disturbed)}")
    told: Figures = {"there": there, "removed": gone, "share": share and round(share, 4)}
    told["by_kind"] = {
        kind: [sum(map(_gone, ones)), sum(o.planted for o in ones)]
        for kind, ones in by_kind.items()
    }
    told["disturbed"] = sum(bool(one.disturbed) for one in settled)
    for name, ones in (("gold decisions", gold), ("peaceful decisions on own pages", peace)):
        changed = [one for one in ones if one.left]
        print(f"{name}: {len(ones) - len(changed)} of {len(ones)} unchanged")
        for one in changed:
            print(f"  changed: {one.name}: {_line(one.left, 300)}")
        told[name] = {"sets": len(ones), "unchanged": len(ones) - len(changed)}
    return told


def _gone(one: Settled) -> bool:
    return one.planted and not one.left


def spoils(checked: Sequence[Checked]) -> Figures:
    """Bad edits by the way they were spoiled."""
    ways: dict[str, list[Checked]] = defaultdict(list)
    for one in checked:
        ways[one.kind].append(one)
    print(f"\nPlanted bad edits{'':8}  wrong  found  repaired  can be")
    for way, ones in ways.items():
        wrong, found, right, can = _tally(ones)
        print(f"  {way:23}{wrong:7}{found:7}{right:10}{can:8}")
    wrong, found, right, can = _tally(checked)
    shares = [part / wrong if wrong else None for part in (found, right)]
    print(f"found {found} of {wrong}; {_verdict('faults found', shares[0])}")
    print(f"repaired {right} of {wrong}, of which {can} can be by the hands that are here;"
          f" {_verdict('faults repaired', shares[1])}")  # fmt: skip
    for one in checked:
        if not one.found or one.left:
            print(f"  {one.name}: saw {_line(one.said)}; left {_line(one.left)}")
    return {
        "wrong": wrong, "found": found, "repaired": right, "repairable": can,
        "found_share": shares[0] and round(shares[0], 4),
        "repaired_share": shares[1] and round(shares[1], 4),
        "by_way": {way: list(_tally(ones)) for way, ones in ways.items()},
    }  # fmt: skip


def _tally(ones: Sequence[Checked]) -> tuple[int, int, int, int]:
    """How many were wrong, found, repaired, and could be."""
    wrong = [one for one in ones if one.planted]
    return (
        len(wrong), sum(one.found for one in wrong), sum(not one.left for one in wrong),
        sum(one.possible for one in wrong),
    )  # fmt: skip


def good(checked: Sequence[Checked]) -> Figures:
    """Good results after the self-check."""
    spoilt = [one for one in checked if one.left]
    changed, alarms = sum(one.changed for one in checked), sum(one.found for one in checked)
    share = len(spoilt) / len(checked)
    print(f"\nGood results: {len(checked)}, faults seen in {alarms}, changed {changed},"
          f" spoiled {len(spoilt)} ({share:.1%});"
          f" {_verdict('good spoiled', share, least=False)}")  # fmt: skip
    for one in checked:
        if one.found or one.left:
            print(f"  {one.name}: saw {_line(one.said)}; wrong now: {_line(one.left)}")
    return {"results": len(checked), "alarms": alarms, "changed": changed,
            "spoiled": len(spoilt), "share": round(share, 4)}  # fmt: skip


# ── clocks ──────────────────────────────────────────────────────────────────────────────


def masks(found: Mapping[str, Mapping[str, float]]) -> Figures:
    """Matching masks."""
    print("\nLayout consistency of 100 × 100 masks of 1024²")
    for regions, one in found.items():
        print(f"  {regions} regions: {one['seconds']:.3f} s, the plain numpy loop"
              f" {one['loop_seconds']:.1f} s: {one['faster']:.0f}× faster;"
              f" {_verdict('masks seconds', one['seconds'], least=False)},"
              f" {_verdict('masks faster', one['faster'])}")  # fmt: skip
    return dict(found)


def consolidate(found: Mapping[str, Any]) -> Figures:
    """Merging layers."""
    print(f"\nConsolidation: {found['layers']} layers of {found['side']}² into"
          f" {found['merged into']} in {found['seconds']:.2f} s, pixels"
          f" {'identical' if found['identical'] else 'NOT IDENTICAL'};"
          f" {_verdict('consolidate seconds', found['seconds'], least=False)}")  # fmt: skip
    return dict(found)

"""How `typeset` does on pages it was not made with: VDE's built-in set, real pages, real pictures.

    vde        the built-in set of 200 documents: how much of the gap between the source and the
               truth is closed in the edited region, by kind of edit; the published global figures
               stand beside ours, of other pages and other readers
    pages      18 real pages of OmniDocBench: 60 seeded replacements of strings found by OCR
    pictures   33 real samples of TextEditBench: what is understood, done and refused, and the
               background's MSE where something was done

The last two need OVERPAINT_FIXTURES and are left out without it. Contact sheets go to a folder
outside the project (`--keep`): the pictures are not ours. The last line is one JSON object.
"""

import argparse
import json
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typeset_real_pages
import typeset_real_pictures

import overpaint
from overpaint.cli.progress import Bar
from overpaint.run import Run, Settings
from overpaint.store import Store

LOCAL, GLOBAL = ("cdm_local", "teds_like_local"), ("cdm_global", "teds_like_global")
EDITORS = ("identity", "truth", "typeset")
ASKED_GAP = 0.9
# "VDE Bench", its table of global scores: CDM and TEDS-like, on 942 pages of its own, read by
# PaddleOCR-VL. Ours are 200 generated pages, read by PP-OCRv6 small: beside, not against.
PUBLISHED = {
    "Step1X-Edit": (0.846, 0.686),
    "LongCat": (0.838, 0.714),
    "FireRed": (0.858, 0.717),
    "Qwen-Image-Edit": (0.881, 0.743),
    "InstructPix2Pix": (0.218, 0.119),
    "ICEdit": (0.158, 0.082),
}

Scores = dict[tuple[str, str, str], float]  # by sample, editor and measure


# ── VDE ─────────────────────────────────────────────────────────────────────────────────


def vde(limit: int | None, out: Path | None) -> dict[str, Any]:
    """The share of the gap closed by kind of edit, and the global figures."""
    with tempfile.TemporaryDirectory() as scratch:
        done = overpaint.run(
            "vde", editors=list(EDITORS), floors=False, limit=limit,
            out=out or Path(scratch, "run"), settings=Settings(progress=Bar()),
        )  # fmt: skip
        return vde_report(done)


def vde_report(done: Run) -> dict[str, Any]:
    """Print and return the figures of a run."""
    with Store.open(done.folder) as store:
        kinds = {sample.id: sample.tags["edit"] for sample in store.samples()}
        scores = {(r.sample, r.editor, r.measure): r.value for r in store.rows()}
        undone = {e.sample.id: e for e in store.edits() if e.editor == "typeset" and not e.output}
    known: Scores = {key: value for key, value in scores.items() if value is not None}
    print(f"\nVDE's built-in set, {len(kinds)} pages; not made: {len(undone)}, which count as left")
    print(f"  {'edit':24}pages refused {'identity':>9} {'typeset':>9} {'truth':>9}   gap closed")
    figures: dict[str, Any] = {"pages": len(kinds), "not_made": len(undone)}
    for measure in LOCAL:
        print(f"  {measure}")
        rows = figures[measure] = {}
        for kind in [*sorted(set(kinds.values())), "all"]:
            mine = [name for name, its in kinds.items() if kind in (its, "all")]
            rows[kind] = _gap(mine, measure, known, undone)
            _show_gap(kind, rows[kind])
    figures["global"] = _show_global(list(kinds), known, undone)
    for edit in list(undone.values()):
        print(f"  {edit.sample.id} {kinds[edit.sample.id]} {edit.status}:",
              f"{edit.sample.request.instruction} | {edit.reason}")  # fmt: skip
    return figures


def _gap(
    names: Sequence[str], measure: str, known: Scores, undone: Mapping[str, Any]
) -> dict[str, Any]:
    """Means of the three editors over the samples that source and truth have a score for."""
    fair = [n for n in names if all((n, e, measure) in known for e in ("identity", "truth"))]
    means = {}
    for editor in EDITORS:
        values = [
            known.get((n, editor, measure), known[n, "identity", measure])
            if editor == "typeset" else known[n, editor, measure]
            for n in fair
        ]  # fmt: skip
        means[editor] = statistics.mean(values) if values else 0.0
    gap = means["truth"] - means["identity"]
    return {
        "samples": len(fair),
        "refused": sum(n in undone for n in fair),
        **{editor: round(value, 4) for editor, value in means.items()},
        "closed": round((means["typeset"] - means["identity"]) / gap, 4) if gap > 0 else None,
    }


def _show_gap(kind: str, row: Mapping[str, Any]) -> None:
    closed = row["closed"]
    said = "–" if closed is None else f"{closed:.4f}"
    verdict = "" if closed is None else "met" if closed >= ASKED_GAP else "missed"
    means = " ".join(f"{row[editor]:9.4f}" for editor in ("identity", "typeset", "truth"))
    print(f"    {kind:22}{row['samples']:5}{row['refused']:8} {means} {said:>12} {verdict}")


def _show_global(
    names: Sequence[str], known: Scores, undone: Mapping[str, Any]
) -> dict[str, dict[str, float]]:
    """The whole page, beside the published figures of other pages."""
    print("  whole page (CDM, TEDS-like); the published ones are of other pages and another reader")
    found = {}
    rows = {measure: _gap(names, measure, known, undone) for measure in GLOBAL}
    for editor in ("identity", "typeset", "truth"):
        found[editor] = {measure: row[editor] for measure, row in rows.items()}
        print(f"    {editor:22}", *(f"{value:9.4f}" for value in found[editor].values()))
    for name, values in PUBLISHED.items():
        print(f"    {name + ', published':30}", *(f"{value:9.3f}" for value in values))
    return found


def main() -> None:
    """Run the parts that are asked for and print the figures as one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", choices=("vde", "pages", "pictures"), action="append")
    parser.add_argument("--limit", type=int, help="only so many samples of each part")
    parser.add_argument("--out", type=Path, help="keep VDE's run here; default: thrown away")
    parser.add_argument("--keep", type=Path, help="write contact sheets into this folder")
    args = parser.parse_args()
    wanted = args.only or ("vde", "pages", "pictures")
    figures: dict[str, Any] = {}
    if "pages" in wanted:
        figures["pages"] = typeset_real_pages.bench(args.limit, args.keep)
    if "pictures" in wanted:
        figures["pictures"] = typeset_real_pictures.bench(args.limit, args.keep)
    if "vde" in wanted:
        figures["vde"] = vde(args.limit, args.out)
    print(json.dumps(figures, ensure_ascii=False))


if __name__ == "__main__":
    main()

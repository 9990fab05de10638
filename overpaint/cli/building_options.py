"""What `overpaint build` can be told, for each of the sets that it builds."""

import argparse
from pathlib import Path

from overpaint.cli.numbers import count, whole


def building_options(build: argparse.ArgumentParser) -> None:
    """Add the options of all sets."""
    build.add_argument(
        "set", choices=["vde", "milde", "refblend"],
        help="what is built: vde, edits of documents; milde, edits of layered designs; refblend,"
        " pictures told by several references",
    )  # fmt: skip
    build.add_argument(
        "pages", type=Path, nargs="*", metavar="FILE",
        help="vde: pictures, PDFs; milde: PSD, ORA, PPTX, SVG, Crello; refblend: pictures, or a"
        " JSON of MultiRef's form; or folders; none: go on",
    )  # fmt: skip
    build.add_argument("-o", "--out", type=Path, required=True, help="the build's folder")
    build.add_argument(
        "-e", "--editor", metavar="[NAME=]SPEC", help="vde: who makes the candidates"
    )
    build.add_argument(
        "--instructions", type=Path, metavar="JSONL",
        help="vde: take these instructions (page, instruction, instruction type); else rules write",
    )  # fmt: skip
    build.add_argument(
        "--generate",
        type=count,
        metavar="N",
        help="draw N documents instead, with their truth; refblend: N pictures",
    )
    build.add_argument(
        "--dry-run", action="store_true", help="milde, refblend: say who is asked, and do nothing"
    )
    build.add_argument(
        "--captions", type=Path, metavar="FILE", help="refblend: a CSV or JSONL of image, caption"
    )
    kept = build.add_argument_group("kept from the first call on")
    kept.add_argument("--seed", type=whole, help="of whatever is drawn (default 0)")
    kept.add_argument("--raters", type=whole, help="people a question (vde 3, milde 1, refblend 0)")
    kept.add_argument("--document", help="kind of document, where no sub-folder's name says it")
    kept.add_argument(
        "--per-page", type=count, help="vde: instructions a page, at most (default 7)"
    )
    kept.add_argument(
        "--ocr", metavar="ENGINE|MODEL", help="vde: who reads: small, tiny, tesseract, or a model"
    )
    kept.add_argument("--dpi", type=count, help="vde: at which PDFs are drawn (default 150)")
    kept.add_argument("--pdf-pages", type=count, help="vde: of one PDF, at most (default 100)")
    kept.add_argument(
        "--model", metavar="MODEL",
        help="milde: who writes, judges and matches; refblend: who writes captions and voices",
    )  # fmt: skip
    kept.add_argument(
        "--classes", choices=["rules", "model"], help="milde: who classes layers (default rules)"
    )
    kept.add_argument(
        "--per-document", type=count, help="milde: requests a document, at most (default 3)"
    )
    _blending(build)


def _blending(build: argparse.ArgumentParser) -> None:
    kept = build.add_argument_group("refblend's own, kept as well")
    kept.add_argument(
        "--combinations", choices=["all", "paper"],
        help="of references: all that the rules allow, or the paper's 32 (default all)",
    )  # fmt: skip
    kept.add_argument("--per-image", type=count, help="samples a picture, at most (default 6)")
    kept.add_argument("--kinds", metavar="KIND,…", help="canny,mask … (default: what works here)")
    kept.add_argument(
        "--extractor", action="append", metavar="KIND=METHOD",
        help="who looks for a kind, such as mask=isnet; may be given several times",
    )  # fmt: skip
    kept.add_argument("--judge", metavar="MODEL", help="scores references; below 3 is dropped")
    kept.add_argument("--personas", type=whole, help="voices an instruction is said in (default 1)")

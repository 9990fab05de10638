"""validate, doctor, get: the commands that look after data, machine and weights."""

import argparse
import json
import os
import platform
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib.metadata import PackageNotFoundError, version

import overpaint.run as pipeline
from overpaint import catalog, weights
from overpaint.cli.progress import Bar
from overpaint.core import Repair
from overpaint.document.text import fonts
from overpaint.errors import OverpaintError, Unavailable
from overpaint.measures.aesthetics import head_file
from overpaint.models.local import runtime as language_models
from overpaint.models.names import VENDORS, endpoint
from overpaint.report.wording import plain
from overpaint.store.record import LIBRARIES
from overpaint.vision import ocr
from overpaint.vision.clip import encoder

ABSENT = "not installed"


def validate_command(args: argparse.Namespace) -> int:
    """Read a dataset; print what was repaired and what disagrees, kind by kind."""
    bench = catalog.benchmark(args.benchmark)
    loaded = pipeline.load(bench, args.data, Bar())
    check = getattr(bench, "check", None)
    disagreements: list[Repair] = check(loaded.samples) if check else []
    repairs = [asdict(repair) for repair in loaded.repairs]
    found = {
        "samples": len(loaded.samples),
        "files": loaded.files,
        "repairs": dict(Counter(repair.kind for repair in loaded.repairs)),
        "disagreements": dict(Counter(one.kind for one in disagreements)),
    }
    if args.json:
        listed = {"repaired": repairs, "disagreeing": [asdict(one) for one in disagreements]}
        print(json.dumps(found | listed, ensure_ascii=False, indent=1))
        return 0
    for repair in (*loaded.repairs, *disagreements):
        print(plain(f"{repair.kind:22} {repair.where}: {repair.did}"))
    _print_counts("repaired", loaded.repairs)
    _print_counts("annotated otherwise than computed", disagreements)
    print(f"\n{found['files']:,} files, {found['samples']:,} samples")
    return 0


def _print_counts(title: str, repairs: "list[Repair] | tuple[Repair, ...]") -> None:
    print(f"\n{title}:" if repairs else f"\n{title}: nothing")
    for kind, count in Counter(repair.kind for repair in repairs).most_common():
        print(f"  {count:>6} × {kind}")


def doctor_command(args: argparse.Namespace) -> int:
    """What works here, and the one command that gets the rest."""
    rows = weights.status()
    machine = {"python": platform.python_version(), "cores": os.cpu_count(),
               "free disk here": f"{shutil.disk_usage('.').free / 2**30:.0f} GB",
               "weights kept in": str(weights.cache_folder())}  # fmt: skip
    libraries = {name: _installed(name) for name in LIBRARIES}
    optional = {"tesseract": _told(ocr.version, "tesseract"), "CLIP": _told(encoder),
                "language models": _told(language_models),
                "diffusers": _package("diffusers", "diffusers"),
                "transformers": _package("transformers", "aesthetics"),
                "aesthetics head": _told(head_file)}  # fmt: skip
    optional |= {f"judges of {name}": _key_of(name) for name in VENDORS}
    damaged = {str(path): why for path, why in fonts.damaged()}
    found = {"font families": len(fonts.here().families()), "damaged fonts": len(damaged)}
    if args.json:
        told = {"machine": machine, "libraries": libraries, "optional": optional, "fonts": found,
                "damaged": damaged, "weights": [asdict(row) for row in rows]}  # fmt: skip
        print(json.dumps(told, indent=1))
        return 0
    for name, value in (machine | libraries | optional | found).items():
        print(f"  {name:24} {value}")
    for path, why in damaged.items():
        print(f"    not used: {plain(f'{path}: {why}')}")
    print()
    for row in rows:
        state = "here" if row.present else f"missing; get it: {row.command}"
        print(f"  {row.name:24} {row.what_for} ({row.licence}): {state}")
    usual = weights.expand()  # what is not among these is got by name alone
    missing = any(row.name in usual and not row.present for row in rows)
    print(
        "\nTo get the rest:  overpaint get"
        if missing
        else "\nAll the usual weights and fonts are here."
    )
    return 0


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ABSENT


def _package(name: str, extra: str) -> str:
    """The version of an optional library, or how to get it."""
    found = _installed(name)
    return found if found != ABSENT else f"{ABSENT}; get it: pip install 'overpaint[{extra}]'"


def _key_of(vendor: str) -> str:
    """Whether the vendor's key is set; never the key."""
    keys = VENDORS[vendor].keys
    if not keys:
        return "no key needed"
    try:
        endpoint(f"{vendor}/any").key()
    except Unavailable:
        return f"{' or '.join(keys)} is not set"
    return "a key is set"


def _told(what: Callable[..., object], *asked: str) -> str:
    """What an optional part says of itself, or how to get it."""
    try:
        return str(what(*asked))
    except Unavailable as missing:
        return str(missing)


def _draw_download(bar: Bar, done: int, total: int | None) -> None:
    bar("fetching", done, total or done)


def get_command(args: argparse.Namespace) -> int:
    """Fetch weights and fonts; what is here already stays."""
    paths: dict[str, str] = {}
    failed = 0
    for name in weights.expand(args.name):
        bar = Bar("kB", 1000)
        try:
            path = weights.fetch(name, progress=partial(_draw_download, bar))
        except OverpaintError as error:
            failed = 1
            print(f"{name}: {error}", file=sys.stderr)
        else:
            paths[name] = str(path)
    if args.json:
        print(json.dumps(paths, indent=1))
    else:
        for name, where in paths.items():
            print(f"  {name:24} {where}")
    return failed

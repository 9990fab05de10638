"""The inventory: every file of the package that reads outside bytes is fuzzed, or says why not."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fuzz_table import TARGETS
from fuzz_target import Target

import overpaint

PACKAGE = Path(overpaint.__file__).parent
# What reads bytes into something else, as it is called.
READERS = {
    "json.loads", "json.load", "csv.reader", "csv.DictReader", "zipfile.ZipFile", "tarfile.open",
    "struct.unpack", "struct.unpack_from", "Image.open", "pdfium.PdfDocument", "TTFont",
    "pypdfium2.PdfDocument", "PSDImage.open", "pikepdf.open", "etree.fromstring", "np.load",
    "np.frombuffer", "base64.b64decode", "urlsplit", "cv2.imdecode", "pickle.load", "pickle.loads",
    "yaml.safe_load", "ElementTree.fromstring", "ElementTree.parse", "tomllib.loads",
}  # fmt: skip
BASES = {"HTMLParser", "pickle.Unpickler"}  # of classes that read
NAMED = re.compile(r"(parse|read|loads)(_|$)")  # functions of a text, bytes or a path
OURS = "reads what comes with the package, or what it has just made"
HASHED = "reads files whose sha256 was known beforehand and is checked"
KEPT = "reads what this machine kept for itself; anything else in its place is made anew"
FAKE = "stands in for a server where users test code of their own"
PDF_EDITS = "writes what was read by files that are fuzzed; test_pdf_damaged and _hostile ask it"
UNFUZZED = {
    "document/pdf/fonts.py": PDF_EDITS, "document/pdf/fresh.py": PDF_EDITS,
    "document/pdf/images.py": PDF_EDITS,
    "benchmarks/demo.py": OURS, "measures/brisque.py": HASHED,
    "measures/niqe.py": HASHED, "editors/typeset/jpeg.py": OURS, "engines/album.py": OURS,
    "engines/damages.py": OURS, "engines/ebench/graded.py": OURS,
    "engines/milde/content.py": OURS, "engines/milde/streams.py": OURS,
    "engines/posters/__init__.py": OURS, "engines/posters/brush.py": OURS,
    "engines/refblend/agreement.py": OURS, "engines/refblend/album.py": OURS,
    "engines/refblend/compatibility.py": OURS, "engines/refblend/instructions.py": OURS,
    "engines/scenes/photographs.py": OURS, "engines/vde/writer.py": OURS,
    "vision/tfjs.py": HASHED, "vision/tfjs_graph.py": HASHED, "weights/registry.py": HASHED,
    "core.py": KEPT, "training/evaluator_state.py": KEPT, "training/reasoner_data.py": KEPT,
    "training/reasoner_report.py": KEPT, "training/reasoner_settings.py": KEPT,
    "rating/book.py": KEPT, "rating/rounds.py": KEPT, "rating/saving.py": KEPT,
    "rating/claiming.py": KEPT, "store/calls.py": KEPT,
    "rating/gold.py": "hands on to measures/rated.py",
    "rating/app.py": "is asked all that its description allows, by schemathesis",
    "models/local.py": "reads what its own server, a process of ours, says",
    "models/trained.py": "reads pictures that were encoded for it just before",
    "models/vlm.py": "loads weights that the user named, by safetensors",
    "testing/__main__.py": FAKE, "testing/asked.py": FAKE, "testing/behaviours.py": FAKE,
    "testing/painting.py": FAKE, "testing/server.py": FAKE, "testing/workflows.py": FAKE,
    "measures/lpips_graph.py": HASHED,
    "document/regular.py": "opens files and hands on their bytes as they are",
    "store/exporting.py": "writes bundles; store/unpacking.py reads them",
    "work/station.py": "reads what its own driver has pickled, by the cluster's own channel",
    "engines/vde/pages.py": "opens a PDF as document/pdf/opening.py does",
}  # fmt: skip


def reads(path: Path) -> Iterator[str]:
    """What in a file reads outside bytes."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)) in READERS:
            yield f"line {node.lineno} calls {name}"
        elif isinstance(node, ast.ClassDef) and {ast.unparse(base) for base in node.bases} & BASES:
            yield f"line {node.lineno} is a reader by class"
        elif isinstance(node, ast.FunctionDef) and NAMED.match(node.name) and node.args.args:
            hint = node.args.args[0].annotation
            if hint is not None and ast.unparse(hint) in ("str", "bytes", "Path", "object"):
                yield f"line {node.lineno} defines {node.name}({ast.unparse(hint)})"


PARSERS = {
    path.relative_to(PACKAGE).as_posix(): found
    for path in sorted(PACKAGE.rglob("*.py")) if (found := list(reads(path)))
}  # fmt: skip
FUZZED = {file for target in TARGETS for file in target.reads}


def test_every_parser_has_a_fuzz_target_or_a_reason_to_have_none() -> None:
    known = FUZZED | {*UNFUZZED}
    without = {file: found[0] for file, found in PARSERS.items() if file not in known}
    assert not without, f"add a target in tests/fuzz, or a reason in UNFUZZED: {without}"


def test_no_reason_is_left_of_a_parser_that_is_fuzzed_or_gone() -> None:
    assert {file for file in UNFUZZED if file in FUZZED or file not in PARSERS} == set()


def test_every_file_that_a_target_names_is_there() -> None:
    assert [file for file in sorted(FUZZED) if not (PACKAGE / file).is_file()] == []


def test_targets_have_names_of_their_own() -> None:
    assert len({target.name for target in TARGETS}) == len(TARGETS)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_the_seeds_of_a_target_reach_the_files_it_names(target: Target) -> None:
    seen: set[str] = set()

    def watch(frame: object, event: str, arg: object) -> None:
        seen.add(frame.f_code.co_filename)  # type: ignore[attr-defined]

    assert target(target.corpus[0]) == "ok", "the first seed is whole"
    sys.setprofile(watch)
    try:
        for data in target.corpus[:30]:
            target(data)
    finally:
        sys.setprofile(None)
    missed = [file for file in target.reads if str(PACKAGE / file) not in seen]
    assert missed == []

"""The inventory: every function that reads outside bytes is fuzzed, or it is said why not.

A function reads where it calls what makes something else of bytes, or is named as one that does.
It is fuzzed where a seed of some target comes by it.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fuzz_table import TARGETS
from fuzz_target import Target

import overpaint

PACKAGE = Path(overpaint.__file__).parent
# What reads bytes into something else, as it is called, whatever stands before it and a dot.
READERS = {
    "json.loads", "json.load", "csv.reader", "csv.DictReader", "ZipFile", "tarfile.open",
    "struct.unpack", "struct.unpack_from", "struct.iter_unpack", "int.from_bytes", "np.load",
    "np.frombuffer", "np.fromfile", "b64decode", "fromhex", "unquote_to_bytes", "fromisoformat",
    "Image.open", "cv2.imdecode", "cv2.imread", "PSDImage.open", "PdfDocument", "TTFont",
    "TTCollection", "pikepdf.open", "parse_content_stream", "read_raw_bytes", "Presentation",
    "etree.fromstring", "etree.XMLParser", "ElementTree.fromstring", "ElementTree.parse",
    "ParserCreate", "decompress", "decompressobj", "urlsplit", "urlparse", "parse_qs", "parse_qsl",
    "pickle.load", "pickle.loads", "yaml.safe_load", "tomllib.loads", "tomllib.load",
    "ast.literal_eval", "sqlite3.connect", "connect", "deserialize", "InferenceSession",
    "load_file", "safe_open", "torch.load", "jit.load", "from_pretrained", "read_table",
    "ParquetFile",
}  # fmt: skip
BASES = {"HTMLParser", "pickle.Unpickler"}  # of classes that read
NAMED = re.compile(r"(parse|read|loads)(_|$)")  # functions of a text, bytes or a path
OURS = "reads what comes with the package, or what it has just made"
HASHED = "reads files whose sha256 was known beforehand and is checked"
KEPT = "reads what this machine kept for itself; anything else in its place is made anew"
FAKE = "stands in for a server where users test code of their own"
DIGITS = "makes a number of a hash that it has just made"
UNFUZZED = {
    "document/pdf/fonts.py": "cuts fonts of this machine, which document/text/sfnt.py has read",
    "document/pptx/fresh.py: fresh": "begins with the empty deck that comes with python-pptx",
    "report/choosing.py": DIGITS, "testing/scoring.py": DIGITS, "testing/script.py": DIGITS,
    "rating/schema.py": KEPT, "vision/inception.py": HASHED,
    "vision/sessions.py": "hands networks that are hashed, or that the user named, to onnxruntime",
    "editors/diffusers_pipeline.py": "loads weights that the user named, by safetensors",
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
    "store/schema.py: _made_by": OURS,
    "work/joining.py: _silent": "calls the address that the user named; a fuzzer calls nobody",
    "work/station.py": "reads what its own driver has pickled, by the cluster's own channel",
    "engines/vde/pages.py": "opens a PDF as document/pdf/opening.py does",
}  # fmt: skip


def readers(path: Path) -> Iterator[tuple[str, str]]:
    """The functions of a file that read outside bytes, and by what they are known as such."""
    yield from _inside(ast.parse(path.read_text()), "")


def _inside(node: ast.AST, function: str) -> Iterator[tuple[str, str]]:
    for inner in ast.iter_child_nodes(node):
        name = function
        if isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{function}.{inner.name}".strip(".")
            if isinstance(inner, ast.ClassDef) and {*map(ast.unparse, inner.bases)} & BASES:
                yield name, f"line {inner.lineno} is a reader by class"
            elif NAMED.match(inner.name) and _given(inner) in ("str", "bytes", "Path", "object"):
                yield name, f"line {inner.lineno} is named {inner.name}"
        elif isinstance(inner, ast.Call) and _called(ast.unparse(inner.func)):
            yield name, f"line {inner.lineno} calls {ast.unparse(inner.func)}"
        yield from _inside(inner, name)


def _given(function: ast.AST) -> str:
    first = function.args.args[:1] if isinstance(function, ast.FunctionDef) else []
    return ast.unparse(first[0].annotation) if first and first[0].annotation else ""


def _called(name: str) -> bool:
    last, both = name.rpartition(".")[2], ".".join(name.split(".")[-2:])
    return last in READERS or both in READERS


# The file and the name of each function that reads, and by what.
PARSERS = {
    (path.relative_to(PACKAGE).as_posix(), function): by
    for path in sorted(PACKAGE.rglob("*.py")) for function, by in readers(path)
}  # fmt: skip
FUZZED = {file for target in TARGETS for file in target.reads}


def excused(file: str, function: str) -> bool:
    """Whether it is said why a function, or all of its file, is not fuzzed."""
    return file in UNFUZZED or f"{file}: {function}" in UNFUZZED


def test_every_parser_has_a_fuzz_target_or_a_reason_to_have_none() -> None:
    without = {f"{file}: {function}": by for (file, function), by in PARSERS.items()
               if file not in FUZZED and not excused(file, function)}  # fmt: skip
    assert not without, f"add a target in tests/fuzz, or a reason in UNFUZZED: {without}"


def test_no_reason_is_left_of_a_parser_that_is_fuzzed_or_gone() -> None:
    known = {file for file, _ in PARSERS} - FUZZED | {f"{file}: {one}" for file, one in PARSERS}
    assert {*UNFUZZED} - known == set()


def test_every_file_that_a_target_names_is_there() -> None:
    assert [file for file in sorted(FUZZED) if not (PACKAGE / file).is_file()] == []


def test_targets_have_names_of_their_own() -> None:
    assert len({target.name for target in TARGETS}) == len(TARGETS)


@cache
def reached(target: Target) -> frozenset[tuple[str, str]]:
    """The functions of the package that a target's seeds come by, with their files."""
    codes = set()

    def watch(frame: Any, event: str, arg: object) -> None:
        codes.add(frame.f_code)

    assert target(target.corpus[0]) == "ok", "the first seed is whole"
    sys.setprofile(watch)
    try:
        for data in target.corpus[:30]:
            target(data)
    finally:
        sys.setprofile(None)
    return frozenset(
        (Path(code.co_filename).relative_to(PACKAGE).as_posix(), part)
        for code in codes if code.co_filename.startswith(f"{PACKAGE}/")
        # What is inside of a function has its name before its own.
        for part in _parts(code.co_qualname.replace(".<locals>", ""))
    )  # fmt: skip


def _parts(name: str) -> Iterator[str]:
    names = name.split(".")
    return (".".join(names[:count]) for count in range(len(names) + 1))


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_the_seeds_of_a_target_reach_the_files_it_names(target: Target) -> None:
    assert {*target.reads} - {file for file, _ in reached(target)} == set()


@pytest.mark.slow
def test_a_seed_comes_by_every_function_that_reads() -> None:
    found = {one for target in TARGETS for one in reached(target)}
    missed = {f"{file}: {function}": by for (file, function), by in PARSERS.items()
              if (file, function) not in found and not excused(file, function)}  # fmt: skip
    assert not missed, f"add a seed in tests/fuzz, or a reason in UNFUZZED: {missed}"

"""The shape of the house: who may import whom, how long things may be, what is catalogued."""

import ast
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

import overpaint
from overpaint import catalog

PACKAGE = Path(overpaint.__file__).parent
ROOT = PACKAGE.parent

# From the top of the house down; a room imports only from rooms above it.
ROOMS = (
    "errors", "stats", "document", "core", "catalog", "weights", "store", "work", "models",
    "vision", "measures", "editors", "engines", "benchmarks", "rating", "training", "run",
    "report", "cli", "testing",
)  # fmt: skip
SOURCES = sorted(PACKAGE.rglob("*.py"))
CATCH_ALLS = {"run/steps.py", "work/tasks.py"}


@lru_cache(maxsize=1)  # all files at once would keep the collector of garbage busy
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All of a file, itself first."""
    return tuple(ast.walk(ast.parse(path.read_text())))


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> Iterator[tuple[int, str]]:
    for node in nodes(path):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            deeper = node.module == "overpaint"
            names = [f"overpaint.{a.name}" for a in node.names] if deeper else [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("overpaint."):
                yield node.lineno, name.split(".")[1]


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    yield from (n for n in nodes(path) if isinstance(n, ast.FunctionDef))


def house_rules(path: Path) -> Iterator[str]:
    """What a file does against the rules of the house."""
    if path.read_text().count("\n") > 400:
        yield "a file has at most 400 lines"
    if not ast.get_docstring(nodes(path)[0]):
        yield "the first line of a file says what it is"
    for function in functions(path):
        length = (function.end_lineno or 0) - function.lineno + 1
        if length > 60:
            yield f"{function.name} has {length} lines, at most 60 are allowed"
        positional = [a.arg for a in function.args.args if a.arg not in ("self", "cls")]
        if len(positional) > 5:
            yield f"{function.name} takes {positional}"
    for node in nodes(path):
        if isinstance(node, ast.ExceptHandler) and str(path.relative_to(PACKAGE)) not in CATCH_ALLS:
            caught = getattr(node.type, "id", "") if node.type else "BaseException"
            if caught in ("Exception", "BaseException"):
                yield f"a catch-all at line {node.lineno}"


def upward(path: Path) -> Iterator[str]:
    """What a file imports from rooms that are not above its own."""
    room = room_of(path)
    if room in ("__init__", "__main__"):
        return
    if room not in ROOMS:
        yield f"{room} is not a room of the house"
        return
    for line, other in imported_rooms(path):
        if other != room and ROOMS.index(other) > ROOMS.index(room):
            yield f"line {line}: {room} imports {other}, which is below it"


def test_every_file_keeps_to_the_rules_of_the_house() -> None:
    # One test for all files: with a thousand of them, a test each takes longer than looking.
    wrong = [
        f"{path.relative_to(PACKAGE)}: {why}"
        for path in SOURCES for rule in (house_rules, upward) for why in rule(path)
    ]  # fmt: skip
    assert not wrong, "\n".join(wrong)


def test_the_rules_of_the_house_notice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(f"{__name__}.PACKAGE", tmp_path)
    (tmp_path / "stats").mkdir()
    bad = tmp_path / "stats" / "bad.py"
    bad.write_text("import overpaint.run\ntry:\n    pass\nexcept Exception:\n    pass\n")
    assert list(house_rules(bad)) == [
        "the first line of a file says what it is", "a catch-all at line 4"
    ]  # fmt: skip
    assert list(upward(bad)) == ["line 1: stats imports run, which is below it"]


def test_stats_and_document_know_nothing_of_the_rest() -> None:
    for room in ("stats", "document"):
        others = {o for p in (PACKAGE / room).rglob("*.py") for _, o in imported_rooms(p)}
        assert others <= {room, "errors"}


@pytest.mark.parametrize("kind", catalog.KINDS)
def test_every_catalogued_name_loads_and_says_what_it_is(kind: str) -> None:
    reference = (ROOT / "docs" / "reference.md").read_text()
    for name in catalog.KINDS[kind]:
        if kind == "measure":
            assert catalog.measure(name).name == name
            assert catalog.measure(name).about
        elif kind == "benchmark":
            assert catalog.benchmark(name).card.name == name
        else:
            assert catalog.editor_class(name).__doc__
        assert f"`{name}`" in reference, f"docs/reference.md does not mention {name}"


def test_every_measure_a_benchmark_names_is_catalogued() -> None:
    for name in catalog.BENCHMARKS:
        for measure in catalog.benchmark(name).measures:
            assert measure in catalog.MEASURES


def test_importing_overpaint_is_quick_and_quiet_and_help_is_under_a_third_of_a_second() -> None:
    heavy = ("torch", "numba", "cv2", "onnx", "onnxruntime", "numpy", "ray")
    script = f"import sys, overpaint; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
    times = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "overpaint", "--help"], capture_output=True, check=True
        )
        times.append(time.perf_counter() - started)
    assert min(times) < 0.3


def test_onnxruntime_keeps_and_sends_no_reports_of_its_use(tmp_path: Path) -> None:
    told = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    told |= dict.fromkeys(("HOME", "XDG_CACHE_HOME"), str(tmp_path))
    subprocess.run([sys.executable, "-c", "import overpaint, onnxruntime"], env=told, check=True)
    assert list(tmp_path.iterdir()) == []


def test_no_two_files_of_tests_have_one_name() -> None:
    names = Counter(path.name for path in (ROOT / "tests").rglob("*.py"))
    del names["sitecustomize.py"]  # which Python itself looks for, under this name alone
    twice = sorted(name for name, count in names.items() if count > 1)
    assert not twice, f"pytest collects one of each and refuses the other: {twice}"


def test_the_project_names_no_machine_and_no_registry_host() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.suffix in (".py", ".md", ".toml", ".js", ".css", ".html", "") and path.is_file():
            text = path.read_text(errors="ignore")
            for word in (
                "/wo" + "rk/",
                "pypi" + ".org",
                "registry.npm" + "js",
                "files.python" + "hosted",
            ):
                assert word not in text, f"{name} contains {word}"

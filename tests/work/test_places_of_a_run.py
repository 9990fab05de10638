"""Where each part of a run with `--on` is done, what is said of it, and going on elsewhere."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from conftest import make_sample

from overpaint import core
from overpaint.document import Document
from overpaint.errors import StoreError
from overpaint.run import Settings, passes, plan, plan_scores, run, score
from overpaint.run.merging import merge
from overpaint.store import Store, trusting
from overpaint.work import Here, Needs, Place

TESTS = Path(__file__).parent.parent
TOY, SETS = f"{TESTS / 'toy.py'}", f"{TESTS / 'sets_toy.py'}"
SERVER = "images:http://127.0.0.1:9/v1#m;retries=0"  # where nobody listens
with_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for n in range(1, 4):
        make_sample(tmp_path / "data", f"a/{n:03}", n)
    return tmp_path / "data"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Place, Needs]]:
    """What was to be done where; all of it is done in this process."""
    asked: list[tuple[str, Place, Needs]] = []

    def backend(function: Any, place: Place, *, needs: Needs, **_: Any) -> Here:
        asked.append((function.func.__name__, place, needs))
        return Here(function)

    monkeypatch.setattr(passes, "backend", backend)
    return asked


class Hungry:
    """An editor that needs a GPU, and whose weights are not here."""

    gpus, gigabytes = 1, 0.0

    def __call__(self, request: core.Request) -> Document:
        return request.source


@with_ray
@pytest.mark.parametrize("spec", [SERVER, f"turns:{SERVER}", f"agent:rules;image={SERVER}"])
def test_servers_are_asked_from_where_the_command_was_given(
    spec: str, data: Path, tmp_path: Path, asked: list[tuple[str, Place, Needs]]
) -> None:
    settings = Settings(on="ray", workers=64, tell=lambda line: None)
    editors = ["identity", f"server={spec}"]
    done = run(f"{TOY}:toy", data=data, editors=editors, floors=False,
               out=tmp_path / "run", settings=settings)  # fmt: skip
    edits = [place for work, place, _ in asked if work == "make_edit"]
    assert [(place.on, place.workers) for place in edits] == [("", None), ("ray", 64)]
    with Store.open(done.folder) as store:
        assert {edit.editor for edit in store.edits()} == {"identity", "server"}


@with_ray
def test_sets_are_scored_where_what_was_found_on_the_way_can_be_read(
    data: Path, tmp_path: Path, asked: list[tuple[str, Place, Needs]]
) -> None:
    run(f"{SETS}:parted", data=data, editors=["identity"], floors=False, out=tmp_path / "run",
        measures=[f"{SETS}:spread"], settings=Settings(on="ray"))  # fmt: skip
    places = {work: place.on for work, place, _ in asked}
    assert places == {"make_edit": "ray", "make_scores_of": "ray", "_make_set": ""}


@with_ray
def test_all_that_a_sample_names_must_be_seen_by_whoever_works_on_it(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = list[Path]()

    def backend(function: Any, place: Place, **how: Any) -> Here:
        shown.extend(how["shown"])
        return Here(function)

    monkeypatch.setattr(passes, "backend", backend)
    monkeypatch.setattr(passes.weights, "present", lambda _: [Path("a-net.onnx")])
    run(f"{TOY}:toy", data=data, editors=["identity"], floors=False, out=tmp_path / "run",
        settings=Settings(on="ray"))  # fmt: skip
    with Store.open(tmp_path / "run") as store:
        first = next(iter(store.samples()))
    assert first.target
    assert first.masks
    named = (first.request.source, first.target, *first.masks)
    assert {*(one.path for one in named), Path("a-net.onnx")} == set(shown)


@with_ray
def test_memory_that_is_not_known_is_told_before_anything_is_done(
    data: Path, tmp_path: Path, asked: list[tuple[str, Place, Needs]]
) -> None:
    told = list[str]()
    what: dict[str, Any] = {"data": data, "editors": [f"big={__file__}:Hungry"], "floors": False}
    for on in ("", "ray"):
        settings = Settings(on=on, tell=told.append, memory=9)
        run(f"{TOY}:toy", out=tmp_path / f"run{on}", settings=settings, **what)
    assert [line[:42] for line in told] == ["big needs a GPU, and how much memory is no"]
    assert "9 GB; --memory raises it" in told[0]
    run(f"{TOY}:toy", out=tmp_path / "runray", settings=settings, **what)
    assert len(told) == 1, "it is not said where nothing is left to make"


# ── going on where nothing of the run was named before ──────────────────────────────────────


@pytest.mark.parametrize("dry", [False, True])
def test_the_same_command_goes_on_where_its_home_is_another(
    dry: bool, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, own, quiet = tmp_path / "run", f"{TOY}:made_nothing", Settings(workers=0)
    what: dict[str, Any] = {
        "data": data, "editors": [f"{TOY}:Dark"], "out": out, "measures": [own], "floors": False,
    }  # fmt: skip
    run(f"{TOY}:toy", **what, settings=quiet)

    def again() -> object:
        return plan(f"{TOY}:toy", **what) if dry else run(f"{TOY}:toy", **what, settings=quiet)

    elsewhere(tmp_path, monkeypatch)
    assert again()
    elsewhere(tmp_path, monkeypatch)
    with pytest.raises(StoreError, match="was not named on this machine"):
        merge([out], tmp_path / "merged")


@pytest.mark.parametrize("dry", [False, True])
def test_scores_are_added_by_the_same_command_where_its_home_is_another(
    dry: bool, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, own, quiet = tmp_path / "run", f"{TOY}:made_nothing", Settings(workers=0)
    run(f"{TOY}:toy", data=data, editors=["identity"], out=out, settings=quiet)
    score(out, [own], quiet)
    elsewhere(tmp_path, monkeypatch)
    trusting.name_code(f"{TOY}:toy", out)
    adding: Callable[[], object] = (
        (lambda: plan_scores(out, [own], quiet.asking)) if dry else lambda: score(out, [own], quiet)
    )
    assert adding()


def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another machine's home: nothing was named there."""
    monkeypatch.setenv("OVERPAINT_STATE", str(tmp_path / f"state-{len(list(tmp_path.iterdir()))}"))
    monkeypatch.setattr(trusting, "_here", set())

"""Places that are none, machines that cannot take part, and what is done at a station."""

import os
import socket
import subprocess
import sys
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overpaint.cli import main
from overpaint.document import Document
from overpaint.document.places import cache_folder
from overpaint.document.text import index
from overpaint.errors import Unavailable, UserMistake
from overpaint.run import Settings
from overpaint.store import keep_picture
from overpaint.work import (
    Needs,
    Place,
    Processes,
    Task,
    backend,
    check_answers,
    check_place,
    joining,
    station,
)
from overpaint.work.cluster import _check, _check_fonts, _said, _unfit
from overpaint.work.station import Home, Station, Word, handed, versions

with_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")


@pytest.mark.parametrize(
    "on", ["rya", "ray://", "ray://:10001", "ray://host:no", "ray://[::1", "10.0.0.1:6379"]
)
def test_a_place_that_is_none_is_said_at_once(on: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UserMistake, match="is no place to work on.*ray://HOST:PORT"):
        Settings(on=on)
    # The data is not there either: the place comes first.
    assert main(["run", "textedit", "--data", "/nowhere", "--on", on, "--quiet"]) == 2
    assert f"{on!r} is no place to work on" in capsys.readouterr().err


@with_ray
@pytest.mark.parametrize("on", ["", "ray", "ray://host", "ray://host:10001", "ray://[::1]:1"])
def test_places_that_are_some(on: str) -> None:
    check_place(on, 2)
    assert Settings(on=on).place.on == on


@with_ray
def test_this_process_is_not_on_a_cluster() -> None:
    with pytest.raises(UserMistake, match="--workers 0 works in this process"):
        Settings(workers=0, on="ray")


def test_without_ray_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "find_spec", lambda name: None)
    check_place("")
    with pytest.raises(Unavailable, match=r"pip install 'overpaint\[ray\]'"):
        check_place("ray")


@with_ray
def test_an_address_where_nobody_listens_is_found_out_in_seconds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:  # bound and not listening: no connection is taken
        taken.bind(("127.0.0.1", 0))
        on = f"ray://127.0.0.1:{taken.getsockname()[1]}"
        words = ["run", "demo", "-o", str(tmp_path / "run"), "--on", on, "--quiet"]
        main([*words, "--dry-run"])  # what is imported first is no part of it
        began = time.monotonic()
        assert main(words) == 2
        assert time.monotonic() - began < 20  # Ray itself takes half a minute
    said = capsys.readouterr().err
    assert f"No Ray cluster answers at {on}" in said
    assert "ray start --head --ray-client-server-port 10001" in said
    assert not (tmp_path / "run").exists()


@with_ray
def test_a_dry_run_asks_no_cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:

    def asked(*_: Any, **__: Any) -> None:
        raise AssertionError("it was asked")

    monkeypatch.setattr(socket, "create_connection", asked)
    out = str(tmp_path / "run")
    assert main(["run", "demo", "-o", out, "--on", "ray://host", "--dry-run", "--quiet"]) == 0
    with pytest.raises(AssertionError, match="it was asked"):
        check_answers("ray://host")


def test_commands_that_cannot_use_a_cluster_do_not_offer_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["build", "vde", "-o", "built", "--on", "ray"])
    assert "unrecognized arguments: --on" in capsys.readouterr().err


@pytest.mark.slow
def test_on_one_machine_nobody_imports_ray() -> None:
    script = (
        "import sys, pathlib\n"
        "from overpaint.run import Settings\nfrom overpaint.work import backend\n"
        "backend(print, Settings(workers=2).place, folder=pathlib.Path('.'))\n"
        "print('ray' in sys.modules, 'overpaint.work.cluster' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False False\n"


def test_on_one_machine_the_users_limit_holds_whatever_a_measure_needs(tmp_path: Path) -> None:
    made = backend(abs, Place(workers=2, memory=4), folder=tmp_path, needs=Needs(1, gigabytes=20))
    assert isinstance(made, Processes)
    assert made.memory == 4


# ── machines that cannot take part ──────────────────────────────────────────────────────────


def test_another_version_is_refused_and_only_what_differs_is_told(tmp_path: Path) -> None:
    there = versions() | {"numpy": "1.0"}
    with pytest.raises(UserMistake) as told:
        _check(Word("far", there, True, "", ""), versions(), tmp_path)
    assert "The cluster's machine far has numpy 1.0; here it is numpy" in str(told.value)
    assert "Pillow" not in str(told.value)
    _check(Word("far", versions(), True, "", ""), versions(), tmp_path)


def test_code_that_differs_under_one_version_is_another_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = station._code()
    (tmp_path / "__init__.py").write_text("changed = True\n")
    monkeypatch.setattr("overpaint.__file__", str(tmp_path / "__init__.py"))
    assert station._code() != before


def test_data_that_a_machine_does_not_see_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match=r"far does not see /data/1\.png.*Put --data there"):
        _check(Word("far", versions(), True, "/data/1.png", ""), versions(), tmp_path)


def test_a_machine_without_overpaint_is_told_what_to_install() -> None:
    error = RuntimeError("Traceback …\nModuleNotFoundError: No module named 'overpaint.work'")
    told = str(_unfit(error))
    assert "A machine of the cluster has no Overpaint, or an older one" in told
    assert f"pip install 'overpaint[ray]=={versions()['overpaint'].split()[0]}'" in told


# ── at a station, without Ray ───────────────────────────────────────────────────────────────


def report(station: Station, folder: Path, mark: str, shown: tuple[Path, ...] = ()) -> Word:
    given = handed(Processes(work, 1), Home.here(gpu=False))
    return station.report(folder / ".mark", mark, list(shown), versions(), given)


def test_another_folder_under_the_same_path_is_not_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(station, "_PATIENCE", 0.1)
    (tmp_path / ".mark").write_text("of another run")
    made = Station()
    assert not report(made, tmp_path, "of this run").sees
    assert not hasattr(made, "_crew"), "no worker is started where it would not be used"
    gone = tmp_path / "gone.png"
    assert report(made, tmp_path, "of another run", (tmp_path, gone)).lacks == str(gone)


def test_keys_do_not_travel_and_settings_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERPAINT_API_KEY", "secret")
    monkeypatch.setenv("OVERPAINT_CACHE", "/shared/cache")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    told = Home.here(gpu=True)
    assert told.variables["OVERPAINT_CACHE"] == "/shared/cache"
    assert "secret" not in told.variables.values()
    assert "CUDA_VISIBLE_DEVICES" not in told.variables
    assert Home.here(gpu=False).variables["CUDA_VISIBLE_DEVICES"] == ""


def test_where_the_cache_is_travels_however_it_was_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("OVERPAINT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("pathlib.Path.home", lambda: tmp_path)  # elsewhere than on Linux
    assert Home.here(gpu=False).variables["OVERPAINT_CACHE"] == str(cache_folder())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OVERPAINT_CACHE", "mine")
    assert Home.here(gpu=False).variables["OVERPAINT_CACHE"] == str(tmp_path / "mine")


def test_what_settings_name_must_be_there_so_far_as_it_is_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in [name for name in os.environ if name.startswith("OVERPAINT_")]:
        monkeypatch.delenv(name)
    for name in ("cache", "state", "clip", "hub", "fonts", "more"):
        (tmp_path / name).mkdir()
    (tmp_path / "cache" / "Own.ttf").touch()
    monkeypatch.chdir(tmp_path)
    told = {
        "OVERPAINT_CACHE": "cache", "OVERPAINT_STATE": "state", "OVERPAINT_CLIP": "clip",
        "HF_HOME": str(tmp_path / "hub"), "OVERPAINT_FONTS": os.pathsep.join(("fonts", "", "more")),
        "OVERPAINT_SAM": "gone", "OVERPAINT_MAX_PIXELS": "1000", "OVERPAINT_API_KEY": "clip",
        "OVERPAINT_GROUNDING_WORDS": "a word, " * 500,
    }  # fmt: skip
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    home = Home.here(gpu=False)
    seen = ("cache/Own.ttf", "clip", "hub", "fonts", "more")
    assert sorted(home.named()) == sorted(tmp_path / name for name in seen)
    assert home.variables["HF_HOME"] == str(tmp_path / "hub")


def test_a_machine_with_other_fonts_than_the_first_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(index, "_machine", lambda: [tmp_path])
    before = index.installed_fonts()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "Own.ttf").write_bytes(b"one")
    (tmp_path / "Gone.ttf").symlink_to(tmp_path / "nowhere.ttf")
    one = index.installed_fonts()
    (tmp_path / "folder" / "Own.ttf").write_bytes(b"another")
    assert len({before, one, index.installed_fonts()}) == 3
    assert int(one.split()[0]) == int(before.split()[0]) + 1
    first, other = Word("one", versions(), True, "", one), Word("far", versions(), True, "", before)
    _check_fonts(replace(first, host="two"), first)
    with pytest.raises(UserMistake, match=r"far has other fonts than one: \d+ \(\w{8}\) files"):
        _check_fonts(other, first)


def work(subject: int, step: str) -> int:
    """Waits, dies or does it."""
    if step == "wait":
        time.sleep(0.15)
    if step == "die":
        os._exit(3)
    return 10 * subject


@pytest.mark.slow
def test_what_would_last_too_long_is_given_back_and_all_is_told_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(station, "_LONGEST", 0.5)
    kept = dict(os.environ)
    (tmp_path / ".mark").write_text("this")
    made = Station()
    try:
        assert report(made, tmp_path, "this").sees
        tasks = [Task(1, ("fine", "die", "fine")), *(Task(n, ("wait",)) for n in range(2, 40))]
        _, count, found = made.work(tasks)
        made._crew.__exit__()
    finally:
        os.environ.clear()
        os.environ.update(kept)
    assert 1 <= count < len(tasks)
    assert len(found) == sum(len(task.steps) for task in tasks[:count])
    assert [result for result, _ in found] == [10, None, 10, *(10 * n for n in range(2, count + 1))]
    assert "exit code 3" in str(found[1][1])


def test_what_ray_cannot_name_when_it_is_started_becomes_a_sentence() -> None:
    words = "Ray could not be started here: timed out.*again"
    with pytest.raises(UserMistake, match=words), joining._Worded():
        raise Exception("timed out")
    with pytest.raises(KeyboardInterrupt), joining._Worded():
        raise KeyboardInterrupt


def test_what_ray_says_of_a_lost_worker_is_told_without_its_numbers() -> None:
    error = RuntimeError("The actor died.\n\tclass_name: Station\n\tactor_id: 77\nIts node fell.")
    assert _said(error) == "The actor died. Its node fell."
    assert (
        _said(RuntimeError("Traceback (most recent call last):\n  x\nOSError: no")) == "OSError: no"
    )


def test_machines_whose_processes_have_one_number_do_not_write_into_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts: list[str] = []
    monkeypatch.setattr(os, "replace", lambda draft, path: drafts.append(str(draft)))
    for host in ("pod-1", "pod-2"):
        monkeypatch.setattr("platform.node", lambda host=host: host)
        keep_picture(tmp_path, Document.of(np.zeros((2, 2, 3), np.uint8)))
    assert len(set(drafts)) == 2

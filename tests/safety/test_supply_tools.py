"""`make check` and known vulnerabilities, and the list of what a release is made of."""

import json
import re
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest
from test_locks import FORBIDDEN, LESSER, ROOT, pins

AUDIT = runpy.run_path(str(ROOT / "requirements" / "audit.py"))
BAD = {"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"],
       "aliases": ["CVE-1"]}]}  # fmt: skip
GOOD: dict[str, Any] = {"name": "b", "version": "1", "vulns": []}
UNKNOWN = {"name": "c", "version": "1", "skip_reason": "not found"}


def answering(monkeypatch: pytest.MonkeyPatch, *answers: Any) -> None:
    """Let pip-audit say these things, one after another."""
    given = iter(answers)

    def run(*_: Any, **__: Any) -> Any:
        answer = next(given)
        if isinstance(answer, Exception):
            raise answer
        return subprocess.CompletedProcess([], 0, *answer)

    monkeypatch.setattr(subprocess, "run", run)


def said(*found: Any) -> tuple[str, str]:
    return json.dumps({"dependencies": found}), ""


def test_a_known_vulnerability_ends_the_check_with_1_and_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answering(monkeypatch, said(GOOD), said(GOOD, BAD))
    assert AUDIT["main"]() == 1
    out = capsys.readouterr().out
    assert "a 1 has the known vulnerability PYSEC-1 (fixed in 2)." in out
    assert "make lock" in out


@pytest.mark.parametrize(
    "answer",
    [said(UNKNOWN), ("", "ERROR: no route to host"), ("<html>", ""), OSError("no network"),
     subprocess.TimeoutExpired("pip-audit", 20)],
)  # fmt: skip
def test_where_no_advisory_can_be_reached_that_is_said_and_the_check_goes_on(
    answer: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answering(monkeypatch, answer)
    assert AUDIT["main"]() == 0
    out = capsys.readouterr().out
    assert "not looked up" in out
    assert out.count("\n") == 1


def test_it_takes_no_longer_than_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def run(*_: Any, timeout: float, **__: Any) -> Any:
        given.append(timeout)
        return subprocess.CompletedProcess([], 0, *said(GOOD))

    times = iter([0.0, 15.0])
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(AUDIT["time"], "monotonic", lambda: next(times))
    assert AUDIT["main"]() == 0
    assert given == [20.0, 105.0]


def test_packages_that_are_not_known_are_counted_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answering(monkeypatch, said(GOOD), said(GOOD, UNKNOWN))
    assert AUDIT["main"]() == 0
    assert "none in 1 of 2 packages; the others are not known." in capsys.readouterr().out


@pytest.mark.parametrize("named", ["PYSEC-1", "CVE-1"])
def test_what_is_ignored_has_a_reason(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(len(why) > 30 for why in AUDIT["IGNORED"].values())
    monkeypatch.setitem(AUDIT["IGNORED"], named, "of no trouble here, as nothing reads it; 2026")
    assert AUDIT["told"]([BAD]) == 0


def test_every_locked_package_is_asked_about() -> None:
    locked = {name for layer in ("demo", "test", "slow", "cuda") for name in pins(layer)}
    asked = [re.split(r"\[|==", one)[0] for one in AUDIT["_pins"]()]
    assert {re.sub(r"[-_.]+", "-", one).lower() for one in asked} == locked


@pytest.mark.slow
def test_the_list_of_a_releases_parts_names_them_all_with_licences_one_can_live_with(
    tmp_path: Path,
) -> None:
    out = runpy.run_path(str(ROOT / "requirements" / "sbom.py"))["main"](tmp_path / "sbom.json")
    found = json.loads(out.read_text())
    assert found["bomFormat"] == "CycloneDX"
    assert found["metadata"]["component"]["name"] == "overpaint"
    listed = {re.sub(r"[-_.]+", "-", one["name"]).lower(): one for one in found["components"]}
    linux = {name for name, (_, line) in pins("demo").items() if "sys_platform" not in line}
    assert linux - set(listed) == set()
    required = {name for name, one in listed.items() if one["scope"] == "required"}
    assert required >= linux
    assert "pytest" not in required
    for name in required:
        told = json.dumps(listed[name].get("licenses", ()))
        assert len(told) > 4, f"{name} has no licence"
        assert " OR " in told or not FORBIDDEN.search(LESSER.sub("", told)), f"{name}: {told}"
    text = out.read_text()
    assert "file:" not in text
    assert str(Path.home()) not in text

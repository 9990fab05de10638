"""The locks in `requirements/`: whole, hashed, and what pyproject.toml asks for; its licences."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
AGAIN = "pyproject.toml and requirements/ disagree: run `make lock` and commit what it writes."
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LAYERS = {
    "demo": (),
    "test": ("dev", "lm", "pose"),
    "slow": ("diffusers", "aesthetics", "train"),
}
LINE = re.compile(
    r"(?P<name>[A-Za-z0-9._-]+)(\[[\w,-]+\])?==(?P<version>[^ ;]+)(?: ; (?P<where>[^\\]+?))?"
    r"(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n"
)
# What nobody who gives software away, or pays by it, can live with in what it needs.
FORBIDDEN = re.compile(
    r"\bA?GPL|affero|(?<!lesser )(?<!library )general public|non-?commercial|\bNC\b", re.IGNORECASE
)
LESSER = re.compile(r"LGPL|lesser general public|library general public", re.IGNORECASE)


def pins(layer: str) -> dict[str, tuple[str, str]]:
    """Name -> version and hashes as they stand in a file."""
    text = (ROOT / "requirements" / f"{layer}.txt").read_text()
    return {
        canonicalize_name(found["name"]): (found["version"], found[0])
        for found in LINE.finditer(text)
    }


def wanted(extra: str) -> list[Requirement]:
    optional = PROJECT["project"]["optional-dependencies"]
    listed = optional[extra] if extra else PROJECT["project"]["dependencies"]
    return [Requirement(one) for one in listed]


@pytest.mark.parametrize("layer", [*LAYERS, "cpu", "cuda"])
def test_every_line_of_a_lock_is_one_version_with_its_hashes(layer: str) -> None:
    text = (ROOT / "requirements" / f"{layer}.txt").read_text()
    head, _, body = text.partition("\n")
    assert head.startswith("# ")
    assert LINE.sub("", body) == "", "nothing stands there but pinned and hashed packages"
    assert len(pins(layer)) == len(LINE.findall(body)), "none stands there twice"
    assert "://" not in text
    assert " @ " not in text
    assert "--index" not in text


@pytest.mark.parametrize("layer", LAYERS)
def test_a_lock_has_what_pyproject_asks_for(layer: str) -> None:
    here: dict[str, tuple[str, str]] = {}
    for one in LAYERS:
        here |= pins(one)
        if one == layer:
            break
    asked = [*wanted(""), *(one for extra in LAYERS[layer] for one in wanted(extra))]
    asked += [Requirement(one) for one in PROJECT["build-system"]["requires"]]
    for one in asked:
        found = here.get(canonicalize_name(one.name))
        assert found, f"{one.name} is in no lock. {AGAIN}"
        assert one.specifier.contains(Version(found[0])), f"{one} is {found[0]} there. {AGAIN}"


def test_a_package_has_one_version_however_many_layers_there_are() -> None:
    names = [name for layer in (*LAYERS, "cuda") for name in pins(layer)]
    assert len(names) == len(set(names)), AGAIN


def test_a_changed_pyproject_without_a_new_lock_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for changed in ("numpy>=99", "a-package-that-nobody-locked"):
        monkeypatch.setitem(PROJECT["project"], "dependencies", [changed])
        with pytest.raises(AssertionError, match="make lock"):
            test_a_lock_has_what_pyproject_asks_for("demo")


def test_the_cpu_build_of_torch_is_as_good_as_the_registrys() -> None:
    """It is taken first, where somebody has it at hand, and is the version that is locked."""
    import runpy

    told = runpy.run_path(str(ROOT / "requirements" / "lock.py"))
    version, line = pins("cpu")["torch"]
    assert version == f"{pins('test')['torch'][0]}+cpu", AGAIN
    assert told["CPU"] == f"torch=={version}"
    assert told["CPU_HASH"] in line
    text = (ROOT / "Makefile").read_text()
    assert text.index("requirements/cpu.txt 2>") < text.index("(EXACTLY) requirements/test.txt")


def test_make_installs_what_is_locked_by_hash_and_as_wheels_alone() -> None:
    text = (ROOT / "Makefile").read_text()
    assert "--no-deps --require-hashes --only-binary :all: -r" in text
    for layer in (*LAYERS, "cpu", "cuda"):
        assert f"$(EXACTLY) requirements/{layer}.txt" in text
    assert "--no-deps --no-build-isolation --editable ." in text


# ── licences ────────────────────────────────────────────────────────────────────────────


def licence_of(name: str) -> str:
    """What a package's own metadata says of its licence."""
    told = distribution(name).metadata
    classed = [one for one in told.get_all("Classifier", []) if one.startswith("License ::")]
    if expression := told.get("License-Expression"):
        return expression
    return " / ".join([*classed, (told.get("License") or "").strip().split("\n")[0][:200]])


def test_nothing_that_the_package_needs_is_gpl_or_non_commercial() -> None:
    """Of demo.txt, which is all that whoever installs Overpaint gets; tests may use others."""
    wrong, silent = {}, []
    for name in pins("demo"):
        try:
            told = licence_of(name)
        except PackageNotFoundError:
            continue  # of another platform
        if FORBIDDEN.search(LESSER.sub("", told)) and " OR " not in told:
            wrong[name] = told
        if not told.strip(" /"):
            silent.append(name)
    assert wrong == {}
    assert silent == [], "look up their licences, and note them here"


def test_the_test_of_licences_notices() -> None:
    bad = ("GPL-3.0-only", "License :: OSI Approved :: GNU Affero General Public License v3",
           "CC-BY-NC-4.0", "GNU General Public License v2", "AGPL-3.0-or-later")  # fmt: skip
    good = ("LGPL-2.1-or-later", "GNU Lesser General Public License v3", "MIT", "OFL-1.1",
            "Apache-2.0")  # fmt: skip
    assert all(FORBIDDEN.search(LESSER.sub("", one)) for one in bad)
    assert not any(FORBIDDEN.search(LESSER.sub("", one)) for one in good)

"""Writes the locks beside this file: every package, at one version, with the hashes of its wheels.

    make lock        # a throw-away environment with uv in it, then this

What is wanted stands in pyproject.toml alone. It is resolved once, for Python 3.11 on Linux, Macs
and Windows, and laid out in layers that never disagree: `demo.txt` (`make demo`), `test.txt` (what
`make test` needs besides), `slow.txt` (likewise `make slow`), `cpu.txt`: PyTorch's own CPU build,
and `cuda.txt`: what the torch of the registry needs on Linux and that build does not. Only wheels
are named: nothing that is installed gets to run a script of its own while it is.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.utils import canonicalize_name, parse_wheel_filename

HERE = Path(__file__).parent
PYTHON = (3, 11)
PLATFORMS = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}
MACHINE = {
    "python_full_version": "3.11.9", "python_version": "3.11", "platform_machine": "x86_64",
    "implementation_name": "cpython", "platform_python_implementation": "CPython",
}  # fmt: skip
LAYERS: Mapping[str, tuple[str, ...]] = {
    "demo": (),
    "test": ("dev", "lm", "pose"),
    "slow": ("dev", "lm", "pose", "diffusers", "aesthetics", "train"),
}
# Installed without what it asks for: torchvision, which its GMSD never uses.
ALONE = {"test": ("piq==0.8.0",)}
# A version that says it is for older Pythons only, which the resolver overlooks.
PASSED_OVER = ("backports-strenum<1.3",)
CUDA = re.compile(r"(nvidia|cuda)-|triton$")
# A wheel that no registry lists and that is as good, where somebody has it at hand: PyTorch's own
# CPU build for Linux (x86_64, Python 3.11), which spares gigabytes of CUDA. It has a file of its
# own, since pip prefers a wheel whose hash its index tells to one that is newer.
CPU = "torch==2.13.0+cpu"
CPU_HASH = "6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b"
TOLD = {
    "demo": "What `make demo` installs",
    "test": "What `make test` installs on top of demo.txt",
    "slow": "What `make slow` installs on top of test.txt",
    "cpu": "PyTorch's own CPU build, taken where somebody has it at hand",
    "cuda": "What torch needs besides on Linux, unless it is PyTorch's own CPU build",
}
LINUX_AND_OTHERS = "sys_platform == '{}' and python_full_version < '3.12'"


def main() -> None:
    """Resolve everything, then the smaller layers within it, and write the files."""
    project = (HERE.parent / "pyproject.toml").read_text()
    pins: list[str] = []
    found: dict[str, dict[str, str]] = {}
    for layer in reversed(LAYERS):  # the largest first: the others are parts of it
        lines = _lines(_resolved(project, LAYERS[layer], pins))
        for one in ALONE.get(layer, ()):
            lines |= _lines(_resolved(_asking(one), (), (), "--no-deps"))
        pins = pins or [text.split(" ")[0] for text in lines.values()]
        found[layer] = lines
    # A package is wanted wherever any layer wants it, though a smaller one may on fewer platforms.
    widest = {name: text for lines in reversed(found.values()) for name, text in lines.items()}
    cuda = {name: text for name, text in widest.items() if CUDA.match(name)}
    below: set[str] = set(cuda)
    for layer, lines in reversed(found.items()):
        _write(layer, {name: widest[name] for name in lines if name not in below})
        below |= set(lines)
    _write("cuda", cuda)
    if not CPU.startswith(pin := widest["torch"].split(" ")[0]):
        raise SystemExit(f"{CPU} is another version than {pin}: name its CPU build in lock.py.")
    _write("cpu", {"torch": f"{CPU} ; sys_platform == 'linux' \\\n    --hash=sha256:{CPU_HASH}"})


def _asking(requirement: str) -> str:
    return f'[project]\nname = "one"\nversion = "1"\ndependencies = ["{requirement}"]\n'


def _resolved(
    project: str, extras: Iterable[str], pins: Iterable[str], *more: str
) -> list[dict[str, Any]]:
    """The packages of a pyproject and its extras, with what builds it, as uv resolves them."""
    build = tomllib.loads(project).get("build-system", {}).get("requires", [])
    places = [LINUX_AND_OTHERS.format(one) for one in PLATFORMS]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "pyproject.toml").write_text(
            f"{project}\n[tool.uv]\nenvironments = {places}\n"
        )
        Path(folder, "build.in").write_text("\n".join(build))
        Path(folder, "pins.txt").write_text("\n".join([*pins, *PASSED_OVER]))
        out = Path(folder, "pylock.toml")
        subprocess.run(
            [Path(sys.executable).with_name("uv"), "pip", "compile", "--quiet", "--universal",
             "--python-version", "3.11", "--generate-hashes", "--format", "pylock.toml",
             "--constraints", "pins.txt", "-o", out, *(f"--extra={one}" for one in extras), *more,
             "pyproject.toml", "build.in"],
            cwd=folder, check=True,
        )  # fmt: skip
        packages: list[dict[str, Any]] = tomllib.loads(out.read_text())["packages"]
        return packages


def _lines(packages: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Name -> its line of a requirements file."""
    found = {}
    for package in packages:
        name, pin = canonicalize_name(package["name"]), f"{package['name']}=={package['version']}"
        wheels = package.get("wheels", ())
        hashes = {one["hashes"]["sha256"] for one in wheels if _fits(one["url"])}
        if not hashes:
            raise SystemExit(f"{pin} has no wheel for Python 3.11: take another version, or none.")
        told = "".join(f" \\\n    --hash=sha256:{one}" for one in sorted(hashes))
        found[name] = f"{pin}{_where(package.get('marker', ''))}{told}"
    return found


def _fits(url: str) -> bool:
    """Whether a wheel is for the Python that is locked, on an ordinary machine."""
    *_, tags = parse_wheel_filename(url.rpartition("/")[2].replace("%2B", "+"))
    return any(
        (tag.interpreter in ("py3", "py311", "cp311") or (tag.abi == "abi3" and _older(tag)))
        and tag.platform.startswith(("any", "manylinux", "musllinux", "linux", "macosx", "win"))
        for tag in tags
    )


def _older(tag: Any) -> bool:
    minor = tag.interpreter.removeprefix("cp3")
    return minor.isdigit() and int(minor) <= PYTHON[1]


def _where(marker: str) -> str:
    """On which platforms a package is wanted, as short as it can be said."""
    if not marker:
        return ""
    wanted = [
        one for one, system in PLATFORMS.items()
        if Marker(marker).evaluate(MACHINE | {"sys_platform": one, "platform_system": system})
    ]  # fmt: skip
    if len(wanted) == len(PLATFORMS):
        return ""
    return " ; " + " or ".join(f"sys_platform == '{one}'" for one in wanted)


def _write(layer: str, lines: Mapping[str, str]) -> None:
    head = f"# {TOLD[layer]}; Python 3.11. Written by `make lock`: do not edit.\n"
    text = head + "\n".join(lines[name] for name in sorted(lines)) + "\n"
    (HERE / f"{layer}.txt").write_text(text)
    print(f"requirements/{layer}.txt: {len(lines)} packages")


if __name__ == "__main__":
    main()

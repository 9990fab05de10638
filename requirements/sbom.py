"""Writes what a release is made of, as CycloneDX: `make sbom`, into `dist/`.

Every package of this environment, with its licence. What whoever installs Overpaint gets is
"required"; what only tests, benches and tools need is "excluded", as CycloneDX calls it.
"""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent


def main(out: Path | None = None) -> Path:
    """Write it and tell where."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    out = out or ROOT / "dist" / f"overpaint-{version}.cdx.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [sys.executable, "-m", "cyclonedx_py", "environment", "--pyproject",
         ROOT / "pyproject.toml", "--mc-type", "library", "--output-reproducible", "--of", "JSON",
         "--no-validate", "-o", out, sys.executable],
        check=True,
    )  # fmt: skip
    found = json.loads(out.read_text())
    needed = {_plain(name) for name in re.findall(r"(?m)^[\w.-]+", _lock())}
    for component in found["components"]:
        component["scope"] = "required" if _plain(component["name"]) in needed else "excluded"
        component["licenses"] = component.get("licenses") or _licences(component["name"])
        _without_places(component)
    out.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    print(f"{out}: {len(found['components'])} packages")
    return out


def _lock() -> str:
    return (HERE / "demo.txt").read_text()


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _licences(name: str) -> list[dict[str, Any]]:
    """What a package itself says of its licence, in words that are no SPDX expression."""
    told = metadata(name)
    said = told.get("License-Expression") or told.get("License") or ""
    return [{"license": {"name": said.splitlines()[0][:200]}}] if said.strip() else []


def _without_places(component: dict[str, Any]) -> None:
    """Leave out where a file lay on the machine that installed it."""
    kept = [one for one in component.get("externalReferences", ()) if one["url"][:5] != "file:"]
    component["externalReferences"] = kept


if __name__ == "__main__":
    main()

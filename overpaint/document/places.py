"""Places: where Overpaint keeps files on this machine."""

import os
import sys
from pathlib import Path

CACHE_SETTING = "OVERPAINT_CACHE"


def cache_folder() -> Path:
    """Where fetched files are kept: OVERPAINT_CACHE, or the platform's cache folder."""
    if chosen := os.environ.get(CACHE_SETTING):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "overpaint"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/overpaint"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "overpaint"

"""Places: where Overpaint keeps files on this machine."""

import os
import sys
from pathlib import Path

CACHE_SETTING = "OVERPAINT_CACHE"
STATE_SETTING = "OVERPAINT_STATE"


def cache_folder() -> Path:
    """Where fetched files are kept: OVERPAINT_CACHE, or the platform's cache folder."""
    if chosen := os.environ.get(CACHE_SETTING):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "overpaint"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/overpaint"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "overpaint"


def state_folder() -> Path:
    """Where is kept what a user has said once: OVERPAINT_STATE, or the platform's folder for it."""
    if chosen := os.environ.get(STATE_SETTING):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return cache_folder()  # is the user's own there, and is not emptied
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/overpaint"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "overpaint"

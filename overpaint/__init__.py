"""Overpaint: edit documents and pictures by instruction, and measure any editor."""

import importlib
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from overpaint.run import open_run, run

__version__ = version("overpaint")
__all__ = ["open_run", "run"]


def __getattr__(name: str) -> Any:
    """`run` and `open_run`, imported when first used so that `import overpaint` stays quick."""
    if name not in __all__:
        raise AttributeError(f"module 'overpaint' has no attribute {name!r}")
    module = importlib.import_module("overpaint.run")
    # Python binds a submodule to its package, so `overpaint.run` is the module; it is callable.
    return module if name == "run" else module.open_run

"""Overpaint: edit documents and pictures by instruction, and measure any editor."""

import importlib
import os
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from overpaint.run import Settings, open_run, run

__version__ = version("overpaint")
# onnxruntime keeps and sends reports of its use unless this is set before it is imported. Worker
# processes inherit it.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
__all__ = ["Settings", "open_run", "run"]


def __dir__() -> list[str]:
    return [*globals(), *__all__]


def __getattr__(name: str) -> Any:
    """The public names, imported when first used so that `import overpaint` stays quick."""
    if name not in __all__:
        raise AttributeError(f"module 'overpaint' has no attribute {name!r}")
    module = importlib.import_module("overpaint.run")
    # Python binds a submodule to its package, so `overpaint.run` is the module; it is callable.
    return module if name == "run" else getattr(module, name)

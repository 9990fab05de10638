"""SVG: a drawing as a layered document, changed in its own source and written back."""

from pathlib import Path

from overpaint.document.svg.reading import read
from overpaint.document.svg.writing import write

__all__ = ["pages", "read", "write"]


def pages(path: Path) -> int:
    """An SVG has one page."""
    return 1

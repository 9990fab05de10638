"""PPTX: a slide as a layered document, changed in its own deck and written back."""

from overpaint.document.pptx.deck import pages
from overpaint.document.pptx.reading import read
from overpaint.document.pptx.writing import write

__all__ = ["pages", "read", "write"]

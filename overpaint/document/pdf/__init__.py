"""PDF: a page as a layered document, its lines as text that can be edited and written back."""

from overpaint.document.pdf.opening import pages, point
from overpaint.document.pdf.reading import read
from overpaint.document.pdf.writing import write

__all__ = ["pages", "point", "read", "write"]

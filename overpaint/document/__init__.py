"""Documents: what is edited. A picture is a document of one layer."""

from overpaint.document.model import Document, Layer, Pixels

__all__ = ["Document", "Layer", "Pixels"]

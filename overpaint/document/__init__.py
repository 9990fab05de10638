"""Documents: what is edited. A picture is a document of one layer."""

from overpaint.document.layers import Layer, Picture, Pixels
from overpaint.document.model import Document

__all__ = ["Document", "Layer", "Picture", "Pixels"]

"""PDFs that tests read."""

from collections.abc import Callable
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from overpaint.document.layers import Text
from overpaint.document.model import Document

Draw = Callable[[Canvas], None]


def pdf(path: Path, *draws: Draw, size: tuple[float, float] = (300, 200)) -> Path:
    """A PDF of one page a drawing."""
    canvas = Canvas(str(path), pagesize=size, pageCompression=0, invariant=1)
    for draw in draws:
        canvas.setFont("Helvetica", 20)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return path


def letter(canvas: Canvas) -> None:
    """A heading, kerned and spaced words, a line of many objects, and a picture."""
    canvas.drawString(20, 160, "Meet Friday")
    canvas._code.append("BT /F1 16 Tf 3 Tc 1 0 0 1 20 130 Tm (Spaced) Tj 0 Tc ET")
    canvas._code.append("BT /F1 16 Tf 1 0 0 1 20 105 Tm [(A) -80 (W) 90 (AY) -600 (home)] TJ ET")
    canvas._code.append("BT /F1 12 Tf 1 0 0 1 20 80 Tm (one ) Tj (two ) Tj 1 0 0 rg (three) Tj "
                        "0 g ( four) Tj 0 -18 Td (next line) Tj ET")  # fmt: skip
    canvas.setFillColorRGB(0.2, 0.4, 0.9)
    canvas.rect(180, 20, 90, 60, fill=1, stroke=0)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.setFont("Helvetica-Bold", 14)
    canvas.drawString(190, 45, "On blue")


def texts(document: Document) -> list[str]:
    """The words of every live text."""
    return [layer.content.words for layer in document if isinstance(layer.content, Text)]

"""Setting: the words of a text layer in lines, as pixels."""

from overpaint.document.layers import Pixels, Point, Text
from overpaint.document.text.dressing import dressed
from overpaint.document.text.fonts import Library, here
from overpaint.document.text.lines import Piece, SetLine, placed, rows_of
from overpaint.document.text.marks import marked
from overpaint.document.text.painting import LARGEST_SET, paint, too_large
from overpaint.errors import Refused

# Of one text: each letter costs a fraction of a millisecond, several times.
MOST_LETTERS = 20_000

__all__ = ["Piece", "SetLine", "draw_text", "lay", "measure", "substitutes"]


def draw_text(
    text: Text, at: Point = (0.0, 0.0), *, library: Library | None = None
) -> tuple[Pixels, int, int]:
    """RGBA pixels of a text whose place is a fraction of a pixel, and their corner from it."""
    if text.drawn is not None:
        return text.drawn, round(text.drawn_at[0] + at[0]), round(text.drawn_at[1] + at[1])
    return paint(lay(text, library), at)


def lay(text: Text, library: Library | None = None) -> tuple[SetLine, ...]:
    """The lines of a text, from its place: the first baseline is at 0."""
    if not text.words:
        return ()
    if (count := sum(len(run.words) for run in text.runs)) > MOST_LETTERS:
        raise Refused(
            f"A text of {count:,} letters is too long to set.", f"It may have {MOST_LETTERS:,}.",
            "Take it apart.",
        )  # fmt: skip
    for run in text.runs:
        if run.style.size > LARGEST_SET:
            raise too_large(run.style.size)
    letters, _ = dressed(text, library or here())
    if not letters:
        return ()
    rows = rows_of(letters, text.style, text.width)
    return marked(rows, placed(rows, text.width, text.style.align), library or here())


def measure(text: Text, library: Library | None = None) -> tuple[float, float]:
    """How wide the widest line is, and how high all lines are, each as high as its leading."""
    lines = lay(text, library)
    if not lines:
        return 0.0, 0.0
    first = max((p.style.size * p.style.leading for p in lines[0].pieces),
                default=text.style.size * text.style.leading)  # fmt: skip
    far, near = max(line.left + line.width for line in lines), min(line.left for line in lines)
    return far - min(0.0, near), lines[-1].baseline + first


def substitutes(text: Text, library: Library | None = None) -> tuple[str, ...]:
    """What had to be replaced: fonts that are not here, forced styles, letters no font has."""
    return dressed(text, library or here())[1]

"""One value that one person gave: what tables, files and opinion scores are made of."""

from dataclasses import dataclass

Box = tuple[float, float, float, float]  # x, y, width, height in percent


@dataclass(frozen=True)
class Rating:
    """What a rater said of an edit in one respect; of two edits, where `against` is set."""

    sample: str
    editor: str
    rater: str
    dimension: str
    value: float | None  # None: a box. Pairs: 1, 0.5 or 0 for `editor`
    against: str = ""
    box: Box | None = None
    seconds: float | None = None
    comment: str = ""
    showing: str = "rating"  # or training, repeat, gold

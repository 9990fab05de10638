"""Where: what an op is about, as a person would point at it, and how that is found in layers."""

from dataclasses import dataclass
from typing import Literal

Place = Literal[
    "", "top", "bottom", "left", "right", "centre",
    "top left", "top right", "bottom left", "bottom right",
]  # fmt: skip
Role = Literal[
    "", "title", "subtitle", "heading", "header", "footer", "caption", "paragraph", "sentence",
    "line", "word", "letter", "number", "date", "time", "price", "phone", "address", "email",
    "slogan", "logo", "label", "list", "table", "row", "column", "cell", "text", "picture",
    "shape", "background",
]  # fmt: skip
Side = Literal["before", "after", "above", "below", "left", "right", "inside", "at"]


@dataclass(frozen=True)
class Where:
    """Empty fields say nothing; all that is said must fit."""

    layer: str = ""  # a layer's id, or a name that only one layer has
    text: str = ""  # words that stand there
    role: Role = ""  # "the title", "the third line"
    nth: int = 0  # of all that fit, from the top: 1 the first, -1 the last; 0: there is but one
    every: bool = False  # all that fit
    place: Place = ""  # "at the bottom left"
    row: str = ""  # of a table: a number from 1, or words that stand in it
    column: str = ""
    side: Side | Literal[""] = ""  # "the text below …": how it stands to `of`
    of: "Where | None" = None

"""What files of either kind have in common: which values answer which questions, and words."""

from overpaint.rating.study import Question

COMMENT = "comment"  # what the field for remarks is called
TIE = 0.5
VOTES = {"left": 1.0, "tie": TIE, "right": 0.0}


def answers(question: Question, value: float) -> bool:
    """Whether the number is one that the question can be answered by."""
    if question.values is not None:
        return value in question.values
    low, high = question.ends or (0.0, 1.0)
    return low <= value <= high if question.kind == "slider" else value in (low, high)


def told(question: Question) -> str:
    """The answers of a question in words."""
    if question.values is not None:
        return ", ".join(f"{value:g}" for value in question.values)
    low, high = question.ends or (0.0, 1.0)
    return f"{low:g} to {high:g}" if question.kind == "slider" else f"{low:g} or {high:g}"


def numbered(count: int, one: str, more: str) -> str:
    """So many ratings, with the verb that follows them."""
    return f"1 rating {one}" if count == 1 else f"{count:,} ratings {more}"

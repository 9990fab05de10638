"""Numbers as they are said on the command line: what is none is told with what was said."""

import argparse


def count(text: str) -> int:
    """A whole number from 1 up."""
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return int(text)


def some(text: str) -> int:
    """How many questions may be asked at once."""
    value = count(text)
    if value > 512:
        raise argparse.ArgumentTypeError(f"{text} are more than the 512 that can be asked at once")
    return value


def seconds(text: str) -> float:
    """Seconds, a day at most."""
    value = positive(text)
    if value > 86_400:
        raise argparse.ArgumentTypeError(f"{text} is more than a day has seconds")
    return value


def whole(text: str) -> int:
    """A whole number from 0 up."""
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def positive(text: str) -> float:
    """A finite number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value

"""Runs: changing some of the words of a text, each word keeping the style it stands in."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from overpaint.document.layers import Run, Style, Text

Span = tuple[int, int]  # of letters: from, to
_GAPS = " \u00a0"


def reworded(text: Text, span: Span, words: str) -> Text:
    """The text with other words in a span, in the style that the span begins in."""
    start, end = span
    style = _style_at(text, start)
    runs = [*_cut(text, 0, start), Run(words, style), *_cut(text, end, len(text.words))]
    return _with(text, runs)


def with_line(text: Text, span: Span, words: str, *, above: bool) -> Text:
    """The text with a new paragraph above or below that of a span, as most of that one looks."""
    said = text.words
    start = said.rfind("\n", 0, span[0]) + 1
    end = said.find("\n", max(span[0], span[1] - 1))
    end = len(said) if end < 0 else end
    longest = max(_cut(text, start, end), key=lambda run: len(run.words), default=None)
    style = _style_at(text, start) if longest is None else longest.style
    at, line = (start, f"{words}\n") if above else (end, f"\n{words}")
    return _with(text, [*_cut(text, 0, at), Run(line, style), *_cut(text, at, len(said))])


def removed(text: Text, span: Span) -> Text:
    """The text without a span, and without the space or empty line that it would leave."""
    start, end = span
    said = text.words
    before, after = said[:start], said[end:]
    first, last = before.rstrip(_GAPS), after.lstrip(_GAPS)
    if first[-1:] in ("", "\n") and last[:1] in ("", "\n") and first + last:
        # All of a line goes with its break: the one after it, or of the last line the one before.
        start, end = len(first), len(said) - len(last)
        start, end = (start, end + 1) if last else (start - 1, end)
    elif after[:1] in _GAPS and (not before or before[-1] in _GAPS + "\n") and after:
        end += 1
    elif before[-1:] in _GAPS and (not after or after[0] in ".,;:!?\n") and before:
        start -= 1
    return _with(text, [*_cut(text, 0, start), *_cut(text, end, len(said))])


def restyled(text: Text, span: Span, change: Callable[[Style], Style]) -> Text:
    """The text with a span in another style."""
    start, end = span
    middle = [Run(run.words, change(run.style)) for run in _cut(text, start, end)]
    return _with(text, [*_cut(text, 0, start), *middle, *_cut(text, end, len(text.words))])


def _cut(text: Text, start: int, end: int) -> Iterator[Run]:
    at = 0
    for run in text.runs:
        words = run.words[max(0, start - at) : max(0, end - at)]
        at += len(run.words)
        if words:
            yield Run(words, run.style)


def _style_at(text: Text, at: int) -> Style:
    reached = 0
    for run in text.runs:
        reached += len(run.words)
        if at < reached:
            return run.style
    return text.runs[-1].style if text.runs else Style()


def _with(text: Text, runs: list[Run]) -> Text:
    """The text with other runs, alike neighbours joined; it has to be drawn anew."""
    joined: list[Run] = []
    for run in runs:
        if joined and joined[-1].style == run.style:
            joined[-1] = Run(joined[-1].words + run.words, run.style)
        elif run.words:
            joined.append(run)
    kept = tuple(joined) or (Run("", text.style),)
    return replace(text, runs=kept, drawn=None, drawn_at=(0.0, 0.0))

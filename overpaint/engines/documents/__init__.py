"""Documents: pages of nine kinds typeset from a seed, one edit on each, and the exact truth.

The same seed, number and font files give the same pixels. Source and truth are drawn from one
backdrop and one list of items, and differ in the changed lines or cells of a single item, so
outside the region they are equal bit for bit.
"""

from overpaint.engines.documents.album import write
from overpaint.engines.documents.generate import KINDS, LANGUAGES, Generated, compose, make, plan

__all__ = ["KINDS", "LANGUAGES", "Generated", "compose", "make", "plan", "write"]

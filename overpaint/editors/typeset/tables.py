"""Tables of a picture: rows and columns come and go, cells are filled and joined."""

from collections.abc import Callable, Mapping

from overpaint.document import ops
from overpaint.document.ops import Op
from overpaint.editors.typeset.desk import Desk


def about_tables(op: Op) -> bool:
    """Whether an op changes a table as such, and not just words in it."""
    if isinstance(op, ops.Insert):
        return op.what in ("row", "column") or op.where.role in ("cell", "row", "column")
    whole = op.where.role in ("row", "column") or (op.where.role == "cell" and not op.where.text)
    return isinstance(op, ops.Merge) or (isinstance(op, ops.Delete) and whole)


TABLES: Mapping[type[Op], Callable[[Desk, Op], Desk]] = {}

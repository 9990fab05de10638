"""The processes that `accelerate launch` started, one a GPU: which of them speaks and writes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta


def is_main() -> bool:
    """Whether this is the first of the processes that `accelerate launch` started."""
    return os.environ.get("RANK", "0") == "0"


@contextmanager
def main_first() -> Iterator[None]:
    """The first process goes ahead, the others wait: what it writes is there for them."""
    if "RANK" not in os.environ:
        yield
        return
    from accelerate import PartialState

    # The first one may look at thousands of documents while the others wait.
    with PartialState(timeout=timedelta(days=1)).main_process_first():
        yield

"""One at a time for each key, so that what several ask for is done once."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Once:
    """One thread at a time for each key: who comes second finds what the first has done."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[Any, list[Any]] = {}  # a lock, and how many hold or want it

    @contextmanager
    def __call__(self, key: Any) -> Iterator[None]:
        """Hold the key meanwhile."""
        with self._lock:
            entry = self._held.setdefault(key, [threading.Lock(), 0])
            entry[1] += 1
        try:
            with entry[0]:
                yield
        finally:
            with self._lock:
                entry[1] -= 1
                if not entry[1]:
                    del self._held[key]

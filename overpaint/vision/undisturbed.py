"""Moments in which this process is not to be interrupted."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C and SIGTERM wait until this is over: some libraries make errors of their own of them.

    Only the main thread is ever interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    kept = {
        number: signal.signal(number, lambda number, _: came.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler or signal.SIG_DFL)
    if came:
        signal.raise_signal(came[0])

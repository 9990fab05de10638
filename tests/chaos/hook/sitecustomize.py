"""What Python does first in a process that chaos has started; the environment says which.

CHAOS_BYTES=N: killed in the middle of the write that would make any file longer than N bytes, as
the machine dies that has got so far. CHAOS_RENAMES=N: killed as it is about to give the N-th
picture its name, with the command whose worker it is. CHAOS_CLOCK=FAR,STEP: the clock on the wall
of a command and its workers is set FAR seconds off, and right again, each time STEP seconds have
passed; STEP 0: it stays off.
"""

import os
import sys

_worker = "--multiprocessing-fork" in sys.orig_argv

if (_bytes := os.environ.get("CHAOS_BYTES")) and not _worker:
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it, and gets an error instead
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(_bytes), int(_bytes)))

if _renames := os.environ.get("CHAOS_RENAMES"):
    import signal

    _left = iter(range(int(_renames) - 1))

    def _watch(event: str, told: tuple[object, ...]) -> None:
        if event == "os.rename" and "/pictures/" in str(told[1]) and next(_left, None) is None:
            if _worker:
                os.kill(os.getppid(), signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(_watch)

if (_jumps := os.environ.get("CHAOS_CLOCK")) and ("overpaint" in sys.orig_argv or _worker):
    import chaos_clock

    chaos_clock.install(*map(float, _jumps.split(",")))

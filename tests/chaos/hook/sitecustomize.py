"""What Python does first in a process that chaos has started; the environment says which.

CHAOS_BYTES=N: killed in the middle of the write that would make any file longer than N bytes, as
the machine dies that has got so far. CHAOS_CLOCK=FAR,STEP: the clock on the wall of a command is
set FAR seconds off, and right again, each time STEP seconds have passed; STEP 0: it stays off.
"""

import os
import sys

if (_bytes := os.environ.get("CHAOS_BYTES")) and "--multiprocessing-fork" not in sys.orig_argv:
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it, and gets an error instead
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(_bytes), int(_bytes)))

if (_jumps := os.environ.get("CHAOS_CLOCK")) and "overpaint" in sys.orig_argv:
    import chaos_clock

    chaos_clock.install(*map(float, _jumps.split(",")))

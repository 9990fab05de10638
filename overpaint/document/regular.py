"""Regular files: what is named as an input is opened only where it is a file, and never waited for.

A named pipe would be waited for without end, a device such as /dev/zero never ends, and a
terminal would be read from in the user's place. Whoever opens a file by a name from outside does
it here.
"""

import errno
import io
import os
import stat
from pathlib import Path

# A pipe without a writer is opened at once with the one; the other leaves line ends alone.
_HOW = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def opened(path: Path) -> io.BufferedReader:
    """The file, to be read; an OSError where it is no file, as where there is none."""
    try:
        handle = os.open(path, _HOW)
    except ValueError as error:  # a name that no file can have
        raise OSError(errno.EINVAL, str(error), str(path)) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is no file", str(path))
    return os.fdopen(handle, "rb")


def read(path: Path, most: int = -1) -> bytes:
    """The bytes of a file, or as many as may be, by the same rule."""
    with opened(path) as file:
        return file.read(most)


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, with or without a mark at its beginning, by the same rule."""
    text = read(path).decode("utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")

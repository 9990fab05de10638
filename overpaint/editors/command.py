"""`command:PROGRAM …`: any program of the user's, one call an edit, never through a shell."""

import os
import re
import shlex
import signal
import stat
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from overpaint.core import Request
from overpaint.document import Document
from overpaint.document.pictures import encode_png
from overpaint.errors import NoOutput, OverpaintError, TooLarge, UserMistake
from overpaint.work import kill_tree

SLOTS = ("input", "instruction", "output")
LARGEST = 2**30  # bytes of a picture that a program wrote
TIMEOUT = 3600.0  # seconds; a run's --deadline usually comes first


@dataclass(frozen=True)
class Command:
    """Fills {input}, {instruction} and {output} as whole arguments and runs the program."""

    line: str
    timeout: float = TIMEOUT

    def __post_init__(self) -> None:
        """A line that cannot be a command is said before anything is run."""
        self._words()

    def __call__(self, request: Request) -> Document:
        with tempfile.TemporaryDirectory(prefix="overpaint-") as folder:
            source, output = Path(folder, "input.png"), Path(folder, "output.png")
            source.write_bytes(encode_png(request.source.layers[0].pixels))
            values = dict(zip(SLOTS, (str(source), request.instruction, str(output)), strict=True))
            self._run([_fill(word, values) for word in self._words()])
            self._check(output)
            return Document.of(Document(output).layers[0].pixels)

    def _check(self, output: Path) -> None:
        """Only a file of its own is an output: a link could bring in any picture there is."""
        program = self._words()[0]
        if not os.path.lexists(output):
            raise NoOutput(f"{program} ended well but wrote no {{output}}.")
        seen = output.lstat()
        if not stat.S_ISREG(seen.st_mode):
            raise NoOutput(
                f"What {program} left as {{output}} is a link, a folder or a device, and no file.",
                "A picture of its own was expected there.",
                "Copy the picture to {output} instead of linking it.",
            )
        if seen.st_size > LARGEST:
            raise TooLarge(
                f"{program} wrote {seen.st_size / 2**30:.1f} GB as {{output}}.",
                f"At most {LARGEST >> 30} GB are read.",
            )

    def _words(self) -> list[str]:
        try:
            words = shlex.split(self.line)
        except ValueError as error:
            raise UserMistake(f"The command {self.line!r} cannot be split: {error}.") from None
        if not words or not any("{output}" in word for word in words):
            raise UserMistake(
                f"The command {self.line!r} has no {{output}} slot.",
                "The program must be told where to write its picture.",
                "For example: command:'my-editor {input} {instruction} {output}'",
            )
        unknown = set(re.findall(r"\{(\w+)\}", self.line)) - set(SLOTS)
        if unknown:
            raise UserMistake(
                f"The command has a slot {{{sorted(unknown)[0]}}} that nothing fills.",
                f"There are {', '.join(f'{{{slot}}}' for slot in SLOTS)}.",
            )
        return words

    def _run(self, words: list[str]) -> None:
        # A list of arguments and no shell: an instruction can hold quotes, ; or $( ) and stays
        # one argument. What it says goes to a file, so that nothing it starts can hold a pipe.
        with tempfile.TemporaryFile() as said:
            try:
                program = subprocess.Popen(
                    words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said,
                    start_new_session=True,
                )  # fmt: skip
            except (FileNotFoundError, PermissionError) as error:
                raise UserMistake(
                    f"The program {words[0]!r} cannot be started: {error.strerror}.",
                    "Is it on the PATH, and executable?",
                ) from None
            except (OSError, ValueError) as error:  # an argument too long, or with a NUL in it
                raise OverpaintError(f"{words[0]} cannot be called like this: {error}.") from None
            try:
                program.wait(self.timeout)
            except subprocess.TimeoutExpired:
                raise OverpaintError(
                    f"{words[0]} did not finish within {self.timeout:g} s."
                ) from None
            finally:
                _end_all(program)
            if program.returncode != 0:
                raise OverpaintError(
                    f"{words[0]} ended with {program.returncode} and said: {_last_line(said)}"
                )


def _end_all(program: "subprocess.Popen[bytes]") -> None:
    """End the program and whatever it left running."""
    kill_tree(program.pid)
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(program.pid, signal.SIGKILL)
    program.wait()


def _last_line(said: IO[bytes]) -> str:
    said.seek(max(0, said.seek(0, os.SEEK_END) - 4096))
    return (said.read().decode(errors="replace").strip().splitlines() or ["nothing"])[-1][:300]


def _fill(word: str, values: dict[str, str]) -> str:
    """One pass over the slots, so that an instruction containing "{output}" stays as it is."""
    return re.sub(r"\{(input|instruction|output)\}", lambda slot: values[slot[1]], word)

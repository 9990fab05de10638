"""What is done at a station: on a machine of the cluster, in an actor of Ray."""

import hashlib
import os
import pickle
import platform
import time
import uuid
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import overpaint
from overpaint.document.places import CACHE_SETTING, STATE_SETTING, cache_folder
from overpaint.document.text.index import fetched_fonts, installed_fonts
from overpaint.store import record
from overpaint.work.processes import ELSEWHERE, Crew, Processes
from overpaint.work.tasks import Task

SECONDS = 1.0  # of work in a chunk: handing one over costs a few milliseconds
_LONGEST = 2.0  # seconds after which a chunk's remaining tasks are given back
_PATIENCE = 5.0  # seconds that a shared disk may take to show a new file everywhere
_HUB = "HF_HOME"  # where Hugging Face's libraries keep models
# What is read in the first is looked for file by file; in the other nothing is read at a station.
_FOLDERS = (CACHE_SETTING, STATE_SETTING)


@dataclass(frozen=True)
class Word:
    """What a station says of itself."""

    host: str
    versions: dict[str, str]
    sees: bool  # the run's folder
    lacks: str  # the first of the files that the work reads which is not to be seen
    fonts: str  # what words can be drawn in there


@dataclass(frozen=True)
class Home:
    """What a station takes over from the process that the user has started."""

    machine: tuple[str, int]
    folder: str
    variables: dict[str, str]

    @classmethod
    def here(cls, *, gpu: bool) -> "Home":
        """This process's; keys do not leave it."""
        told = {
            name: value
            for name, value in os.environ.items()
            if name == _HUB or (name.startswith("OVERPAINT_") and not name.endswith("_KEY"))
        }
        # Where it is unless told may follow from what does not travel, and differ.
        told[CACHE_SETTING] = str(cache_folder().absolute())
        # A station that was promised no GPU must not take one that others were promised.
        hidden = {} if gpu else {"CUDA_VISIBLE_DEVICES": ""}
        return cls(_machine(), str(Path.cwd()), told | hidden)

    def named(self) -> list[Path]:
        """Fonts that were fetched, and files and folders that are here and that settings name."""
        told = (value for name, value in self.variables.items() if name not in _FOLDERS)
        paths = (
            os.path.expanduser(one) for value in told for one in value.split(os.pathsep) if one
        )
        here = (Path(one) for one in paths if os.path.exists(one))
        return [path.absolute() for path in (*fetched_fonts(), *here)]

    def settle(self) -> None:
        """Relative paths and settings mean the same as at home, wherever the station is."""
        os.environ.update(self.variables)
        if _machine() != self.machine:
            os.environ[ELSEWHERE] = "1"
        if Path(self.folder).is_dir():
            os.chdir(self.folder)


def _machine() -> tuple[str, int]:
    """What a machine is known by; where in doubt, two are not the same."""
    return platform.node(), uuid.getnode()


def handed(crew: Processes, home: Home) -> bytes:
    """Both as a station takes them: unopened until it is known to be of the same version."""
    return pickle.dumps((crew, home))


@cache
def versions() -> dict[str, str]:
    """Of Overpaint, Python and the libraries that can change a number."""
    found, (major, minor, *_) = record.versions(), platform.python_version_tuple()
    ours = {"overpaint": f"{found['overpaint']} ({_code()})", "Python": f"{major}.{minor}"}
    return {library: found[library] for library in record.LIBRARIES} | ours


def _code() -> str:
    """The first digits of a hash over the code: a version's name says too little of a checkout."""
    package, told = Path(overpaint.__file__).parent, hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        told.update(str(path.relative_to(package)).encode() + path.read_bytes())
    return told.hexdigest()[:8]


class Station:
    """An actor of Ray: a supervisor with one process, kept from one chunk to the next."""

    def report(
        self, marker: Path, mark: str, shown: list[Path], ours: dict[str, str], given: bytes
    ) -> Word:
        """Who this is and what is to be seen from here; where all is right, the worker starts."""
        sees = _waited_for(lambda: marker.is_file() and marker.read_text() == mark)
        lacks = "" if not sees else next((str(one) for one in shown if not one.exists()), "")
        word = Word(platform.node(), versions(), sees, lacks, installed_fonts())
        if word.versions == ours and sees and not lacks:
            crew, home = pickle.loads(given)
            home.settle()
            self._crew = Crew(crew)
        return word

    def work(self, tasks: list[Task]) -> tuple[float, int, list[tuple[Any, Any]]]:
        """Seconds taken, how many tasks were done, and what came of each of their steps in order.

        Tasks that would make it last too long are left, so that what is done is soon written.
        """
        started, taken = time.perf_counter(), list[Task]()

        def soon(task: Task) -> bool:
            late = time.perf_counter() - started > _LONGEST
            taken.extend(() if late else (task,))
            return not late

        found = [(one.result, one.error) for one in self._crew.perform(takewhile(soon, tasks))]
        return time.perf_counter() - started, len(taken), found


def _waited_for(look: Any) -> bool:
    """Whether it comes to be true in a moment."""
    end = time.monotonic() + _PATIENCE
    while not (found := bool(look())) and time.monotonic() < end:
        time.sleep(0.25)
    return found

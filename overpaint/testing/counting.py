"""What the fake server received, counted: how often each body and prompt came, and what it met."""

import time
from collections import Counter, OrderedDict, deque
from dataclasses import asdict, dataclass, field
from typing import Any

from overpaint.testing.asked import Asked, digest

MOST_KEYS = 200_000  # bodies and prompts told apart; more are only counted in `total`
MOST_SEEN = 20_000  # requests that are listed
MOST_BYTES = 64_000_000  # of bodies that are kept
_LONGEST = 200  # letters of a prompt that are its own key


@dataclass(frozen=True)
class Counts:
    """What a server received since it started, or since `forget`."""

    total: int = 0  # requests for a completion, read to their end
    distinct: int = 0  # bodies among them
    most_in_flight: int = 0
    in_flight: int = 0  # now
    connections: int = 0  # that completions were asked on
    left: int = 0  # requests whose client went away before the answer
    malformed: int = 0  # requests that were none
    behaviours: dict[str, int] = field(default_factory=dict)  # "mistake": of the script itself
    statuses: dict[str, int] = field(default_factory=dict)  # "200", "429"; "none": no status line
    bodies: dict[str, int] = field(default_factory=dict)  # SHA-256 -> how often it came
    prompts: dict[str, int] = field(default_factory=dict)  # long ones are shortened

    def asked(self, prompt: str) -> int:
        """How often this very prompt came, whatever the pictures."""
        return self.prompts.get(short(prompt), 0)

    @property
    def repeated(self) -> dict[str, int]:
        """The bodies that came more than once, and how often."""
        return {key: count for key, count in self.bodies.items() if count > 1}


def short(prompt: str) -> str:
    """The key of a prompt: itself, or its beginning and a hash where it is long."""
    if len(prompt) <= _LONGEST:
        return prompt
    return f"{prompt[: _LONGEST - 40]}… #{digest(prompt).hex()[:12]}"


@dataclass
class Seen:
    """One request in the list of those seen."""

    hash: str
    prompt: str
    model: str
    pictures: int
    behaviour: str
    nth: int
    seconds: float  # since the server started


class Tally:
    """The counts while they grow; used by the server's event loop alone."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.in_flight = 0
        self.forget()

    def forget(self) -> None:
        """Start from nothing, as if the server were new."""
        self.total = self.connections = self.left = self.malformed = 0
        self.most = self.in_flight
        self.behaviours: Counter[str] = Counter()
        self.statuses: Counter[str] = Counter()
        self.bodies: dict[str, int] = {}
        self.prompts: dict[str, int] = {}
        self.seen: deque[Seen] = deque(maxlen=MOST_SEEN)
        self.kept: OrderedDict[str, bytes] = OrderedDict()
        self.kept_bytes = 0

    def enter(self) -> None:
        """A request is on its way in."""
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)

    def leave(self) -> None:
        """A request is answered, cut or gone."""
        self.in_flight -= 1

    def arrive(self, hashed: str, raw: bytes) -> int:
        """A body is there; says how often it had come before."""
        self.total += 1
        self._keep(hashed, raw)
        return _count(self.bodies, hashed)

    def meet(self, asked: Asked, behaviour: str) -> None:
        """A request met a behaviour."""
        self.behaviours[behaviour] += 1
        prompt = short(asked.prompt)
        _count(self.prompts, prompt)
        now = round(time.monotonic() - self.started, 6)
        self.seen.append(
            Seen(asked.hash, prompt, asked.model, len(asked.pictures), behaviour, asked.nth, now)
        )

    def counts(self) -> dict[str, Any]:
        """The parts of `Counts`."""
        return asdict(
            Counts(
                self.total, len(self.bodies), self.most, self.in_flight, self.connections,
                self.left, self.malformed, dict(self.behaviours), dict(self.statuses),
                self.bodies, self.prompts,
            )
        )  # fmt: skip

    def latest(self, last: int) -> list[dict[str, Any]]:
        """The last requests, oldest first."""
        return [vars(one) for one in list(self.seen)[-last:]] if last > 0 else []

    def _keep(self, hashed: str, raw: bytes) -> None:
        if hashed in self.kept or len(raw) > MOST_BYTES:
            return
        self.kept[hashed] = raw
        self.kept_bytes += len(raw)
        while self.kept_bytes > MOST_BYTES:
            self.kept_bytes -= len(self.kept.popitem(last=False)[1])


def _count(table: dict[str, int], key: str) -> int:
    before = table.get(key, 0)
    if before or len(table) < MOST_KEYS:
        table[key] = before + 1
    return before

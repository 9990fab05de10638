"""A script: what the fake server says to whom, and how often it misbehaves. Data, as JSON is."""

import json
import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from overpaint.errors import UserMistake
from overpaint.testing.asked import Asked, digest
from overpaint.testing.behaviours import BEHAVIOURS
from overpaint.testing.scoring import score

SCORE: Mapping[str, Any] = {"rule": "score"}
_LONGEST = 3600.0
_DIRECTIVES = {"text", "json", "rule", "behaviour", "seconds", "size"}


@dataclass(frozen=True)
class Share:
    """How often a behaviour is met, and how it is played.

    Without `times` each request draws anew, also when it comes again. With `times=2` the drawn
    bodies meet it the first two times they come and are answered rightly after that; with
    `times="always"` they meet it each time.
    """

    share: float = 1.0
    times: int | Literal["always"] | None = None
    seconds: float | None = None
    size: int | None = None

    def __post_init__(self) -> None:
        _check("share", self.share, 0, 1)
        if self.times not in (None, "always"):
            _check("times", self.times, 1, 1_000_000, whole=True)
        if self.seconds is not None:
            _check("seconds", self.seconds, 0, _LONGEST)
        if self.size is not None:
            _check("size", self.size, 0, 64_000_000, whole=True)


@dataclass(frozen=True)
class Rule:
    """The reply to requests that contain these words, to this model where one is named."""

    contains: str
    reply: Any
    model: str = ""

    def fits(self, asked: Asked) -> bool:
        """Whether the request is one this rule answers."""
        return self.contains in asked.words and self.model in ("", asked.model)


@dataclass(frozen=True)
class Said:
    """What a script decided: a text, or a behaviour to play with it."""

    text: str = ""
    behaviour: str | None = None
    share: Share = field(default_factory=Share)


@dataclass(frozen=True)
class Script:
    """Who is told what: the first rule that fits, else the next of `replies`, else `reply`.

    A reply is a text; or an object or a list, whose JSON is said; or a directive: {"text": …},
    {"json": …}, {"rule": "score"}, {"behaviour": NAME, "seconds": …, "text": …}; or, for a
    server in this process, a function of the `Asked` that returns one of these.
    """

    replies: tuple[Any, ...] = ()
    reply: Any = None  # None: "score" where there are no `replies`, else nothing is left to say
    rules: tuple[Rule, ...] = ()
    behaviours: Mapping[str, Share] = field(default_factory=dict)
    seconds: float = 0.0  # that every answer takes
    seed: int = 0

    def __post_init__(self) -> None:
        for name in self.behaviours:
            _known(name)
        _check("seconds", self.seconds, 0, _LONGEST)
        _check("seed", self.seed, -(2**63), 2**63, whole=True)
        total = math.fsum(share.share for share in self.behaviours.values())
        if total > 1 + 1e-9:
            raise UserMistake(
                f"The shares of the behaviours add up to {total:g}.",
                "At most 1 was expected: what is left is answered rightly.",
            )
        for reply in (*self.replies, self.reply, *(rule.reply for rule in self.rules)):
            _check_reply(reply)

    @property
    def has_functions(self) -> bool:
        """Whether a reply is a function, which no other process can be told."""
        replies = (*self.replies, self.reply, *(rule.reply for rule in self.rules))
        return any(callable(reply) for reply in replies)

    def draw(self, asked: Asked) -> tuple[str, Share]:
        """The behaviour this request meets; the same for the same seed, body and number."""
        sticky = {n: s for n, s in self.behaviours.items() if s.times is not None}
        most = math.fsum(share.share for share in sticky.values())
        name = _pick(sticky, _uniform(self.seed, asked.hash))
        if name:
            share = sticky[name]
            over = share.times != "always" and asked.nth >= int(share.times or 0)
            return ("ok", Share()) if over else (name, share)
        fresh = {n: s for n, s in self.behaviours.items() if s.times is None}
        if not fresh or most >= 1:
            return "ok", Share()
        name = _pick(fresh, _uniform(self.seed, asked.hash, asked.nth) * (1 - most))
        return (name, fresh[name]) if name else ("ok", Share())


class Player:
    """A script being played: it knows which of the replies in order comes next."""

    def __init__(self, script: Script) -> None:
        self.script, self.next, self._lock = script, 0, threading.Lock()

    def say(self, asked: Asked) -> Said:
        """What is said to this request; `UserMistake` where the script has nothing left."""
        reply = self._choose(asked)
        return understand(reply(asked) if callable(reply) else reply, asked)

    def _choose(self, asked: Asked) -> Any:
        for rule in self.script.rules:
            if rule.fits(asked):
                return rule.reply
        with self._lock:
            turn, self.next = self.next, self.next + 1
        if turn < len(self.script.replies):
            return self.script.replies[turn]
        if self.script.reply is None and self.script.replies:
            raise UserMistake(
                f"The script has {len(self.script.replies)} replies; "
                f"this is request {turn + 1} that wants one.",
                "",
                "Give it more, or a `reply` for all that come after them.",
            )
        return SCORE if self.script.reply is None else self.script.reply


def understand(reply: Any, asked: Asked) -> Said:
    """A scripted reply as what is said."""
    if isinstance(reply, str):
        return Said(reply)
    _check_reply(reply)
    if not _is_directive(reply):
        return Said(json.dumps(reply, ensure_ascii=False))
    if "text" in reply:
        text = reply["text"]
    elif "json" in reply:
        text = json.dumps(reply["json"], ensure_ascii=False)
    else:
        text = score(asked.words, asked.pictures, asked.schema)
    how = {name: reply[name] for name in ("seconds", "size") if name in reply}
    return Said(text, reply.get("behaviour"), Share(**how))


def read_script(given: Any) -> Script:
    """A script from what a user gave: a script, its JSON, a text, replies in order, a function."""
    if isinstance(given, Script):
        return given
    if given is None:
        return Script()
    if isinstance(given, str) or callable(given):
        return Script(reply=given)
    if isinstance(given, Mapping):
        return _from_json(given)
    if isinstance(given, Sequence):
        return Script(replies=tuple(given))
    raise UserMistake(
        f"A script was given as {type(given).__name__}.",
        "A Script, an object with its parts, a text, a list of replies or a function was expected.",
    )


def write_script(script: Script) -> str:
    """The script as one line of JSON, for another process."""
    if script.has_functions:
        raise UserMistake(
            "A script with a function cannot be played in another process.",
            "Only data can be sent there.",
            "Say FakeServer(…, process=False), or write the replies as data.",
        )
    plain = {f.name: getattr(script, f.name) for f in fields(script)}
    plain["rules"] = [vars(rule) for rule in script.rules]
    plain["behaviours"] = {name: vars(share) for name, share in script.behaviours.items()}
    return json.dumps(plain)


def _from_json(given: Mapping[str, Any]) -> Script:
    parts = dict(_named(given, Script, "A script"))
    parts["replies"] = tuple(_list(parts.get("replies", ()), "replies"))
    rules = _list(parts.get("rules", ()), "rules")
    parts["rules"] = tuple(
        one if isinstance(one, Rule) else Rule(**_named(one, Rule, "A rule")) for one in rules
    )
    shares = parts.get("behaviours", {})
    if not isinstance(shares, Mapping):
        raise UserMistake(
            f"behaviours is a {type(shares).__name__}.", 'Expected {"server_error": 0.1, …}.'
        )
    parts["behaviours"] = {name: _share(name, value) for name, value in shares.items()}
    return Script(**parts)


def _share(name: str, value: Any) -> Share:
    if isinstance(value, Share):
        return value
    if isinstance(value, Mapping):
        return Share(**_named(value, Share, f"The behaviour {name}"))
    return Share(value)


def _named(given: Any, kind: type[Any], what: str) -> Mapping[str, Any]:
    known = [f.name for f in fields(kind)]
    strange = sorted(set(given) - set(known)) if isinstance(given, Mapping) else ["no object"]
    needed = [n for n in ("contains", "reply") if kind is Rule and n not in given]
    if strange or needed:
        raise UserMistake(
            f"{what} has {', '.join(map(str, strange)) or 'no ' + ' and no '.join(needed)}.",
            f"It may have {', '.join(known)}.",
        )
    return dict(given)


def _list(given: Any, what: str) -> Sequence[Any]:
    if isinstance(given, list | tuple):
        return given
    raise UserMistake(f"{what} is a {type(given).__name__}.", "A list was expected.")


def _is_directive(reply: Any) -> bool:
    return (
        isinstance(reply, Mapping)
        and set(reply) <= _DIRECTIVES
        and any(name in reply for name in ("text", "json", "rule", "behaviour"))
    )


def _check_reply(reply: Any) -> None:
    if not _is_directive(reply):
        if reply is None or isinstance(reply, str | Mapping | list | tuple) or callable(reply):
            return
        raise UserMistake(
            f"A reply is {reply!r:.100}.",
            "A text, an object, a list, a directive or a function was expected.",
        )
    if "behaviour" in reply:
        _known(reply["behaviour"])
    if "rule" in reply and reply["rule"] != "score":
        raise UserMistake(f"There is no rule {reply['rule']!r:.100}.", 'The rule is "score".')
    if not isinstance(reply.get("text", ""), str):
        raise UserMistake(f"A text is {reply['text']!r:.100}.", "A string was expected.")
    Share(seconds=reply.get("seconds"), size=reply.get("size"))


def _known(name: Any) -> None:
    if not isinstance(name, str) or name not in BEHAVIOURS:
        raise UserMistake(
            f"There is no behaviour {name!r:.100}.",
            f"There are {', '.join(BEHAVIOURS)}.",
            "`python -m overpaint.testing --help` says what each does.",
        )


def _check(name: str, value: Any, low: float, high: float, *, whole: bool = False) -> None:
    kind = int if whole else int | float
    right = isinstance(value, kind) and not isinstance(value, bool)
    if not right or not low <= value <= high:
        what = "a whole number" if whole else "a number"
        raise UserMistake(f"{name} is {value!r:.100}.", f"It is {what} from {low:g} to {high:g}.")


def _uniform(*parts: str | int) -> float:
    return int.from_bytes(digest(*parts)[:7], "big") / 2**56


def _pick(shares: Mapping[str, Share], drawn: float) -> str | None:
    for name, share in shares.items():
        drawn -= share.share
        if drawn < 0:
            return name
    return None

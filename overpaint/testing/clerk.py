"""Who answers at the fake server: finds what a request is for, plays the script, keeps count."""

import asyncio
import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from overpaint.errors import UserMistake
from overpaint.testing.answer import Answer, as_json, failure
from overpaint.testing.asked import Asked, BadRequest, read_request
from overpaint.testing.behaviours import BEHAVIOURS, How
from overpaint.testing.counting import Tally
from overpaint.testing.script import Player, Said, Script, Share
from overpaint.testing.wire import MOST_CONNECTIONS, Line, Request

COMPLETIONS = "/v1/chat/completions"
_WRONG = "invalid_request_error"
_THREADS = 128  # in which a script's functions may wait at once

Reply = Callable[[Answer], None]


class Clerk:
    """Answers every request of one server."""

    def __init__(self, script: Script) -> None:
        self.script, self.player, self.tally = script, Player(script), Tally()
        self.lines: set[Line] = set()
        self.asking: set[Line] = set()  # those that asked for a completion
        self.threads = ThreadPoolExecutor(_THREADS) if script.has_functions else None

    # ── what the wire tells ─────────────────────────────────────────────────────────────

    def opened(self, line: Line) -> bool:
        """A connection is there; False where there are too many."""
        self.lines.add(line)
        return len(self.lines) <= MOST_CONNECTIONS

    def closed(self, line: Line, *, waiting: bool) -> None:
        """A connection is gone, perhaps with a request `waiting` for its answer."""
        self.lines.discard(line)
        self.asking.discard(line)
        self.tally.left += waiting

    def began(self, line: Line, method: str, path: str) -> bool:
        """A request for a completion is in flight from when its head is read."""
        counts = method == "POST" and path == COMPLETIONS
        if counts:
            self.tally.enter()
            self.tally.connections += line not in self.asking
            self.asking.add(line)
        return counts

    def ended(self, answer: Answer | None) -> None:
        """It is in flight until its answer is sent or its client gone."""
        self.tally.leave()
        if answer is not None:
            self.tally.statuses["none" if answer.raw is not None else str(answer.status)] += 1

    def refused(self) -> None:
        """What came was no request."""
        self.tally.malformed += 1

    def handle(self, request: Request, reply: Reply) -> None:
        """Answer a request, now or later."""
        if request.path == COMPLETIONS:
            if request.method == "POST":
                self._complete(request.body, reply)
            else:
                reply(failure(405, f"Use POST, not {request.method[:20]}.", _WRONG))
        else:
            reply(self._aside(request))

    # ── the paths beside ────────────────────────────────────────────────────────────────

    def _aside(self, request: Request) -> Answer:
        path, _, query = request.path.partition("?")
        what = (request.method, path)
        if what == ("GET", "/v1/models"):
            return as_json({"object": "list", "data": [{"id": "fake", "object": "model"}]})
        if what == ("GET", "/counts"):
            return as_json(self.tally.counts())
        if what == ("GET", "/requests"):
            number = query.removeprefix("last=")
            return as_json(self.tally.latest(int(number) if _is_small(number) else 1000))
        if what == ("POST", "/forget"):
            self.tally.forget()
            return as_json({})
        kept = self.tally.kept.get(path.removeprefix("/bodies/"))
        if request.method == "GET" and kept is not None:
            return Answer(body=kept)
        told = f"There is nothing at {request.method[:20]} {path[:200]}."
        return failure(404, told, _WRONG)

    # ── completions ─────────────────────────────────────────────────────────────────────

    def _complete(self, raw: bytes, reply: Reply) -> None:
        hashed = hashlib.sha256(raw).hexdigest()
        nth = self.tally.arrive(hashed, raw)
        try:
            asked = read_request(raw, hashed, nth)
        except BadRequest as error:
            self.tally.malformed += 1
            reply(failure(400, f"This is no request: {error}.", _WRONG))
            return
        name, share = self.script.draw(asked)
        if not BEHAVIOURS[name].uses_reply(asked):
            self._play(asked, name, share, "", reply)
        elif self.threads is None:
            self._speak(asked, (name, share), _said(self.player, asked), reply)
        else:
            self._speak_later(asked, (name, share), reply)

    def _speak_later(self, asked: Asked, drawn: tuple[str, Share], reply: Reply) -> None:
        """Let the script's function take its time in a thread of its own."""
        assert self.threads is not None
        task = asyncio.get_running_loop().run_in_executor(self.threads, _said, self.player, asked)

        def told(done: asyncio.Future[Said | Answer]) -> None:
            error = None if done.cancelled() else done.exception()
            if error is not None:
                what = f"The script's function raised {type(error).__name__}: {error}"
                self._speak(asked, drawn, _mistake(what), reply)
            elif not done.cancelled():
                self._speak(asked, drawn, done.result(), reply)

        task.add_done_callback(told)

    def _speak(
        self, asked: Asked, drawn: tuple[str, Share], said: Said | Answer, reply: Reply
    ) -> None:
        if isinstance(said, Answer):
            self.tally.meet(asked, "mistake")
            reply(said)
        elif said.behaviour is None:
            self._play(asked, *drawn, said.text, reply)
        else:
            self._play(asked, said.behaviour, said.share, said.text, reply)

    def _play(self, asked: Asked, name: str, share: Share, text: str, reply: Reply) -> None:
        how = How(text, share.seconds, share.size)
        answer = BEHAVIOURS[name].make(asked, how)
        if self.script.seconds:
            answer = replace(answer, seconds=answer.seconds + self.script.seconds)
        self.tally.meet(asked, name)
        reply(answer)


def _said(player: Player, asked: Asked) -> Said | Answer:
    try:
        return player.say(asked)
    except UserMistake as error:
        return _mistake(str(error))


def _mistake(told: str) -> Answer:
    """A mistake in the script itself: no client tries again after a 400."""
    return failure(400, told, _WRONG, code="script_mistake")


def _is_small(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 9

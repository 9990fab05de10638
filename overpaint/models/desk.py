"""The desk: every question of a run passes here, is asked once, and is remembered and paid for."""

import hashlib
import json
import math
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from overpaint.errors import OverpaintError, StoreError, Unreadable, UserMistake
from overpaint.models import Question, Reply, words_of
from overpaint.models.limits import Budget, Limiter
from overpaint.models.names import Endpoint
from overpaint.models.once import Once
from overpaint.models.pictures import Sent, Wrapping
from overpaint.models.prices import Price, prices, unpriced
from overpaint.models.server import Body, Dialect, Failure, attempt, content, spoken, tokens_of
from overpaint.store.calls import FAILED, REPLIED, Calls, Outcome
from overpaint.work import Progress, Task, Threads, silent

MOST_ATTEMPTS = 30
GIVEN_UP = 3  # questions not taken, with no answer between them: a server may err once
PATIENCE = 10  # times a host may say "too many" to one question
LONGEST_PAUSE = 600.0  # seconds; a server that asks for more is not there


@dataclass(frozen=True)
class Terms:
    """How questions are asked; none of these changes an answer."""

    concurrency: int = 16  # in flight at one host, at most
    deadline: float = 120.0  # seconds for one attempt
    retries: int = 4  # after the first attempt, for errors that may pass
    cost_limit: float | None = None  # dollars
    prices: Path | None = None  # the user's own
    progress: Progress = silent  # told how many of the questions about one thing are answered


class Desk:
    """Asks through the call table of one run; any thread may use it."""

    def __init__(self, calls: Calls, terms: Terms = Terms()) -> None:
        self.calls, self.terms = calls, terms
        self.wrapping = Wrapping()
        self._prices = prices(terms.prices)
        self.budget = Budget(terms.cost_limit, calls.spent())
        self._limiters: dict[str, Limiter] = {}
        self._dialects: dict[Endpoint, Dialect] = {}
        self._closed: dict[Endpoint, OverpaintError] = {}  # whom it is no use to ask again
        self._vain: dict[Endpoint, int] = {}  # questions not taken since it last answered
        self._broken: StoreError | None = None
        self._asking = Once()
        self._lock = threading.Lock()

    def price(self, endpoint: Endpoint) -> Price | None:
        """What the model costs; None where that is not known."""
        return self._prices.of(endpoint.name)

    def ask(self, question: Question, /) -> Reply:
        """The reply, from the call table where it is known; else it is asked, and kept."""
        sent = tuple(map(self.wrapping, question.pictures))
        digest = hashlib.sha256(question.prompt.encode("utf-8", "backslashreplace")).hexdigest()
        key = _key(question, digest, sent)
        try:
            with self._asking(key):
                if (known := self.calls.recall(key)) is not None:
                    text, used = self.spoken(known.reply, key), tokens_of(known.reply)
                    return Reply(text, *used, known.price, known.seconds, key, recalled=True)
                return self._ask(question, sent, digest, key)
        except StoreError as error:
            self._broken = self._broken or error
            raise

    def check(self) -> None:
        """Raise what kept a question or its reply from being written down, if anything did.

        Whoever asked may have taken it for a model's failure, but no row may say so: with room on
        the disk it would be another.
        """
        if self._broken is not None:
            raise self._broken

    def doubt(self, key: str, why: str, /) -> None:
        """Note that a reply could not be used; `retry` asks for it again."""
        self.calls.doubt(key, why)

    def ask_many(self, questions: Iterable[Question]) -> Iterator[Reply | OverpaintError]:
        """The replies in the order of the questions, asked side by side; an error in its place."""
        work = Threads(lambda _, question: self.ask(question), self.terms.concurrency)
        tasks = (Task(number, (question,)) for number, question in enumerate(questions))
        found: dict[int, Reply | OverpaintError] = {}
        for outcome in work.perform(tasks):
            if isinstance(outcome.error, UserMistake):
                raise outcome.error
            found[outcome.subject] = outcome.error or outcome.result
        yield from (found[number] for number in sorted(found))

    # ── one question ────────────────────────────────────────────────────────────────────

    def _ask(self, question: Question, sent: tuple[Sent, ...], digest: str, key: str) -> Reply:
        endpoint, price = question.model, self.price(question.model)
        if self.terms.cost_limit is not None and price is None:
            raise unpriced(endpoint.name, self._prices)
        if (closed := self._closed.get(endpoint)) is not None:
            raise closed  # a key that was not accepted, or no credit, will not be for the next
        most = price.at_most(*_size(question, sent)) if price else None
        how = {"turn": question.turn, "longest": question.longest,
               "schema": question.schema is not None}  # fmt: skip
        asked = {"model": endpoint.name, "host": endpoint.host, "how": how, "at_most": most or 0.0,
                 "pictures": [picture.told for picture in sent]}  # fmt: skip
        begin = partial(self.calls.begin, key, asked, (digest, question.prompt))
        trial = _Trial(self, question, sent, begin, price=price, most=most)
        try:
            return trial.reply(key)
        except Failure as failure:
            self._note(endpoint, failure)
            raise failure.error from None

    def _note(self, endpoint: Endpoint, failure: Failure) -> None:
        """Whoever takes no question, for a reason that will not pass, is given up in the end."""
        nobody = failure.name == "connection" and not failure.silent
        if nobody or failure.name in ("key", "quota", "model", "redirect"):
            with self._lock:
                self._vain[endpoint] = self._vain.get(endpoint, 0) + 1
                if self._vain[endpoint] >= GIVEN_UP:
                    self._closed[endpoint] = failure.error

    def spoken(self, raw: str, key: str) -> str:
        """What a raw reply says; one that says nothing is doubted."""
        try:
            return spoken(raw)
        except Unreadable as error:
            self.doubt(key, str(error))
            raise

    def heard(self, endpoint: Endpoint) -> None:
        """It answers, so what it did not take before was an accident."""
        if endpoint in self._vain:
            with self._lock:
                self._vain.pop(endpoint, None)

    def limiter(self, endpoint: Endpoint) -> Limiter:
        """The one limiter of that endpoint's host."""
        with self._lock:
            host = endpoint.host
            if host not in self._limiters:
                self._limiters[host] = Limiter(self.terms.concurrency)
            return self._limiters[host]

    def dialect(self, endpoint: Endpoint) -> Dialect:
        """What that server is known to accept."""
        with self._lock:
            return self._dialects.get(endpoint, Dialect())

    def learn(self, endpoint: Endpoint, used: Dialect, other: Dialect) -> None:
        """What to say there instead, unless another thread has learnt more meanwhile."""
        with self._lock:
            if self._dialects.get(endpoint, Dialect()) == used:
                self._dialects[endpoint] = other


class _Trial:
    """The attempts at one question: few, counted, and only where trying again may help."""

    def __init__(
        self, desk: Desk, question: Question, sent: tuple[Sent, ...], begin: Callable[[], int],
        *, price: Price | None, most: float | None,
    ) -> None:  # fmt: skip
        self._desk, self._endpoint = desk, question.model
        self._price, self._most = price, most
        self._attempts = self._silent = self._row = 0
        self._wasted = 0.0  # dollars that attempts without a reply may have cost
        self._begin, self._started = begin, 0.0
        self._body = Body(
            question.model.model, content(question.prompt, sent), question.schema, question.longest
        )

    def reply(self, key: str) -> Reply:
        """The reply; the last `Failure` where there is none."""
        failed = rated = 0
        while True:
            try:
                with self._desk.budget.holding(self._most):
                    raw = self._attempt()
                    return self._kept(key, raw)
            except Failure as failure:
                self._write_down(failure)
                rated += failure.name == "rate"
                failed += failure.name not in ("rate", "parameter")
                retries = self._desk.terms.retries
                spent = failed > retries or rated > PATIENCE or self._attempts > MOST_ATTEMPTS
                if not failure.again or spent or (failure.pause or 0) > LONGEST_PAUSE:
                    raise
                if failure.name in ("server", "connection"):
                    time.sleep(_backoff(failed))

    def _leave(self) -> None:
        """Write down that the question is about to be sent, so that a kill cannot hide it."""
        self._attempts += 1
        if self._attempts == 1:
            self._row, self._started = self._begin(), time.perf_counter()
        else:
            reckoned = self._wasted + (self._most or 0.0)
            self._desk.calls.again(self._row, self._attempts, reckoned)

    def _write_down(self, failure: Failure) -> None:
        """What came of an attempt; until it is tried again nothing of it is on its way."""
        self._silent += failure.silent
        if failure.silent:  # it may have been paid for, so a cost limit counts it
            self._wasted += self._most or 0.0
            self._desk.budget.pay(self._most)
        self._end(FAILED, reason=f"{failure.name}: {failure.error}", reckoned=self._wasted)

    def _kept(self, key: str, raw: str) -> Reply:
        """Write the reply down before anything is made of it, then read it."""
        tokens = tokens_of(raw)
        known = self._price is not None and None not in tokens
        cost = self._price.of(*tokens) if self._price and known else None  # type: ignore[arg-type]
        counted = cost if known else self._most
        self._end(
            REPLIED, reply=raw, tokens_in=tokens[0], tokens_out=tokens[1], price=cost,
            reckoned=self._wasted + (counted or 0.0),
        )  # fmt: skip
        self._desk.budget.pay(counted)
        self._desk.heard(self._endpoint)
        seconds = time.perf_counter() - self._started
        return Reply(self._desk.spoken(raw, key), *tokens, cost, seconds, key)

    def _end(self, state: str, **what: Any) -> None:
        self._desk.calls.end(self._row, Outcome(
            state, seconds=time.perf_counter() - self._started, attempts=self._attempts,
            unanswered=self._silent, **what,
        ))  # fmt: skip

    def _attempt(self) -> str:
        desk, endpoint, terms = self._desk, self._endpoint, self._desk.terms
        limiter = desk.limiter(endpoint)
        with limiter.flight():
            dialect = desk.dialect(endpoint)
            self._leave()
            try:
                raw = attempt(
                    endpoint, self._body, dialect,
                    deadline=terms.deadline, connections=terms.concurrency,
                )  # fmt: skip
            except Failure as failure:
                pause = 1.0 if failure.pause is None else failure.pause
                if failure.name == "rate" and pause <= LONGEST_PAUSE:
                    limiter.too_many(pause)
                if failure.dialect is not None:
                    desk.learn(endpoint, dialect, failure.dialect)
                raise
        limiter.answered()
        return raw


def _size(question: Question, sent: tuple[Sent, ...]) -> tuple[int, list[tuple[int, int]], int]:
    """Bytes of text, sizes of pictures, and the longest answer."""
    pictures = [(picture.width, picture.height) for picture in sent]
    return words_of(question.prompt, question.schema, len(sent)), pictures, question.longest


def _backoff(failed: int) -> float:
    """Seconds to wait after so many failures: twice as long each time, never all at once."""
    return min(20.0, math.ldexp(0.25, failed)) * random.uniform(0.5, 1.0)


def _key(question: Question, digest: str, sent: tuple[Sent, ...]) -> str:
    """What tells a question from another: everything that could change its answer."""
    told: list[Any] = [
        question.model.name, question.model.address, digest, [picture.hash for picture in sent],
        question.schema, question.turn, question.longest,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()

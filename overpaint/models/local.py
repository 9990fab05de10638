"""Small language models on this machine, out of packages: what they say, and how likely words are.

    smollm2   SmolLM2 135M Instruct (Apache-2.0), answers in English
    gemma3    Gemma 3 270M, base (Gemma Terms of Use), continues text and answers nothing

They say how natural words are. They are no judges: of the 8 simple questions of `measures.quiz`
SmolLM2 answers 3 rightly, where guessing gets 4. llama.cpp runs them (`xllamacpp`, the extra `lm`),
with one thread and one question at a time, so that the same words give the same numbers.
"""

import functools
import importlib.metadata
import json
import secrets
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from overpaint import weights
from overpaint.errors import (
    NotApplicable,
    OverpaintError,
    Unavailable,
    Unreadable,
    UserMistake,
)
from overpaint.models import Reply
from overpaint.models.trained_card import folder_of, is_trained

if TYPE_CHECKING:
    from overpaint.models.trained import Trained

LONGEST = 40_000  # letters whose likelihood is asked at once
LONGEST_ANSWER, LONGEST_TIME = 512, 60  # tokens, seconds
WINDOW, MEMORY = 512, 256  # tokens scored at once, and tokens before them that are remembered
MOST_BROKEN = 24  # tokens that are parts of a letter; each is a question of its own
_VOCABULARY = 1 << 20  # more tokens than any model has
_CONTEXT = 4096  # tokens of a question with its answer
_SECONDS = 30  # for a text to be taken apart into tokens


@dataclass(frozen=True)
class Kind:
    """What has to be known of a model to run it."""

    start: str  # the sign after which a new text begins
    answers: bool


KINDS: Mapping[str, Kind] = {
    "smollm2": Kind("<|endoftext|>", answers=True),
    "gemma3": Kind("<bos>", answers=False),
}


def here(name: str) -> "Local | Trained":
    """The model on this machine of that name, or the one in that folder."""
    folder = folder_of(name)
    if not is_trained(folder):
        return Local(name)
    from overpaint.models.trained import Trained

    return Trained(folder)


class Local:
    """A model of that name; loaded when first asked, once a process, and safe among threads."""

    def __init__(self, name: str) -> None:
        if name not in KINDS:
            known = ", ".join(f"local/{one}" for one in KINDS)
            raise UserMistake(
                f"There is no model local/{name}.",
                f"Known are {known}, and folders that `overpaint train reasoner` wrote.",
                "A model behind a server is named by its address: http://localhost:8000/v1#NAME.",
            )
        self.name = name

    def ask(
        self,
        prompt: str,
        pictures: Sequence[object] = (),
        schema: Mapping[str, Any] | None = None,
        *,
        turn: int = 0,
    ) -> Reply:
        """The reply, the same at every turn; with a schema nothing but JSON of that form."""
        if not KINDS[self.name].answers or pictures:
            what = "see pictures" if pictures else "answer: it is no chat model, it continues text"
            raise Unavailable(
                f"local/{self.name} cannot {what}.", "", "Name another model, behind a server."
            )
        with _ONE_AT_A_TIME:
            return _running(self.name).answer(prompt, schema)

    def logprobs(self, text: str) -> tuple[float, ...]:
        """The natural logarithm of each token's probability, given up to 256–768 before it."""
        if len(text) > LONGEST:
            raise UserMistake(
                f"The text is {len(text):,} letters long.",
                f"At most {LONGEST:,} are read at once.",
                "Ask for its parts.",
            )
        with _ONE_AT_A_TIME:
            running = _running(self.name)
            start = running.tokens(KINDS[self.name].start, signs=True)
            tokens = running.tokens(text)
            if (broken := sum(not token.whole for token in tokens)) > MOST_BROKEN:
                raise NotApplicable(
                    f"local/{self.name} does not know these letters: it takes them apart into"
                    f" {broken} pieces."
                )
            return tuple(
                number
                for before, scored in windows(tokens)
                for number in running.forced([*start, *before], scored)
            )


@dataclass(frozen=True)
class Token:
    """A piece of text as a model knows it; a rare letter is several, none of them text."""

    id: int
    piece: str | bytes

    @property
    def whole(self) -> bool:
        """Whether it is text on its own."""
        return isinstance(self.piece, str)


def windows(tokens: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
    """Each token once in the second place, and what is remembered before it in the first."""
    for at in range(0, len(tokens), WINDOW):
        yield tokens[max(0, at - MEMORY) : at], tokens[at : at + WINDOW]


# ── the runtime ─────────────────────────────────────────────────────────────────────────

_ONE_AT_A_TIME = threading.RLock()


def runtime() -> str:
    """The runtime and its version, where it is installed."""
    try:
        return f"xllamacpp {importlib.metadata.version('xllamacpp')}"
    except importlib.metadata.PackageNotFoundError:
        raise _no_runtime() from None


@functools.cache
def _running(name: str) -> "_Runtime":
    """The model, loaded."""
    try:
        with _types_of_its_own():
            import xllamacpp
    except ImportError:
        raise _no_runtime() from None
    return _Runtime(xllamacpp, str(weights.find(name)))


@contextmanager
def _types_of_its_own() -> Iterator[None]:
    """Import a library apart from those that Cython would have it share its inner types with.

    The runtime and uharfbuzz are built by one Cython with types of two sizes: whichever comes
    second would refuse to load. Each keeps its own when the first one's are out of sight.
    """
    shared = [name for name in sys.modules if name.startswith("_cython_")]
    kept = {name: sys.modules.pop(name) for name in shared}
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name.startswith("_cython_")]:
            del sys.modules[name]
        sys.modules.update(kept)


def _no_runtime() -> Unavailable:
    return Unavailable(
        "The runtime of local language models, xllamacpp, is not installed.",
        "",
        "Get it with: pip install 'overpaint[lm]'",
    )


class _Runtime:
    """llama.cpp with one model and one place for a text."""

    def __init__(self, xllamacpp: Any, path: str) -> None:
        settings = xllamacpp.CommonParams()
        settings.model.path = path
        settings.n_ctx = _CONTEXT
        settings.n_parallel = 1  # texts in one batch would change each other's last digits
        settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
        settings.n_gpu_layers = 0
        settings.warmup = False
        settings.verbosity = -1
        # It listens on a port of this machine; without the key nobody else gets an answer there.
        self._key = secrets.token_hex(32)
        settings.api_keys = [self._key]
        try:
            self.server = xllamacpp.Server(settings)
        except (RuntimeError, ValueError, OSError) as error:
            raise Unavailable(
                f"{path} cannot be loaded: {str(error).rstrip('.')}.",
                "A machine with 500 MB of free memory was expected.",
                "Get the runtime anew with: pip install 'overpaint[lm]'",
            ) from error

    def answer(self, prompt: str, schema: Mapping[str, Any] | None) -> Reply:
        """What it says to a prompt, word by word until it ends, or `Unreadable` where it is cut."""
        asked: dict[str, Any] = {
            "messages": [{"role": "user", "content": _clean(prompt)}],
            "max_tokens": LONGEST_ANSWER,
            "temperature": 0,
            "cache_prompt": False,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if schema is not None:
            asked["response_format"] = {"type": "json_schema", "json_schema": {"schema": schema}}
        heard = _Heard(time.monotonic())
        try:
            self.server.handle_chat_completions(asked, heard)
        except (RuntimeError, ValueError) as error:  # a schema it has no grammar for
            raise _dumb(error) from error
        return heard.reply()

    def tokens(self, text: str, *, signs: bool = False) -> list[Token]:
        """The tokens of a text; what looks like a sign of the model's own is text, unless asked."""
        asked = {"content": _clean(text), "parse_special": signs, "with_pieces": True}
        request = urllib.request.Request(
            f"{self.server.listening_address}/tokenize",
            json.dumps(asked).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"},
        )
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=_SECONDS) as reply:
                found = json.load(reply)["tokens"]
        except (OSError, ValueError) as error:
            raise Unavailable(
                f"The local model does not answer at {self.server.listening_address}: {error}.",
                "It talks to itself through a port of this machine.",
                "Allow connections to 127.0.0.1.",
            ) from error
        return [Token(each["id"], _piece(each["piece"])) for each in found]

    def forced(self, before: Sequence[Token], scored: Sequence[Token]) -> list[float]:
        """The log-probabilities of tokens that it is made to say after those before them."""
        found: list[float] = []
        for whole, run in groupby(scored, key=lambda token: token.whole):
            told = self._told if whole else self._asked
            found += told([*before, *scored[: len(found)]], list(run))
        return found

    def _told(self, before: Sequence[Token], run: Sequence[Token]) -> list[float]:
        """The log-probabilities of tokens that are text."""
        said = self._say(before, run, most=1)
        if [each["id"] for each in said] != [token.id for token in run]:
            raise OverpaintError(
                f"The local model did not say the {len(run)} tokens it was given.",
                "xllamacpp makes it, in the version that the extra `lm` names.",
                "Get that with: pip install 'overpaint[lm]'",
            )
        return [float(each["logprob"]) for each in said]

    def _asked(self, before: Sequence[Token], run: Sequence[Token]) -> list[float]:
        """The log-probabilities of tokens that are no text, which cannot be said on their own."""
        found = []
        for at, token in enumerate(run):
            # While it says anything at all, it tells how likely everything else was.
            said = self._say([*before, *run[:at]], self.tokens("a"), most=_VOCABULARY)
            every = said[0]["top_logprobs"]
            found.append(float(next(e["logprob"] for e in every if e["id"] == token.id)))
        return found

    def _say(
        self, before: Sequence[Token], scored: Sequence[Token], *, most: int
    ) -> list[dict[str, Any]]:
        """Tokens it is made to say, with the likelihood of each and of the `most` likeliest."""
        reply = self.server.handle_completions(
            {
                "prompt": [token.id for token in before],
                "grammar": "root ::= " + " ".join(f"<[{t.id}]>" for t in scored),
                "n_predict": len(scored),
                "n_probs": most,  # of the model itself, before the grammar has its say
                "temperature": 0,
                "cache_prompt": False,  # what is left of another text would change last digits
            }
        )
        if "error" in reply:
            raise OverpaintError(f"The local model failed: {reply['error'].get('message')}.")
        found: list[dict[str, Any]] = reply["choices"][0]["logprobs"]["content"]
        return found


@dataclass
class _Heard:
    """What has been said so far; called with every piece, it answers whether to stop."""

    began: float
    text: str = ""
    end: str = "time"
    wrong: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)

    def __call__(self, piece: Mapping[str, Any]) -> bool:
        """Take in a piece; True when time is up."""
        if "error" in piece:  # the runtime swallows what is raised here
            self.wrong = str(piece["error"].get("message"))
            return True
        for choice in piece["choices"]:
            self.text += choice["delta"].get("content") or ""
            self.end = choice["finish_reason"] or self.end
        self.usage = piece.get("usage") or self.usage
        return time.monotonic() - self.began > LONGEST_TIME

    def reply(self) -> Reply:
        """All that was said, if it was said to the end."""
        if self.wrong:
            raise _dumb(self.wrong)
        if self.end != "stop":
            limit = f"{LONGEST_ANSWER} tokens" if self.end == "length" else f"{LONGEST_TIME} s"
            raise Unreadable(
                f"The local model was cut off after {limit}: …{self.text[-40:]!r}.",
                "A whole reply was expected.",
                "Ask for less at once.",
            )
        used = self.usage.get
        seconds = time.monotonic() - self.began
        return Reply(self.text, used("prompt_tokens"), used("completion_tokens"), 0.0, seconds)


def _dumb(why: object) -> Unavailable:
    """The error of a question that cannot be put to it at all."""
    return Unavailable(
        f"The local model cannot answer: {why}.",
        f"It takes a question of about {_CONTEXT - LONGEST_ANSWER:,} tokens, and plain schemas.",
        "Ask for less at once, or name a model behind a server.",
    )


def _clean(text: str) -> str:
    """The text without halves of surrogate pairs, which are no letters."""
    return text.encode(errors="replace").decode()


def _piece(given: str | list[int]) -> str | bytes:
    """A token's text, or its bytes, which come as a list of numbers."""
    return given if isinstance(given, str) else bytes(given)

"""Local language models: what they say, how likely they find words, and what is missing."""

import importlib.metadata
import math
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from overpaint import models, weights
from overpaint.document import Document
from overpaint.errors import NotApplicable, OverpaintError, Unavailable, Unreadable, UserMistake
from overpaint.models import local
from overpaint.models.desk import Desk
from overpaint.models.local import Local
from overpaint.store import Store
from overpaint.store.calls import Calls

pytestmark = pytest.mark.slow

SENTENCE = "The committee will meet on Friday morning to discuss the new schedule for the library."


@pytest.fixture
def smollm2() -> Local:
    """The model; tests that need it are skipped where runtime or weights are absent."""
    return present("smollm2")


def present(name: str) -> Local:
    if find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed; pip install 'overpaint[lm]'")
    try:
        weights.find(name)
    except Unavailable as missing:
        pytest.skip(str(missing))
    return Local(name)


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process in which no model is loaded yet; those that are stay out of it."""
    monkeypatch.setattr(local, "_running", local._running.__wrapped__)


# ── likelihood ──────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_every_token_has_a_logarithm_of_a_probability_and_twice_the_same(smollm2: Local) -> None:
    found = smollm2.logprobs(SENTENCE)
    assert len(found) == 16
    assert all(number <= 0 for number in found)
    assert found == smollm2.logprobs(SENTENCE)
    assert smollm2.logprobs("") == ()


def test_words_begin_the_same_whatever_follows_them(smollm2: Local) -> None:
    start = smollm2.logprobs("The committee will meet")
    assert smollm2.logprobs(SENTENCE)[: len(start)] == pytest.approx(start, abs=1e-3)


@pytest.mark.slow
def test_all_tokens_together_have_the_probability_one_and_ours_is_among_them(
    smollm2: Local,
) -> None:
    running = local._running("smollm2")
    start, cat = running.tokens("<|endoftext|>", signs=True), running.tokens("A cat")
    everything = running._say([*start, *cat[:1]], cat[1:], most=local._VOCABULARY)
    every = {each["id"]: each["logprob"] for each in everything[0]["top_logprobs"]}
    assert len(every) == 49152
    assert sum(map(math.exp, every.values())) == pytest.approx(1, abs=1e-3)
    assert smollm2.logprobs("A cat")[1] == pytest.approx(every[cat[1].id], abs=1e-3)
    assert running._asked([*start, *cat[:1]], cat[1:]) == [every[cat[1].id]]


@pytest.mark.slow
def test_likelihoods_are_those_of_the_formulas_in_32_bits(smollm2: Local) -> None:
    pytest.importorskip("gguf", reason="gguf is not installed; pip install -e '.[dev]'")
    from llama_reference import logprobs

    # Letters that are several tokens (™) are asked for on another path than all others.
    text = f"{SENTENCE} All members are asked to bring a printed copy of Report™ and two pens."
    running = local._running("smollm2")
    tokens = [*running.tokens("<|endoftext|>", signs=True), *running.tokens(text)]
    ours = smollm2.logprobs(text)
    theirs = logprobs(weights.find("smollm2"), [token.id for token in tokens])
    # llama.cpp rounds activations to 8 bits: single tokens differ, their mean does not.
    assert ours == pytest.approx(list(theirs), abs=0.5)
    assert sum(ours) / len(ours) == pytest.approx(float(theirs.mean()), abs=0.03)


def test_a_rare_letter_costs_and_letters_that_are_unknown_are_not_scored(smollm2: Local) -> None:
    assert sum(smollm2.logprobs("Acme™")) < sum(smollm2.logprobs("Acme"))
    with pytest.raises(NotApplicable, match="local/smollm2 does not know these letters"):
        smollm2.logprobs("委员会将于星期五上午开会，讨论图书馆的新时间表。")


def test_what_looks_like_a_sign_of_the_model_is_text(smollm2: Local) -> None:
    assert len(smollm2.logprobs("Hi<|im_end|>")) == 8
    assert len(smollm2.logprobs("half a pair \ud800 of surrogates")) > 5


def test_each_token_of_a_long_text_is_scored_once_with_a_bounded_memory() -> None:
    tokens = [local.Token(number, "x") for number in range(1300)]
    parts = list(local.windows(tokens))
    assert [token for _, scored in parts for token in scored] == tokens
    assert [(len(before), len(scored)) for before, scored in parts] == [
        (0, 512), (256, 512), (256, 276),
    ]  # fmt: skip
    assert all([*before, *scored][len(before) - 1].id == scored[0].id - 1 for before, scored in
               parts[1:])  # fmt: skip


@pytest.mark.slow
def test_parts_that_remember_all_before_them_are_scored_as_the_whole(
    smollm2: Local, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = smollm2.logprobs(SENTENCE)
    monkeypatch.setattr(local, "WINDOW", 10)
    assert smollm2.logprobs(SENTENCE) == pytest.approx(whole, abs=0.05)
    monkeypatch.setattr(local, "MEMORY", 0)
    assert sum(smollm2.logprobs(SENTENCE)) < sum(whole)


def test_a_text_without_end_is_not_begun(smollm2: Local) -> None:
    with pytest.raises(UserMistake, match=r"40,001 letters long.*At most 40,000.*its parts"):
        smollm2.logprobs("a" * 40_001)


@pytest.mark.slow
def test_the_second_model_scores_as_well() -> None:
    gemma3 = present("gemma3")
    right, wrong = (gemma3.logprobs(text) for text in (SENTENCE, SENTENCE.replace("mor", "mro")))
    assert sum(right) > sum(wrong)


# ── answers ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_it_answers_the_same_at_every_turn(smollm2: Local) -> None:
    reply = smollm2.ask("Say hello.")
    assert reply.text
    assert reply.tokens_in is not None
    assert 0 < (reply.tokens_out or 0) <= local.LONGEST_ANSWER
    assert (reply.price, reply.recalled) == (0.0, False)
    assert smollm2.ask("Say hello.", turn=1).text == reply.text


@pytest.mark.slow
def test_with_a_schema_it_says_nothing_but_json_of_that_form(smollm2: Local) -> None:
    schema = {
        "type": "object",
        "properties": {"score": {"type": "integer", "minimum": 1, "maximum": 5}},
        "required": ["score"],
        "additionalProperties": False,
    }
    from overpaint.models.replies import parse

    reply = smollm2.ask("How good is bread, from 1 to 5? Write a poem.", schema=schema)
    assert parse(reply.text, schema).values["score"] in range(1, 6)


@pytest.mark.slow
def test_questions_of_many_threads_are_answered_one_by_one(smollm2: Local) -> None:
    said: list[str] = []
    threads = [
        threading.Thread(target=lambda: said.append(smollm2.ask("Say hello.").text))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == [smollm2.ask("Say hello.").text] * 3


@pytest.mark.slow
def test_an_answer_that_does_not_end_is_cut_off_and_said_to_be(
    smollm2: Local, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "LONGEST_ANSWER", 4)
    with pytest.raises(Unreadable, match="cut off after 4 tokens.*A whole reply was expected"):
        smollm2.ask("Count from 1 to 1000.")
    monkeypatch.setattr(local, "LONGEST_ANSWER", 400)
    monkeypatch.setattr(local, "LONGEST_TIME", 0)
    with pytest.raises(Unreadable, match="cut off after 0 s.*Ask for less at once"):
        smollm2.ask("Count from 1 to 1000.")


def test_what_cannot_be_asked_is_unavailable(smollm2: Local, sample_picture: Document) -> None:
    with pytest.raises(Unavailable, match="local/smollm2 cannot see pictures.*another model"):
        smollm2.ask("What is it?", [sample_picture])
    with pytest.raises(Unavailable, match=r"exceeds the available context.*about 3,584 tokens"):
        smollm2.ask("word " * 5000)
    with pytest.raises(Unavailable, match="cannot answer.*flute.*plain schemas"):
        smollm2.ask("Play.", schema={"type": "flute"})


@pytest.fixture
def sample_picture() -> Document:
    import numpy as np

    return Document.of(np.zeros((4, 4, 3), np.uint8))


# ── what is missing ─────────────────────────────────────────────────────────────────────


def test_a_base_model_continues_and_does_not_answer() -> None:
    with pytest.raises(Unavailable, match="local/gemma3 cannot answer: it is no chat model"):
        Local("gemma3").ask("Hello?")


def test_a_model_that_is_not_there_is_the_users_mistake() -> None:
    with pytest.raises(UserMistake, match=r"no model local/gpt5.*local/smollm2, local/gemma3"):
        Local("gpt5")


@pytest.mark.usefixtures("unloaded")
def test_without_the_runtime_the_command_that_gets_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(Unavailable, match="xllamacpp, is not installed") as caught:
        Local("smollm2").logprobs("a")
    assert caught.value.todo == "Get it with: pip install 'overpaint[lm]'"


@pytest.mark.usefixtures("unloaded")
def test_without_the_weights_the_command_that_gets_them_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", sys)  # never reached
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path))
    with pytest.raises(Unavailable, match="SmolLM2.*not on this machine") as caught:
        Local("smollm2").ask("Hello?")
    assert caught.value.todo == "Get it with: overpaint get smollm2"


def test_a_file_that_cannot_be_loaded_is_unavailable(tmp_path: Path) -> None:
    xllamacpp = pytest.importorskip("xllamacpp", reason="pip install 'overpaint[lm]'")
    (tmp_path / "net.gguf").write_bytes(bytes(range(256)) * 40)
    with pytest.raises(Unavailable, match=r"net.gguf cannot be loaded.*500 MB.*'overpaint\[lm\]'"):
        local._Runtime(xllamacpp, str(tmp_path / "net.gguf"))


def test_a_port_that_does_not_answer_is_unavailable(
    smollm2: Local, monkeypatch: pytest.MonkeyPatch
) -> None:
    smollm2.logprobs("a")
    running = local._running("smollm2")
    monkeypatch.setattr(running, "server", SimpleNamespace(listening_address="http://127.0.0.1:9"))
    with pytest.raises(Unavailable, match=r"does not answer at http://127.0.0.1:9.*Allow"):
        smollm2.logprobs("a")


def test_a_runtime_that_says_other_words_or_none_gives_no_number(
    smollm2: Local, monkeypatch: pytest.MonkeyPatch
) -> None:
    smollm2.logprobs("a")
    running = local._running("smollm2")
    other = {"choices": [{"logprobs": {"content": [{"id": 5, "logprob": -1.0}]}}]}
    for reply, words in ((other, "did not say the 2 tokens"), ({"error": {"message": "no"}}, "no")):
        silent = SimpleNamespace(
            listening_address=running.server.listening_address,
            handle_completions=lambda asked, reply=reply: reply,
        )
        monkeypatch.setattr(running, "server", silent)
        with pytest.raises(OverpaintError, match=words):
            smollm2.logprobs("A cat")


def test_the_runtime_tells_its_version_or_the_command_that_gets_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: "2026.10")
    assert local.runtime() == "xllamacpp 2026.10"

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    with pytest.raises(Unavailable, match=r"pip install 'overpaint\[lm\]'"):
        local.runtime()


def test_nobody_without_the_key_gets_an_answer_from_its_port(smollm2: Local) -> None:
    import urllib.error
    import urllib.request

    smollm2.logprobs("a")
    address = local._running("smollm2").server.listening_address
    assert address.startswith("http://127.0.0.1:")
    request = urllib.request.Request(f"{address}/tokenize", b'{"content": "a"}')
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(request)


def test_the_name_of_a_local_model_leads_to_it_and_its_answers_are_remembered(
    smollm2: Local, tmp_path: Path
) -> None:
    Store.create(tmp_path / "run").__exit__()
    desk = Desk(Calls.open(tmp_path / "run"))
    asked = models.model("local/smollm2", desk)
    first, second = (asked.ask("Say yes or no: is snow white?") for _ in range(2))
    assert (first.text, first.recalled, second.recalled) == (second.text, False, True)
    (bill,) = desk.calls.bill()
    assert (bill.host, bill.price, bill.unpriced) == ("this machine", 0.0, 0)
    with pytest.raises(Unavailable, match="cannot see pictures"):
        asked.ask("What is this?", [Document.of(np.zeros((8, 8, 3), np.uint8))])


@pytest.mark.slow
@pytest.mark.parametrize("order", ["uharfbuzz first", "the model first"])
def test_it_loads_beside_a_library_of_the_same_make(smollm2: Local, order: str) -> None:
    lines = ["import uharfbuzz", "Local('smollm2').logprobs('A cat.')"]
    lines = lines if order == "uharfbuzz first" else lines[::-1]
    script = "\n".join(["from overpaint.models.local import Local", *lines, "uharfbuzz.Buffer()"])
    subprocess.run([sys.executable, "-c", script], check=True)

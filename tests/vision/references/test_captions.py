"""Captions: what a model is asked, asked again, and which of its words are taken."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from overpaint.errors import Unavailable, Unreadable
from overpaint.models import Model, model
from overpaint.models.desk import Desk
from overpaint.store import Store
from overpaint.store.calls import Calls
from overpaint.testing import FakeServer
from overpaint.vision.references import Hints, extractor
from overpaint.vision.references.captions import MOST, prompt, read, words_in

PIXELS = np.random.default_rng(3).integers(0, 256, (30, 40, 3), dtype=np.uint8)
GOOD = "A red kite flies over a quiet beach at dusk."
LONG = " ".join(["word"] * 27)


def said(caption: Any) -> str:
    return json.dumps({"caption": caption})


@contextmanager
def asking(tmp_path: Path, script: Any) -> Iterator[tuple[Model, FakeServer]]:
    Store.create(tmp_path / "run").__exit__()
    with FakeServer(script, process=False) as server:
        calls = Calls.open(tmp_path / "run")
        yield model(f"{server.url}#eye", Desk(calls)), server
        calls.close()


def found(who: Model) -> Any:
    (one,) = extractor("caption").find(PIXELS, Hints(who))
    return one


# ── asking ──────────────────────────────────────────────────────────────────────────────


def test_a_model_is_asked_and_its_words_are_the_caption(tmp_path: Path) -> None:
    with asking(tmp_path, {"reply": said(GOOD)}) as (who, _):
        one = found(who)
    assert (one.kind, one.value, one.method) == ("caption", GOOD, "model")
    assert one.version == f"{extractor('caption').version}+eye"
    assert one.version.startswith("2026-11-18.")


def test_too_long_a_caption_is_asked_for_again_once_saying_so(tmp_path: Path) -> None:
    advice = "It had 27 words, which is too long; write at most 20."
    rules = [{"contains": advice, "reply": said(GOOD)}]
    with asking(tmp_path, {"rules": rules, "reply": said(LONG)}) as (who, server):
        assert found(who).value == GOOD
        assert server.counts().total == 2


def test_twice_too_long_is_unreadable(tmp_path: Path) -> None:
    with (
        asking(tmp_path, {"reply": said(LONG)}) as (who, server),
        pytest.raises(Unreadable, match="The caption has 27 words.*Expected were 1 to 20"),
    ):
        found(who)
    assert server.counts().total == 2


def test_without_a_model_it_is_unavailable_and_says_how_to_name_one() -> None:
    with pytest.raises(Unavailable, match="No model was named to write captions.*--model"):
        extractor("caption").find(PIXELS, Hints())


def test_a_picture_whose_subject_is_shown_apart_has_a_prompt_of_its_own(tmp_path: Path) -> None:
    plain, of = prompt(), prompt(subject=True)
    assert "do not describe how it looks" in of
    assert "do not describe how it looks" not in plain
    for text in (plain, of):
        assert '{"caption": "⟨one sentence, 20 words at most⟩"}' in text
        assert "{form}" not in text
    rules = [{"contains": "do not describe how it looks", "reply": said("A dog.")}]
    with asking(tmp_path, {"rules": rules, "reply": said(GOOD)}) as (who, _):
        (one,) = extractor("caption").find(PIXELS, Hints(who, subject=True))
        assert (one.value, found(who).value) == ("A dog.", GOOD)


# ── reading ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("caption", "why"),
    [
        ("", "has no words"),
        (" … !", "has no words"),
        ("a cat\non a mat", "a control character or a line break"),
        ("a cat \u202eon a mat", "a control character or a line break"),
        ("a cat\x00", "a control character or a line break"),
        ("<subject_1> on a mat", "has '<' in it"),
        ("**a cat** on a mat", r"has '\*' in it"),
        ("a `cat`", "has '`' in it"),
        ("[cat](mat)", r"has '\[' in it"),
        ("a cat &amp; a mat", "has '&amp;' in it"),
        ("see https://a.b", "has '://' in it"),
        (LONG, "has 27 words"),
        ("x" * 241, "and 241 letters"),
    ],
)
def test_what_is_not_a_few_plain_words_is_refused(caption: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read(said(caption))


@pytest.mark.parametrize("reply", ["a cat", "[]", said(7), said(None), '{"title": "a cat"}'])
def test_what_is_not_the_form_is_refused(reply: str) -> None:
    with pytest.raises(Unreadable):
        read(reply)


def test_ordinary_punctuation_is_taken() -> None:
    text = "Two cats – one grey, one white (asleep) – on Anna's sofa; it's 7 o'clock & raining."
    assert read(said(f"  {text} ")) == text


def test_words_are_counted_and_characters_without_spaces_each() -> None:
    assert words_in("a cat – and 2 dogs, asleep.") == 6
    assert words_in("一只猫 on a mat") == 6


@given(some.text(max_size=60))
def test_whatever_a_model_says_is_a_short_plain_line_or_refused(text: str) -> None:
    try:
        taken = read(said(text))
    except Unreadable:
        return
    assert 1 <= words_in(taken) <= MOST
    assert taken == taken.strip()
    assert len(taken.splitlines()) == 1
    assert not set("<>{}[]`*#") & set(taken)

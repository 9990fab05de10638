"""`compositional:MODEL;image=EDITOR`: references become one prompt, and the prompt a picture."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import multiref_cases as cases
import numpy as np
import pytest

from overpaint import catalog
from overpaint.core import Request
from overpaint.document import Document
from overpaint.editors import servers
from overpaint.editors.compositional import (
    LONGEST,
    LONGEST_LINE,
    MOST_SEEN,
    Compositional,
    question,
    read,
    shown,
    write,
)
from overpaint.editors.labels import in_order, parted, stem
from overpaint.editors.text_to_image import Diffused, Generations, brought, painter
from overpaint.engines.refblend.instructions import structured
from overpaint.errors import NoOutput, Refused, Unreadable, UserMistake
from overpaint.models.desk import Terms
from overpaint.models.own import own_desk
from overpaint.testing import FakeServer, Scripted
from overpaint.testing.painter import FakePainter
from overpaint.testing.painting import ground
from overpaint.vision.references import Kind

GOOD = {"seen": ["<canny_image>: a circle", "<subject_1>: a red ball"], "prompt": "A red ball."}


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(servers, "_backoff", lambda failed: 0.0)
    monkeypatch.setenv("OVERPAINT_CACHE", str(tmp_path / "home"))


class NoDesk:
    """A desk that notes what it is told to doubt."""

    def __init__(self) -> None:
        self.doubted: list[str] = []

    def ask(self, question: Any) -> Any:
        raise AssertionError("a scripted model asks at no desk")

    def doubt(self, key: str, why: str) -> None:
        self.doubted.append(why)


# ── instructions with names ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "rest", "caption"),
    [
        (cases.SAID, "Use the outlines of <canny_image> and put in <subject_1>.", cases.CAPTION),
        ("Draw <pose_1> as it is; caption: two men", "Draw <pose_1> as it is.", "two men"),
        (
            "Draw <pose_1>, with the scene itself following the caption: a pier",
            "Draw <pose_1>.",
            "a pier",
        ),
        ("Paint <style_image> following the caption: a cat", "Paint <style_image>.", "a cat"),
        ("Match the style. Caption: “a: b”", "Match the style.", "a: b"),
        ("Only <image1> and <image2>.", "Only <image1> and <image2>.", ""),
        ("caption: a cat", "", "a cat"),
    ],
)
def test_a_caption_is_what_stands_after_its_word(said: str, rest: str, caption: str) -> None:
    assert parted(said) == (rest, caption)


@pytest.mark.parametrize("seed", range(40))
def test_the_engines_own_instructions_part_into_names_and_caption(seed: int) -> None:
    kinds: tuple[Kind, ...] = ("canny", "caption", "subject", "subject", "style")
    made = structured(kinds, cases.CAPTION, str(seed))
    rest, caption = parted(made.text)
    assert caption == cases.CAPTION
    assert all(name in rest for name in made.names)
    assert {*map(stem, made.names)} == {"canny", "subject", "style"}
    assert "following" not in rest.rpartition(",")[2]


def test_labels_say_what_they_name() -> None:
    names = ("<canny_image>", "<subject_1>", "<semantic_map>", "<image12>", "<pose_2>", "", "ball!")
    assert [*map(stem, names)] == ["canny", "subject", "semantic_map", "image", "pose", "", ""]


def test_references_come_in_the_order_in_which_they_are_named() -> None:
    one, two = cases.ball(), cases.outlines()
    request = Request(one, "first <b>, then <a>", (one, two, one), labels=("<a>", "<b>", "<c>"))
    assert in_order(request) == (1, 0, 2)


# ── what is asked, what is read ─────────────────────────────────────────────────────────


def test_the_model_sees_every_reference_with_its_name_and_no_empty_canvas() -> None:
    request = cases.synthetic()
    assert [*shown(request)] == [*request.references]
    words = question(request)
    for part in (
        "> Use the outlines of <canny_image>", cases.CAPTION, "> Picture 1 is <canny_image>.",
        "> Picture 2 is <subject_1>.", "wide, 60 by 40 pixels", '"prompt": "⟨the prompt⟩"',
    ):  # fmt: skip
        assert part in words, part


def test_a_source_of_its_own_is_shown_first_and_one_among_the_references_once() -> None:
    request = cases.real_world()
    assert len(shown(request)) == 2
    other = Request(cases.photo(7), "as <image1>", request.references[:1], labels=("<image1>",))
    assert [*shown(other)] == [cases.photo(7), request.references[0]]
    assert "> Picture 1 is the picture to change.\n> Picture 2 is <image1>." in question(other)


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("", "The prompt is empty"),
        ("a" * (LONGEST + 1), "1,501 letters long"),
        ("a ball as in <subject_1>", "angle brackets"),
        ("a ball <3", "angle brackets"),
    ],
)
def test_a_prompt_that_cannot_be_painted_is_not_read(prompt: str, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        read(json.dumps(GOOD | {"prompt": prompt}))


def test_what_a_model_saw_is_kept_in_bounds() -> None:
    many = read(json.dumps(GOOD | {"seen": ["line " * 1000] * 50})).seen
    assert len(many) == MOST_SEEN
    assert {len(line) for line in many} == {LONGEST_LINE}


def test_an_unreadable_reply_is_asked_for_once_more_and_told_why() -> None:
    desk, asked = NoDesk(), Scripted([GOOD | {"prompt": "like <subject_1>"}, GOOD])
    written = write(asked, desk, "words", ())
    assert (written.prompt, written.seen[0]) == ("A red ball.", "<canny_image>: a circle")
    assert "angle brackets" in written.again
    assert [one.turn for one in asked.asked] == [0, 1]
    assert "could not be used. The prompt has angle brackets" in asked.asked[1].prompt
    assert len(desk.doubted) == 1


def test_a_second_unreadable_reply_is_the_end() -> None:
    asked = Scripted("no JSON at all")
    with pytest.raises(Unreadable, match="has no JSON object"):
        write(asked, NoDesk(), "words", ())
    assert len(asked.asked) == 2


# ── all of it ───────────────────────────────────────────────────────────────────────────


def made(more: str = "", options: str = "", reply: Any = GOOD) -> tuple[Document, Any, Any, str]:
    """What becomes of a request: the picture, its trace, what was painted, what was asked."""
    words: list[str] = []

    def says(asked: Any) -> str:
        words.append(asked.prompt)
        return json.dumps(reply)

    with FakeServer(says, process=False) as server, FakePainter() as brush:
        spec = f"compositional:{server.url}#eye{options};image=generations:{brush.url}#brush{more}"
        editor: Any = catalog.editor(spec)
        with own_desk(Terms(retries=0)) as desk:
            document, trace = editor.traced(cases.synthetic(), desk)
    return document, trace, brush.received, words[0]


def test_one_prompt_is_written_and_painted_in_the_wanted_size() -> None:
    document, trace, (sent,), _ = made()
    assert sent.fields == {
        "model": "brush", "prompt": "A red ball.", "n": "1", "size": "60x40",
        "response_format": "b64_json",
    }  # fmt: skip
    assert np.array_equal(document.rgb, 255 - ground("A red ball.", "60x40"))
    assert [step["step"] for step in trace] == ["write", "paint"]
    assert (trace[0]["by"], trace[0]["prompt"]) == ("eye", "A red ball.")
    assert trace[1]["by"] == "brush"
    assert document.notes == ()


def test_the_backends_size_is_brought_back_with_a_note() -> None:
    document, _, (sent,), _ = made(more=";size=128x128/192x128")
    assert sent.fields["size"] == "192x128"
    assert document.size == (60, 40)
    assert document.notes == ("made at 192×128, scaled to 60×40",)


def test_without_the_caption_the_model_is_not_told_it() -> None:
    assert cases.CAPTION in made()[3]
    told = made(options=";caption=no")[3]
    assert cases.CAPTION not in told
    assert "> Use the outlines of <canny_image> and put in <subject_1>." in told


def test_what_it_would_ask_is_foretold_and_whom() -> None:
    editor: Any = Compositional("openai/gpt-4o-mini;image=generations:http://h.invalid/v1#b")
    asks = editor.asks(cases.synthetic())
    assert [ask.pictures for ask in asks] == 2 * [((60, 40), (160, 160))]
    assert (asks[0].endpoint.name, editor.host, editor.where) == (
        "openai/gpt-4o-mini", "h.invalid", "thread",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("openai/m", "does not say who paints"),
        ("openai/m;image=images:http://h/v1#b", "makes no picture from words"),
        ("openai/m;image=generations:", "makes no picture from words"),
        ("openai/m;image=generations:local/b", "names a model of this machine"),
        ("openai/m;style=no;image=diffusers:b", "compositional has no option 'style'"),
        ("nobody;image=diffusers:b", "'nobody' names no model"),
    ],
)
def test_a_spec_that_cannot_compose_is_a_mistake(argument: str, said: str) -> None:
    with pytest.raises(UserMistake, match=said):
        Compositional(argument)


def test_without_a_desk_nobody_is_asked() -> None:
    with pytest.raises(UserMistake, match="is asked at a desk, and there is none"):
        Compositional("openai/m;image=diffusers:b")(cases.synthetic())


def test_a_painters_folder_is_the_same_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "weights").mkdir()
    monkeypatch.chdir(tmp_path)
    for before in ("compositional:openai/m;caption=no;image=", "turns:", "agent:rules;image="):
        spec = catalog.anchored(f"{before}diffusers:weights;steps=2")
        assert spec == f"{before}diffusers:{tmp_path / 'weights'};steps=2"


# ── a server of pictures made of words ──────────────────────────────────────────────────


def painted(*behaviours: str, more: str = "") -> tuple[Document, FakePainter]:
    with FakePainter(*behaviours) as brush:
        return Generations(f"{brush.url}#b{more}")("a cat", (60, 40)), brush


def test_what_a_server_declines_is_left_out_and_noted() -> None:
    document, brush = painted("no_size")
    assert [("size" in sent.fields) for sent in brush.received] == [True, False]
    assert document.size == (60, 40)
    assert document.notes == (
        "the server declined size", "made at 64×64, cropped and scaled to 60×40",
    )  # fmt: skip
    document, brush = painted("no_format")
    assert ["response_format" in sent.fields for sent in brush.received] == [True, False]
    assert document.notes == ()


@pytest.mark.parametrize(
    ("behaviour", "error", "said"),
    [
        ("url", Unreadable, "Addresses are not followed"),
        ("moderation", Refused, "declined: Your request was rejected"),
        ("no_picture", NoOutput, "answered without a picture"),
        ("no_data", Unreadable, "does not answer as images/generations does"),
    ],
)
def test_what_goes_wrong_at_a_server_is_told(behaviour: str, error: Any, said: str) -> None:
    with pytest.raises(error, match=said):
        painted(behaviour)


def test_fields_of_the_users_own_go_along() -> None:
    assert painted(more=";form.quality=low")[1].received[0].fields["quality"] == "low"


@pytest.mark.parametrize(
    ("came", "told"),
    [
        ((60, 40), ()),
        ((64, 48), ("made at 64×48, cropped and scaled to 60×40",)),
        ((120, 80), ("made at 120×80, scaled to 60×40",)),
        ((60, 48), ("made at 60×48, cropped to 60×40",)),
    ],
)
def test_a_picture_is_brought_to_its_size_without_being_stretched(
    came: tuple[int, int], told: tuple[str, ...]
) -> None:
    rows, columns = np.mgrid[: came[1], : came[0]]
    round_spot = (rows - came[1] / 2 + 0.5) ** 2 + (columns - came[0] / 2 + 0.5) ** 2
    pixels = np.where(round_spot < (0.3 * came[1]) ** 2, 255, 0).astype(np.uint8)
    document = brought(np.repeat(pixels[:, :, None], 3, axis=2), (60, 40))
    assert (document.size, document.notes) == ((60, 40), told)
    spot = document.rgb[:, :, 0] > 127
    assert abs(int(spot.any(axis=0).sum()) - int(spot.any(axis=1).sum())) <= 1


# ── weights here ────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("diffusers") is None:
        pytest.skip("diffusers is not here: pip install 'overpaint[diffusers]'")
    from tiny_pipeline import write_tiny

    return write_tiny(tmp_path_factory.mktemp("pipeline"), edits=False)


@pytest.mark.slow
def test_a_tiny_pipeline_paints_and_the_same_seed_gives_the_same_picture(tiny: Path) -> None:
    one, two, other = (Diffused(f"{tiny};steps=2;seed={n}")("a cat", (37, 21)) for n in (1, 1, 2))
    assert one.size == (37, 21)
    assert np.array_equal(one.rgb, two.rgb)
    assert not np.array_equal(one.rgb, other.rgb)
    assert one.notes[0].startswith("made at 40×24, cropped")


@pytest.mark.slow
def test_a_pipeline_that_edits_makes_nothing_of_words(tmp_path: Path) -> None:
    pytest.importorskip("diffusers", reason="pip install 'overpaint[diffusers]'")
    from tiny_pipeline import write_tiny

    with pytest.raises(UserMistake, match="which edits pictures and makes none from words"):
        painter(f"diffusers:{write_tiny(tmp_path)}")("a cat", (37, 21))

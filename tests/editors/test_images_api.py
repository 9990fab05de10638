"""`images:MODEL` against a painter over HTTP: what is sent, what comes back, what goes wrong."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from overpaint import catalog
from overpaint.core import Request
from overpaint.document import Document
from overpaint.editors import servers
from overpaint.editors.images_api import Images
from overpaint.errors import (
    NoOutput,
    OverpaintError,
    Refused,
    Unavailable,
    Unreachable,
    Unreadable,
    UserMistake,
)
from overpaint.testing.painter import FakePainter

RNG = np.random.default_rng(3)
PIXELS = RNG.integers(0, 256, (30, 44, 3), dtype=np.uint8)
BOX = np.zeros((30, 44), bool)
BOX[5:20, 8:30] = True
DRAWN = Document.of(np.repeat(np.where(BOX, 255, 0).astype(np.uint8)[:, :, None], 3, axis=2))
ASKED = Request(Document.of(PIXELS), "invert it")
MASKED = Request(Document.of(PIXELS), "invert it", mask=DRAWN)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "_backoff", lambda failed: 0.0)


def edit(request: Request, *behaviours: str, more: str = "") -> tuple[Document, FakePainter]:
    with FakePainter(*behaviours) as server:
        return Images(f"{server.url}#brush{more}")(request), server


# ── what is sent, what comes back ───────────────────────────────────────────────────────


def test_a_picture_is_edited_and_comes_back_in_its_size() -> None:
    made, server = edit(ASKED)
    assert np.array_equal(made.rgb, 255 - PIXELS)
    assert made.notes == ()
    (sent,) = server.received
    assert sent.fields == {
        "model": "brush", "prompt": "invert it", "n": "1", "response_format": "b64_json",
    }  # fmt: skip
    assert sent.files == ("image",)
    assert np.array_equal(sent.pictures[0], PIXELS)


def test_a_mask_is_sent_with_alpha_0_where_it_may_change_and_holds() -> None:
    made, server = edit(MASKED)
    (sent,) = server.received
    assert sent.files == ("image", "mask")
    assert sent.mask is not None
    assert np.array_equal(sent.mask, BOX)
    assert np.array_equal(made.rgb[BOX], 255 - PIXELS[BOX])
    assert np.array_equal(made.rgb[~BOX], PIXELS[~BOX])
    assert made.notes == ()


def test_what_a_server_changes_outside_the_mask_is_restored_and_noted() -> None:
    made, _ = edit(MASKED, "ignores_mask")
    assert np.array_equal(made.rgb[~BOX], PIXELS[~BOX])
    assert np.array_equal(made.rgb[BOX], 255 - PIXELS[BOX])
    assert "of what the mask protects; that was restored" in made.notes[0]


def test_the_mask_may_have_another_name_or_not_be_sent_at_all() -> None:
    assert edit(MASKED, more=";mask=mask_image")[1].received[0].files == ("image", "mask_image")
    assert edit(MASKED, more=";mask=none")[1].received[0].files == ("image",)


def test_references_are_sent_beside_the_picture() -> None:
    other = Document.of(PIXELS[:10, :12])
    _, server = edit(Request(ASKED.source, "as there", references=(other,)))
    (sent,) = server.received
    assert sent.files == ("image[]", "image[]")
    assert sent.pictures[1].shape == (10, 12, 3)


def test_a_grid_pads_and_a_size_scales_and_is_named() -> None:
    made, server = edit(ASKED, more=";grid=16")
    assert server.received[0].pictures[0].shape == (32, 48, 3)
    assert np.array_equal(made.rgb, 255 - PIXELS)
    made, server = edit(ASKED, more=";size=64x64/96x64")
    assert server.received[0].fields["size"] == "96x64"
    assert server.received[0].pictures[0].shape == (64, 96, 3)
    assert made.size == (44, 30)


def test_fields_of_the_users_own_are_passed_on() -> None:
    _, server = edit(ASKED, more=";form.quality=high;form.seed=7")
    assert server.received[0].fields | {"quality": "high", "seed": "7"} == server.received[0].fields


def test_another_size_is_scaled_back_and_noted() -> None:
    made, _ = edit(ASKED, "small")
    assert made.size == (44, 30)
    assert made.notes == ("the editor returned 22×15 for 44×30; scaled back",)


def test_alpha_that_a_server_returns_is_kept() -> None:
    assert (edit(ASKED, "alpha")[0].rgba[:, :, 3] == 200).all()


def test_a_picture_in_a_data_address_is_read() -> None:
    assert np.array_equal(edit(ASKED, "data_url")[0].rgb, 255 - PIXELS)


def test_a_document_with_layers_is_flattened_and_that_is_noted() -> None:
    one = Document.of(PIXELS)
    two = one.having(one.layers[0], Document.of(PIXELS[:9, :9]).layers[0])
    made, _ = edit(Request(two, "invert it"))
    assert "knows no layers" in made.notes[0]


@pytest.mark.parametrize(
    ("behaviour", "field", "noted"),
    [
        ("no_mask", "mask", ("the server declined mask",)),
        ("no_format", "response_format", ()),
        ("no_size", "size", ("the server declined size",)),
    ],
)
def test_what_a_server_declines_by_name_is_left_out_from_then_on(
    behaviour: str, field: str, noted: tuple[str, ...]
) -> None:
    with FakePainter(behaviour) as server:
        editor = Images(f"{server.url}#brush;size=48x32")
        first, second = editor(MASKED), editor(MASKED)
        sent = [{*one.fields, *one.files} for one in server.received]
    assert [field in one for one in sent] == [True, False, False]
    assert first.notes[: len(noted)] == second.notes[: len(noted)] == noted
    assert np.array_equal(first.rgb[~BOX], PIXELS[~BOX])


def test_a_server_that_knows_no_list_gets_repeated_pictures() -> None:
    _, server = edit(Request(ASKED.source, "as there", references=(ASKED.source,)), "no_list")
    assert [one.files for one in server.received] == [("image[]",) * 2, ("image",) * 2]


# ── what goes wrong ─────────────────────────────────────────────────────────────────────

ENDS: dict[str, tuple[type[OverpaintError], str]] = {
    "moderation": (Refused, "declined: Your request was rejected by the safety system"),
    "server_error": (Unreachable, "said 500: The server had an error."),
    "rate_limited": (Unreachable, "said 429, too many questions, to the last: Rate limit"),
    "no_quota": (Unavailable, "the account has no credit left"),
    "bad_key": (Unavailable, "the key was not accepted. Check OVERPAINT_API_KEY."),
    "no_model": (Unavailable, "Is 'brush' a model it has?"),
    "moved": (Unreachable, "it sends questions on to http://elsewhere.invalid"),
    "wrong": (Unreachable, "said 400: The prompt is in a language I do not know."),
    "reset": (Unreachable, "The connection to 127.0.0.1"),
    "garbage": (Unreachable, "The connection to 127.0.0.1"),
    "hang": (Unreachable, "did not answer within 0.3 s."),
    "drip": (Unreachable, "did not answer within 0.3 s."),
    "broken_png": (Unreadable, "cannot be decoded"),
    "no_png": (Unreadable, "no picture of a known kind"),
    "no_base64": (Unreadable, "sent a picture that is no base64: '%%%'."),
    "no_picture": (NoOutput, "answered without a picture."),
    "no_data": (Unreadable, "does not answer as images/edits does: ['object', 'choices']."),
    "bad_json": (Unreadable, "sent no JSON object"),
    "no_body": (Unreadable, "sent no JSON object: nothing."),
    "url": (Unreadable, "Addresses are not followed: they may lead anywhere."),
    "huge": (Unreadable, "sent more than 1 MB."),
}


@pytest.mark.parametrize("behaviour", ENDS)
def test_every_failure_has_its_name(behaviour: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "LARGEST", 1024 * 1024)
    kind, said = ENDS[behaviour]
    short = ";deadline=0.3;retries=0" if behaviour in ("hang", "drip") else ";retries=1"
    started = time.monotonic()
    with pytest.raises(OverpaintError) as caught:
        edit(ASKED, behaviour, more=short)
    assert type(caught.value) is kind
    assert said in str(caught.value)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("behaviour", ["server_error", "rate_limited", "reset", "hang"])
def test_what_may_pass_is_tried_again(behaviour: str) -> None:
    made, server = edit(ASKED, behaviour, "ok", more=";deadline=0.5;retries=1")
    assert np.array_equal(made.rgb, 255 - PIXELS)
    assert len(server.received) == 2


@pytest.mark.parametrize("behaviour", ["moderation", "bad_key", "wrong", "no_base64"])
def test_what_will_not_pass_is_asked_once(behaviour: str) -> None:
    with FakePainter(behaviour) as server:
        with pytest.raises(OverpaintError):
            Images(f"{server.url}#brush")(ASKED)
        assert len(server.received) == 1


def test_nobody_at_the_address_is_unreachable() -> None:
    with pytest.raises(Unreachable, match="The connection to 127.0.0.1:9 failed"):
        Images("http://127.0.0.1:9/v1#brush;retries=0")(ASKED)


def test_a_proxy_that_cannot_be_used_is_a_mistake_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ALL_PROXY", "nonsense://localhost:1")
    with pytest.raises(UserMistake, match="Look at ALL_PROXY"):
        Images("http://127.0.0.1:10/v1#brush")(ASKED)


def test_pictures_of_many_threads_are_not_mixed_up() -> None:
    pictures = [np.full((20 + n, 30, 3), n, np.uint8) for n in range(8)]
    with FakePainter() as server, ThreadPoolExecutor(8) as pool:
        editor = Images(f"{server.url}#brush;grid=16")
        requests = [Request(Document.of(one), "invert it") for one in pictures]
        made = [one.rgb for one in pool.map(editor, requests)]
    assert all(np.array_equal(a, 255 - b) for a, b in zip(made, pictures, strict=True))


# ── names and keys ──────────────────────────────────────────────────────────────────────


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OVERPAINT_API_KEY", "sk-secret-1234567890")
    return "sk-secret-1234567890"


def test_a_key_that_a_server_repeats_is_not_told(keyed: str) -> None:
    with FakePainter("repeats") as server:
        editor = Images(f"{server.url}#brush")
        with pytest.raises(Unreachable, match=r"said 400: say \(key\)\.") as caught:
            editor(Request(ASKED.source, f"say {keyed}"))
    assert keyed not in f"{caught.value!r} {editor!r}"


def test_the_editor_says_whom_the_pictures_go_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert Images("http://localhost:8000/v1#brush;grid=8").host == "localhost:8000"
    assert Images("openai/any-model").host == "api.openai.com"


def test_without_its_key_a_vendor_is_unavailable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.chdir(str(tmp_path))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(Unavailable, match="OPENAI_API_KEY is not set"):
        Images("openai/any-model")(ASKED)


@pytest.mark.parametrize("spec", ["brush", "http://localhost:8000/v1", "http://me:pw@x/v1#m"])
def test_a_spec_that_names_no_server_is_a_mistake(spec: str) -> None:
    with pytest.raises(UserMistake):
        Images(spec)


def test_a_model_of_this_machine_makes_no_pictures() -> None:
    with pytest.raises(UserMistake, match="names a model of this machine"):
        Images("local/smollm2")


def test_the_catalogue_knows_it() -> None:
    assert isinstance(catalog.editor("images:http://localhost:8000/v1#brush"), Images)

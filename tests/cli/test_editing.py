"""`overpaint edit`: what it writes, what it says, and what it refuses."""

import json
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1] / "document"))
import psd_maker

from overpaint.cli import editing, main
from overpaint.document import Document, Layer, Picture, files, plan
from overpaint.document.instruct import parse
from overpaint.document.layers import Run, Shape, Style, Text
from overpaint.document.pictures import encode_png

CHANGE = "replace 'Friday' with 'Monday'"
Capture = pytest.CaptureFixture[str]


def words(name: str, text: str, left: float, top: float, **style: object) -> Layer:
    return Layer(Text((Run(text, Style(**style)),)), name, name.lower(), left, top)  # type: ignore[arg-type]


def made_poster() -> Document:
    return Document(canvas=(400, 300), made=(
        Layer(Shape("rectangle", 400, 300, (240, 232, 214, 255)), "Ground", "ground"),
        words("Title", "Jazz on the Roof", 30, 80, family="Playfair Display", size=40),
        words("Day", "Friday, 8 May", 30, 140, family="Montserrat", size=24),
        words("Price", "Tickets from $15", 30, 200, family="Oswald", size=24),
        words("Hours", "8 pm to 11 pm", 30, 250, family="Oswald", size=24),
    ))  # fmt: skip


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A poster as an OpenRaster file, and a deck of three slides."""
    from pptx import Presentation
    from pptx.util import Inches

    folder = tmp_path_factory.mktemp("kept")
    files.write(made_poster(), folder / "poster.ora")
    deck = Presentation()
    for text in ("Monday", "Friday at eight", "Friday at nine"):
        box = deck.slides.add_slide(deck.slide_layouts[6]).shapes
        box.add_textbox(Inches(1), Inches(1), Inches(6), Inches(1)).text_frame.text = text
    deck.save(folder / "deck.pptx")
    return folder


@pytest.fixture
def here(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with the poster and the deck in it."""
    for name in ("poster.ora", "deck.pptx"):
        shutil.copy(kept / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def says(path: str) -> list[str]:
    document = Document(Path(path))
    return [layer.content.words for layer in document if isinstance(layer.content, Text)]


def refused(capsys: Capture, *argv: str) -> str:
    """What the command says on stderr when it does nothing."""
    assert main(["edit", *argv]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    return told.err


# ── what it does ────────────────────────────────────────────────────────────────────────


def test_a_replacement_is_written_and_said_in_a_sentence(here: Path, capsys: Capture) -> None:
    assert main(["edit", "poster.ora", CHANGE, "-o", "out.ora"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "“Friday” → “Monday”, set in Montserrat, 24 px"
    assert lines[1].startswith("out.ora  (")
    assert says("out.ora") == [
        "Jazz on the Roof", "Monday, 8 May", "Tickets from $15", "8 pm to 11 pm",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("instruction", "sentence"),
    [
        ("delete 'Tickets from $15'", "“Tickets from $15” deleted"),
        ("make the title red", "the title is now red"),
        ("make 'Friday' bold", "“Friday” is now bold, set in Montserrat bold, 24 px"),
        ("move the title down by 20 pixels", "the title moved 20 px down"),
        ("move 'Friday, 8 May' to the bottom right", "“Friday, 8 May” moved to the bottom right"),
        ("rotate the title by 10 degrees counterclockwise",
         "the title turned by 10° counterclockwise"),
        ("scale the title to 50 %", "the title is now 50% as large"),
        ("add 'only' before 'Friday'", "“only” added before “Friday”, set in Montserrat, 24 px"),
        ("swap 'Friday, 8 May' and 'Tickets from $15'",
         "“Friday, 8 May” and “Tickets from $15” exchanged"),
        ("hide the title", "the title hidden"),
        ("replace every '8' with '9'",
         "every “8” → “9”, set in Montserrat, 24 px and Oswald, 24 px"),
    ],
)  # fmt: skip
def test_each_op_has_its_sentence(
    here: Path, capsys: Capture, instruction: str, sentence: str
) -> None:
    assert main(["edit", "poster.ora", instruction, "-o", "out.ora"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == sentence


def test_without_a_name_the_result_stands_beside_the_file(here: Path) -> None:
    before = (here / "poster.ora").read_bytes()
    assert main(["edit", "poster.ora", CHANGE]) == 0
    assert "Monday, 8 May" in says("poster-edited.ora")
    assert (here / "poster.ora").read_bytes() == before


def test_a_file_is_written_over_only_where_that_is_said(here: Path) -> None:
    assert main(["edit", "poster.ora", CHANGE, "-o", "poster.ora"]) == 0
    assert "Monday, 8 May" in says("poster.ora")


def test_a_folder_takes_the_result_under_its_own_name(here: Path) -> None:
    (here / "done").mkdir()
    (here / "done" / "other.txt").write_text("mine")
    assert main(["edit", "poster.ora", CHANGE, "-o", "done"]) == 0
    assert "Monday, 8 May" in says("done/poster-edited.ora")


def test_a_document_in_a_folder_is_edited_into_another(here: Path) -> None:
    files.write(made_poster(), here / "poster")
    assert main(["edit", "poster", CHANGE]) == 0
    assert "Monday, 8 May" in says("poster-edited")


def test_the_page_that_fits_is_found(here: Path, capsys: Capture) -> None:
    assert main(["edit", "deck.pptx", "replace 'eight' with 'ten'", "-o", "out.ora"]) == 0
    assert "only page 2 of 3 is in out.ora" in capsys.readouterr().err
    assert says("out.ora") == ["Friday at ten"]


def test_the_result_is_told_as_json(here: Path, capsys: Capture) -> None:
    asked = ["edit", "poster.ora", CHANGE, "-o", "out.png", "--preview", "look.png", "--json"]
    assert main(asked) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["out"] == "out.png"
    assert told["did"] == ["“Friday” → “Monday”, set in Montserrat, 24 px"]
    assert told["ops"] == [{"op": "replace-text", "where": {"text": "Friday"}, "text": "Monday"}]
    assert told["notes"] == ["PNG holds no layers: they were flattened"]
    assert told["page"] == 1
    assert told["seconds"] > 0
    assert Document(Path(told["preview"])).size[0] > 800


@pytest.mark.slow
def test_a_plan_is_printed_and_carried_out_elsewhere(here: Path, capsys: Capture) -> None:
    assert main(["edit", "poster.ora", CHANGE, "--ops"]) == 0
    printed = capsys.readouterr().out
    assert sorted(path.name for path in here.iterdir()) == ["deck.pptx", "poster.ora"]
    Path("plan.json").write_text(printed)
    assert main(["edit", "poster.ora", "--apply", "plan.json", "-o", "out.ora"]) == 0
    assert "Monday, 8 May" in says("out.ora")


def test_a_plan_takes_no_file(here: Path, capsys: Capture) -> None:
    assert main(["edit", CHANGE, "--ops"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["text"] == "Monday"


# ── what it notes ───────────────────────────────────────────────────────────────────────


def test_a_font_that_is_not_here_is_named_with_its_substitute(here: Path, capsys: Capture) -> None:
    asked = "change the font of the title to Futura Condensed"
    assert main(["edit", "poster.ora", asked, "-o", "out.ora"]) == 0
    told = capsys.readouterr()
    assert "note: Futura Condensed is not on this machine; PT Sans is used\n" in told.err
    assert told.out.startswith("the title is now in Futura Condensed, set in PT Sans, 40 px")


def test_a_file_of_live_words_keeps_the_name_of_a_font_that_is_not_here(
    here: Path, capsys: Capture
) -> None:
    asked = "change the font of the title to Futura Condensed"
    assert main(["edit", "poster.ora", asked, "-o", "out.svg"]) == 0
    told = capsys.readouterr()
    assert "PT Sans is used; out.svg keeps the name" in told.err
    assert "set in Futura Condensed, 40 px" in told.out


def test_a_jpeg_is_said_to_be_lossy(here: Path, capsys: Capture) -> None:
    assert main(["edit", "poster.ora", CHANGE, "-o", "out.jpg"]) == 0
    told = capsys.readouterr().err
    assert "save as .png to keep them" in told
    assert main(["edit", "poster.ora", CHANGE, "-o", "out.png"]) == 0
    assert "save as .png" not in capsys.readouterr().err


def test_a_type_layer_of_a_psd_becomes_pixels_and_the_command_says_so(
    here: Path, capsys: Capture
) -> None:
    psd_maker.poster(here / "live.psd", psd_maker.Made())
    assert main(["edit", "live.psd", CHANGE, "-o", "out.psd"]) == 0
    told = capsys.readouterr()
    assert "“Friday” → “Monday”, set in Open Sans bold, 20 px" in told.out
    assert "is now pixels; its live layer is kept, hidden, below" in told.err
    kept = Document(here / "out.psd")
    assert [layer.visible for layer in kept if layer.kind == "text"] == [False]


def test_an_edit_that_changes_nothing_says_so(here: Path, capsys: Capture) -> None:
    Path("plan.json").write_text('[{"op": "move", "where": {"role": "title"}, "by": [0, 0]}]')
    assert main(["edit", "poster.ora", "--apply", "plan.json", "-o", "out.ora"]) == 0
    assert "note: nothing in it has changed" in capsys.readouterr().err
    assert main(["edit", "poster.ora", CHANGE, "-o", "out.ora"]) == 0
    assert "nothing in it" not in capsys.readouterr().err


def test_somebody_who_waits_is_told_what_for(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editing, "_PATIENCE", 0.0)
    assert main(["edit", "poster.ora", CHANGE, "-o", "out.ora"]) == 0
    assert capsys.readouterr().err.startswith("poster.ora: looking for what is meant")


# ── what it refuses ─────────────────────────────────────────────────────────────────────


def test_a_missing_file_is_named_with_the_nearest_name(here: Path, capsys: Capture) -> None:
    told = refused(capsys, "postr.ora", CHANGE)
    assert told == "overpaint: There is no file postr.ora. poster.ora is there.\n"


def test_file_and_instruction_in_the_wrong_order_are_told_apart(
    here: Path, capsys: Capture
) -> None:
    assert "The file comes first." in refused(capsys, CHANGE, "poster.ora")


def test_a_folder_without_a_document_is_refused(here: Path, capsys: Capture) -> None:
    (here / "empty").mkdir()
    assert "empty has neither a document.json nor a PNG in it" in refused(
        capsys, "empty", CHANGE, "-o", "out.ora"
    )


def test_a_suffix_that_cannot_be_written_is_refused_before_any_work(
    here: Path, capsys: Capture
) -> None:
    told = refused(capsys, "poster.ora", "nonsense", "-o", "out.docx")
    assert ".docx is none of the formats that can" in told
    assert ".psd" in told
    assert "there is no folder no/such" in refused(
        capsys, "poster.ora", CHANGE, "-o", "no/such/out.ora"
    )


def test_a_preview_is_a_png_of_its_own(here: Path, capsys: Capture) -> None:
    assert "ending in .png" in refused(capsys, "poster.ora", CHANGE, "--preview", "look.jpg")
    Path("page.png").write_bytes(encode_png(made_poster().rgb))
    told = refused(capsys, "page.png", CHANGE, "--preview", "page.png")
    assert "is also the file that is edited" in told
    told = refused(capsys, "poster.ora", CHANGE, "-o", "out.png", "--preview", "out.png")
    assert "is also the result" in told


def test_where_the_preview_cannot_be_written_nothing_is(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(suffix: str, *_: object) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied") if suffix == ".png" else AssertionError

    Path("folder.png").mkdir()
    asked = ("poster.ora", CHANGE, "-o", "out.ora", "--preview")
    assert "folder.png is a folder. Give it another name." in refused(capsys, *asked, "folder.png")
    monkeypatch.setattr("tempfile.mkstemp", made)
    assert "look.png cannot be written: Permission denied. A folder that can be written to" in (
        refused(capsys, *asked, "look.png")
    )
    assert not Path("out.ora").exists()


def test_names_that_no_file_can_have_are_said_to_be_none(here: Path, capsys: Capture) -> None:
    for argv in (["x" * 300, CHANGE], ["poster.ora", CHANGE, "-o", f"{'x' * 300}.png"]):
        told = refused(capsys, *argv)
        assert "cannot be the name of a file: File name too long." in told
    told = refused(capsys, "poster.ora", CHANGE, "-o", ".png")
    assert told == "overpaint: .png is only a suffix. A name such as picture.png works.\n"


def test_a_disk_without_room_leaves_nothing_half_written(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    was = Path("poster.ora").read_bytes()
    monkeypatch.setattr(Path, "write_bytes", full)
    for out in ("poster.ora", "out.psd", "out.png", "out"):
        assert "cannot be written: No space left" in refused(
            capsys, "poster.ora", CHANGE, "-o", out
        )
    assert Path("poster.ora").read_bytes() == was
    assert sorted(path.name for path in here.iterdir()) == ["deck.pptx", "poster.ora"]


@pytest.mark.parametrize("out", ["poster.ora", "out.psd", "out"])
def test_who_stops_it_finds_everything_as_it_was(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    def stopped(path: Path, data: bytes) -> int:
        raise KeyboardInterrupt

    was = Path("poster.ora").read_bytes()
    monkeypatch.setattr(Path, "write_bytes", stopped)
    asked = ["edit", "poster.ora", CHANGE, "-o", out, "--preview", "look.png"]
    for argv in (asked[:-2], asked):
        assert main(argv) == 130
        assert f"Stopped. {out} is as it was.\n" in capsys.readouterr().err
    assert Path("poster.ora").read_bytes() == was
    assert sorted(path.name for path in here.iterdir()) == ["deck.pptx", "poster.ora"]


def test_a_pdf_is_as_it_was_where_its_preview_cannot_be_written(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["edit", "poster.ora", CHANGE, "-o", "out.pdf"]) == 0
    was = Path("out.pdf").read_bytes()
    capsys.readouterr()

    def full(before: object, after: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("overpaint.report.preview.preview", full)
    asked = ("poster.ora", CHANGE, "-o", "out.pdf", "--preview", "look.png")
    assert "cannot be written: No space left" in refused(capsys, *asked)
    assert Path("out.pdf").read_bytes() == was


def test_pages_that_another_format_does_not_get_are_counted(here: Path, capsys: Capture) -> None:
    asked = "replace 'eight' with 'ten'"
    assert main(["edit", "deck.pptx", asked, "-o", "out.pdf"]) == 0
    assert "note: only page 2 of 3 is in out.pdf\n" in capsys.readouterr().err
    assert main(["edit", "deck.pptx", asked, "-o", "out.pptx"]) == 0
    assert "only page" not in capsys.readouterr().err


def test_a_letter_that_no_font_has_is_no_name_that_is_kept(here: Path, capsys: Capture) -> None:
    asked = "replace 'Friday' with '\U00013000'"
    assert main(["edit", "poster.ora", asked, "-o", "out.svg"]) == 0
    assert "note: no font here has \U00013000\n" in capsys.readouterr().err


def test_an_ambiguous_target_is_refused_with_both_listed(here: Path, capsys: Capture) -> None:
    told = refused(capsys, "poster.ora", "replace '8' with '9'")
    assert "“Friday, «8» May”" in told
    assert "“«8» pm to 11 pm”" in told
    assert "Say which" in told


def test_a_target_that_is_not_there_is_refused_with_what_is(here: Path, capsys: Capture) -> None:
    told = refused(capsys, "poster.ora", "replace 'Tuesday' with 'Monday'")
    assert "“Tuesday”" in told
    assert "“Friday, 8 May”" in told


def test_words_that_do_not_fit_are_refused(here: Path, capsys: Capture) -> None:
    long = "The whole of the second weekend of the merry month of May and more"
    told = refused(capsys, "poster.ora", f"replace 'Friday' with '{long}'")
    assert "does not fit" in told
    assert not Path("poster-edited.ora").exists()


def test_an_instruction_that_is_not_understood_is_refused_with_forms_that_are(
    here: Path, capsys: Capture
) -> None:
    told = refused(capsys, "poster.ora", "sharpen it a little")
    assert "is not understood" in told
    assert "replace 'old words' with 'new words'" in told


def test_nothing_to_do_or_two_things_to_do_are_a_mistake(here: Path, capsys: Capture) -> None:
    assert "It is not said what to do" in refused(capsys, "poster.ora")
    assert "said twice" in refused(capsys, "poster.ora", CHANGE, "--apply", "plan.json")
    assert "It is not said what to do" in refused(capsys)


def test_a_plan_that_cannot_be_used_is_refused(here: Path, capsys: Capture) -> None:
    asked = ("poster.ora", "--apply", "plan.json")
    assert "cannot be read: No such file" in refused(capsys, *asked)
    Path("plan.json").write_bytes(b"\xff\xfe\x00")
    assert "it is no UTF-8 text" in refused(capsys, *asked)
    Path("plan.json").write_text("[]")
    assert "is empty" in refused(capsys, *asked)
    Path("plan.json").write_text('[{"op": "explode"}]')
    assert "'explode'" in refused(capsys, *asked)
    Path("plan.json").write_text('[{"op": "restyle", "where": {"role": "title"}, "size": -5}]')
    assert "The size is -5 px. 0.5 to 5,000 px was expected." in refused(capsys, *asked)
    Path("plan.json").write_bytes(b" " * (17 << 20))
    assert "it has more than 16,777,216 bytes" in refused(capsys, *asked)
    assert "/dev/null cannot be read: it is no file" in refused(
        capsys, "poster.ora", "--apply", "/dev/null"
    )
    assert "There is no file to edit" in refused(capsys, "--apply", "plan.json")


def test_a_page_out_of_range_is_refused(here: Path, capsys: Capture) -> None:
    assert "3 pages, and no page 4" in refused(capsys, "deck.pptx", CHANGE, "--page", "4")
    assert "1 page, and no page 2" in refused(capsys, "poster.ora", CHANGE, "--page", "2")


def test_several_pages_that_fit_are_listed(here: Path, capsys: Capture) -> None:
    told = refused(capsys, "deck.pptx", CHANGE)
    assert "Pages 2, 3 of deck.pptx can all be edited so." in told
    assert "--page 2" in told


def test_no_page_that_fits_names_the_nearest_text_and_its_page(here: Path, capsys: Capture) -> None:
    told = refused(capsys, "deck.pptx", "replace 'Fryday at nine' with 'Monday'")
    assert "is on none of the 3 pages" in told
    assert "“Friday at nine” on page 3" in told


def test_controls_in_a_text_do_not_reach_the_terminal(here: Path, capsys: Capture) -> None:
    poster = made_poster()
    title = replace(poster.layer("title"), content=Text((Run("Fri\x1b[2Jday", Style(size=30)),)))
    files.write(poster.having(poster.layers[0], title), here / "odd.ora")
    told = refused(capsys, "odd.ora", "replace 'Nothing' with 'x'")
    assert "\x1b" not in told


# ── flat pictures ───────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_flat_picture_is_edited_in_its_own_font(here: Path, capsys: Capture) -> None:
    before = made_poster().rgb
    Path("page.png").write_bytes(encode_png(before))
    assert main(["edit", "page.png", CHANGE, "--preview", "look.png"]) == 0
    assert "Montserrat" in capsys.readouterr().out
    after = Document(Path("page-edited.png")).rgb
    rows = np.flatnonzero((before != after).any(axis=(1, 2)))
    assert 110 < rows[0] <= rows[-1] < 155  # the line, and nothing else


@pytest.mark.slow
def test_words_in_a_picture_of_a_layered_file_are_edited(here: Path, capsys: Capture) -> None:
    poster = made_poster()
    flat = Layer(Picture(np.dstack([poster.rgb, np.full((300, 400), 255, np.uint8)])), "Scan", "s")
    files.write(poster.having(flat, words("Note", "new", 350, 290, size=12)), here / "scan.ora")
    assert main(["edit", "scan.ora", CHANGE, "-o", "out.ora"]) == 0
    assert "“Friday” → “Monday”" in capsys.readouterr().out


@pytest.mark.slow
def test_a_picture_says_what_is_nearest_and_what_does_not_fit(here: Path, capsys: Capture) -> None:
    Path("page.png").write_bytes(encode_png(made_poster().rgb))
    told = refused(capsys, "page.png", "replace 'Fridge of May' with 'Monday'", "-o", "out.png")
    assert "“Friday, 8 May”" in told
    long = "The whole of the second weekend of the merry month of May and more"
    assert "no free room" in refused(capsys, "page.png", f"replace 'Friday' with '{long}'")


# ── the guide ───────────────────────────────────────────────────────────────────────────


def guide() -> str:
    return (Path(__file__).parents[2] / "docs" / "guides" / "edit.md").read_text(encoding="utf-8")


def test_whatever_the_guide_says_can_be_said_is_understood() -> None:
    said = guide().split("## What can be said")[1].split("Where the same words")[0]
    forms = re.findall(r"`([^`]+)`", said.split("| to | say |")[1])
    assert len(forms) > 30
    for form in (*forms, "replace the second '34' with '31'", "replace every '34' with '31'"):
        assert parse(form)


def test_the_guides_python_runs(here: Path) -> None:
    code = guide().split("```python\n")[1].split("```")[0]
    done: dict[str, Any] = {}
    exec(code, done)
    assert [plan.name_of(op) for op in done["edited"].history] == ["replace-text", "restyle"]
    assert "Monday, 8 May" in says("poster-edited.ora")


def test_a_refusal_names_the_texts_that_stand_there_and_not_those_that_would(
    tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "poster.ora"
    files.write(made_poster(), path)
    asked = "change the title to 'Blues in the Cellar' and delete 'Sold out'"
    assert main(["edit", str(path), asked, "-o", str(tmp_path / "out.ora")]) == 2
    told = capsys.readouterr().err
    assert "Jazz on the Roof" in told
    assert "Blues in the Cellar" not in told

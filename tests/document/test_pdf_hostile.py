"""Hostile PDFs: each is edited, or refused in a sentence, in bounded time and memory."""

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Encryption, Name, String

from overpaint.document.layers import Text
from overpaint.document.ops import ReplaceText
from overpaint.document.pdf import encoding, forms, opening, pages, read, reimaging, trial, write
from overpaint.document.where import Where
from overpaint.errors import PictureError, Refused

SAID = b"BT /F1 20 Tf 20 100 Td (Meet Friday) Tj ET\n"
PLAIN = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R
/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length 43>>stream
BT /F1 20 Tf 20 100 Td (Meet Friday) Tj ET
endstream endobj
trailer<</Root 1 0 R>>
%%EOF"""


@pytest.fixture(autouse=True, scope="module")
def untried() -> Iterator[None]:
    """Tests of what comes after a trial need none, which takes a tenth of a second each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "try_page", lambda *_: None)
        yield


def made(content: bytes = b"", **resources: Any) -> Any:
    file = pikepdf.new()
    page = file.add_blank_page(page_size=(300, 200))
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica,
                      Encoding=Name.WinAnsiEncoding)  # fmt: skip
    page.Resources = Dictionary(Font=Dictionary(F1=font))
    for kind, things in resources.items():
        page.Resources[f"/{kind}"] = things
    page.Contents = file.make_stream(SAID + content)
    return file


def saved(path: Path, file: Any, **how: Any) -> Path:
    file.save(path, **how)
    file.close()
    return path


def edit(path: Path) -> list[str]:
    """The words of the page after an edit that is written and read again."""
    done = ReplaceText(Where(text="Friday"), text="Monday")(read(path))
    write(done, path.with_name("out.pdf"))
    after = read(path.with_name("out.pdf"))
    return [layer.content.words for layer in after if isinstance(layer.content, Text)]


def test_scripts_and_files_in_a_pdf_are_kept_and_not_run(tmp_path: Path) -> None:
    file = made()
    file.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("while (1) {}"))
    file.attachments["tool.exe"] = b"MZ" * 50
    file.pages[0].AA = Dictionary(O=Dictionary(S=Name.Launch, F=String("/bin/sh")))
    assert edit(saved(tmp_path / "a.pdf", file)) == ["Meet Monday"]
    with pikepdf.open(tmp_path / "out.pdf") as after:
        assert str(after.Root.OpenAction.JS) == "while (1) {}"
        assert after.attachments["tool.exe"].get_file().read_bytes() == b"MZ" * 50
        assert str(after.pages[0].AA.O.F) == "/bin/sh"


def test_an_owners_lock_is_told_of_and_a_readers_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.pdf", made(), encryption=Encryption(user="", owner="o"))
    done = ReplaceText(Where(text="Friday"), text="Monday")(read(path))
    assert write(done, tmp_path / "b.pdf") == ("it is saved without its encryption",)
    locked = saved(tmp_path / "c.pdf", made(), encryption=Encryption(user="u", owner="o"))
    with pytest.raises(PictureError, match=r"c.pdf is encrypted\. .* Save it without one\."):
        read(locked)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"[3 0 R]/Count 1", b"[2 0 R 3 0 R 2 0 R]/Count 3"),
        (b"[3 0 R]/Count 1", b"[3 0 R]/Count 1/Parent 2 0 R"),
        (b"[3 0 R]/Count 1", b"[3 0 R]/Count 1000000000"),
        (b"[3 0 R]/Count 1", b"[3 0 R]/Count 1/Junk " + b"[" * 200_000 + b"]" * 200_000),
        (b"/MediaBox[0 0 300 200]", b"/MediaBox[0 0 1e9 1e9]"),
        (b"/MediaBox[0 0 300 200]", b"/MediaBox[0 0 .01 .01]"),
        (b"/MediaBox[0 0 300 200]", b"/MediaBox[300 200 0 0]"),
        (b"trailer<<", b"trailer<</Prev 15"),
        (b"(Meet Friday) Tj", b"(Meet Friday) Tj " + b"q " * 20_000),
    ],
)  # fmt: skip
def test_odd_trees_and_boxes_are_edited_or_refused(old: bytes, new: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(PLAIN.replace(old, new))
    assert pages(path) < 100
    try:
        assert edit(path) == ["Meet Monday"]
    except (PictureError, Refused) as error:
        assert ".." not in str(error)


@pytest.mark.parametrize("size", [(100_000, 100_000), (-5, 2**31 - 1), (0, 0)])
def test_images_that_lie_about_their_size_are_passed_over(
    size: tuple[int, int], tmp_path: Path
) -> None:
    file = made(b"q 90 0 0 90 0 0 cm /Im Do Q")
    image = file.make_stream(bytes(30), Type=Name.XObject, Subtype=Name.Image, Width=size[0],
                             Height=size[1], ColorSpace=Name.DeviceRGB,
                             BitsPerComponent=8)  # fmt: skip
    file.pages[0].Resources.XObject = Dictionary(Im=image)
    assert edit(saved(tmp_path / "a.pdf", file)) == ["Meet Monday"]


def test_forms_within_forms_within_forms_are_passed_over(tmp_path: Path) -> None:
    file, inner = made(b"/X Do"), None
    for _ in range(300):
        form = file.make_stream(b"/X Do" if inner else b"0 0 1 1 re f", Type=Name.XObject,
                                Subtype=Name.Form, BBox=[0, 0, 9, 9])  # fmt: skip
        if inner:
            form.Resources = Dictionary(XObject=Dictionary(X=inner))
        inner = file.make_indirect(form)
    file.pages[0].Resources.XObject = Dictionary(X=inner)
    assert edit(saved(tmp_path / "a.pdf", file)) == ["Meet Monday"]


@pytest.mark.parametrize("where", ["page", "form"])
def test_content_that_unpacks_without_end_is_refused(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "MAX_CONTENT", 1_000_000)
    file = made(b"/X Do")
    bomb = file.make_stream(b"")
    bomb.write(zlib.compress(bytes(2_000_000)), filter=Name.FlateDecode)
    if where == "page":
        file.pages[0].Contents = Array([file.pages[0].Contents, bomb])
    else:
        bomb.Type, bomb.Subtype, bomb.BBox = Name.XObject, Name.Form, [0, 0, 9, 9]
        file.pages[0].Resources.XObject = Dictionary(X=bomb)
    with pytest.raises(PictureError, match="unpacks to more than 1,000,000 bytes.*attack"):
        read(saved(tmp_path / "a.pdf", file))


def tiled(path: Path) -> Path:
    """A pattern of 60,000,000,000 tiles."""
    file = made(b"/Pattern cs /P scn 0 0 300 200 re f")
    tile = file.make_stream(b"0 0 .1 .1 re f", Type=Name.Pattern, PatternType=1, PaintType=1,
                            TilingType=1, BBox=[0, 0, 0.1, 0.1], XStep=0.001, YStep=0.001,
                            Resources=Dictionary())  # fmt: skip
    file.pages[0].Resources.Pattern = Dictionary(P=tile)
    return saved(path, file)


@pytest.mark.slow
def test_a_page_that_takes_a_day_to_draw_is_refused_after_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "try_page", trial.try_page)
    monkeypatch.setattr(trial, "SECONDS", 1)
    with pytest.raises(PictureError, match=r"Page 1 of .* takes more than 1 s to draw\. .*attack"):
        read(tiled(tmp_path / "a.pdf"))


def test_a_page_that_takes_too_much_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "try_page", trial.try_page)
    monkeypatch.setattr(trial, "MEGABYTES", 20)
    with pytest.raises(PictureError, match=r"cannot be drawn with 20 MB of memory"):
        read(saved(tmp_path / "a.pdf", made()))


def test_whoever_reads_page_after_page_is_spared_a_trial_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = made()
    for _ in range(3):
        file.pages.append(file.pages[0])
    path = saved(tmp_path / "a.pdf", file)
    for number in (1, 2):
        trial.try_page(path, number, 1.0)
    monkeypatch.setattr(trial, "_drawn", lambda *_: pytest.fail("it was tried again"))
    for number in (1, 2, 3, 4):
        trial.try_page(path, number, 1.0)


def test_a_page_of_too_many_parts_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path / "a.pdf", made(b"0 0 1 1 re f " * 500))
    monkeypatch.setattr(opening, "SECONDS", -1.0)
    with pytest.raises(PictureError, match="takes too long to be taken apart. It has 501 objects"):
        read(path)
    file = made()
    file.pages[0].Annots = Array([Dictionary(Subtype=Name.Square, Rect=[0, 0, 9, 9])] * 4)
    monkeypatch.setattr(opening, "MAX_NOTES", 3)
    with pytest.raises(PictureError, match="has more than 3 annotations on a page"):
        read(saved(tmp_path / "b.pdf", file))


def test_a_file_that_can_be_read_but_not_changed_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    deep = b"[3 0 R]/Count 1/Junk " + b"[" * 200_000 + b"]" * 200_000
    path.write_bytes(PLAIN.replace(b"[3 0 R]/Count 1", deep))
    with pytest.raises(Refused, match="The PDF can be read but not changed"):
        edit(path)


def test_an_operator_that_is_no_text_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.pdf", made(b"\xe9\xff\n"))
    with pytest.raises(Refused, match="The content of page 1 cannot be read"):
        edit(path)
    with pikepdf.open(path) as file:
        assert list(reimaging._walk(file.pages[0], Dictionary(), ())) == []


def test_a_mistake_of_our_own_while_a_file_is_open_is_no_fault_of_the_file() -> None:
    with pytest.raises(KeyError), encoding.editable(PLAIN):
        {}["ours"]


def test_a_page_whose_size_is_mended_another_way_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(PLAIN.replace(b"[0 0 300 200]", b"[/Odd 0 300 200]"))
    with pytest.raises(Refused, match="would give the PDF's page another size"):
        edit(path)

"""Fonts: what is on a machine is found under every name, or a named substitute is."""

import json
import os
import random
import shutil
import struct
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from fontTools.ttLib import TTCollection, TTFont
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from overpaint import weights
from overpaint.document.layers import Style
from overpaint.document.text import fonts, index, sfnt
from overpaint.document.text.fonts import Face, Library
from overpaint.document.text.naming import parts
from overpaint.errors import Unavailable

HELD_OUT = ("Gelasio", "Work Sans", "Bebas Neue", "Caveat", "ZCOOL*", "LXGW*", "Ma Shan Zheng",
            "WenQuanYi Zen Hei", "AR PL UKai*")  # fmt: skip
SHIPPED = [path for path in index.font_files() if "fontpkg" in str(path) or "caladea" in str(path)]
pytestmark = pytest.mark.skipif(not SHIPPED, reason="the fonts are not installed")
SMALL = next((path for path in SHIPPED if path.name == "AbrilFatface-Regular.ttf"), Path())


def shipped() -> Library:
    """Only what the install brought, so that every machine finds the same."""
    places = {str(path) for path in SHIPPED} | {
        str(path) for path in index.font_files() if "pylopdf" in str(path)
    }
    return Library(tuple(face for face in fonts.here().faces if str(face.path) in places))


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is all the fonts there are, with a cache of its own."""
    monkeypatch.setenv("OVERPAINT_FONTS", str(tmp_path / "fonts"))
    monkeypatch.setenv("OVERPAINT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(index, "SHIPPED", ())
    monkeypatch.setattr(index, "_machine", list)
    (tmp_path / "fonts").mkdir()
    fonts._files.cache_clear()
    yield tmp_path / "fonts"
    fonts._files.cache_clear()


# ── what is shipped ─────────────────────────────────────────────────────────────────────


def test_installing_overpaint_brings_every_font_of_the_table_at_its_very_version() -> None:
    project = Path(__file__).parents[3] / "pyproject.toml"
    asked = tomllib.loads(project.read_text())["project"]["dependencies"]
    packages = {row.package for row in weights.TABLE if row.kind == "font"}
    assert {f"{package.name}=={package.version}" for package in packages} <= set(asked)
    assert {package.name.replace("-", "_") for package in packages} == set(index.SHIPPED)
    assert {package.licence for package in packages} == {"OFL-1.1", "Apache-2.0"}


def test_the_fonts_a_bench_holds_out_are_not_shipped() -> None:
    everything = shipped()
    assert everything.without(*HELD_OUT) == everything
    assert len(everything.families()) >= 45


@pytest.mark.parametrize("path", SHIPPED[::7], ids=lambda path: path.name)
def test_names_weights_slants_axes_and_letters_are_as_fonttools_reads_them(path: Path) -> None:
    font = TTFont(path, lazy=True)
    facts = sfnt.faces_of(path)[0]
    names = font["name"]
    assert facts.family.startswith(names.getBestFamilyName())
    assert names.getDebugName(6) in facts.names
    assert facts.weight == font["OS/2"].usWeightClass
    assert facts.italic == bool(font["OS/2"].fsSelection & 1)
    assert facts.fixed == bool(font["post"].isFixedPitch)
    expected = [(a.axisTag, a.minValue, a.defaultValue, a.maxValue) for a in font["fvar"].axes] \
        if "fvar" in font else []  # fmt: skip
    assert [(a.tag, a.low, a.usual, a.high) for a in facts.axes] == expected
    assert sfnt.letters_of(path, 0).tolist() == sorted(font.getBestCmap())
    rules, em = sfnt.rules_of(path, 0), font["head"].unitsPerEm
    assert rules.under == (-font["post"].underlinePosition / em,
                           font["post"].underlineThickness / em)  # fmt: skip
    assert rules.strike[1] == font["OS/2"].yStrikeoutSize / em


def test_a_variable_font_gives_a_face_at_every_hundred_of_its_range() -> None:
    found = {face.weight: face.axes for face in shipped().family("Lora") if not face.italic}
    assert found == {w: (("wght", float(w)),) for w in (400, 500, 600, 700)}
    assert {face.italic for face in shipped().family("Lora")} == {True, False}


@pytest.mark.parametrize(
    ("family", "kind"),
    [("PT Serif", "serif"), ("Open Sans", "sans"), ("Roboto Mono", "mono"), ("Anton", "display"),
     ("Kalam", "handwritten"), ("Noto Serif SC", "serif"), ("Poppins", "sans")],
)  # fmt: skip
def test_the_kind_of_letters_is_known(family: str, kind: str) -> None:
    assert {face.kind for face in shipped().family(family)} == {kind}


# ── which is used ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("asked", "family", "weight", "italic"),
    [
        ("Arial", "Arimo", 400, False),
        ("ArialMT", "Arimo", 400, False),
        ("Helvetica-Bold", "Arimo", 700, False),
        ("ABCDEF+Arial-BoldItalicMT", "Arimo", 700, True),
        ("Times New Roman", "PT Serif", 400, False),
        ("TimesNewRomanPS-BoldMT", "PT Serif", 700, False),
        ("Calibri", "Lato", 400, False),
        ("Cambria-Italic", "Caladea", 400, True),
        ("Courier New", "Roboto Mono", 400, False),
        ("SimSun", "Noto Serif SC", 400, False),
        ("宋体", "Noto Serif SC", 400, False),
        ("黑体", "Noto Sans SC", 400, False),
        ("微软雅黑", "Noto Sans SC", 400, False),
        ("Brandname Sans", "PT Sans", 400, False),
        ("Somebody's Handwriting", "Kalam", 400, False),
    ],
)
def test_a_font_that_is_not_here_has_a_named_substitute(
    asked: str, family: str, weight: int, italic: bool
) -> None:
    found = shipped().find(Style(family=asked), "Aa1")
    assert (found.face.family, found.face.weight, found.face.italic) == (family, weight, italic)
    assert found.note == f"{asked} is not on this machine; {family} is used"


def test_no_name_at_all_is_the_usual_font() -> None:
    found = shipped().find(Style(family=""), "Aa1")
    assert (found.face.family, found.note) == ("PT Sans", "")


@pytest.mark.parametrize("asked", ["PT Sans", "pt sans", "PTSans", "PTSans-Bold", "PT_Sans"])
def test_a_font_that_is_here_is_found_however_its_name_is_written(asked: str) -> None:
    found = shipped().find(Style(family=asked), "Aa")
    assert (found.face.family, found.note) == ("PT Sans", "")


def test_the_nearest_weight_is_used_and_the_right_slant() -> None:
    def found(weight: int, italic: bool = False) -> Face:
        return shipped().find(Style(family="PT Sans", weight=weight, italic=italic), "A").face

    assert [found(w).weight for w in (100, 400, 500, 600, 900)] == [400, 400, 400, 700, 700]
    assert found(700, True).italic


def test_what_a_family_does_not_have_is_forced_and_said() -> None:
    found = shipped().find(Style(family="Noto Sans SC", weight=700, italic=True), "你")
    assert found.swell == pytest.approx(0.022)
    assert found.lean == pytest.approx(0.2126)
    assert found.note == (
        "Noto Sans SC has no bold; its strokes are thickened; "
        "Noto Sans SC has no italic; it is slanted"
    )


def test_a_face_that_has_the_letters_is_used_for_letters_a_family_lacks() -> None:
    found = shipped().find(Style(family="PT Serif"), "你好")
    assert found.face.family == "Noto Serif SC"
    assert found.note == "PT Serif has no 你好; Noto Serif SC is used for them"
    found = shipped().find(Style(family="PT Serif"), "你\U0001f984")
    assert found.note.endswith("no font here has \U0001f984")


def test_covers_counts_every_letter_but_no_space() -> None:
    face = shipped().find(Style(family="PT Sans"), "").face
    assert face.covers("Straße, \u00a0\n\t ой")
    assert not face.covers("a你")
    assert face.lacks("a你b好你") == "你好"
    assert face.has(" ")
    assert not face.has("\u3000")


def test_a_library_without_some_families_never_uses_them() -> None:
    fewer = shipped().without("PT *", "arimo")
    assert not {"PT Sans", "PT Serif", "Arimo"} & set(fewer.families())
    assert fewer.find(Style(family="PT Sans"), "A").face.family == "Open Sans"


def test_no_font_at_all_is_said() -> None:
    with pytest.raises(Unavailable, match="There is no font on this machine.*OVERPAINT_FONTS"):
        Library(()).find(Style(), "A")


@pytest.mark.parametrize(
    ("name", "family", "weight", "italic"),
    [("Lato SemiBold Italic", "Lato", 600, True), ("Times New Roman", "Times New Roman", None,
     False), ("Summit", "Summit", None, False), ("Bold", "Bold", None, False)],
)  # fmt: skip
def test_weight_and_slant_are_taken_from_a_name(
    name: str, family: str, weight: int | None, italic: bool
) -> None:
    found = parts(name)
    assert (found.family, found.weight, found.italic) == (family, weight, italic)


@given(st.text(max_size=30), st.text(max_size=8), st.integers(1, 1000), st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_name_finds_a_face(family: str, words: str, weight: int, italic: bool) -> None:
    style = Style(family=family, weight=weight, italic=italic)
    assert shipped_once().find(style, words).face in shipped_once().faces


def shipped_once(kept: list[Library] = []) -> Library:  # noqa: B006
    kept or kept.append(shipped())
    return kept[0]


# ── files ───────────────────────────────────────────────────────────────────────────────


def test_the_users_folders_count_and_a_collection_is_read_face_by_face(alone: Path) -> None:
    both = TTCollection()
    both.fonts = [TTFont(SMALL), TTFont(SMALL.parents[2] / "fontpkg_anton/files/Anton-Regular.ttf")]
    both.save(alone / "both.ttc")
    found = {face.family: face.index for face in fonts.here().faces}
    assert found == {"Abril Fatface": 0, "Anton": 1}
    assert all(face.covers("Ag") for face in fonts.here().faces)


def test_a_damaged_font_is_skipped_and_listed(alone: Path) -> None:
    data = SMALL.read_bytes()
    (alone / "good.ttf").write_bytes(data)
    (alone / "cut.ttf").write_bytes(data[:900])
    (alone / "empty.otf").write_bytes(b"")
    (alone / "web.ttf").write_bytes(b"wOF2" + data)
    (alone / "many.ttc").write_bytes(b"ttcf\0\1\0\0" + struct.pack(">L", 2**31) + bytes(99))
    (alone / "loca.ttf").write_bytes(data.replace(b"loca", b"none", 1))
    (alone / "text.txt").write_text("no font")
    assert fonts.here().families() == ("Abril Fatface",)
    assert {path.name: why for path, why in fonts.damaged()} == {
        "cut.ttf": "it ends too early",
        "empty.otf": "it has 0 bytes",
        "web.ttf": "it begins like no TrueType or OpenType font",
        "loca.ttf": "it cannot be opened: locations (loca) table missing",
        "many.ttc": "it says that it holds 2147483648 faces",
    }


@given(st.integers(0, 2**32), st.integers(1, 40))
@settings(max_examples=60, deadline=1000, suppress_health_check=[HealthCheck.too_slow])
def test_no_damage_to_a_font_makes_the_reader_fail_or_hang(seed: int, count: int) -> None:
    draw, data = random.Random(seed), bytearray(SMALL.read_bytes())
    for _ in range(count):  # mostly where tables begin
        at = draw.randrange(len(data)) if draw.random() < 0.3 else draw.randrange(600)
        data[at] = draw.randrange(256)
    path = Path(tempfile.gettempdir()) / f"damaged-{os.getpid()}.ttf"
    path.write_bytes(data)
    sfnt.letters_of.cache_clear()
    try:
        sfnt.letters_of(path, 0)
        sfnt.faces_of(path)
    except sfnt.Damaged:
        pass
    finally:
        path.unlink()


def test_a_map_of_more_letters_than_there_are_is_refused() -> None:
    segments = 3000
    table = struct.pack(">HHHHL", 0, 1, 3, 1, 12)
    table += struct.pack(">7H", 4, 0, 0, 2 * segments, 0, 0, 0)
    table += b"\xff\xfe" * segments + b"\0\0" + b"\0\1" * segments + bytes(4 * segments)
    with pytest.raises(sfnt.Damaged, match="more than there are"):
        sfnt._letters(table)


def test_what_was_read_is_kept_until_the_file_changes(
    alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(SMALL, alone / "one.ttf")
    faces, _ = index.read_fonts(index.font_files())
    with monkeypatch.context() as patch:
        patch.setattr(index, "faces_of", lambda path: pytest.fail("read again"))
        assert index.read_fonts(index.font_files()) == (faces, ())
    (alone / "one.ttf").write_bytes(b"changed")
    assert [why for _, why in index.read_fonts(index.font_files())[1]] == ["it ends too early"]


@pytest.mark.parametrize(
    "kept", ["{", '{"version": 1, "files": {"x": {}}}', "[]", '{"version": 0}']
)
def test_a_damaged_index_is_read_anew(alone: Path, kept: str) -> None:
    shutil.copy(SMALL, alone / "one.ttf")
    place = alone.parent / "cache/fonts.json"
    place.parent.mkdir()
    place.write_text(kept)
    assert index.read_fonts(index.font_files())[0][0].family == "Abril Fatface"
    assert "one.ttf" in json.loads(place.read_text())["files"].popitem()[0]


def test_a_cache_that_cannot_be_written_does_no_harm(
    alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(SMALL, alone / "one.ttf")
    (alone.parent / "file").write_text("")
    monkeypatch.setenv("OVERPAINT_CACHE", str(alone.parent / "file" / "cache"))
    assert len(index.read_fonts(index.font_files())[0]) == 1


def test_a_hundred_fonts_are_read_in_two_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERPAINT_CACHE", str(tmp_path))
    started = time.perf_counter()
    faces, wrong = index.read_fonts(SHIPPED[:100])
    assert time.perf_counter() - started < 2
    assert len(faces) > 100
    assert not wrong


def test_the_guide_names_every_package_with_its_licence_and_the_size_of_them_all() -> None:
    guide = (Path(__file__).parents[3] / "docs/guides/fonts.md").read_text()
    packages = {row.package for row in weights.TABLE if row.kind == "font"}
    for package in packages:
        assert f"| {package.licence} | {package.name} {package.version} |" in guide
    total = sum(package.size for package in packages)
    assert f"{len(packages)} packages of fonts, {total / 1e6:.0f} MB" in guide


def test_a_missing_font_is_told_by_the_beginning_of_a_long_name() -> None:
    note = fonts.here().find(Style("x" * 19_000), "Hi").note
    assert note.startswith("x" * 100 + "… is not on this machine; ")
    assert len(note) < 200

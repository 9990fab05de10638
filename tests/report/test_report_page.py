"""The page and what lies beside it: whole, safe, and true to the store."""

import base64
import hashlib
import html.parser
import io
import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_run import HOSTILE, Made, make_run, make_sample, picture, usual_run
from PIL import Image

import overpaint.report
from overpaint.document import Document
from overpaint.errors import StoreError
from overpaint.report import plots, write_report
from overpaint.report.deck import in_script, make_deck
from overpaint.report.markup import node
from overpaint.report.pictures import Shelf
from overpaint.report.tables import read_tables
from overpaint.report.thumbs import EDGES, ROOM, best_edge, sprites
from overpaint.store import Store

PAGE = Path(overpaint.report.__file__).parent / "page"


def write(run: Path, **settings: Any) -> Path:
    with Store.open(run) as store:
        return write_report(store, run / "report", **settings)


class Reader(html.parser.HTMLParser):
    """What a browser would make of the page: elements, and the text of scripts and styles."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str]] = []
        self.inside: list[tuple[str, dict[str, str], str]] = []
        self.text = ""
        self._open: tuple[str, dict[str, str]] | None = None
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        told = {name: value or "" for name, value in attrs}
        self.attributes += told.items()
        self._open = (tag, told) if tag in ("script", "style") else None

    def handle_data(self, data: str) -> None:
        if self._open:
            self.inside.append((*self._open, data))
        else:
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        self._open = None

    @property
    def deck(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            next(text for _, told, text in self.inside if told.get("id") == "deck")
        )
        return found

    def sprites(self) -> list[str]:
        chunks = [text for _, told, text in self.inside if told.get("class") == "sprites"]
        return [line for chunk in chunks for line in chunk.split("\n")]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return usual_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def page(run: Path) -> Path:
    return write(run)


# ── what is written ─────────────────────────────────────────────────────────────────────────


def test_the_report_is_a_page_with_its_tables_in_other_forms(page: Path) -> None:
    names = {path.name for path in page.parent.iterdir()}
    assert names == {
        "report.html", "report.md", "report.csv", "gaps.csv", "scores.csv", "report.tex",
        "report.json", "pictures",
    }  # fmt: skip


def test_every_section_is_there_with_the_numbers_of_the_tables(run: Path, page: Path) -> None:
    read = Reader(page)
    for name in ("results", "gap", "plots", "breakdowns", "failures", "protocol", "run", "gallery"):
        assert ("id", name) in read.attributes
    text = re.sub(r"\s+", " ", read.text)
    for part in (
        "6 of 8 scored", "8 identical", "overpaint retry RUN", "overpaint get thing", "toy#",
        "15 November 2026", "overpaint 0.1.0", "best", "ceiling", "floor",
    ):  # fmt: skip
        assert part in text, part
    tips = [value for name, value in read.attributes if name == "data-tip"]
    assert any("If all that is missing were worst" in tip for tip in tips)


def test_every_picture_lies_beside_the_page_under_its_own_hash(run: Path, page: Path) -> None:
    placed = {path.stem: path for path in (page.parent / "pictures").glob("*/*")}
    with Store.open(run) as store:
        wanted = [s.request.source for s in store.samples()] + [
            document
            for sample in store.samples()
            for document in (sample.target, *sample.masks)
            if document
        ]
        wanted += [edit.output for edit in store.edits() if edit.output]
    assert {document.key for document in wanted} == set(placed)
    for key, path in placed.items():
        assert hashlib.sha256(path.read_bytes()).hexdigest() == key


def test_the_gallery_names_only_pictures_that_are_there(page: Path) -> None:
    for sample in Reader(page).deck["samples"]:
        for name in [*sample["pictures"], *sample["masks"]]:
            assert (page.parent / "pictures" / name[:2] / name).is_file()


def test_writing_twice_gives_the_same_page(run: Path, page: Path) -> None:
    before = page.read_bytes()
    assert write(run).read_bytes() == before
    assert not list(page.parent.glob(".*"))


def test_the_limit_bounds_the_gallery_and_not_the_tables(tmp_path: Path) -> None:
    deck = Reader(write(usual_run(tmp_path), limit=3)).deck
    assert (len(deck["samples"]), deck["total"]) == (3, 8)
    body = json.loads((tmp_path / "report" / "report.json").read_text())
    assert body["results"][0]["n"] == 8


def test_the_gallery_reads_no_edit_of_a_sample_that_it_does_not_show(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    edit = Store._edit
    monkeypatch.setattr(
        Store, "_edit", lambda s, sample, *rest: made.append(sample.id) or edit(s, sample, *rest)
    )
    with Store.open(run) as store:
        deck = make_deck(store, read_tables(store), Shelf(run), limit=3)
    shown = {card["id"] for card in deck.body["samples"]}
    assert len(shown) <= 3
    assert set(made) == shown


def test_identical_pictures_are_told_as_no_error_and_not_as_outside_the_count(page: Path) -> None:
    text = Reader(page).text
    assert "Identical to the reference: no PSNR of their own, counted as no error." in text
    assert "The question did not arise" not in text


def test_a_value_that_leads_only_by_what_is_missing_says_so(tmp_path: Path) -> None:
    samples = [make_sample(tmp_path / "data", f"a/{n}", n) for n in range(4)]
    gone = Made(None, reason="no")
    edits: dict[str, list[Made | None]] = {
        "some=outputs:x": [Made(9, 1.0, 0.95), gone, gone, gone],
        "all=outputs:x": [Made(9, 4.0, 0.9)] * 4,
    }
    read = Reader(write(make_run(tmp_path, samples, edits)))
    tips = [
        value for name, value in read.attributes if name == "data-tip" and "Best among" in value
    ]
    assert len(tips) == 3
    orders = [float(value) for name, value in read.attributes if name == "data-order"]
    assert len(orders) == 6
    assert "best is marked only where nothing missing could change it" in read.text


def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(run: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with Store.open(run) as store, pytest.raises(StoreError, match="cannot be written"):
        write_report(store, tmp_path / "taken" / "report")


def test_a_run_with_nothing_in_it_still_has_a_page(tmp_path: Path) -> None:
    assert "Nothing has been scored yet." in Reader(write(make_run(tmp_path, [], {}))).text


# ── safety ──────────────────────────────────────────────────────────────────────────────────


def test_hostile_names_stay_text(tmp_path: Path, page: Path) -> None:
    samples = [
        make_sample(tmp_path / "data", text, n, tags={"operation": text, "split": text})
        for n, text in enumerate(HOSTILE)
    ]
    edits: dict[str, list[Made | None]] = {
        f"{text}=outputs:x": [Made(9, 4.0, 0.5, notes=(text,))] * 7 + [Made(None, reason=text)]
        for text in HOSTILE
    }
    info: dict[str, Any] = dict.fromkeys(("benchmark", "card_id", "created"), HOSTILE[0])
    info |= {"versions": {"overpaint": HOSTILE[0]}, "command": list(HOSTILE)}
    info |= {
        "commands": [{"started": HOSTILE[0], "command": list(HOSTILE)}] * 2,
        "weights": dict.fromkeys(HOSTILE, HOSTILE[1]),
    }
    read, usual = Reader(write(make_run(tmp_path, samples, edits, **info))), Reader(page)
    for tag in ("script", "img", "iframe", "object", "a", "form", "style", "link", "meta"):
        assert read.tags[tag] == usual.tags[tag], tag
    assert not [name for name, _ in read.attributes if name.startswith("on")]
    assert [sample["id"] for sample in read.deck["samples"]] == list(HOSTILE)
    assert {editor["name"] for editor in read.deck["editors"]} == set(HOSTILE)
    assert HOSTILE[0] in read.text


@given(st.text(), st.text())
def test_a_node_keeps_its_text_and_its_attribute(text: str, value: str) -> None:
    class One(html.parser.HTMLParser):
        found: list[Any] = []  # noqa: RUF012

        def handle_starttag(self, tag: str, attrs: Any) -> None:
            self.found.append((tag, attrs))

    reader = One()
    reader.found = []
    made = node("p", text, title=value)
    reader.feed(made)
    reader.close()
    assert len(reader.found) == 1
    assert html.unescape(made[3:].split(">", 1)[0].removeprefix('title="')[:-1]) == value
    assert html.unescape(made.split(">", 1)[1].removesuffix("</p>")) == text


@pytest.mark.slow
@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_in_a_script_ends_no_script_and_reads_back(value: Any) -> None:
    text = in_script(value)
    assert "<" not in text
    assert json.loads(text) == value


def test_the_policy_allows_this_script_and_this_style_and_no_other(page: Path) -> None:
    read = Reader(page)
    allowed = next(value for name, value in read.attributes if "default-src" in value)
    assert "default-src 'none'" in allowed
    assert "unsafe" not in allowed
    assert "connect-src 'none'" in allowed
    for kind in ("script", "style"):
        parts = [text for tag, told, text in read.inside if tag == kind and "type" not in told]
        digest = base64.b64encode(hashlib.sha256("".join(parts).encode()).digest()).decode()
        assert re.findall(rf"{kind}-src '([^']*)'", allowed) == [f"sha256-{digest}"]


def test_the_page_reaches_for_nothing_outside(page: Path) -> None:
    read = Reader(page)
    for name, value in read.attributes:
        assert name != "style", "the policy forbids style attributes"
        if name in ("src", "href", "action", "srcset"):
            assert value.startswith(("#", "data:image/svg+xml;base64,")), value
    for _, told, text in read.inside:
        if told.get("type") is None:
            assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text)


@pytest.mark.parametrize("path", sorted(PAGE.iterdir()), ids=lambda path: path.name)
def test_the_files_of_the_page_are_short_and_never_parse_text_as_html(path: Path) -> None:
    text = path.read_text()
    assert text.count("\n") <= 400
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text)
    used = (
        *overpaint.report.page.SCRIPTS,
        *overpaint.report.page.STYLES,
        "heat.css",
        "audit.css",
        "calibration.css",
    )
    assert path.name in used or path.suffix == ".html"


# ── thumbnails ──────────────────────────────────────────────────────────────────────────────


def test_a_thumbnail_shows_its_picture(run: Path, page: Path) -> None:
    read = Reader(page)
    sprites_of, deck = read.sprites(), read.deck
    with Store.open(run) as store:
        edits = {(edit.sample.id, edit.editor): edit for edit in store.edits()}
    for place, sample in enumerate(deck["samples"]):
        sheet = np.asarray(Image.open(io.BytesIO(base64.b64decode(sprites_of[place]))))
        width = deck["sprites"][place][0]
        assert sheet.shape[1] == width * len(sample["pictures"])
        for editor, made in zip(deck["editors"], sample["edits"], strict=True):
            output = edits[sample["id"], editor["name"]].output if made else None
            if made and output:
                cell = sheet[:, made[0] * width : (made[0] + 1) * width]
                assert abs(cell.mean() - output.rgb.mean()) < 3


def test_the_same_picture_has_one_thumbnail(page: Path) -> None:
    for sample in Reader(page).deck["samples"]:
        assert len(sample["pictures"]) == len(set(sample["pictures"]))
        identity = sample["edits"][-1]  # its output is the source, byte for byte
        assert identity[0] == sample["source"]


@given(st.integers(0, 100_000))
def test_thumbnails_grow_only_while_there_is_room(pictures: int) -> None:
    edge = best_edge(pictures)
    assert pictures * EDGES[edge] <= ROOM or edge == min(EDGES)
    larger = [other for other in EDGES if other > edge]
    assert all(pictures * EDGES[other] > ROOM for other in larger)


def test_damaged_odd_and_lost_pictures_leave_a_word_and_not_a_crash(tmp_path: Path) -> None:
    samples = [make_sample(tmp_path / "data", name, n) for n, name in enumerate("abcd")]
    source = [sample.request.source.path or Path() for sample in samples]
    source[0].write_bytes(source[0].read_bytes()[:60])  # cut short
    source[1].unlink()
    source[2].write_bytes(b"")
    Image.open(io.BytesIO(source[3].read_bytes())).save(source[3], "TIFF")
    deck = Reader(write(make_run(tmp_path, samples, {"one": [Made(9, 4.0, 0.5)] * 4}))).deck
    cut, lost, empty, tiff = deck["samples"]
    assert deck["sprites"][0][2:] == [cut["source"]]
    assert (lost["source"], empty["source"]) == (None, None)
    name = tiff["pictures"][tiff["source"]]
    shown = Document(tmp_path / "report" / "pictures" / name[:2] / name)
    assert Image.open(shown.path).format == "PNG"  # browsers show no TIFF
    assert np.array_equal(shown.rgb, picture(tmp_path / "x.png", 103).rgb)


def test_a_picture_named_as_another_kind_is_linked_as_what_it_is(tmp_path: Path) -> None:
    sample = make_sample(tmp_path / "data", "a")
    path = sample.request.source.path or Path()
    Image.open(io.BytesIO(path.read_bytes())).convert("RGB").save(path, "JPEG")
    deck = Reader(write(make_run(tmp_path, [sample], {"one": [Made(9, 4.0, 0.5)]}))).deck
    assert deck["samples"][0]["pictures"][0].endswith(".jpg")


@pytest.mark.slow
def test_workers_make_the_same_thumbnails(tmp_path: Path) -> None:
    paths = [
        [picture(tmp_path / f"{n}-{m}.png", 40 * n + m).path for m in range(3)] for n in range(4)
    ]
    strips = [[path for path in row if path] for row in paths]
    assert sprites(strips, workers=2) == sprites(strips, workers=0)


def test_a_rotated_photograph_stands_upright_in_its_thumbnail(tmp_path: Path) -> None:
    image = Image.fromarray(picture(tmp_path / "up.png", 90, size=(400, 200)).rgb)
    exif = Image.Exif()
    exif[0x0112] = 6
    image.save(tmp_path / "turned.jpg", exif=exif)
    (sprite,) = sprites([[tmp_path / "turned.jpg"]])
    assert sprite
    assert (sprite.width, sprite.height) == (128, 256)


@pytest.mark.skipif(os.name != "posix", reason="links are told by inodes")
def test_originals_are_linked_and_not_copied_where_the_disk_allows(run: Path, page: Path) -> None:
    kept = {path.name: path.stat().st_ino for path in (run / "pictures").glob("*/*")}
    placed = {path.name: path.stat().st_ino for path in (page.parent / "pictures").glob("*/*")}
    assert kept.items() <= placed.items()


# ── plots ───────────────────────────────────────────────────────────────────────────────────


def test_plots_are_drawn_with_a_mark_and_a_number_for_each_editor(run: Path) -> None:
    with Store.open(run) as store:
        tables = read_tables(store)
    for measure in tables.measures:
        tree = ElementTree.fromstring(plots.interval_plot(tables, measure))
        rows = tree.findall("div")[:-1]
        assert len(rows) == len(tables.entries)
        for row, entry in zip(rows, tables.ranked(measure), strict=True):
            marks = [m for m in row.iter() if m.get("class") in ("dot", "beyond")]
            assert len(marks) == (tables.at(entry, measure).value is not None)
            assert row.findall("span")[0].text == entry.name


def test_the_bars_of_a_histogram_stand_for_all_scores(run: Path) -> None:
    with Store.open(run) as store:
        tables = read_tables(store)
    measure = tables.measures[0]
    tree = ElementTree.fromstring(plots.distribution_plot(tables, measure))
    for row, entry in zip(tree.findall("div"), tables.ranked(measure), strict=False):
        heights = [float(bar.get("height", 0)) for bar in row.iter("rect")]
        n = len(tables.scores(entry, measure))
        tallest = int((row.find("svg").get("data-tip") or "").split("at most ")[1].split()[0])
        assert sum(heights) / max(heights) * tallest == pytest.approx(n, abs=0.5)


def test_the_bar_of_coverage_is_as_wide_as_what_was_scored(run: Path) -> None:
    with Store.open(run) as store:
        tables = read_tables(store)
    tree = ElementTree.fromstring(plots.coverage_plot(tables))
    for row in tree.findall("div")[: len(tables.entries)]:
        widths = [float((bar.get("width") or "").rstrip("%")) for bar in row.iter("rect")]
        assert sum(widths) == pytest.approx(100, abs=0.1)

"""Locating: words on a flat picture are found as a person points at them, down to their ink."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from overpaint import weights
from overpaint.document.where import Where
from overpaint.editors.typeset import matching
from overpaint.editors.typeset.flow import follows_of, ways_on
from overpaint.editors.typeset.locate import Page, find, read_page
from overpaint.editors.typeset.matching import find_alike, find_words, paths_of
from overpaint.engines.documents import generate
from overpaint.engines.documents.setting import SetLine, ink_of
from overpaint.engines.documents.sheet import draw, page_lines
from overpaint.errors import Refused

pytestmark = pytest.mark.slow

ROWS = (
    (40, 24, 34, "Harvest Supper"),
    (40, 84, 18, "Doors open on Friday at 18:30 for all"),
    (40, 112, 18, "friends of the mill. Bring a party hat and"),
    (40, 140, 18, "a plate, with some art. Tickets cost $12.50."),
    (40, 200, 18, "On Friday night the mill stays open late."),
    (40, 250, 18, "六月三日晚上七点，老磨坊见。"),
)
CELLS = (("Stall", "Owner", "Price"), ("Bread", "Anna", "4.20"), ("Honey", "", "6.00"))
LEFT, TOP, WIDE, HIGH = 40, 320, 130, 34


def font(size: int, text: str = "") -> ImageFont.FreeTypeFont:
    chinese = any(ord(letter) > 0x2E80 for letter in text)
    return ImageFont.truetype(weights.find("font-chinese-sans" if chinese else "font-sans"), size)


def picture() -> np.ndarray:
    """A notice with a title, two paragraphs, a Chinese line and a ruled table."""
    sheet = Image.new("RGB", (520, 460), "white")
    pen = ImageDraw.Draw(sheet)
    for left, top, size, text in ROWS:
        pen.text((left, top), text, "black", font(size, text))
    for r, row in enumerate(CELLS):
        for c, text in enumerate(row):
            x, y = LEFT + c * WIDE, TOP + r * HIGH
            pen.rectangle((x, y, x + WIDE, y + HIGH), outline=(90, 90, 90))
            pen.text((x + 12, y + 8), text, "black", font(16))
    return np.asarray(sheet)


@pytest.fixture(scope="module")
def page() -> Page:
    return read_page(picture())


def box_of(text: str, row: int) -> tuple[int, ...]:
    """The ink of words in one of the rows, as it was drawn."""
    left, top, size, line = ROWS[row]
    face = font(size, line)
    start = left + face.getlength(line[: line.index(text)])
    sheet = Image.new("L", (520, 460), 255)
    ImageDraw.Draw(sheet).text((start, top), text, 0, face)
    ink = np.asarray(sheet) < 250
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    return columns[0], rows[0], columns[-1] + 1, rows[-1] + 1


# ── matching ────────────────────────────────────────────────────────────────────────────


def spans(words: str, *texts: str, follow: bool = False) -> list[str]:
    """What of the lines is found, pieces of one match joined by /."""
    follows = [[i + 1] if follow and i + 1 < len(texts) else [] for i in range(len(texts))]
    found = find_words(words, texts, paths_of(follows, texts, len(words)))
    return ["/".join(texts[n][a:b] for n, a, b in match.parts) for match in found]


def test_words_are_found_as_they_are_quoted_before_anything_like_them() -> None:
    assert spans("Friday", "on FRIDAY", "on Friday", "on friday") == ["Friday"]
    assert spans("Friday", "on FRIDAY", "a friday") == ["FRIDAY", "friday"]


def test_a_word_is_not_found_in_a_longer_one_where_it_stands_alone() -> None:
    assert spans("art", "the party", "Art and craft") == ["Art"]
    assert spans("art", "the party") == ["art"]
    assert spans("5", "15 of 2.5", "about 5 of them") == ["5"]


def test_width_quotes_dashes_and_spaces_make_no_difference() -> None:
    assert spans('a "b" - 10 : 30', "say a “b”—10：30 now") == ["a “b”—10：30"]
    assert spans("ＡＢＣ１２３", "no abc123.") == ["abc123"]
    assert spans("营业时间: 9点", "营业时间：9点到5点") == ["营业时间：9点"]


def test_marks_that_were_quoted_are_taken_along_and_others_left() -> None:
    assert spans("Wait!!", "Wait! said he") == ["Wait!"]
    assert spans("Wait", "Wait! said he") == ["Wait"]


def test_words_that_run_over_lines_are_found_in_all_of_them() -> None:
    assert spans("brown fox jumps", "the brown", "fox jumps over", follow=True) == [
        "brown/fox jumps"
    ]
    assert spans("example", "an exam-", "ple of it", follow=True) == ["exam-/ple"]
    assert spans("老磨坊见", "晚上老磨", "坊见。", follow=True) == ["老磨/坊见"]


def test_a_readers_slips_are_forgiven_but_never_a_wrong_figure() -> None:
    assert spans("Modern 100 ml", "Modem 1OO ml") == ["Modem 1OO ml"]
    texts = ("Grand Openlng Sale 2024",)
    paths = [(0,)]
    (near,) = find_alike("Grand Opening Sale 2024", texts, paths)
    assert 0.9 < near.likeness < 1
    assert not find_alike("Grand Opening Sale 2023", texts, paths)
    assert not find_alike("Monday", ("Sunday",), paths)


@given(st.text(max_size=30), st.lists(st.text(max_size=40), min_size=1, max_size=4))
def test_no_text_makes_the_matcher_stumble_and_what_it_finds_is_there(
    words: str, texts: list[str]
) -> None:
    follows = [[i + 1] for i in range(len(texts) - 1)] + [[]]
    paths = paths_of(follows, texts, len(words))
    for match in [*find_words(words, texts, paths), *find_alike(words, texts, paths)]:
        assert all(0 <= a < b <= len(texts[n]) for n, a, b in match.parts if texts[n])
        assert 0 <= match.likeness <= 1


@given(st.text("abcXYZ 的字123", min_size=1, max_size=12), st.text("qrs 不", max_size=9))
def test_words_are_always_found_where_they_stand(words: str, other: str) -> None:
    if matching.fold(words):
        text = f"{other} {words} {other}"
        assert find_words(words, (text,), [(0,)])


def test_lines_are_read_on_to_the_right_and_below_but_not_through_a_rule() -> None:
    boxes = np.array([(0, 0, 50, 10), (55, 0, 99, 10), (0, 16, 60, 26)], float)
    assert follows_of(boxes, ()) == [[1], [2], []]
    assert follows_of(boxes, ((52.0, -5.0, 53.0, 14.0),)) == [[2], [2], []]


# ── on a picture ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "row"),
    [("18:30", 1), ("party", 2), ("art", 3), ("Supper", 0), ("晚上七点", 5), ("$12.50", 3)],
)
def test_the_box_of_words_is_that_of_their_ink(page: Page, text: str, row: int) -> None:
    (found,) = find(page, Where(text=text))
    assert found.words == text
    assert np.abs(np.array(found.box) - box_of(text, row)).max() <= 1
    (spot,) = found.spots
    assert spot.line.text[spot.start : spot.end] == text
    assert (spot.angle, spot.quad, spot.likeness) == (0.0, None, 1.0)


def test_words_that_occur_twice_are_refused_with_both_places(page: Page) -> None:
    with pytest.raises(Refused, match="2 things in the picture are “Friday”") as caught:
        find(page, Where(text="Friday"))
    said = str(caught.value)
    assert "1: “Doors open on Friday at 18:30 for…” in line 2, top" in said
    assert "2: “On Friday night the mil…” in line 5" in said
    assert "“the second”" in said


def test_a_number_every_and_a_place_choose_among_several(page: Page) -> None:
    tops = [find(page, Where(text="Friday", nth=nth))[0].box[1] for nth in (1, 2, -1)]
    assert tops[0] < tops[1] == tops[2]
    assert len(find(page, Where(text="Friday", every=True))) == 2
    assert find(page, Where(text="Friday", place="top"))[0].box[1] == tops[0]
    with pytest.raises(Refused, match="The third .* is not in the picture"):
        find(page, Where(text="Friday", nth=3))


@pytest.mark.slow
def test_words_that_are_not_there_are_refused_with_the_nearest(page: Page) -> None:
    with pytest.raises(Refused, match="“Tickets cost nothing” was not found") as caught:
        find(page, Where(text="Tickets cost nothing"))
    assert "a plate, with some art. Tickets cost $12.50." in str(caught.value)
    with pytest.raises(Refused, match="No text was found in the picture"):
        find(read_page(np.full((64, 64, 3), 255, np.uint8)), Where(text="Friday"))


def test_a_phrase_over_two_lines_has_a_spot_on_each(page: Page) -> None:
    (found,) = find(page, Where(text="for all friends of the mill"))
    assert [spot.words for spot in found.spots] == ["for all", "friends of the mill"]
    assert found.spots[0].box[3] < found.spots[1].box[1] + 4


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (Where(role="title"), "Harvest Supper"),
        (Where(role="word", nth=2, of=Where(role="title"), side="inside"), "Supper"),
        (Where(role="time"), "18:30"),
        (Where(role="price"), "$12.50"),
        (Where(role="line", nth=5), "On Friday night the mill stays open late."),
        (Where(role="sentence", nth=2), "Bring a party hat and a plate, with some art."),
        (Where(role="word", side="after", of=Where(text="Bring a")), "party"),
        (Where(text="mill", role="paragraph", nth=2), "On Friday night the mill stays open late."),
        (
            Where(side="above", of=Where(text="六月三日")),
            "On Friday night the mill stays open late.",
        ),
    ],
)
def test_roles_and_sides_are_what_people_mean_by_them(page: Page, where: Where, words: str) -> None:
    assert find(page, where)[0].words == words


def test_what_has_no_words_is_refused_on_a_flat_picture(page: Page) -> None:
    with pytest.raises(Refused, match="A flat picture has no background to take hold of"):
        find(page, Where(role="background"))
    with pytest.raises(Refused, match="Nothing in the picture is the email"):
        find(page, Where(role="email"))


def test_cells_of_a_table_are_found_by_name_and_number(page: Page) -> None:
    assert find(page, Where(row="Bread", column="Price"))[0].words == "4.20"
    assert find(page, Where(row="3", column="1"))[0].words == "Honey"
    assert find(page, Where(text="6.00", row="Honey"))[0].words == "6.00"
    assert [s.words for s in find(page, Where(role="row", text="Bread"))[0].spots] == list(CELLS[1])
    with pytest.raises(Refused, match="“6.00” was not found in the picture where it was said"):
        find(page, Where(text="6.00", row="Bread"))


def test_an_empty_cell_is_a_spot_without_words_in_its_room(page: Page) -> None:
    (spot,) = find(page, Where(row="Honey", column="Owner"))[0].spots
    assert spot.words == ""
    inner = (LEFT + WIDE, TOP + 2 * HIGH, LEFT + 2 * WIDE, TOP + 3 * HIGH)
    assert np.abs(np.array(spot.room) - inner).max() <= 2
    assert TOP + 2 * HIGH < spot.box[1] < spot.box[3] < TOP + 3 * HIGH


def test_room_ends_at_rules_other_words_and_the_edge(page: Page) -> None:
    room = find(page, Where(text="Anna"))[0].spots[0].room
    assert LEFT + WIDE < room[0] < room[2] < LEFT + 2 * WIDE
    assert TOP + HIGH <= room[1] < room[3] <= TOP + 2 * HIGH + 1
    wide = find(page, Where(text="party"))[0].spots[0]
    assert wide.room[0] <= wide.line.box[0] < wide.line.box[2] < wide.room[2] < 520
    above = find(page, Where(text="Doors open"))[0].spots[0]
    assert above.box[3] <= wide.room[1] <= wide.box[1]


@pytest.mark.slow
def test_text_turned_by_a_quarter_is_found_where_it_stands() -> None:
    upright = picture()[80:160]
    turned = np.ascontiguousarray(np.rot90(upright, -1))  # reads downwards
    (found,) = find(read_page(turned), Where(text="party hat"))
    left, top, right, bottom = box_of("party hat", 2)
    assert np.abs(np.array(found.box) - (160 - bottom, left, 160 - top, right)).max() <= 1
    assert found.spots[0].angle == pytest.approx(90)


def test_several_questions_about_one_picture_read_it_once() -> None:
    blank = np.full((40, 40, 3), 255, np.uint8)
    assert read_page(blank) is read_page(blank.copy())


@pytest.mark.slow
@pytest.mark.parametrize("index", [0, 3, 8, 9, 12, 16])
def test_words_of_generated_pages_are_found_to_a_pixel(index: int) -> None:
    kind, language, _ = generate.plan(index)
    chance = Random(f"locate/{index}")
    made = generate.compose(kind, language, chance)
    lines = page_lines(made)
    page = read_page(draw(made))
    everything = "\n".join(line.text for line in lines).lower()
    off = []
    for line in chance.sample(lines, 12):
        words, x = chance.choice(line.pieces)
        if len(words) < 3 or everything.count(words.lower()) != 1:
            continue
        true = ink_of(SetLine(words, ((words, x),), line.baseline, line.style)).box
        off.append(float(np.abs(np.array(find(page, Where(text=words))[0].box) - true).max()))
    assert np.median(off or [0.0]) <= 1
    assert max(off, default=0.0) <= 3


@pytest.mark.parametrize("gutter", [12, 26, 36])
def test_words_run_on_in_their_column_however_close_the_next_is(gutter: int) -> None:
    right = 240 + gutter
    rows = [(0, 0, 240, 17), (right, 5, right + 240, 22), (0, 21, 240, 38), (right, 26, 500, 43)]
    on = ways_on(np.array(rows, np.float64), ())
    assert (2 in on[0], 3 in on[1]) == (True, True)

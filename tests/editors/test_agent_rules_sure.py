"""What is not surely understood is not done and is told; nothing is done in its place."""

from dataclasses import replace

import pytest
from test_agent_rules import GROUND, MOTIF, SMALL, Pair, decided, picture, scene, text, words_after

from overpaint.editors.agent.rules import Rules


def left(pairs: tuple[Pair, ...], instruction: str) -> str:
    return " ".join(Rules().left(scene(pairs, instruction)))


def called(pair: Pair, name: str) -> Pair:
    return replace(pair[0], name=name), replace(pair[1], name=name)


def line(name: str, words: str, top: int, size: float = 26.0) -> Pair:
    return called(text(name, words, top, size), name)


PHOTO = called(picture("photo", (200, 300, 500, 540), "#557722"), "photo")
SALE = (
    GROUND, PHOTO, line("title", "Garden Sale", 60, 60),
    line("subtitle", "Pots and sunny days", 160),
    line("offer", "20% off", 200), line("date", "1 June - 30 June", 600),
    line("place", "Mill Street 4, Leeds", 660), line("phone", "Call 555-0142", 720),
    line("web", "www.garden-pots.com", 780),
)  # fmt: skip
MOON = called(picture("moon", (400, 60, 600, 260), "#ffd68c"), "moon")
ROOF = called(picture("roof", (0, 700, 700, 860), "#16142c"), "roof")
NIGHT = (
    GROUND, MOON, ROOF, line("title", "Jazz on the Roof", 420, 60),
    line("date", "Friday, 8 May", 500), line("price", "Tickets from $15", 640),
)  # fmt: skip
LESSON = (
    GROUND, called(picture("照片", (200, 300, 500, 540), "#557722"), "照片"),
    line("标题", "春季音乐会", 60, 60), line("副标题", "与春天一起歌唱", 160),
    line("日期", "4月12日 星期六", 600), line("地点", "上海大剧院", 660),
    line("票价", "票价 120 元", 720), line("电话", "电话 021-55556666", 780),
)  # fmt: skip


# ── exceptions ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "instruction",
    ["Make all the text white except the title", "Make the text white, except for the title",
     "Apart from the title, make all text white", "Make all text but the title white"],
)  # fmt: skip
def test_what_is_excepted_is_spared(instruction: str) -> None:
    assert set(decided(SALE, instruction)) == {"subtitle", "offer", "date", "place", "phone", "web"}
    assert left(SALE, instruction) == ""


@pytest.mark.parametrize(
    "instruction",
    ["除了标题，其他文字都改成蓝色", "除标题外，把所有文字改成蓝色", "所有文字改成蓝色，标题除外"],
)
def test_what_is_excepted_in_chinese_is_spared(instruction: str) -> None:
    assert set(decided(LESSON, instruction)) == {"副标题", "日期", "地点", "票价", "电话"}


@pytest.mark.parametrize(
    "instruction",
    ["Remove everything except the title", "Make everything but the title blue",
     "Make all text except the unicorn blue", "Keep everything except the photo"],
)  # fmt: skip
def test_an_exception_that_is_not_sure_is_told(instruction: str) -> None:
    assert decided(SALE, instruction) == {}
    assert instruction in left(SALE, instruction)


def test_all_that_stays_but_for_one_is_about_that_one() -> None:
    said = "Everything stays the same except the phone number, which is now 555-0199"
    assert decided(SALE, said) == {"phone": "replace “555-0142” with “555-0199”"}


# ── what is not there ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "instruction",
    ["Remove the QR code", "Remove the mascot", "Remove the sponsor logos", "Make the logo bigger",
     "Make the logo blue", "Make the mascot blue", "Make the mascot larger", "Move the logo up",
     "Delete the email address"],
)  # fmt: skip
def test_the_only_picture_is_not_taken_for_what_is_not_there(instruction: str) -> None:
    assert decided(SALE, instruction) == {}
    assert instruction in left(SALE, instruction)


@pytest.mark.parametrize(
    "instruction", ["删除二维码", "把logo放大一点", "删掉小狗", "把小狗改成蓝色"]
)
def test_nor_in_chinese(instruction: str) -> None:
    assert decided(LESSON, instruction) == {}
    assert instruction in left(LESSON, instruction)


@pytest.mark.parametrize(
    ("instruction", "layer"),
    [("Remove the picture", "photo"), ("Delete the photo", "photo"),
     ("Make the photo bigger", "photo"), ("Delete the website", "web"),
     ("Delete the phone number", "phone")],
)  # fmt: skip
def test_what_is_there_is_found(instruction: str, layer: str) -> None:
    assert set(decided(SALE, instruction)) == {layer}


def test_a_layer_that_is_called_so_is_no_band_but_what_it_is_called() -> None:
    assert decided(NIGHT, "Remove the band photo") == {}
    assert decided(NIGHT, "Remove the roof") == {"roof": "delete the shape"}


def test_of_two_pictures_without_names_the_small_one_may_go() -> None:
    assert set(decided((GROUND, MOTIF, SMALL), "Remove the little camera")) == {"small"}


# ── from one day to another ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("instruction", "after"),
    [
        ("Extend the sale until 15 July", "1 June - 15 July"),
        ("The sale ends on 15 July", "1 June - 15 July"),
        ("The sale starts on 10 June", "10 June - 30 June"),
        ("The sale now runs from 5 July to 20 July", "5 July - 20 July"),
        ("The sale is open from 1 June to 15 July", "1 June - 15 July"),
        ("Extend it from 30 June to 15 July", "1 June - 15 July"),
        ("Postpone the sale by one week", "8 June - 7 July"),
    ],
)
def test_a_span_of_days_keeps_its_other_end(instruction: str, after: str) -> None:
    assert words_after(SALE, instruction, "date") == after


@pytest.mark.parametrize("instruction", ["Change the date to 3 July", "The sale is on 3 July"])
def test_one_day_for_a_span_is_told(instruction: str) -> None:
    assert decided(SALE, instruction) == {}
    assert "the rules could not tell what to do" in left(SALE, instruction)


def test_a_span_that_shares_its_month_is_left() -> None:
    short = (GROUND, text("0", "Garden Sale", 60, 60), text("1", "1–30 June", 200, 26))
    assert decided(short, "Extend the sale until 15 July") == {}


# ── days of the week ────────────────────────────────────────────────────────────────────


def test_a_weekday_that_may_be_wrong_goes_and_that_is_told() -> None:
    assert words_after(NIGHT, "change the date to 9 May", "date") == "9 May"
    assert "“Friday” was left off" in left(NIGHT, "change the date to 9 May")


def test_a_weekday_is_right_where_the_year_is_known() -> None:
    said = "change the date to 9 May 2026"
    assert words_after(NIGHT, said, "date") == "Saturday, 9 May 2026"
    assert left(NIGHT, said) == ""


def test_a_wrong_weekday_is_put_right_alone() -> None:
    said = "The date is wrong, it should be Saturday"
    assert words_after(NIGHT, said, "date") == "Saturday, 8 May"


# ── not in its place ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "instruction",
    ["Put 'Open on Sundays' under the phone number", "Add 'CANCELLED' across the poster in red",
     "Add 'New!' to the title", "Insert 'Free coffee' below the date"],
)  # fmt: skip
def test_new_words_beside_others_overwrite_none(instruction: str) -> None:
    assert decided(SALE, instruction) == {}
    assert "the rules could not tell what to do" in left(SALE, instruction)


@pytest.mark.parametrize(
    ("pairs", "instruction"),
    [(NIGHT, "Tickets are $20 now, students pay $10"), (SALE, "20% off, and 70% for members"),
     (LESSON, "票价改成成人150元，学生80元")],
)  # fmt: skip
def test_two_values_for_one_place_are_told(pairs: tuple[Pair, ...], instruction: str) -> None:
    assert decided(pairs, instruction) == {}
    assert left(pairs, instruction) != ""


def test_where_things_stand_is_not_written() -> None:
    prompts = decided(SALE, "Move the photo to the right and the title to the left")
    assert prompts == {
        "photo": "Move the shape to the right",
        "title": "Move the title to the left",
    }


def test_a_month_is_no_place() -> None:
    assert decided(SALE, "move it to December") == {}


# ── in company ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("pairs", "instruction", "layers", "told"),
    [
        (SALE, "The shop moved to Porto and the phone number is now 555-0199.", "place phone", ""),
        (SALE, "Change the garden sale into a book fair, keep the phone number, and delete the"
         " website", "photo title web", ""),
        (SALE, "Remove the QR code and change the title to 'Pot Sale'", "title", "the QR code"),
        (SALE, "We moved to Porto, our phone is 555-0001 and our website is www.porto.com",
         "place phone web", ""),
        (NIGHT, "Postpone the concert by one week and make tickets free", "date price", ""),
        (NIGHT, "Turn the jazz evening into a blues evening, remove the sponsor logos and make"
         " tickets $20", "title price", "“remove the sponsor logos”"),
        (NIGHT, "Make it a rock night in the cellar on Sunday", "title date", "“in the cellar”"),
        (NIGHT, "Make it a rock night and raise the price to $20", "title price", ""),
        (NIGHT, "The moon should be blue and twice as large", "moon", ""),
        (NIGHT, "Make the title red, bold and 20% larger and the moon white", "title moon", ""),
        (NIGHT, "Move the moon to the left and make it white", "moon", ""),
        (LESSON, "改成秋季音乐会，票价涨到150元", "照片 标题 票价", ""),
        (LESSON, "删掉照片和电话，标题加粗", "照片 电话 标题", ""),
        (LESSON, "把照片和电话删掉", "照片 电话", ""),
        (LESSON, "把二维码删掉，把标语放大", "副标题", "“把二维码删掉”"),
        (LESSON, "票价改成免费，加上“现场直播”", "票价", "“加上‘现场直播’”"),
        (LESSON, "票价改成80元，再画一只猫", "票价", "“再画一只猫”"),
    ],
)  # fmt: skip
def test_what_works_alone_works_in_company_or_is_told(
    pairs: tuple[Pair, ...], instruction: str, layers: str, told: str
) -> None:
    assert set(decided(pairs, instruction)) == set(layers.split())
    assert told in left(pairs, instruction) if told else left(pairs, instruction) == ""


def test_who_has_moved_has_another_place() -> None:
    said = "The shop moved to Porto and the phone number is now 555-0199."
    assert words_after(SALE, said, "place") == "Porto"
    assert words_after(SALE, said, "phone") == "Call 555-0199"


def test_why_nothing_was_done_is_true() -> None:
    assert "could not tell what to do" in left(NIGHT, "Make tickets $5 cheaper")
    assert "no layer is known to be" in left(NIGHT, "Delete the QR code")


@pytest.mark.parametrize(
    ("instruction", "layers"),
    [
        ("Make the title and the subtitle red", "title subtitle"),
        ("Delete the title, subtitle and date", "title subtitle date"),
        ("No phone number, no website", "phone web"),
        ("Remove 'Pots and sunny days' and the phone number", "subtitle phone"),
        ("We no longer have a website", "web"),
        ("Please update the date to 1 July - 31 July and drop the website", "date web"),
    ],
)
def test_every_item_of_a_list_is_meant(instruction: str, layers: str) -> None:
    assert set(decided(SALE, instruction)) == set(layers.split())
    assert left(SALE, instruction) == ""


def test_a_chinese_wish_without_an_object_is_about_that_of_the_one_before() -> None:
    assert set(decided(LESSON, "标题换成“秋日音乐会”并改成红色")) == {"标题"}
    assert set(decided(LESSON, "把标题和副标题改成红色")) == {"标题", "副标题"}


@pytest.mark.parametrize(
    ("instruction", "prompt"),
    [
        ("Delete the logo", "delete the shape"),
        ("Make the logo bigger", "Make the shape bigger"),
        ("Make the logo blue", "make the shape blue"),
        ("Replace the logo with a star", "replace what it shows with star, of the same size"),
    ],
)
def test_a_logo_that_is_called_so_is_the_logo(instruction: str, prompt: str) -> None:
    logo = called(picture("logo", (20, 20, 80, 80), "#335577"), "Logo")
    prompts = decided((*SALE, logo), instruction)
    assert list(prompts) == ["logo"]
    assert prompts["logo"].startswith(prompt)


@pytest.mark.parametrize(
    ("pairs", "instruction"),
    [
        (SALE, "Use any colour but red for the title"),
        (SALE, "Replace 'Leeds' by 'Porto', except in the title"),
        (LESSON, "把标题改成红色，除了“春季”"),
        (LESSON, "去除标题外框"),
        (NIGHT, "The concert runs from 8 May to 10 May"),
        (NIGHT, "Tickets now cost between $20 and $30"),
        (SALE, "Remove the line about sunny days"),
    ],
)
def test_nothing_like_the_opposite_is_done(pairs: tuple[Pair, ...], instruction: str) -> None:
    assert decided(pairs, instruction) == {}
    assert left(pairs, instruction) != ""


def test_a_date_that_is_told_without_its_weekday_does_not_keep_the_old_one() -> None:
    assert words_after(NIGHT, "The concert is on 9 May, not on 8 May", "date") == "9 May"


def test_a_title_that_is_to_say_something_says_it_though_it_is_not_quoted() -> None:
    said = "Make the title say Swing on the Roof and move the moon to the left"
    assert words_after(NIGHT, said, "title") == "Swing on the Roof"
    assert decided(NIGHT, said)["moon"] == "move the shape to the left"


def test_a_text_that_is_not_to_change_is_excepted() -> None:
    prompts = decided(SALE, "Change the text colour to blue, but not the title")
    assert "title" not in prompts
    assert "date" in prompts


@pytest.mark.parametrize("instruction", ["''", "“”", "'xyz'", "please run `rm -rf /`"])
def test_quotation_marks_alone_are_no_new_title(instruction: str) -> None:
    assert decided(SALE, instruction) == {}

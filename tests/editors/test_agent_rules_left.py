"""What the rule reasoner does of a request of several wishes, and what it says it has left."""

import pytest
from test_agent_rules import (
    CHINESE,
    ENGLISH,
    GROUND,
    MOTIF,
    Pair,
    decided,
    frame,
    picture,
    scene,
    text,
    words_after,
)

from overpaint.editors.agent.rules import Rules, reads_more


def left(pairs: tuple[Pair, ...], instruction: str) -> str:
    return " ".join(Rules().left(scene(pairs, instruction)))


def page(*lines: str) -> tuple[Pair, ...]:
    """A title and smaller lines on a ground, in a frame."""
    sizes = (60.0, *(26.0 for _ in lines))
    return (GROUND, frame("frame"), *(text(str(n), said, 60 + 90 * n, sizes[n])
                                      for n, said in enumerate(lines)))  # fmt: skip


# ── all of it is done ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("instruction", "layers"),
    [
        ("Make the title red and the frame green", "title frame"),
        ("Make the title red, the band navy and the frame green", "title band frame"),
        ("Make the text white on a black background", "ground title about details host call"),
        ("Delete the phone number, the host and the frame", "call host frame"),
        ("Change the title to Winter Market and the venue to Town Barn", "title details"),
        ("Delete the frame and make the title smaller", "frame title"),
        ("Turn it into a winter market. Tickets are free now.", "title about details motif"),
        ("Make the title red. Thank you, that will look great!", "title"),
    ],
)
def test_all_wishes_of_a_sentence_are_done(instruction: str, layers: str) -> None:
    assert set(decided(ENGLISH, instruction)) == set(layers.split())
    assert left(ENGLISH, instruction) == ""


@pytest.mark.parametrize(
    ("instruction", "layers"),
    [
        ("把标题改成红色，色带改成蓝色，边框改成绿色", "title band frame"),
        ("主办方改为千山商行，地点改到城南广场", "host details"),
        ("去掉电话，并把标题改成“冬季市集”", "call title"),
        ("标题改成红色，去掉边框", "title frame"),
        ("电话不对，请删掉", "call"),
        ("把夏季改成冬季，各处都改", "title about motif"),
    ],
)
def test_all_wishes_of_a_chinese_sentence_are_done(instruction: str, layers: str) -> None:
    assert set(decided(CHINESE, instruction)) == set(layers.split())
    assert left(CHINESE, instruction) == ""


def test_all_others_are_all_but_those_spoken_of_before() -> None:
    prompts = decided(ENGLISH, "Make the title navy and all other text grey")
    assert prompts["title"] == "make the text navy"
    assert prompts["host"] == "make the text grey"


# ── some of it is not ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("instruction", "layers", "told"),
    [
        ("Make the title red and blur the background", "title", "Not understood: “blur the"),
        ("Tickets are £20 now and kids pay half", "details", "Not understood: “kids pay half”"),
        ("Turn it into a winter market. Give it more punch.", "title about motif",
         "Not understood: “Give it more punch”"),
        ("Remove the frame and translate all the rest", "frame", "“translate all the rest”"),
        ("Make the title red and replace 'Fryday' with 'Monday'", "title",
         "Nothing was done about “replace ‘Fryday’ with ‘Monday’”: no layer is known"),
    ],
)  # fmt: skip
def test_what_is_left_is_told(instruction: str, layers: str, told: str) -> None:
    assert set(decided(ENGLISH, instruction)) == set(layers.split())
    assert told in left(ENGLISH, instruction)
    assert left(ENGLISH, instruction).endswith("agent:VENDOR/MODEL")


@pytest.mark.parametrize(
    ("instruction", "layers", "told"),
    [
        ("票价改成20元，儿童半价", "details", "“儿童半价”"),
        ("把背景调亮，去掉边框", "frame", "“把背景调亮”"),
        ("删除联系电话并旋转图片", "call", "“旋转图片”"),
        ("去掉边框和独角兽", "frame", "“独角兽”"),
        ("把标题改成红色并放大", "title", "“放大”"),
    ],
)
def test_what_is_left_of_a_chinese_sentence_is_told(
    instruction: str, layers: str, told: str
) -> None:
    assert set(decided(CHINESE, instruction)) == set(layers.split())
    assert told in left(CHINESE, instruction)


def test_a_thing_that_no_layer_is_called_after_is_told_as_not_there() -> None:
    moon = picture("moon", (400, 60, 600, 260), "#ffd68c")
    named = (GROUND, (moon[0], type(moon[1])(**(vars(moon[1]) | {"name": "moon"}))),
             text("title", "Jazz on the Roof", 420, 60))  # fmt: skip
    prompts = decided(named, "make the sky purple and the moon bigger")
    assert prompts == {"moon": "make the shape bigger"}
    assert "Nothing was done about “make the sky purple”: no layer is known to be, say or show" in (
        left(named, "make the sky purple and the moon bigger")
    )


def test_quoted_words_that_stand_nowhere_do_not_become_the_title() -> None:
    assert decided(ENGLISH, "replace 'Fryday' with 'Monday'") == {}


def test_words_that_are_pointed_at_first_and_replaced_then_are_not_left() -> None:
    said = "Look at “Summer Market”. It should say “Winter Market”."
    assert words_after(ENGLISH, said, "title") == "Winter Market"
    assert left(ENGLISH, said) == ""


def test_new_words_for_something_else_do_not_become_the_title() -> None:
    assert decided(ENGLISH, "Write “SALE” on the unicorn") == {}
    assert "“Write ‘SALE’ on the unicorn”" in left(ENGLISH, "Write “SALE” on the unicorn")


# ── names, scopes and themes ────────────────────────────────────────────────────────────


def test_new_year_is_one_name() -> None:
    year = page("New Year Sale", "Start the New Year with us")
    for said in ("Change New Year to Halloween", "make it a Halloween sale"):
        assert set(decided(year, said).values()) == {"replace “New Year” with “Halloween”"}


@pytest.mark.parametrize("said", ["改成圣诞版", "把新年改成圣诞版", "把这张海报改成圣诞版"])
def test_an_edition_is_no_part_of_a_name(said: str) -> None:
    assert set(decided(page("新年特卖", "新年好礼"), said).values()) == {"把“新年”改为“圣诞”"}


@pytest.mark.parametrize("where", ["everywhere", "throughout", "on every layer", "all over"])
def test_where_it_is_to_be_done_is_not_written(where: str) -> None:
    night = page("JAZZ NIGHT", "An evening of jazz")
    assert words_after(night, f"Change JAZZ to ROCK {where}", "0") == "ROCK NIGHT"
    assert words_after(CHINESE, "把百川商行改成千山商行各处", "host") == "主办：千山商行"


@pytest.mark.parametrize(
    ("said", "title"),
    [("turn it into a winter sale", "Winter Sale"),
     ("make it a Black Friday sale with 30% off", "Black Friday Sale")],
)  # fmt: skip
def test_something_else_altogether_has_another_title(said: str, title: str) -> None:
    assert words_after(page("Jazz on the Roof", "Friday, 8 May"), said, "0") == title


def test_a_discount_that_has_no_place_is_told() -> None:
    told = left(page("Jazz on the Roof"), "make it a Black Friday sale with 30% off")
    assert "Nothing was done about “with 30% off”" in told


@pytest.mark.parametrize(
    ("line", "said", "after"),
    [
        ("Tickets from $15", "Tickets are free now", "Tickets free"),
        ("£12 per person", "Entry is free of charge", "Free"),
        ("门票30元起", "门票免费了", "门票免费"),
    ],
)
def test_tickets_may_be_free(line: str, said: str, after: str) -> None:
    free = page("Jazz on the Roof", line)
    assert words_after(free, said, "1") == after


def test_tickets_that_are_free_for_some_keep_their_price() -> None:
    assert decided(page("Jazz on the Roof", "Tickets $15"), "Tickets are free for children") == {}


def test_a_day_is_not_taken_for_one_that_looks_like_it() -> None:
    flat = (GROUND, MOTIF, text("0", "Drum Course", 60, 60), text("1", "3 March", 200, 26))
    assert words_after(flat, "The event has been moved to 4 March.", "1") == "4 March"


# ── whether the agent is asked where the rules for words find nothing ───────────────────


@pytest.mark.parametrize(
    ("instruction", "more"),
    [
        ("make the title 'Winter Market', and the frame green", True),
        ("make it a winter market with 30% off", True),
        ("delete the unicorn", False),
        ("replace 'Fryday' with 'Monday'", False),
        ("replace 'Fryday' with 'Monday' and make the title red", False),
        ("sing and smile", False),
    ],
)
def test_more_than_a_plain_act_is_read(instruction: str, more: bool) -> None:
    assert reads_more(scene(ENGLISH, instruction)) == more

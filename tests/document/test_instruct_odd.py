"""Odd wishes: sizes that no page has, new words that are none, and looks said in other ways."""

from contextlib import suppress

import pytest

from overpaint.document import Document, Layer, sanity
from overpaint.document.instruct import parse
from overpaint.document.instruct.quotes import quotes
from overpaint.document.layers import Run, Style, Text
from overpaint.document.ops import (
    Delete,
    Insert,
    Move,
    Op,
    ReplacePicture,
    ReplaceText,
    Restyle,
    Rotate,
    Scale,
)
from overpaint.document.where import Where, described
from overpaint.errors import Refused, UserMistake

X, JIA = Where(text="X"), Where(text="甲")
RED = (255, 0, 0, 255)


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("set the font size of 'Friday' to 0 px", "The size is 0 px. 0.5 to 5,000 px"),
        ("set the font size of 'Friday' to -5 px", "The size is -5 px."),
        ("set the font size of 'Friday' to 99999999 px", "The size is 99,999,999 px."),
        ("make 'Friday' 0 px", "The size is 0 px."),
        ("把“周五”的字号改成0像素", "The size is 0 px."),
        ("把“周五”的字号设为99999999像素", "The size is 99,999,999 px."),
        ("rotate 'X' by 1e308 degrees", "The turn is 1e+308."),
        ("rotate 'X' by 1e999 degrees", "The turn is inf."),
        ("rotate 'X' by 40000 degrees", "The turn is 40,000."),
        ("把“甲”旋转1e308度", "The turn is 1e+308."),
        ("move 'X' up by 1e308 px", "The move is -1e+300 px."),
        ("reduce 'X' by 100%", "The factor is 0."),
        ("make 'X' 0 times bigger", "The factor is 0."),
    ],
)
def test_a_number_that_no_page_has_is_told_and_never_taken_for_words(said: str, wrong: str) -> None:
    (op,) = parse(said)
    with pytest.raises(UserMistake) as told:
        sanity.check(op)
    assert wrong in str(told.value)


@pytest.mark.parametrize(
    ("said", "ops"),
    [
        ("rotate 'X' by 1e1 degrees", (Rotate(X, 10.0),)),
        ("make 'X' 3 times bigger", (Scale(X, 3.0),)),
        ("replace 'X' with ''", (Delete(X),)),
        ('replace "X" with "", keep the rest', (Delete(X),)),
        ("replace 'X' with '' everywhere", (Delete(Where(text="X", every=True)),)),
        ("change Jazz to Rock everywhere", (ReplaceText(Where(text="Jazz", every=True), "Rock"),)),
        (
            "change Jazz to Rock on all layers",
            (ReplaceText(Where("", "Jazz", every=True), "Rock"),),
        ),
        ("replace 'X' with nothing", (Delete(X),)),
        ("use '' for 'X'", (Delete(X),)),
        ("change the title to ''", (Delete(Where(role="title")),)),
        ("把“甲”替换为“”", (Delete(JIA),)),
        ("用“”替换“甲”", (Delete(JIA),)),
        ("把“甲”替换为空", (Delete(JIA),)),
        (
            "change 'X' to '' and 'B' to 'C'",
            (Delete(X), ReplaceText(Where(text="B"), "C")),
        ),
        (
            "In the table, add a row below 'Monday': 'Tuesday', ''",
            (
                Insert(
                    Where(role="row", row="Monday"),
                    side="below",
                    what="row",
                    values=("Tuesday", ""),
                ),
            ),
        ),
        ("make 'X' in red letters", (Restyle(X, colour=RED),)),
        ("put 'X' in red", (Restyle(X, colour=RED),)),
        ("put the title in bold red letters", (Restyle(Where(role="title"), RED, weight=700),)),
        ("show 'X' in red", (Restyle(X, colour=RED),)),
        ("把“甲”用红字显示", (Restyle(JIA, colour=RED),)),
        ("make 'Ab' in capital letters", (ReplaceText(Where(text="Ab"), "AB"),)),
        ("use 'Y' for 'X'", (ReplaceText(X, "Y"),)),
        ("use 'Y' instead of 'X'", (ReplaceText(X, "Y"),)),
        (
            "use 'Y' for 'X' and 'C' for 'B'",
            (ReplaceText(X, "Y"), ReplaceText(Where(text="B"), "C")),
        ),
        ("use 'Lobster' for 'X'", (ReplaceText(X, "Lobster"),)),
        ("use 'Lobster' for the title", (Restyle(Where(role="title"), family="Lobster"),)),
        ("use 'Hello' as the title", (ReplaceText(Where(role="title"), "Hello"),)),
        ("use 'Foo' as the font for 'X'", (Restyle(X, family="Foo"),)),
        ("use 'Foo Sans' for 'X'", (Restyle(X, family="Foo Sans"),)),
        ("use the font 'Foo' for 'X'", (Restyle(X, family="Foo"),)),
        ("用“乙”而不是“甲”", (ReplaceText(JIA, "乙"),)),
        ("用“乙”换“甲”", (ReplaceText(JIA, "乙"),)),
    ],
)
def test_other_ways_to_say_it_are_understood(said: str, ops: tuple[Op, ...]) -> None:
    assert parse(said) == ops


@pytest.mark.parametrize(
    "said", ["replace '' with 'X'", "delete ''", "add '' after 'X'", "make '' red", "删除“”"]
)
def test_an_empty_quote_points_at_nothing(said: str) -> None:
    with pytest.raises(Refused, match="nothing stands in its quotation marks"):
        parse(said)


def test_a_look_that_is_empty_is_refused() -> None:
    with pytest.raises(Refused, match="it does not say how it should look"):
        parse("set the size of 'X' to ''")


def test_letters_that_join_make_flags_or_are_somebodys_own_stay() -> None:
    for words in ("می\u200cخواهم", "👩\u200d💻", "\ue000", "🏴\U000e0067\U000e0062\U000e007f"):
        (op,) = parse(f"replace 'Friday' with '{words}'")
        assert isinstance(op, ReplaceText)
        assert op.text == words
    assert parse("\ufeffreplace 'A' \u202ewith\n'B'\x00") == parse("replace 'A' with 'B'")


def test_an_instruction_that_is_not_utf_8_is_refused() -> None:
    with pytest.raises(UserMistake, match="The instruction is not valid UTF-8"):
        parse("replace 'Friday' with 'Caf\udce9'")


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("replace 'Friday' with ' home'", ["Friday", "home"]),
        ("replace ' Friday ' with ' home '", ["Friday", "home"]),
        ("delete the dogs ' bowl", []),
    ],
)
def test_a_quote_in_single_marks_may_begin_with_a_space(said: str, found: list[str]) -> None:
    assert [span.text for span in quotes(said)] == found


@pytest.mark.parametrize(
    ("said", "lost"),
    [
        ("change 'A' to 'B' and 'C'", "“C”"),
        ("replace 'A' with 'B', 'C' and 'D'", "“C” and “D”"),
        ("把“甲”改成“乙”把“丙”改成“丁”", "“丙” and “丁”"),
        ("change 'A' to 'B' in 'Arial'", "“Arial”"),
        ("delete the first 12 lines", "“12”"),
        ("move 'A' up by 10 px or down", "“down”"),
        ("replace 'June' in the box with 'July'", "“box”"),
        ("make 'Monday' in the blue box bold", "“box”"),
        ("把方框里的“周一”改成“周二”", "“方框”"),
        ("delete 'A' to the left", "“to the left”"),
    ],
)
def test_words_that_no_op_would_use_are_named_and_refused(said: str, lost: str) -> None:
    with pytest.raises(Refused) as refusal:
        parse(said)
    assert f"what to do with {lost} cannot be told" in refusal.value.wrong


def test_a_line_that_is_told_by_two_quotes_is_refused_for_it_may_be_two_things() -> None:
    with pytest.raises(Refused, match="whether “B” is in that line is not clear"):
        parse("delete the line containing 'A' and 'B'")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("把嘉宾改为王五", "“嘉宾” may be a label, and what stands beside it is not quoted"),
        ("把上海改成北京", "“上海” may be a label"),
        ("change the IBAN to 'DE12'", "“IBAN” may be a label"),
        ("change the total to 150.00", "“the total” is not understood: which words are meant"),
        ("change the name to 'M' and the city to 'C'", "“the name” is not understood: which words"),
    ],
)
def test_a_bare_noun_that_may_be_a_label_is_never_written_over(said: str, why: str) -> None:
    with pytest.raises(Refused) as refusal:
        parse(said)
    assert why in refusal.value.wrong
    assert "replace 'old words' with 'new words'" in str(refusal.value)


@pytest.mark.parametrize(
    ("said", "item"),
    [
        ("delete the second bullet", "bullet"),
        ("make the last bullet point red", "bullet point"),
        ("delete the second item in the list", "item"),
        ("删除第二个要点", "要点"),
        ("删除第二条", "条"),
    ],
)
def test_an_item_of_a_list_is_not_counted_but_told_by_its_words(said: str, item: str) -> None:
    with pytest.raises(Refused) as refusal:
        parse(said)
    assert f"“{item}” is told by its words, and none are quoted" in refusal.value.wrong


def test_a_refusal_of_two_ways_to_count_asks_for_one_at_a_time() -> None:
    with pytest.raises(Refused, match="a line and a paragraph cannot both be counted; ask for one"):
        parse("delete the second paragraph and the third line")


@pytest.mark.parametrize(
    ("said", "reads"),
    [
        (
            "replace the first 'Mon' with 'Tue' and the second 'Mon' with 'Fri'",
            ["Tue 8", "Fri 9", "Sun"],
        ),
        (
            "replace the first 'Mon' with 'Sun' and the first 'Sun' with 'Sat'",
            ["Sun 8", "Mon 9", "Sat"],
        ),
        ("把第一个“Mon”改成“周二”，把第二个“Mon”删除", ["周二 8", "9", "Sun"]),
    ],
)
def test_words_are_counted_on_the_page_as_it_was(said: str, reads: list[str]) -> None:
    texts = [
        Layer(Text((Run(words, Style(size=10)),)), "", str(n), 5, 20 * n)
        for n, words in enumerate(("Mon 8", "Mon 9", "Sun"), 1)
    ]
    document = Document(made=tuple(texts), canvas=(100, 100))
    for op in parse(said):
        document = op(document)
    assert [one.content.words.strip() for one in document if isinstance(one.content, Text)] == reads


def test_words_that_are_counted_and_new_at_once_are_refused() -> None:
    with pytest.raises(Refused, match="what is counted and what is new are the same words"):
        parse("replace the first 'A' with 'B' and the first 'B' with 'A'")


@pytest.mark.parametrize(
    ("said", "named", "todo"),
    [
        ("on slide 1, change 'A' to 'B'", "“slide 1”", "say --page 1."),
        ("delete 'A' on the second page", "“second page”", "say --page 2."),
        ("the last page's title should be 'X'", "“last page”", "say --page with its number."),
        ("把第2页的“甲”改成“乙”", "“第2页”", "say --page 2."),
    ],
)
def test_who_names_a_page_is_told_how_one_is_chosen(said: str, named: str, todo: str) -> None:
    with pytest.raises(Refused) as refusal:
        parse(said)
    assert f"{named} names a page." in refusal.value.wrong
    assert refusal.value.todo == f"Leave the page out, and {todo}"


MANY = "9" * 5000  # more than Python makes a number of


@pytest.mark.parametrize(
    "said",
    [
        "delete the row '--5' from the table",
        f"delete the row '{MANY}' from the table",
        f"delete row {MANY} of the table",
        f"delete the first {MANY} lines",
        f"delete the {MANY}th line",
        f"删除第{MANY}行",
        f"删除前{MANY}行",
    ],
)
def test_no_count_and_no_name_of_a_row_is_too_odd_to_be_read_and_told(said: str) -> None:
    with suppress(Refused):
        (op,) = parse(said)
        assert "the row “" in described(op.where)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("change the colour of 'Friday' to blurple", "no colour that is known"),
        ("change the colour of the date to #12", "no colour that is known"),
        ("把“Friday”的颜色改成彩虹", "no colour that is known"),
        ("set the font size of 'Friday' to NaN px", "that is no size"),
        ("change the weight of 'Friday' to banana", "that is no weight"),
        ("change the alignment of 'Friday' to sideways", "that is no alignment"),
        ("change the letter spacing of 'Friday' to 3", "cannot be changed so"),
        ("change the colour of 'Friday' to 'blurple'", "no colour that is known"),
        ("set the font size of 'Friday' to 'huge'", "that is no size"),
        ("把“Friday”的字号改成“巨大”", "that is no size"),
        ("change the weight of 'Friday' to 'heavy'", "that is no weight"),
        ("change the weight of 'A' and 'B' to 'C' and 'D'", "that is no weight"),
        ("change the alignment of 'Friday' to 'sideways'", "that is no alignment"),
        ("change the position of 'Friday' to 'Monday'", "no place that is known"),
        ("change the line spacing of 'Friday' to '2'", "cannot be changed so"),
    ],
)
def test_a_property_with_a_value_that_it_cannot_have_is_no_new_wording(said: str, why: str) -> None:
    with pytest.raises(Refused, match=f"is not understood: .*{why}. These would be: make 'some"):
        parse(said)


def test_a_file_is_named_as_it_is_said() -> None:
    (op,) = parse("replace the picture with ../photos/mill.png.")
    assert isinstance(op, ReplacePicture)
    assert op.picture == "../photos/mill.png"


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("Change the phone number to 555-0199 and the city to Porto", "the city to Porto"),
        ("change the price to $20 and the photo gets brighter", "the photo gets brighter"),
        ("set the date to 5 May and sing a song", "sing a song"),
        ("电话改成555和城市改成波尔图", "城市改成波尔图"),
        ("票价改成免费并且日期推迟一周", "日期推迟一周"),
        ("Postpone the event by a week. Change the title to 'X'", "Postpone the event"),
        ("Sing a song, change the title to 'X'", "Sing a song"),
        ("Don't change the title, postpone the date by a week and add 'Live'", "postpone the date"),
        ("add 'Live', do not touch the title and sing a song", "sing a song"),
        ("keep the font, the price becomes free and add 'Live'", "the price becomes free"),
        ("把日期推迟一周，加上“现场直播”", "把日期推迟一周"),
        ("不要改标题，把日期推迟一周，票价改成免费，加上“现场直播”", "把日期推迟一周"),
        ("加上“现场直播”，不要改标题，日期推迟一周", "日期推迟一周"),
        ("加上“现场直播”，保留标题，票价免费", "票价免费"),
    ],
)
def test_a_wish_beside_another_is_neither_lost_nor_written_on_the_page(
    said: str, other: str
) -> None:
    with pytest.raises(Refused) as caught:
        parse(said)
    assert f"“{other}" in caught.value.wrong


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("change the title to Rock and Roll", "Rock and Roll"),
        ("change the title to Beauty and the Beast", "Beauty and the Beast"),
        ("change the title to 3 days and nights", "3 days and nights"),
        ("change the title to Fresh bread and all the coffee you want",
         "Fresh bread and all the coffee you want"),
    ],
)  # fmt: skip
def test_an_and_in_plain_new_words_is_a_word_of_the_page(said: str, new: str) -> None:
    (op,) = parse(said)
    assert isinstance(op, ReplaceText)
    assert op.text == new


def test_what_asks_for_something_after_a_wish_is_done() -> None:
    ops = parse("不要改标题，票价改成免费，加上“现场直播”")
    assert [getattr(op, "text", "") for op in ops] == ["免费", "现场直播"]


def test_things_that_go_to_different_places_go_each_to_its_own() -> None:
    ops = parse("move the title to the top and the date to the bottom")
    assert ops == (
        Move(Where(role="title"), to="top"),
        Move(Where(role="date"), to="bottom"),
    )
    assert parse("put the date at the bottom and the title at the top") == (
        Move(Where(role="date"), to="bottom"),
        Move(Where(role="title"), to="top"),
    )
    assert parse("move the text at the top and the text at the bottom to the middle") == (
        Move(Where(role="text", place="top"), to="centre"),
        Move(Where(role="text", place="bottom"), to="centre"),
    )
    assert parse("put 'A' below the title and 'B' above the date") == (
        Insert(Where(role="title"), "A", side="below"),
        Insert(Where(role="date"), "B", side="above"),
    )
    ops = parse("move 'A' to the left and 'B' to the right")
    assert [(op.where.text, getattr(op, "by", None)) for op in ops] == [
        ("A", (-40.0, 0.0)),
        ("B", (40.0, 0.0)),
    ]


@pytest.mark.parametrize(
    ("said", "role"),
    [
        ("时间改到5月3日星期日，其他不变", "date"),
        ("change the time to 'Sunday, 3 May'", "date"),
        ("时间改到19:30", "time"),
        ("change the time to 3 May, 7:30 pm", "time"),
    ],
)
def test_a_time_that_becomes_a_day_is_the_date(said: str, role: str) -> None:
    (op,) = parse(said)
    assert op.where == Where(role=role)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("make the photo bigger", Where(role="picture")),
        ("enlarge the image", Where(role="picture")),
        ("make the words in the photo bigger", Where(role="text", every=True)),
        ("make everything on the page bigger", Where(role="text", every=True)),
    ],
)
def test_the_photo_is_a_picture_and_what_is_in_it_is_text(said: str, where: Where) -> None:
    (op,) = parse(said)
    assert op.where == where

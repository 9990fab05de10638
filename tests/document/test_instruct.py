"""What people ask for becomes ops, and what cannot be told is refused with what could."""

import dataclasses
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from overpaint.document.instruct import parse
from overpaint.document.instruct.colours import colour_of
from overpaint.document.instruct.lexing import lexicon
from overpaint.document.instruct.parsing import LONGEST
from overpaint.document.instruct.quotes import quotes
from overpaint.document.instruct.refusal import FORMS
from overpaint.document.ops import Insert, Op, ReplaceText, Restyle
from overpaint.document.where import Where
from overpaint.errors import Refused, UserMistake

GOLDEN = Path(__file__).parents[1] / "golden" / "instructions.txt"
WORDS = sorted(("" if phrase[0] >= "⺀" else " ").join(phrase) for phrase in lexicon())
MARKS = [
    "'A'",
    '"B b"',
    "“丙”",
    "5",
    "20%",
    "30°",
    "'",
    '"',
    "(",
    ")",
    ",",
    ".",
    ":",
    "\u202e",
    "'s",
]


def told(value: object) -> str:
    """An op without the fields that say nothing."""
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return repr(value)
    plain = type(value)()
    names = [field.name for field in dataclasses.fields(value)]
    said = [
        f"{n}={told(getattr(value, n))}" for n in names if getattr(value, n) != getattr(plain, n)
    ]
    return f"{type(value).__name__}({', '.join(said)})"


def read_golden() -> list[tuple[str, str]]:
    lines = GOLDEN.read_text("utf-8").splitlines()
    return [(said, ops.strip()) for said, ops in zip(lines[::2], lines[1::2], strict=True)]


def understood(instruction: str) -> str:
    try:
        return " · ".join(told(op) for op in parse(instruction))
    except Refused:
        return "refused"


@pytest.mark.parametrize(("said", "ops"), read_golden(), ids=[said for said, _ in read_golden()])
def test_an_instruction_becomes_the_ops_it_asks_for(said: str, ops: str) -> None:
    assert understood(said) == ops


@pytest.mark.parametrize("said", [said for said, ops in read_golden() if ops != "refused"])
def test_wishes_that_ask_for_nothing_are_left_out(said: str) -> None:
    if said[-1].isascii():
        assert understood(f"Please {said.rstrip('.')}, keeping the same font and layout.") in (
            understood(said),
            understood(f"Please {said}"),
        )
    else:
        assert understood(f"{said}，其余内容保持不变。") == understood(said)


# ── refusals ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("form", [form for forms in FORMS.values() for form in forms])
def test_every_form_that_a_refusal_offers_is_understood(form: str) -> None:
    assert parse(form)


@pytest.mark.parametrize(
    ("said", "why", "near"),
    [
        ("translate the title into Chinese", "the translation is not given", "replace 'old words'"),
        ("replace 'big' with a synonym", "the new words are not given", "change the title to"),
        ("make it more polite", "it needs more than rules know", "change the title to"),
        ("remove the chili and the icon", "what it is about cannot be told", "delete 'some words'"),
        ("correct the spelling", "it needs more than rules know", "replace 'old words'"),
        ("rotate 'X'", "it does not say by how many degrees", "30 degrees clockwise"),
        ("scale 'X'", "it does not say how large", "scale the title to 150 %"),
        ("move 'X'", "it does not say where to", "move 'some words' below"),
        ("add a title", "the words to add are not given", "add 'new words' after"),
        ("bring the logo", "it does not say where to", "move the title to"),
        ("swap 'A'", "it takes two things", "swap 'these words' and"),
        ("merge the cells 'A'", "it takes two cells", "merge the cells"),
        ("delete all text but 'A'", "exceptions are not known", "delete 'some words'"),
        ("change 'A' to 'B' and dance", "", "replace 'old words'"),
        ("colour the title", "it does not say how it should look", "bold and red"),
        ("make 'A' the same size as 'B'", "what it should be like is not given", "bold and red"),
        ("change the picture to Spring", "a picture does not say words", "photo.png"),
        ("lower the price by 5", "the new number is not given", "change the title to"),
        ("change the title to capital letters", "only quoted words", "change the title to"),
        ("add 'X' on the left and right sides", "it names two places at once", "add 'new words'"),
        ("", "it asks for nothing", "replace 'old words'"),
    ],
)
def test_a_refusal_says_what_is_not_understood_and_what_would_be(
    said: str, why: str, near: str
) -> None:
    with pytest.raises(Refused) as refusal:
        parse(said)
    assert refusal.value.wrong.startswith("“")
    assert why in refusal.value.wrong
    assert near in refusal.value.right
    assert 3 <= refusal.value.right.count(";") + 1 <= 4
    assert refusal.value.todo == "Quote the words that stand there and the words that should."


def test_one_part_that_is_not_understood_refuses_the_whole() -> None:
    with pytest.raises(Refused, match="adjust the atmosphere"):
        parse("Change 'A' to 'B' and adjust the atmosphere")


def test_an_instruction_that_is_too_long_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(
        UserMistake, match=r"has 10,001 letters\. It may have 10,000\. Ask for a few"
    ):
        parse("x" * (LONGEST + 1))
    with pytest.raises(UserMistake, match="1,500 words outside quotes. It may have 1,000"):
        parse("red " * 1500)


# ── laws ────────────────────────────────────────────────────────────────────────────────


def assert_op_or_refusal(said: str) -> None:
    try:
        ops = parse(said)
    except (Refused, UserMistake) as refusal:
        assert str(refusal)
    else:
        assert ops
        assert all(isinstance(op, Op) for op in ops)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
@example("'\u202e\u0000'")
@example("\ud800 change 'a' to \udfff'b'")
def test_no_text_makes_the_parser_raise_anything_but_a_refusal(said: str) -> None:
    assert_op_or_refusal(said)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS) | st.sampled_from(MARKS), max_size=14), st.booleans())
def test_no_order_of_known_words_makes_the_parser_raise_anything_but_a_refusal(
    words: list[str], spaced: bool
) -> None:
    assert_op_or_refusal((" " if spaced else "").join(words))


LONG = [
    "'", '"', "“", "' a", "“x to ", ".", "a.", "1/", "(", "改", "把“a”改成“b”，", "'a' to 'b', ",
    "and ", "delete 'a' and ", "rgb(1,", "of ", "the row and the column ", "'s ", "\u202e", "第9",
    "'a' above 'b' and ", "the first and ", "red ", "lines 2 and ",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", LONG)
def test_a_long_text_takes_a_bounded_time(piece: str) -> None:
    started = time.process_time()
    assert_op_or_refusal((piece * LONGEST)[:LONGEST])
    assert_op_or_refusal(("change " + piece * LONGEST)[: LONGEST // 5])
    assert_op_or_refusal(piece * 1_000_000)
    assert time.process_time() - started < 5


@settings(max_examples=80, deadline=None)
@given(
    st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=20),
    st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=20),
    st.sampled_from(
        ['replace "{}" with "{}"', "change “{}” to “{}”", "把“{}”改成“{}”", "「{}」应为「{}」"]
    ),
)
def test_what_is_quoted_is_taken_letter_by_letter(old: str, new: str, form: str) -> None:
    assert parse(form.format(old, new)) == (ReplaceText(Where(text=old), new),)


# ── quotes and colours ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("'it's here' and 'there'", ["it's here", "there"]),
        ("of'A'and'B'", ["A", "B"]),
        ("'rock 'n' roll' is loud", ["rock 'n' roll"]),
        ("'the dogs' bowl' to 'X'", ["the dogs' bowl", "X"]),
        ("all 'Morning's to bold", ["Morning"]),
        ("'closed twice!'' at", ["closed twice!"]),
        ("'A ' to the left", ["A"]),
        ("'summer 'down", ["summer"]),
        ("'never closed", ["never closed"]),
        ("'A with 'B'", ["A", "B"]),
        ('"A with "B"', ["A", "B"]),
        ('"the "big" one"', ['the "big" one']),
        ('12" wide to "13"', ["13"]),
        ("don't touch John's dogs", []),
        ("‘don’t’ and ‘won’t’", ["don’t", "won’t"]),
        ("„unten“ «hier» 『那』「里」", ["unten", "hier", "那", "里"]),
        ("“他说‘好’”", ["他说‘好’"]),
        ("《红》与《白》", ["红", "白"]),
        ("“《红》”与《白》", ["《红》"]),
        ("''", [""]),
        ('A with ""', [""]),
        ("用“”换“甲”", ["", "甲"]),
        ("''Hello''", ["'Hello"]),
        ("a board of 5''", []),
    ],
)
def test_quotes_are_found_whatever_marks_stand_around_them(said: str, found: list[str]) -> None:
    assert [span.text for span in quotes(said)] == found


@pytest.mark.parametrize(
    ("code", "shade", "colour"),
    [
        ("red", "", (255, 0, 0, 255)),
        ("深", "", None),
        ("红色", "dark", (139, 0, 0, 255)),
        ("blue", "light", (173, 216, 230, 255)),
        ("蓝色", "light", (173, 216, 230, 255)),
        ("lightblue", "", (173, 216, 230, 255)),
        ("#0000ff", "dark", (0, 0, 139, 255)),
        ("gray", "light", (211, 211, 211, 255)),
        ("grey", "dark", (69, 69, 69, 255)),
        ("green", "dark", (0, 100, 0, 255)),
        ("purple", "light", (192, 128, 192, 255)),
        ("#f80", "", (255, 136, 0, 255)),
        ("#ff880080", "", (255, 136, 0, 128)),
        ("rgb(1, 2, 300)", "", (1, 2, 255, 255)),
        ("rgba(1, 2, 3, 0.5)", "", (1, 2, 3, 128)),
        ("nonesuch", "", None),
    ],
)
def test_a_colour_is_known_by_name_and_by_code(
    code: str, shade: str, colour: tuple[int, ...] | None
) -> None:
    assert colour_of(code, shade) == colour


def test_an_op_that_was_parsed_can_be_compared_and_hashed() -> None:
    (op,) = parse("add 'new' before 'old'")
    assert {op} == {Insert(Where(text="old"), "new", side="before")}


@pytest.mark.parametrize("words", ["make the title navy", "make the title navy blue"])
def test_navy_is_a_colour_and_no_shade_of_one(words: str) -> None:
    (op,) = parse(words)
    assert op == Restyle(Where(role="title"), colour=(0, 0, 128, 255))


def test_a_colour_that_is_not_known_is_not_written_as_words() -> None:
    with pytest.raises(Refused, match="the colour 胭脂色 is not known"):
        parse("把标题改成胭脂色")
    assert parse("把标题改成“本色”") == (ReplaceText(Where(role="title"), "本色"),)

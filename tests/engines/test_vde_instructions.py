"""Instructions for pages: written by rules, checked by rules, and how much they leave open."""

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vde_made import CHINESE, ENGLISH

from overpaint.engines.released import TYPES
from overpaint.engines.vde.ambiguity import DIMENSIONS, ambiguity
from overpaint.engines.vde.checking import faults
from overpaint.engines.vde.prompts import WORDINGS, pool
from overpaint.engines.vde.tables import rows_of
from overpaint.engines.vde.wording import language_of, quotations, standing
from overpaint.engines.vde.writer import applicable, write
from overpaint.vision.page import Block

# ── instructions ────────────────────────────────────────────────────────────────────────────


def test_the_pool_has_twenty_one_different_prompts() -> None:
    assert set(pool()) == {(kind, wording) for kind in TYPES for wording in WORDINGS}
    assert len(set(pool().values())) == 21
    assert not any("{" in prompt for prompt in pool().values())


@pytest.mark.parametrize("page", [ENGLISH, CHINESE])
@pytest.mark.parametrize("seed", range(20))
def test_rules_write_one_sound_instruction_of_every_kind(
    page: tuple[Block, ...], seed: int
) -> None:
    drafts = list(write(page, (400, 300), seed=str(seed)))
    assert sorted(draft.kind for draft in drafts) == sorted(TYPES)
    language = "chinese" if page is CHINESE else "english"
    for draft in drafts:
        assert faults(draft.text, draft.kind, page, language)[0] == ()
        (place,) = standing(draft.target, page)
        assert (page[place].kind == "table") == draft.kind.startswith("table")
        assert page[place].kind != "figure"
    assert drafts == list(write(page, (400, 300), seed=str(seed)))


def test_a_page_without_a_table_gets_text_kinds_only_and_no_more_than_asked() -> None:
    page = [block for block in ENGLISH if block.kind != "table"]
    assert all(kind.startswith("text") for kind in applicable(page))
    assert len(list(write(page, (400, 300), seed="0", most=2))) == 2
    only_picture = [block for block in ENGLISH if block.kind == "figure"]
    assert applicable(only_picture) == ()


@pytest.mark.parametrize(
    ("text", "kind", "wrong"),
    [
        ('Replace "museum" with "gallery" in the paragraph.', "text replacement", ""),
        ('Replace "castle" with "gallery".', "text replacement", "does not stand on the page"),
        ('Replace "dogs" with "cats".', "text replacement", ""),
        ('Replace "is" with "was".', "text replacement", "stands on the page 2 times"),
        ("Replace the title with something.", "text replacement", "no text of the page is quoted"),
        ('Delete "12.50" from the table.', "text deletion", "asked of a table, not of headings"),
        ('Delete "museum".', "table deletion", "asked of a text block, not of a table"),
        ('Delete "Sales increased sharply in 1999."', "text deletion", "asked of a figure"),
        ('删除“museum”。', "text deletion", "the page is in English"),
        ('Delete "museum" and add "gallery" after "318".', "text deletion", "more than one"),
        ('Delete all "museum" words.', "text deletion", "more than one place"),
        ("", "text deletion", "it is empty"),
        ('Delete "museum".', "poetry", "none of the seven"),
    ],
)  # fmt: skip
def test_an_instruction_is_accepted_or_rejected_with_a_reason(
    text: str, kind: str, wrong: str
) -> None:
    found, _ = faults(text, kind, ENGLISH, "english")
    assert wrong in " ".join(found)
    assert bool(found) == bool(wrong)


@given(text=st.text(max_size=200))
def test_no_instruction_makes_the_rules_raise(text: str) -> None:
    for kind in ("text replacement", "table structure edit", "?"):
        faults(text, kind, ENGLISH, "english")
    assert set(ambiguity(text, None, "")) == set(DIMENSIONS)


@given(html=st.text(alphabet="<>/trdhable \"'=&;ab", max_size=120))
def test_no_table_however_broken_makes_its_reader_raise(html: str) -> None:
    for row in rows_of(html):
        assert all(isinstance(cell, str) for cell in row)


# ── ambiguity ───────────────────────────────────────────────────────────────────────────────

PRECISE = {
    "english": (
        'In the first paragraph, replace "before noon" with "after noon".',
        'Delete the sentence "It has 318 rooms to see." from the paragraph.',
        'Add "(Winter)" after the title "Opening Hours".',
        'In the row that begins with "Adults", change "12.50" to "13.00".',
        'Delete the row that begins with "Children" from the table.',
        "Replace 'large' with 'small' in the sentence 'The garden is large and costs nothing.'",
    ),
    "chinese": (
        "将段落中的“12.5%”改为“15.0%”。",
        "删除“管理费用较去年下降。”这一句。",
        "在标题“年度工作报告”后添加“（初稿）”。",
        "把表格中“收入合计”一行的“3,178”替换为“3,179”。",
    ),
}
VAGUE = {
    "english": (
        "Update the opening times.",
        "Remove some of the text about rooms if it is too long.",
        "Add a suitable note somewhere near the title.",
        "Fix the prices in the table.",
        "Make the table better.",
        "Change the garden sentence to something similar or nicer.",
    ),
    "chinese": (
        "修改增长率。",
        "适当删除一些关于费用的内容。",
        "在合适的位置添加说明。",
        "如果需要，调整表格里的数字。",
    ),
}


@pytest.mark.parametrize("language", ["english", "chinese"])
def test_vague_rewrites_are_told_from_precise_instructions(language: str) -> None:
    page = CHINESE if language == "chinese" else ENGLISH
    precise, vague = (
        [fmean(one.score for one in ambiguity(text, page, language).values()) for text in texts]
        for texts in (PRECISE[language], VAGUE[language])
    )
    assert max(precise) < 1.2
    assert min(vague) > 2
    for text in PRECISE[language]:
        assert all(one.clear for one in ambiguity(text, page, language).values()), text


@pytest.mark.parametrize(
    ("text", "dimension", "reason"),
    [
        ("Delete the title.", "target", "no text of the page is quoted"),
        ('Update "museum" in the paragraph.', "operation", "“update” says not what to do"),
        ('Replace "museum" in the paragraph.', "operation", "the new text is not quoted"),
        ('Add "(new)" to the paragraph.', "space", "which side"),
        ('Add "(new)" somewhere after "museum".', "space", "“somewhere” is no place"),
        ('Delete every "museum" in the text.', "scope", "“every” asks for more than one place"),
        ('Delete "museum" if it is wrong.', "condition", "“if” leaves it to the editor"),
        ('Delete "museum" or "rooms" in the text.', "condition", "alternatives"),
        ("将“museum”改为“gallery”。", "language", "in Chinese, but the page is in English"),
    ],
)
def test_each_dimension_says_what_it_misses(text: str, dimension: str, reason: str) -> None:
    found = ambiguity(text, ENGLISH, "english")
    assert reason in found[dimension].reason
    assert not found[dimension].clear


@pytest.mark.parametrize(
    ("text", "language"),
    [("The quick fox", "english"), ("公司营业收入", "chinese"), ("词 word 数 number", "mixed"),
     ("GDP增长了很多，超过预期水平", "chinese"), ("12 + 3 = 15", ""), ("", "")],
)  # fmt: skip
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert language_of(text) == language


def test_quotations_know_what_is_new() -> None:
    found = quotations("After ‘A b’, add “new” — and it's done. Replace \"x\" with 'y's z'.")
    assert [(quote.text, quote.new) for quote in found] == [
        ("A b", False), ("new", True), ("x", False), ("y's z", True)
    ]  # fmt: skip
    found = quotations("把表头为「甲」的列中的“乙”改成“丙”，在“丁”后插入“戊”")
    assert [quote.new for quote in found] == [False, False, True, False, True]


def test_a_word_is_not_found_inside_another_nor_a_number_in_a_longer_one() -> None:
    page = [Block((0, 0, 9, 9), "earth, earthquake; 12 of 2012, 12.5 and 3,12")]
    assert len(standing("earth", page)) == 1
    assert len(standing("12", page)) == 1
    assert standing("quake", page) == []

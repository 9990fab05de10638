"""Rubrics: files read with every fault told, prompts filled with data, replies read as verdicts."""

import contextlib
import json
import os
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.benchmarks.textedit import textedit
from overpaint.document.instruct import parse as parse_instruction
from overpaint.document.instruct.refusal import FORMS
from overpaint.engines.vde.ambiguity import DIMENSIONS
from overpaint.errors import DataError, NotApplicable, Unreadable, UserMistake
from overpaint.measures import rubric
from overpaint.measures.rubric import Rubric, Verdict, loads
from overpaint.measures.rubric_scale import read_scale
from overpaint.measures.rubric_text import LONGEST

HEAD = """---
name: mine
about: Is it good?
dated: 2026-11-16
pictures: source, output, target?
slots: instruction
scale: 0-2 whole
better: higher
---
"""
BODY = """
# A rubric of mine

## Task

Of {source} an editor made {output}, asked to do this:

{instruction}

A set is written {{a, b}}.

## With the truth

{target} is right.

## Without the truth

Nobody knows what is right.

## good: How good it is

- 2: Good,
  on the whole.
- 1: Fair.
- 0: Bad.

### Examples

- 2: A good one.
"""
FREE = """---
name: asks
about: Questions.
dated: 2026-11-16
pictures: none
slots: none
---

## Task

Ask.

## Reply

One question each.

```json
{"type": "object", "properties": {"questions": {"type": "array", "items": {"type": "string"}}}}
```
"""


def made(text: str) -> Rubric:
    return loads(text.encode(), "mine.md")


def mended(old: str, new: str, text: str = HEAD + BODY) -> str:
    assert old in text
    return text.replace(old, new, 1)


def mistake(text: str) -> str:
    with pytest.raises(UserMistake) as caught:
        made(text)
    assert str(caught.value).startswith("The rubric mine.md: ")
    return str(caught.value).removeprefix("The rubric mine.md: ")


# ── loading ─────────────────────────────────────────────────────────────────────────────


def test_a_rubric_says_what_it_needs_and_what_it_gives() -> None:
    mine = made(HEAD + BODY)
    assert (mine.name, mine.about, mine.worst, mine.best) == ("mine", "Is it good?", 0, 2)
    assert re.fullmatch(r"2026-11-16\.[0-9a-f]{8}", mine.version)
    assert [picture.name for picture in mine.pictures] == ["source", "output", "target"]
    assert [slot.name for slot in mine.slots] == ["instruction"]
    (good,) = mine.dimensions
    assert (good.name, good.title) == ("good", "How good it is")
    assert list(mine.schema["properties"]) == ["rationale", "score"], "reasons come first"
    assert mine.schema["properties"]["score"] == {"type": "integer", "enum": [0, 1, 2]}
    assert mine.schema["additionalProperties"] is False
    assert mine.schema["required"] == ["rationale", "score"]


def test_another_text_is_another_version_and_line_ends_are_not() -> None:
    mine = made(HEAD + BODY)
    assert made(mended("Bad.", "Really bad.")).version != mine.version
    assert made((HEAD + BODY).replace("\n", "\r\n")).version == mine.version
    assert made("\ufeff" + HEAD + BODY).version == mine.version


def test_a_rubric_can_be_sent_to_another_process() -> None:
    mine = made(HEAD + BODY)
    assert pickle.loads(pickle.dumps(mine)) == mine


@pytest.mark.parametrize("key", ["name", "about", "dated", "pictures", "slots"])
def test_a_missing_key_of_the_front_matter_is_named(key: str) -> None:
    line = next(line for line in HEAD.split("\n") if line.startswith(key))
    assert f"the front matter has no `{key}`." in mistake(mended(line + "\n", ""))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("---\n", "", "it does not begin with front matter."),
        ("better: higher\n---\n", "", "it does not begin with front matter."),
        ("name: mine", "name mine", "has the line 'name mine'. A line is `key: value`"),
        ("name: mine", "nmae: mine", "has the line 'nmae: mine'."),
        ("name: mine", "name: mine\nname: yours", "has `name` twice."),
        ("name: mine", "name: m/i", "'m/i' is no name."),
        ("about: Is it good?", "about:", "`about` is empty."),
        ("dated: 2026-11-16", "dated: 16 Nov", "dated '16 Nov'. A date is written 2026-11-16."),
        ("better: higher", "better: more", "`better` is 'more'. It is higher or lower."),
        ("better: higher", "wording: ?", "`wording` is '?'. It is ours or verbatim."),
        ("pictures: source", "pictures: before", "'before' is no picture. Pictures are source,"),
        ("pictures: source", "pictures: source, source", "it shows 'source' twice."),
        ("pictures: source", "pictures: source?", "'source' cannot be left out."),
        ("slots: instruction", "slots: the text", "the slot 'the text' is no name."),
        ("slots: instruction", "slots: mask", "the slot 'mask' is a picture's name."),
        ("slots: instruction", "slots: instruction, instruction", "stands there twice."),
        ("slots: instruction", "slots: instruction, more", "the slot 'more' is never used."),
        ("slots: instruction", "slots: none", "{instruction} is neither a slot nor a picture"),
        ("slots: instruction", "slots: instruction\napplies: kp", "'kp', which is no slot of it."),
        ("{source}", "{sauce}", "{sauce} is neither a slot nor a picture of it. It declares:"),
        ("{source}", "{ source", "a brace stands alone in 'Of { source an editor made"),
        ("{source}", "source}", "a brace stands alone"),
        ("{{a, b}}", "{a, b}", "{a, b} is neither"),
        ("{instruction}", "to {instruction}", "{instruction} stands inside a line."),
        ("{source}", "{target}", "{target} may be absent where it is spoken of."),
        (", target?", "", "{target} is neither a slot nor a picture"),
        ("scale: 0-2 whole\n", "", "the front matter has no `scale`."),
        ("0-2 whole", "0-2", "the scale '0-2' is not understood. A scale is `0-5 whole`"),
        ("0-2 whole", "0-3 whole", "good does not say what 3 means."),
        ("0-2 whole", "0-1 whole", "good has the level 2, which is not on the scale."),
        ("- 1: Fair.", "- 1:", "good does not say what 1 means."),
        ("- 1: Fair.", "- 0: Fair.", "good says twice what 0 means."),
        ("- 1: Fair.", "- one: Fair.", "good does not say what 1 means. Each level has a line"),
        ("## good: How good it is", "## How good: x", "'How good: x' is no dimension."),
        ("## good: How good it is", "Levels:", "it asks about no dimension."),
        ("## Without the truth", "## With the truth", "it has two sections 'With the truth'."),
        ("## Task", "Hello\n\n## Task", "'Hello' stands before the first `## ` section."),
        ("### Examples", "```", "a code fence is opened and not closed."),
        ("better: higher", "reply: bad = score", "its `reply` lines are of bad, not good."),
        ("better: higher", "reply: good", "`reply: good` is not understood."),
        ("better: higher", "reply: good = a, b, c", "`reply: good = a, b, c` is not understood."),
        ("better: higher", "reply: good = a\nreply: good = b", "it says twice where the reply has"),
        ("better: higher", "reply: good = a, a", "two things are at 'a' of its reply."),
        ("better: higher", "reply: good = a.b, a", "two things are at 'a.b' of its reply."),
        ("Of {source} an editor made {output}, asked to do this:", "## x", "there is no `## Task`"),
    ],
)  # fmt: skip
def test_a_fault_of_a_rubric_is_told(old: str, new: str, said: str) -> None:
    assert said in mistake(mended(old, new))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('{"type": "object"', '{"type": object', "the json block under `## Reply` is no JSON."),
        ('{"type": "object"', '{"type": "thing"', "the schema of the reply has no type that is"),
        ("One question", "```json\n{}\n```", "`## Reply` has several json blocks."),
        ("```json", "```", "it asks about no dimension."),
        ("## Reply", "## good\n\n## Reply", "it has dimensions and a schema of its own."),
        ("slots: none", "slots: none\nreply: a = b", "it has dimensions and a schema of its own."),
    ],
)
def test_a_fault_of_a_reply_of_its_own_is_told(old: str, new: str, said: str) -> None:
    assert said in mistake(mended(old, new, FREE))


def test_a_rubric_that_is_not_there_or_cannot_be_read_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "latin.md").write_bytes(HEAD.encode() + b"caf\xe9")
    (tmp_path / "large.md").write_bytes(b"x" * (256 * 1024 + 1))
    (tmp_path / "empty.md").touch()
    for name, said in (
        ("textedit_fi", "There is no rubric 'textedit_fi'. Did you mean 'textedit_if'?"),
        ("zzz", "There is no rubric 'zzz'. Built in are "),
        ("nowhere/zzz.md", "The rubric's file nowhere/zzz.md is not there."),
        ("../rubrics/textedit_if", "is not there."),
        (tmp_path, "is not there."),
        ("x" * 5000, "cannot be read: File name too long."),
        ("a\0b", "There is no rubric 'a\\x00b'."),
        (tmp_path / "latin.md", "latin.md: it is not UTF-8, from byte 145 on."),
        (tmp_path / "large.md", "large.md: it has more than 262,144 bytes."),
        (tmp_path / "empty.md", "empty.md: it does not begin with front matter."),
    ):
        with pytest.raises(UserMistake) as caught:
            rubric.load(name)
        assert said in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(UserMistake):
        rubric.load(tmp_path / "pipe.md")


@settings(deadline=None)
@given(st.binary() | st.text().map(lambda text: (HEAD + text).encode("utf-8", "surrogatepass")))
def test_no_file_raises_anything_but_a_mistake(data: bytes) -> None:
    try:
        loads(data, "some.md")
    except UserMistake as error:
        str(error).encode("utf-8", "replace")


@settings(deadline=None)
@given(st.lists(st.sampled_from([*(HEAD + BODY).split("\n"), *FREE.split("\n"), "{", "```"])))
def test_no_shuffled_file_raises_anything_but_a_mistake(lines: list[str]) -> None:
    with contextlib.suppress(UserMistake):
        loads("\n".join(["---", *lines]).encode(), "some.md")


# ── scales ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "levels", "words"),
    [
        ("0-5 whole", (0, 1, 2, 3, 4, 5), ()),
        ("1–5 whole", (1, 2, 3, 4, 5), ()),
        ("-1-1 whole", (-1, 0, 1), ()),
        ("0, 0.5, 1", (0, 0.5, 1), ()),
        ("1-10 any", (), ()),
        ("yes/no", (0, 1), ("no", "yes")),
        ("Yes = 1, No = 0", (0, 1), ("No", "Yes")),
        ("first = 1, tie = 0.5, second = 0", (0, 0.5, 1), ("second", "tie", "first")),
    ],
)
def test_a_scale_is_understood(text: str, levels: tuple[float], words: tuple[str]) -> None:
    scale = read_scale(text)
    assert scale is not None
    assert (scale.levels, scale.words) == (levels, words)


@pytest.mark.parametrize(
    "text",
    ["", "5", "0-5", "5-0 whole", "0-0 whole", "0.5-2 whole", "0-1000 whole", "1, 0", "1, 1",
     "good, bad", "a = 1, b = 1", "a = 1, A = 2", "a = 1, 2", "0 to 5", "1-5 about", "yes",
     "nan, 1"],
)  # fmt: skip
def test_a_scale_that_is_none_is_not(text: str) -> None:
    assert read_scale(text) is None
    assert "is not understood" in mistake(mended("0-2 whole", text))


def test_levels_may_share_a_meaning_and_a_scale_of_any_number_needs_its_ends() -> None:
    many = mended("- 2: Good,\n  on the whole.\n- 1: Fair.", "- 1-100: Good.\n- x: not a level.")
    mine = made(mended("0-2 whole", "0-100 whole", many))
    assert mine.schema["properties"]["score"]["enum"][57] == 57
    ends = made(mended("0-2 whole", "0-2 any"))
    assert ends.read('{"rationale": "", "score": 1.25}')["good"].value == 1.25
    assert "does not say what 3 means" in mistake(mended("0-2 whole", "0-3 any"))


# ── prompts ─────────────────────────────────────────────────────────────────────────────


def test_a_prompt_names_the_pictures_and_speaks_of_the_truth_only_where_there_is_one() -> None:
    mine = made(HEAD + BODY)
    told = mine.prompt({"instruction": "make it red"}, truth=True)
    assert "Of Picture 1 (the source) an editor made Picture 2 (the output), asked" in told
    assert "\n> make it red\n" in told
    assert "A set is written {a, b}." in told
    assert "Picture 3 (the truth) is right." in told
    assert "Nobody knows" not in told
    assert "## How good it is\n\n- 2: Good,\n  on the whole." in told
    assert told.endswith('"score": ⟨0, 1 or 2⟩}')
    without = mine.prompt({"instruction": "make it red"}, truth=False)
    assert "Nobody knows what is right." in without
    assert "truth" not in without
    assert mine.shown(truth=True) == ("source", "output", "target")
    assert mine.shown(truth=False) == ("source", "output")


def test_references_are_counted_and_pictures_can_be_renamed() -> None:
    pictures = "pictures: references, source as the page, output, target?"
    mine = made(mended("pictures: source, output, target?", pictures))
    told = mine.prompt({"instruction": "x"}, truth=True, references=3)
    assert "- Pictures 1 to 3 (the references): pictures that came with the request." in told
    assert "- Picture 4 (the page).\n" in told
    assert "Picture 6 (the truth) is right." in told
    assert "Picture 1 (the reference)" in mine.prompt({"instruction": "x"}, truth=0, references=1)
    assert "Pictures 1 and 2 (" in mine.prompt({"instruction": "x"}, truth=False, references=2)
    with pytest.raises(NotApplicable) as caught:
        mine.prompt({"instruction": "x"}, truth=False)
    assert str(caught.value) == "The rubric mine needs the references; there is none."
    optional = made(mended("source, output", "references?, source, output"))
    assert optional.shown(truth=False) == ("source", "output")
    assert "Of Picture 1 (the source)" in optional.prompt({"instruction": "x"}, truth=False)
    assert "Of Picture 3 (the" in optional.prompt({"instruction": "x"}, truth=True, references=2)


def test_without_a_target_that_is_needed_the_question_does_not_arise() -> None:
    mine = made(mended("target?", "target"))
    with pytest.raises(NotApplicable) as caught:
        mine.prompt({"instruction": "x"}, truth=False)
    assert str(caught.value) == "The rubric mine needs the truth; there is none."


def test_a_missing_text_is_told_or_not_applicable_or_left_open() -> None:
    mine = made(HEAD + BODY)
    for given_texts in ({}, {"instruction": " \n"}):
        with pytest.raises(DataError) as caught:
            mine.prompt(given_texts, truth=True)
        assert "The sample has no instruction, which the rubric mine asks with." in str(
            caught.value
        )
    applies = made(mended("better:", "applies: instruction\nbetter:"))
    with pytest.raises(NotApplicable) as none:
        applies.prompt({}, truth=True)
    assert str(none.value) == "The sample has no instruction: mine does not arise."
    optional = made(mended("slots: instruction", "slots: instruction?"))
    assert "\n> (not given)\n" in optional.prompt({}, truth=True)


def test_a_text_too_long_for_a_prompt_is_told() -> None:
    with pytest.raises(DataError) as caught:
        made(HEAD + BODY).prompt({"instruction": "x" * (LONGEST + 1)}, truth=True)
    assert "instruction is 40,001 letters long. A prompt takes at most 40,000." in str(caught.value)


@settings(deadline=None)
@given(st.text(st.characters() | st.sampled_from("{}>\n\r\u2028\x85\x0b#")), st.booleans())
def test_what_is_quoted_stays_a_quotation(text: str, truth: bool) -> None:
    mine = made(mended("slots: instruction", "slots: instruction?"))
    plain = mine.prompt({"instruction": "QUOTE"}, truth=truth)
    told = mine.prompt({"instruction": text}, truth=truth)
    told.encode()
    before, after = plain.split("> QUOTE")
    assert told.startswith(before)
    assert told.endswith(after)
    inside = told[len(before) : len(told) - len(after)]
    assert all(line.startswith("> ") for line in inside.splitlines())


def test_a_text_that_looks_like_a_hole_is_not_filled() -> None:
    told = made(HEAD + BODY).prompt({"instruction": "{target} {{x}} {instruction}"}, truth=False)
    assert "> {target} {{x}} {instruction}\n" in told


# ── replies ─────────────────────────────────────────────────────────────────────────────


def test_a_reply_is_read_as_a_verdict() -> None:
    mine = made(HEAD + BODY)
    assert mine.read('{"rationale": " red ", "score": 2}') == {
        "good": Verdict(2.0, "red", (), "2"),
    }
    assert mine.read('{"score": "1/2"}') == {
        "good": Verdict(1.0, "", ("score came as the text “1/2”", "no rationale was given"), "1"),
    }
    (long,) = mine.read(json.dumps({"rationale": "x" * 4001, "score": 0})).values()
    assert long == Verdict(0.0, "x" * 4000 + "…", ("the rationale was cut short",), "0")
    with pytest.raises(Unreadable) as caught:
        mine.read('{"rationale": "red", "score": 3}')
    assert str(caught.value) == "The reply's score is 3. Expected was 0, 1 or 2."


def test_several_dimensions_are_one_reply_and_words_stand_for_numbers() -> None:
    two = HEAD + BODY + "\n## fair: Fairness\n\n- 0: No.\n- 1: So so.\n- 2: Yes.\n"
    mine = made(two)
    assert list(mine.schema["properties"]) == ["good", "fair"]
    reply = {name: {"rationale": name, "score": 1} for name in ("good", "fair")}
    read = mine.read(json.dumps(reply))
    assert {name: verdict.rationale for name, verdict in read.items()} == {
        "good": "good", "fair": "fair",
    }  # fmt: skip
    with pytest.raises(Unreadable) as caught:
        mine.read(json.dumps({"good": {"rationale": "", "score": 1}}))
    assert "has no 'fair'; its keys are: “good”." in str(caught.value)
    levels = mended("0-2 whole", "bad = 0, fair = 1, good = 2")
    words = (
        levels.replace("- 2: G", "- good: G").replace("- 1:", "- fair:").replace("- 0:", "- bad:")
    )
    assert made(words).read('{"rationale": "", "answer": "Fair"}')["good"].said == "fair"
    assert made(words).read('{"rationale": "x", "answer": "fair"}')["good"].value == 1


def test_a_rubric_with_a_reply_of_its_own_is_read_as_that() -> None:
    asks = made(FREE)
    assert asks.dimensions == ()
    assert (asks.worst, asks.best, asks.scale) == (None, None, None)
    told = asks.prompt({}, truth=False)
    assert told.startswith("Ask.\n\nOne question each.\n\nReply with one JSON object")
    assert told.endswith('{"questions": ["⟨text⟩", …]}')
    assert asks.answer('{"questions": ["why?"]}').values == {"questions": ["why?"]}
    with pytest.raises(UserMistake) as caught:
        asks.read("{}")
    assert str(caught.value) == "The rubric asks gives no scores. `answer` reads it."


# ── someone else's wording ──────────────────────────────────────────────────────────────

THEIRS = """---
name: theirs
about: Their wording, as they published it.
dated: 2026-11-16
pictures: source, output, target?
slots: instruction, kind
scale: 1-5 whole
better: lower
wording: verbatim
reply: target = target_openness.score, target_openness.reasoning
reply: scope = scope_openness.score, scope_openness.reasoning
---
# Role
You are shown two images. Rate '{instruction}' ({kind}).
## Output format
{{"target_openness": {{"score": <1-5>, "reasoning": "<...>"}}, "scope_openness": {{...}},
 "summary": "<one sentence>"}}
## With the truth
The third image is {target}.
"""


def test_wording_of_others_is_sent_as_it_is() -> None:
    theirs = made(THEIRS)
    told = theirs.prompt({"instruction": "say {kind}", "kind": "text"}, truth=False)
    assert told == (
        "# Role\nYou are shown two images. Rate 'say {kind}' (text).\n## Output format\n"
        '{"target_openness": {"score": <1-5>, "reasoning": "<...>"}, "scope_openness": {...},\n'
        ' "summary": "<one sentence>"}'
    )
    with_truth = theirs.prompt({"instruction": "x", "kind": "text"}, truth=True)
    assert with_truth.endswith('sentence>"}\n\nThe third image is Picture 3 (the truth).')


def test_a_reply_in_the_keys_of_others_is_read_as_ours() -> None:
    theirs = made(THEIRS)
    assert (theirs.worst, theirs.best) == (5, 1)
    assert list(theirs.schema["properties"]["target_openness"]["properties"]) == [
        "score", "reasoning",
    ]  # fmt: skip
    one = {"score": 2, "reasoning": "one of two"}
    reply = {"target_openness": one, "scope_openness": {"score": 1}, "summary": "clear"}
    assert theirs.read(json.dumps(reply)) == {
        "target": Verdict(2.0, "one of two", ("left out of the reply: “summary”",), "2"),
        "scope": Verdict(
            1.0, "", ("left out of the reply: “summary”", "no rationale was given"), "1"
        ),
    }
    with pytest.raises(Unreadable) as caught:
        theirs.read('{"target_openness": 2, "scope_openness": {"score": 1}}')
    assert "The reply's target_openness is 2. Expected was an object." in str(caught.value)


def test_wording_of_others_may_have_a_schema_or_one_score_without_reasons() -> None:
    lines = re.sub(r"(?m)^reply: .*\n", "", THEIRS)
    assert "it asks about no dimension. A `reply` line names one." in mistake(lines)
    schema = '## Reply\n```json\n{"type": "object", "properties": {"a": {"type": "string"}}}\n```\n'
    theirs = made(lines + schema)
    assert theirs.answer('{"a": "b"}').values == {"a": "b"}
    assert "json" not in theirs.prompt({"instruction": "x", "kind": "y"}, truth=True)
    apart = made(mended("wording:", "reply: IF = IF, why.IF\nwording:", lines))
    assert apart.read('{"IF": 5, "why": {"IF": "so"}}') == {"IF": Verdict(5.0, "so", (), "5")}
    assert apart.read('{"IF": 5}')["IF"].notes == ("no rationale was given",)
    bare = made(mended("wording:", "reply: IF = IF\nwording:", lines))
    assert bare.read('{"IF": 5}') == {"IF": Verdict(5.0, "", (), "5")}


def test_wording_of_others_may_differ_wholly_by_the_truth() -> None:
    head = (
        THEIRS.partition("# Role")[0]
        .replace("reply: scope", "reply: target")
        .replace("reply: target = target_openness.score, target_openness.reasoning\n", "", 1)
    )
    text = head + "## With the truth\n{instruction} {kind} {target}\n## Without the truth\n{kind}"
    theirs = made(text)
    values = {"instruction": "a", "kind": "b"}
    assert theirs.prompt(values, truth=True) == "a b Picture 3 (the truth)"
    assert theirs.prompt(values, truth=False) == "b"


# ── the built-in ones ───────────────────────────────────────────────────────────────────

KINDS = (
    "canny", "sketch", "semantic_map", "mask", "caption", "depth", "pose", "bbox", "subject",
    "style",
)  # fmt: skip
SCALES = {
    **{f"textedit_{name}": "0-5 whole" for name in ("if", "ta", "vc", "lp", "se")},
    **{f"multiref_{name}": "1-5 whole" for name in ("iq", "if", "sf", *KINDS)},
    **{f"ebench_{name}": "1-5 whole" for name in ("quality", "alignment", "preservation")},
    "ebench_question": "yes/no",
    "milde_aesthetics": "1-10 whole",
    "milde_answer": "yes/no",
    "milde_applies": "yes/no",
    "milde_rank": "1-5 whole",
    "milde_text": "0, 0.5, 1",
    "vde_ambiguity": "1-5 whole",
    "pairwise": "first = 1, tie = 0.5, second = 0",
}
FREE_FORM = (
    *(f"milde_{name}" for name in ("check", "class", "persona", "questions", "steps", "transfer")),
    "multiref_persona", "ocr_page", "parse_instruction",
)  # fmt: skip


def test_the_built_in_rubrics_are_these_and_each_is_what_its_file_is_called() -> None:
    assert rubric.names() == tuple(sorted([*SCALES, *FREE_FORM]))
    for name in rubric.names():
        ours = rubric.load(name)
        assert ours.name == name
        assert not ours.verbatim
        assert ours.version.startswith(("2026-11-16.", "2026-11-17."))
        assert ours.scale == (read_scale(SCALES[name]) if name in SCALES else None)
        assert ours.higher_is_better == (name != "vde_ambiguity")


@pytest.mark.parametrize("name", rubric.names())
def test_a_built_in_rubric_gives_a_prompt_without_holes_and_within_reason(name: str) -> None:
    ours = rubric.load(name)
    texts = {slot.name: f"the {slot.name} of it" for slot in ours.slots}
    for truth in (False, True):
        told = ours.prompt(texts, truth=truth, references=2)
        assert all(f"> the {slot.name} of it" in told for slot in ours.slots)
        assert not re.search(r"\{[a-z_]+\}", told)
        assert len(told) < 8000
        shown = sum(
            2 if each == "references" else 1 for each in ours.shown(truth=truth, references=2)
        )
        assert set(re.findall(r"Pictures? (\d+)", told)) <= {str(n + 1) for n in range(shown)}


def test_the_textedit_rubrics_have_worked_examples_and_speak_of_the_truth() -> None:
    for name in ("if", "ta", "vc", "lp", "se"):
        ours = rubric.load(f"textedit_{name}")
        assert [each.name for each in ours.dimensions] == [name.upper()]
        told = (rubric.FOLDER / f"textedit_{name}.md").read_text(encoding="utf-8")
        examples = told.partition("### Examples")[2]
        assert {"5", "3", "1"} <= set(re.findall(r"(?m)^- (\d)\. ", examples))
        assert {"With the truth", "Without the truth"} <= ours.texts.keys()


@settings(deadline=None)
@given(st.sampled_from(sorted(SCALES)), st.data())
def test_every_verdict_of_every_rubric_reads_back(name: str, data: st.DataObject) -> None:
    ours = rubric.load(name)
    scale = ours.scale
    assert scale is not None
    level = st.sampled_from(range(len(scale.levels)))
    drawn = {each.name: (data.draw(level), data.draw(st.text())) for each in ours.dimensions}
    key = "answer" if scale.words else "score"
    inside = {
        each: {"rationale": rationale, key: (scale.words or scale.levels)[at]}
        for each, (at, rationale) in drawn.items()
    }
    reply = inside if len(inside) > 1 else next(iter(inside.values()))
    read = ours.read("<think>…</think>```json\n" + json.dumps(reply) + "\n```")
    assert {each: verdict.value for each, verdict in read.items()} == {
        each: scale.levels[at] for each, (at, _) in drawn.items()
    }
    assert [v.rationale for v in read.values()] == [text.strip() for _, text in drawn.values()]


@settings(deadline=None)
@given(st.sampled_from(sorted(SCALES)), st.text() | st.from_regex(r'\{"(score|answer)": .{1,9}\}'))
def test_no_reply_to_any_rubric_is_off_its_scale(name: str, text: str) -> None:
    ours = rubric.load(name)
    with contextlib.suppress(Unreadable):
        for verdict in ours.read(text).values():
            assert ours.scale is not None
            assert verdict.value in ours.scale.levels


def test_the_dimensions_of_ambiguity_are_those_the_rules_have() -> None:
    assert tuple(each.name for each in rubric.load("vde_ambiguity").dimensions) == DIMENSIONS


def test_the_first_of_two_edits_is_the_one_that_is_judged() -> None:
    ours = rubric.load("pairwise")
    assert ours.shown(truth=True) == ("source", "output", "other")
    told = ours.prompt({"instruction": "x"}, truth=True)
    assert "Picture 2 (the first edit)" in told
    assert "Picture 3 (the second edit)" in told
    assert ours.read('{"rationale": "", "answer": "first"}')["preferred"].value == 1
    assert ours.read('{"rationale": "", "answer": "tie"}')["preferred"].value == 0.5


def test_the_forms_a_model_is_told_to_write_are_those_the_parser_knows() -> None:
    told = rubric.load("parse_instruction").prompt({"instruction": "x"}, truth=False)
    for form in (form for forms in FORMS.values() for form in forms):
        assert f"\n  - {form}\n" in told
    for form in re.findall(r"\((delete [^)]+)\)", " ".join(told.split())):
        assert parse_instruction(form)
    answered = '{"reason": "r", "sentences": ["delete \'a\'"]}'
    parsed = rubric.load("parse_instruction").answer(answered)
    assert parsed.values == {"reason": "r", "sentences": ["delete 'a'"]}


def test_the_lines_of_a_page_have_boxes_in_thousandths() -> None:
    page = rubric.load("ocr_page")
    good = {"lines": [{"text": "标题 □", "box": [0, 12, 1000, 40]}]}
    assert page.answer(json.dumps(good)).values == good
    for box, said in (
        (
            "[0, 12, 1001, 40]",
            "lines[0].box[2] is 1001. Expected was a whole number from 0 to 1000",
        ),
        ("[0, 12, 1000]", "lines[0].box has 3 items. Expected: 4."),
        ("[0, 12, 99.5, 40]", "lines[0].box[2] is 99.5."),
    ):
        with pytest.raises(Unreadable) as caught:
            page.answer(f'{{"lines": [{{"text": "a", "box": {box}}}]}}')
        assert said in str(caught.value)


def test_questions_about_a_layer_come_with_their_expected_answer() -> None:
    asks = rubric.load("milde_questions")
    one = {"before": "a guitar", "question": "Is there a quill?", "about": "entity"}
    good = {"questions": [{**one, "expected": "yes"}]}
    assert asks.answer(json.dumps(good)).values == good
    with pytest.raises(Unreadable):
        asks.answer(json.dumps({"questions": [one]}))
    with pytest.raises(Unreadable):
        asks.answer(json.dumps({"questions": good["questions"] * 4}))


@pytest.mark.slow
def test_every_real_sample_can_be_asked_about(fixtures: Path) -> None:
    samples = textedit.load(fixtures / "texteditbench" / "annotations_all").samples
    rubrics = [rubric.load(f"textedit_{name}") for name in ("if", "ta", "vc", "lp", "se")]
    asked = dict.fromkeys((each.name for each in rubrics), 0)
    for sample in samples:
        known = {**sample.tags, **sample.facts, "instruction": sample.request.instruction}
        texts = {name: text for name, text in known.items() if isinstance(text, str)}
        for each in rubrics:
            with contextlib.suppress(NotApplicable):
                assert each.prompt(texts, truth=sample.target is not None)
                asked[each.name] += 1
    assert asked.pop("textedit_se") == 304
    assert set(asked.values()) == {1196}

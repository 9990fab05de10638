"""The parser reaches its goal on the half of the real prompts that no rule was written after."""

import sys
from pathlib import Path

import pytest

from overpaint.benchmarks.textedit import load

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from instruct import LEAST_AGREEING, MOST_WRONG, judge


@pytest.mark.slow
def test_held_out_prompts_that_quote_text_are_understood(fixtures: Path) -> None:
    data = fixtures / "texteditbench" / "annotations_all"
    if not data.is_dir():
        pytest.skip("the annotations of TextEditBench are not there")
    rows = [judge(s.request.instruction, s.tags["operation"]) for s in load(data).samples]
    held_out = [row.outcome for row in rows if row.quotes and not row.tuning]
    assert held_out.count("agree") >= LEAST_AGREEING * len(held_out)
    assert held_out.count("wrong") <= MOST_WRONG * len(held_out)


def test_a_prompt_quotes_text_by_two_marks_that_are_no_apostrophes() -> None:
    for said, quoting in (
        ("don't touch John's", False),
        ("change 'a' to b", True),
        ("把“a”改", True),
        ('only one " mark', False),
    ):
        assert judge(said, "change").quotes is quoting

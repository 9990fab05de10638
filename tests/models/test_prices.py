"""Prices: dated, bounded from above before, counted after, never a 0 for what is not known."""

import json
from pathlib import Path

import pytest

from overpaint.errors import UserMistake
from overpaint.models.prices import RULES, Price, prices


def test_a_model_that_is_not_listed_has_no_price() -> None:
    assert prices().of("http://localhost:8000/v1#qwen2.5-vl") is None
    assert prices().of("openai/gpt-4o-2024-11-20") == Price(2.5, 10.0, "tiles")
    assert prices().dated == "2026-11-16"


def test_pictures_are_counted_by_their_vendors_published_rules() -> None:
    # OpenAI's own examples: 1024×1024 costs 765 tokens, 2048×4096 costs 1,105.
    assert RULES["tiles"](1024, 1024) == 765
    assert RULES["tiles"](2048, 4096) == 1105
    assert RULES["mini-tiles"](1024, 1024) == 25501
    # Google's: 258 for a picture within one square, four times that for two by two.
    assert RULES["squares"](384, 384) == 258
    assert RULES["squares"](1024, 1024) == 4 * 258
    # Anthropic's: width times height over 750.
    assert RULES["area"](1000, 1000) == 1334


def test_a_question_costs_its_tokens() -> None:
    assert Price(2.5, 10).of(1_000_000, 100_000) == pytest.approx(3.5)
    assert Price(2.5, 10, "tiles").at_most(235, [(1024, 1024)], 100) == pytest.approx(
        (235 + 765) * 2.5e-6 + 100 * 10e-6
    )


def test_a_users_own_prices_come_first_and_say_their_day(tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    listed = {"openai/gpt-4o": {"in": 1, "out": 2}, "http://here/v1#m": {"in": 0, "out": 0}}
    mine.write_text(json.dumps({"dated": "2026-12-01", "models": listed}))
    known = prices(mine)
    assert known.of("openai/gpt-4o") == Price(1, 2)
    assert known.of("http://here/v1#m") == Price(0, 0)
    assert known.of("openai/gpt-4o-mini") == Price(0.15, 0.6, "mini-tiles")
    assert known.dated == "2026-12-01 (mine.json)"


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", '{"dated": "x", "models": {"m": {"in": "dear"}}}',
        '{"dated": "x", "models": {"m": {"in": -1, "out": 1}}}', '{"dated": "x", "models": 3}',
        '{"dated": "x", "models": {"m": {"in": 1e999, "out": 1}}}', "[" * 100_000,
        '{"dated": "x", "models": {"m": {"in": 1, "out": 1, "pictures": "guess"}}}',
    ],
)  # fmt: skip
def test_a_file_of_prices_that_is_none_says_what_one_looks_like(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prices.json"
    path.write_text(text)
    with pytest.raises(UserMistake, match=r'A file of prices is \{"dated"'):
        prices(path)

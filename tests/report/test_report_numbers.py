"""How numbers are written, and where axes put them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.measures.aggregate import Summary
from overpaint.report.axes import around, spread
from overpaint.report.numbers import count, decimals_for, interval, margin, number, percent

finite = st.floats(-1e9, 1e9, allow_nan=False)


def read_back(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (None, 3, "–"), (0.0, 3, "0.000"), (0.91729, 3, "0.917"), (-0.5, 3, "−0.500"),
        (8700.63, 1, "8,700.6"), (0.0047, 1, "0.005"), (3e-9, 1, "3e−09"), (-0.0004, 3, "−0.0004"),
        (-0.0, 1, "0.0"),
    ],
)  # fmt: skip
def test_numbers_are_written_like_this(value: float | None, decimals: int, text: str) -> None:
    assert number(value, decimals) == text


@given(finite, st.integers(0, 4))
def test_what_is_not_zero_is_never_written_as_zero(value: float, decimals: int) -> None:
    assert (read_back(number(value, decimals)) == 0) == (value == 0)


@given(finite, st.integers(0, 4))
def test_a_written_number_is_within_half_its_last_decimal(value: float, decimals: int) -> None:
    assert abs(read_back(number(value, decimals)) - value) <= 0.5001 * 10**-decimals


@given(st.lists(finite))
def test_a_column_has_one_to_three_decimals(values: list[float]) -> None:
    assert decimals_for(values) in (1, 2, 3)


@given(st.integers(0, 10_000), st.integers(1, 10_000))
def test_all_is_said_only_of_all_and_none_only_of_none(part: int, whole: int) -> None:
    part = min(part, whole)
    text = percent(part, whole)
    assert (text == "100 %") == (part == whole)
    assert (text == "0 %") == (part == 0)


def test_one_is_singular() -> None:
    assert (count(1, "sample"), count(1196, "sample")) == ("1 sample", "1,196 samples")


@given(st.lists(finite, min_size=1, max_size=50))
def test_an_axis_holds_its_values_and_has_a_handful_of_ticks_on_it(values: list[float]) -> None:
    for axis in (around(values), spread(values)):
        assert axis.low < axis.high
        assert all(0 <= axis.at(value) <= 100 for value in values)
        assert 1 <= len(axis.ticks()) <= 12
        hair = 1e-6 * (axis.high - axis.low)
        for tick in axis.ticks():
            assert axis.low - hair <= tick <= axis.high + hair
            assert re.fullmatch(r"−?[\d,]+(\.\d+)?(e[-+]\d+)?", axis.label(tick))


@given(st.lists(st.floats(0.01, 1e6), min_size=2, max_size=50))
def test_a_larger_value_never_lies_to_the_left(values: list[float]) -> None:
    for axis in (around(values), spread(values)):
        places = [axis.at(value) for value in sorted(values)]
        assert places == sorted(places)


def test_errors_over_many_sizes_get_a_logarithmic_axis_and_shares_do_not() -> None:
    assert spread([0.0, 0.01, 0.02, 0.5, 3500.0]).log
    assert not spread([0.2, 0.5, 0.9, 1.0]).log


def test_a_lopsided_interval_tells_both_sides_and_an_even_one_says_plus_minus() -> None:
    def told(low: float, value: float, high: float) -> str:
        return margin(Summary(9, 9, value, low, high, None, None, value), 1)

    assert told(8.0, 10.0, 12.0) == "±2.0"
    assert told(9.0, 10.0, 14.0) == "−1.0+4.0"
    assert margin(Summary(9, 9, 10.0, None, None, None, None, 10.0), 1) == ""


def test_an_interval_around_nothing_has_no_sign_before_its_zeros() -> None:
    none = Summary(9, 9, -0.0, -0.0, -0.0, None, None, -0.0)
    assert (margin(none, 1), interval(none, 1)) == ("±0.0", "0.0 – 0.0")


@pytest.mark.parametrize(("same", "low", "high"), [
    (0.0, 0.0, 1.0), (1.0, 0.9, 1.0), (0.5, 0.45, 0.55), (-2.0, -2.2, -1.8),
])  # fmt: skip
def test_an_axis_without_spread_stays_where_the_measure_can_be(
    same: float, low: float, high: float
) -> None:
    limits = (0.0, 1.0) if same >= 0 else (None, None)
    for axis in (around([same], limits=limits), spread([same], limits=limits)):
        ticks = axis.ticks()
        assert (ticks[0], ticks[-1]) == (
            pytest.approx(low, abs=0.03),
            pytest.approx(high, abs=0.03),
        )
        assert axis.holds(same)
        assert 3 <= len(ticks) <= 7


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_no_tick_lies_where_a_measure_cannot_go(values: list[float]) -> None:
    for axis in (around(values, limits=(0.0, 1.0)), spread(values, limits=(0.0, 1.0))):
        assert all(0 <= axis.at(value) <= 100 for value in values)
        assert all(-1e-9 <= tick <= 1 + 1e-9 for tick in axis.ticks())

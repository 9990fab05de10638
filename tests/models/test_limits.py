"""The limiter and the budget: how much at once, how much in all."""

import threading
import time

import pytest

from overpaint.errors import CostLimit
from overpaint.models.limits import Budget, Limiter


def test_no_more_are_in_flight_than_the_limit() -> None:
    limiter, flying, most = Limiter(3), [0], [0]

    def fly() -> None:
        with limiter.flight():
            flying[0] += 1
            most[0] = max(most[0], flying[0])
            time.sleep(0.01)
            flying[0] -= 1

    threads = [threading.Thread(target=fly) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most[0] == 3


def test_too_many_halves_the_limit_once_and_answers_raise_it_again() -> None:
    limiter = Limiter(16)
    limiter.too_many(0.2)
    limiter.too_many(0.2)  # sent at the same time: the same news
    assert limiter.limit == 8
    for _ in range(200):
        limiter.answered()
    assert limiter.limit == 16


def test_nobody_takes_off_before_the_pause_is_over() -> None:
    limiter = Limiter(4)
    limiter.too_many(0.15)
    started = time.monotonic()
    with limiter.flight():
        assert time.monotonic() - started >= 0.14


@pytest.mark.slow
def test_a_limit_never_falls_below_one() -> None:
    limiter = Limiter(2)
    for _ in range(5):
        limiter.too_many(0.0)
        time.sleep(0.11)
    assert limiter.limit == 1


def test_a_question_whose_dearest_answer_would_pass_the_limit_is_not_asked() -> None:
    budget = Budget(1.0, spent=0.5)
    with budget.holding(0.4):
        pass
    budget.pay(0.4)
    with pytest.raises(CostLimit, match=r"limit of \$1.00 would be passed: \$0.9000 is spent"):
        budget.holding(0.2).__enter__()
    assert budget.spent == pytest.approx(0.9)


def test_a_question_waits_for_what_others_hold_back() -> None:
    budget = Budget(1.0, spent=0.0)
    held = budget.holding(0.9)
    held.__enter__()
    done = threading.Event()

    def second() -> None:
        with budget.holding(0.9):
            done.set()

    thread = threading.Thread(target=second)
    thread.start()
    assert not done.wait(0.05)
    budget.pay(0.05)  # the answer was far cheaper than its dearest
    held.__exit__(None, None, None)
    assert done.wait(2)
    thread.join()


def test_without_a_limit_nothing_is_held_back() -> None:
    with Budget(None, 5.0).holding(100.0):
        pass

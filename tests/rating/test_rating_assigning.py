"""Assignment: balanced whoever comes, in an order that repeats no source."""

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_study import make_study

from overpaint.rating import raters
from overpaint.rating.assigning import Place, checks, choose, ordered, sequence
from overpaint.rating.book import Book
from overpaint.rating.items import Item, Pool

SIZES = st.integers(1, 40)


@given(items=SIZES, raters=st.integers(1, 25), each=st.integers(1, 40), most=st.integers(1, 12),
       seed=st.integers(0, 99))  # fmt: skip
def test_items_are_given_to_as_many_raters_give_or_take_one(
    items: int, raters: int, each: int, most: int, seed: int
) -> None:
    counts = dict.fromkeys(range(items), 0)
    groups = {n: n % 3 for n in counts}
    for n in range(raters):
        rng = random.Random(f"{seed} {n}")
        chosen = choose(counts, groups, per_item=most, per_rater=each, rng=rng)
        assert len(set(chosen)) == len(chosen) <= each
        for item in chosen:
            counts[item] += 1
        assert max(counts.values()) - min(counts.values()) <= 1
        assert max(counts.values()) <= most
        open_items = sum(count < most for count in counts.values())
        assert len(chosen) == each or not open_items or len(chosen) == items


@given(groups=st.integers(1, 5), size=st.integers(1, 10), each=st.integers(1, 30))
def test_a_rater_sees_as_many_edits_of_each_editor_give_or_take_one(
    groups: int, size: int, each: int
) -> None:
    counts = dict.fromkeys(range(groups * size), 0)
    of = {n: n % groups for n in counts}
    chosen = choose(counts, of, per_item=3, per_rater=each, rng=random.Random(1))
    seen = Counter(of[item] for item in chosen)
    assert max(seen.values()) - min(seen.get(g, 0) for g in range(groups)) <= 1


@given(clusters=st.lists(st.integers(0, 6), min_size=1, max_size=40), seed=st.integers(0, 99))
def test_no_two_neighbours_are_of_one_source_where_that_can_be(
    clusters: list[int], seed: int
) -> None:
    of = dict(enumerate(clusters))
    order = ordered(list(of), of, random.Random(seed))
    assert sorted(order) == sorted(of)
    touching = sum(of[a] == of[b] for a, b in pairwise(order))
    largest = max(Counter(clusters).values())
    assert touching == max(0, 2 * largest - len(clusters) - 1)


def test_the_same_seed_gives_the_same_sequence_and_another_another() -> None:
    of = {n: n // 2 for n in range(40)}

    def drawn(seed: int) -> list[Place]:
        return sequence(list(of), of, repeats=0.1, rng=random.Random(seed))

    assert drawn(1) == drawn(1) != drawn(2)


@given(items=st.integers(4, 60), repeats=st.floats(0, 0.5), seed=st.integers(0, 99))
def test_training_comes_first_and_repeats_come_after_their_first_showing(
    items: int, repeats: float, seed: int
) -> None:
    of: dict[int, int] = {n: n // 3 for n in range(items + 5)}
    places = sequence(
        range(items), of, training=[items, items + 1], gold=[items + 2, items + 3, items + 4],
        repeats=repeats, rng=random.Random(seed),
    )  # fmt: skip
    assert [place.showing for place in places[:2]] == ["training"] * 2
    seen = Counter(place.showing for place in places)
    assert seen["rating"] == items
    assert seen["gold"] == min(3, checks(items))
    first = {place.item: n for n, place in enumerate(places) if place.showing == "rating"}
    for n, place in enumerate(places):
        if place.showing == "repeat":
            assert n > first[place.item]


def test_the_two_edits_of_a_pair_stand_either_way_round() -> None:
    of = {n: n for n in range(200)}
    places = sequence(list(of), of, pairs=True, rng=random.Random(0))
    assert 60 < sum(place.flipped for place in places) < 140


@pytest.mark.parametrize(("people", "per_item", "per_rater"), [
    (30, 15, None), (30, 3, None), (7, 3, None), (2, 3, None), (30, 3, 5),
])  # fmt: skip
def test_whatever_the_number_of_items_everybody_with_a_link_has_as_much_to_rate(
    tmp_path: Path, people: int, per_item: int, per_rater: int | None
) -> None:
    study = make_study(raters=people, per_item=per_item, per_rater=per_rater)
    for items in (1, 2, 3, 5, 9, 10, 11, 29, 31, 61, 119):
        (folder := tmp_path / str(items)).mkdir()
        pool = Pool(
            tuple(Item("", f"sample-{n}", "", (), editor="abc"[n % 3]) for n in range(items))
        )
        with Book.begin(folder, study, pool) as book:
            links = raters.first_links(book)
            query = "SELECT rater, count(*) FROM places GROUP BY rater"
            shares = [count for _, count in book.db.execute(query)]
            given_out = raters.given_out(book)
        assert links[0].role == "admin"
        assert len(shares) == len(links) - 1 <= people, "nobody has nothing to do"
        if per_rater is None:
            assert max(shares) - min(shares) <= 1
            assert set(given_out.values()) == {min(people, per_item)}
            assert len(shares) == min(people, items * per_item)
        else:
            assert max(shares) <= per_rater
            assert max(given_out.values()) - min(given_out.values()) <= 1

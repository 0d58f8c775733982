"""Intervals are exact, count unknown members both ways, and fit what was drawn."""

from math import comb

import pytest

from sitemapaudit.bounds.allocation import MINIMUM, Allocation, allocate
from sitemapaudit.bounds.hypergeometric import fixed_interval
from sitemapaudit.bounds.margin import Margin
from sitemapaudit.bounds.strata import Stratum, estimate, estimate_watched
from sitemapaudit.bounds.tally import Tally
from sitemapaudit.bounds.watched import next_size, prior_size, watched_interval


def fitting(population: int, sampled: int, found: int) -> list[int]:
    """Return the counts that fit a sample, from the definition."""

    def chance(count: int, hits: range) -> float:
        ways = sum(comb(count, hit) * comb(population - count, sampled - hit) for hit in hits)
        return ways / comb(population, sampled)

    return [
        count
        for count in range(found, population - (sampled - found) + 1)
        if chance(count, range(found + 1)) > 0.025
        and chance(count, range(found, sampled + 1)) > 0.025
    ]


@pytest.mark.parametrize(("population", "sampled"), [(1, 1), (30, 7), (60, 40), (151, 12)])
def test_an_interval_has_every_count_that_fits(population: int, sampled: int) -> None:
    for found in range(sampled + 1):
        counts = fitting(population, sampled, found)
        assert fixed_interval(population, sampled, found) == (counts[0], counts[-1])


@pytest.mark.parametrize(
    ("population", "sampled", "found", "percent"),
    [
        (1_000_000, 500, 5, (0.33, 2.32)),
        (2_000, 500, 5, (0.40, 2.10)),
        (500, 500, 5, (1.00, 1.00)),
        (500, 0, 0, (0.00, 100.00)),
        (3_000_000, 100_000, 10_000, (9.82, 10.18)),
    ],
)
def test_the_size_of_the_population_counts(
    population: int, sampled: int, found: int, percent: tuple[float, float]
) -> None:
    low, high = fixed_interval(population, sampled, found)
    assert (round(100 * low / population, 2), round(100 * high / population, 2)) == percent


def test_unknown_members_count_both_ways() -> None:
    sample = Tally(drawn=100, found=60, unknown=10)
    either = estimate([Stratum(5_000, sample, sample)], 0)
    least, _ = fixed_interval(5_000, 100, 60)
    _, most = fixed_interval(5_000, 100, 70)
    assert (either.low, either.high) == (least / 5_000, most / 5_000)
    assert either.share == pytest.approx(60 / 90)


def test_a_group_of_which_nothing_is_known_is_open() -> None:
    nothing = estimate([Stratum(40, Tally(4, 0, 4))], 2)
    assert (nothing.share, nothing.low, nothing.high) == (None, 0, 1)


def test_strata_that_were_taken_whole_are_known() -> None:
    whole = Stratum(4, Tally(4, 3), Tally(1, 0))
    assert estimate([whole, whole], 4).low == estimate([whole, whole], 4).high == 6 / 8


def test_added_members_of_a_stratum_do_not_count_for_the_whole() -> None:
    uniform = Tally(100, 90)
    large = Stratum(10_000, uniform, uniform)
    small = Stratum(500, Tally(10, 0), Tally(1, 0))
    both = estimate([large, small], 10)
    low, high = fixed_interval(10_500, 101, 90)
    assert (both.low, both.high) == (low / 10_500, high / 10_500)
    assert both.share == pytest.approx(90 / 101)
    assert estimate([small], 10).high == fixed_interval(500, 10, 0)[1] / 500


def test_bounds_fit_what_was_drawn_outside_the_uniform_draw() -> None:
    large, small = Tally(90, 0, 0), Tally(10, 10, 0)
    strata = [Stratum(2_000, large, large), Stratum(20, small)]
    found = estimate(strata, 5)
    assert found.low == 10 / 2_020
    assert found.low <= (found.share or 0) <= found.high
    others = [Tally(90, 90, 0), Tally(10, 0, 0)]
    strata = [Stratum(2_000, others[0], others[0]), Stratum(20, others[1])]
    assert estimate(strata, 5).high == 1 - 10 / 2_020


def test_strata_that_the_uniform_draw_missed_are_added_up() -> None:
    missed = Stratum(500, Tally(10, 0))
    group = estimate([missed, missed], 10)
    assert group.high == 2 * fixed_interval(500, 10, 0, 0.975)[1] / 1_000 < 1


@pytest.mark.parametrize(
    ("size", "strata", "allocation"),
    [
        (10, [4, 6], Allocation(10, 0)),
        (500, [50_000, 50_000], Allocation(500, MINIMUM)),
        (500, [100_000, 8], Allocation(492, MINIMUM)),
        (500, [10] * 5_000, Allocation(500, 0)),
    ],
)
def test_a_small_stratum_gets_a_minimum_if_there_is_room(
    size: int, strata: list[int], allocation: Allocation
) -> None:
    assert allocate(size, strata) == allocation


def test_the_minimum_never_takes_more_than_a_quarter() -> None:
    for strata in ([1_000_000] + [30] * 60, [100_000] + [9] * 100, [3] * 300):
        allocation = allocate(400, strata)
        assert allocation.uniform >= 300
        taken_whole = sum(each for each in strata if each <= allocation.minimum)
        assert allocation.uniform + taken_whole <= 400


def test_a_watched_interval_ends_at_the_truth() -> None:
    assert watched_interval(1_000, (100, 3), (1_000, 20)) == (20, 20)
    assert watched_interval(1_000, (100, 3), (100, 3)) == (3, 903)


def test_a_watched_sample_ends_even_if_much_is_unknown() -> None:
    first, sample = Tally(500, 300, 150), Tally(40_000, 24_000, 12_000)
    population = 1_000_000
    assert next_size(population, first, sample, 0.01) is None
    assert next_size(population, first, sample, 0.005) is not None
    watched = estimate_watched([Stratum(population, sample, first=first)])
    assert watched.high - watched.low > 0.3


def test_a_narrow_margin_takes_a_longer_beginning() -> None:
    assert (prior_size(0.05), prior_size(0.01), prior_size(0.001)) == (100, 500, 5_000)


@pytest.mark.parametrize(
    ("drawn", "known", "then"),
    [(0, 0, 500), (500, 450, 1_001), (9_900, 9_000, 10_000), (10_000, 9_000, None)],
)
def test_a_watched_sample_at_most_doubles(drawn: int, known: int, then: int | None) -> None:
    first = Tally(min(drawn, 500), min(known, 450))
    assert next_size(10_000, first, Tally(drawn, known), 0.01 if drawn < 9_000 else 1e-4) == then


@pytest.mark.parametrize(
    ("text", "percent"),
    [("±1%", 1), ("+-0.5%", 0.5), ("+/-2 %", 2), ("1%", None), ("±1", None), ("500", None)],
)
def test_a_margin_is_read(text: str, percent: float | None) -> None:
    margin = Margin.read(text)
    assert (margin and margin.percent) == percent
    assert margin is None or Margin.read(str(margin)) == margin


def test_a_margin_that_no_sample_can_have_is_refused() -> None:
    with pytest.raises(ValueError, match=r"between ±0\.1% and ±20%"):
        Margin.read("±0%")

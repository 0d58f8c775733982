"""An interval that stays valid while a sample grows, no matter how often it is computed."""

from collections.abc import Callable
from math import ceil, lgamma, log

from sitemapaudit.bounds.hypergeometric import CONFIDENCE
from sitemapaudit.bounds.tally import Tally


def prior_size(margin: float) -> int:
    """Return the number of draws that choose the prior, for a share within a margin.

    Few draws leave the prior vague, and many are lost for the interval. With this number the
    sample is at most about a tenth larger than with the best number, which cannot be known.
    """
    return ceil(5 / margin)


def watched_interval(
    population: int,
    first: tuple[int, int],
    sample: tuple[int, int],
    confidence: float = CONFIDENCE,
) -> tuple[int, int]:
    """Return the lowest and highest count in the population that fit a growing sample.

    The members are drawn one after the other without replacement. ``first`` and ``sample`` say how
    many were drawn, and how many of them belong to the class that is counted: at a moment fixed
    beforehand, and now. With a probability of at least ``confidence``, the interval contains the
    true count after every draw at once. So what was found may decide when to stop.

    The interval is a confidence sequence: the ratio of prior and posterior of a count is a
    martingale (Waudby-Smith and Ramdas 2020, section 2), and a count is excluded while its ratio
    is at least 1 / (1 - confidence). The prior of the count among the rest is beta-binomial; the
    first draws choose it, and are not evidence themselves.
    """
    (drawn, found), (drawn_now, found_now) = first, sample
    rest, more, hits = population - drawn, drawn_now - drawn, found_now - found
    misses = more - hits
    prior = found + 1, drawn - found + 1
    chance = _log_beta(prior[0] + hits, prior[1] + misses) - _log_beta(*prior)
    limit = log(1 / (1 - confidence)) - chance - _log_falling(rest, more)

    def fits(count: int) -> bool:
        return -_log_falling(count, hits) - _log_falling(rest - count, misses) < limit

    least, most = hits, rest - misses
    likely = min(max(round(rest * hits / more), least), most) if more else least
    return found + _outermost(fits, likely, least), found + _outermost(fits, likely, most)


def next_size(population: int, first: Tally, sample: Tally, margin: float) -> int | None:
    """Return the next number of draws of a watched sample; None if it is large enough.

    It is large enough if the share is within ``margin`` to either side. Unknown members widen the
    interval of a share however many are drawn, so they are not a reason to go on: only the
    interval without them and the interval with them must be narrow.
    """
    least = min(prior_size(margin), population)
    if sample.drawn < least:
        return least
    intervals = [
        watched_interval(population, first.lowest, sample.lowest),
        watched_interval(population, first.highest, sample.highest),
    ]
    excess = max(high - low for low, high in intervals) / (2 * margin * population)
    if excess <= 1 or sample.drawn >= population:
        return None
    # The width shrinks with the square root of the draws, a little faster with a longer beginning.
    growth = min(max(0.9 * excess**2, 1.05), 2)
    return min(int(sample.drawn * growth) + 1, population)


def _outermost(fits: Callable[[int], bool], inside: int, limit: int) -> int:
    """Return the count nearest to ``limit`` that fits; all between it and ``inside`` fit too."""
    if fits(limit):
        return limit
    while abs(limit - inside) > 1:
        middle = (inside + limit) // 2
        inside, limit = (middle, limit) if fits(middle) else (inside, middle)
    return inside


def _log_falling(total: int, factors: int) -> float:
    """Return the logarithm of ``total * (total - 1) * …`` with this number of factors."""
    return lgamma(total + 1) - lgamma(total - factors + 1)


def _log_beta(first: int, second: int) -> float:
    return lgamma(first) + lgamma(second) - lgamma(first + second)

"""Comparisons of responses, one of each origin."""

from typing import Final

from sitemapaudit.runs.by_origin import merge_by_origin
from sitemapaudit.runs.compared_agents import ComparedAgents
from sitemapaudit.runs.compared_canonicals import ComparedCanonicals

SITE, OTHER = "https://www.example.com", "https://other.example"
PAIRS: Final = (("403", True), ("200", False))


def test_the_last_comparison_of_a_url_counts() -> None:
    first, last = (ComparedAgents(f"{SITE}/", "403", seen, denied) for seen, denied in PAIRS)
    assert merge_by_origin([[first], [last]]) == [last]
    assert merge_by_origin([[last, first]]) == [first]


def test_the_first_url_of_an_origin_counts() -> None:
    first, second, other = (
        ComparedCanonicals(url, [], ["Bingbot"]) for url in (f"{SITE}/b", f"{SITE}/a", f"{OTHER}/c")
    )
    assert merge_by_origin([[first], [other, second]]) == [first, other]

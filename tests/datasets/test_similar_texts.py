"""The pairs of texts that are compared: the same ones, in however many groups they are found."""

from itertools import combinations
from random import Random

import pytest

from sitemapaudit.datasets import similar_texts
from sitemapaudit.items import Page
from tests.datasets.relations import HOME, query_relations
from tests.support.rows import fetched_page

_NAMES = """
    select one.url, two.url
    from (select distinct text, other from similar_texts) as pairs
    join listed_texts as one using (text)
    join listed_texts as two on two.text = pairs.other
"""


def parts_of(random: Random) -> list[str]:
    """Return the eight parts of a fingerprint; some occur in other fingerprints, too."""
    return [
        f"{number if random.random() < 0.2 else random.getrandbits(32):08x}" for number in range(8)
    ]


def pages(fingerprints: list[list[str]]) -> list[Page]:
    return [
        fetched_page(
            f"{HOME}/{number}", words=50, content_hash=f"text {number}", fingerprint="".join(parts)
        )
        for number, parts in enumerate(fingerprints)
    ]


def pairs(monkeypatch: pytest.MonkeyPatch, items: list[Page], at_once: int) -> set[tuple[str, ...]]:
    """Return the URLs of the pairs, in both orders."""
    monkeypatch.setattr(similar_texts, "AT_ONCE", at_once)
    return {*query_relations(items, _NAMES)}


@pytest.mark.parametrize("seed", range(4))
def test_pairs_share_a_part_and_each_shared_part_has_some(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    fingerprints = [parts_of(random) for _ in range(3 + 3 * seed)]
    items = pages(fingerprints)
    found = pairs(monkeypatch, items, 1_000)
    urls = [page.url for page in items]
    sharing = {
        (urls[one], urls[two])
        for one, two in combinations(range(len(urls)), 2)
        if any(a == b for a, b in zip(fingerprints[one], fingerprints[two], strict=True))
    }
    assert found <= sharing | {(two, one) for one, two in sharing}
    assert {url for pair in found for url in pair} == {url for pair in sharing for url in pair}
    for at_once in (1, 2, len(items), 3 * len(items) + 1):
        assert pairs(monkeypatch, items, at_once) == found


def test_texts_without_a_shared_part_have_no_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    one = [f"{number:08x}" for number in range(8)]
    # The same parts in other places are other parts.
    assert pairs(monkeypatch, pages([one, one[1:] + one[:1]]), 1) == set()

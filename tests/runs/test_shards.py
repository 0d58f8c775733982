"""Every URL belongs to one shard, and the shards have equal shares."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.urls.shard import WHOLE, Shard

counts = st.integers(1, 64)


@given(st.text(), counts)
def test_each_url_belongs_to_one_shard(path: str, count: int) -> None:
    url = f"https://www.example.com/{path}"
    owners = [shard for shard in shards(count) if shard.owns(url)]
    assert len(owners) == 1
    assert all(shard.index_of(url) == owners[0].index for shard in shards(count))


@pytest.mark.parametrize("count", [2, 3, 8])
def test_shares_are_even(count: int) -> None:
    # A share of 2,500 has a standard deviation of 50: five are exceeded once in a million draws.
    urls = [f"https://www.example.com/page/{number}" for number in range(2_500 * count)]
    for shard in shards(count):
        assert abs(sum(map(shard.owns, urls)) - 2_500) < 250


def test_the_split_is_the_same_on_every_machine() -> None:
    urls = [f"https://www.example.com/{number}" for number in range(12)]
    assert [Shard(1, 4).index_of(url) for url in urls] == [2, 2, 3, 4, 3, 1, 3, 1, 2, 4, 3, 3]


@given(st.integers(0, 10_000), counts)
def test_the_shares_of_a_number_add_up(total: int, count: int) -> None:
    parts = [shard.share_of(total) for shard in shards(count)]
    assert sum(parts) == total
    assert max(parts) - min(parts) <= 1


def test_the_only_shard_is_the_whole() -> None:
    assert Shard.read(" 1/1 ") == WHOLE
    assert str(WHOLE) == "1/1"


def shards(count: int) -> list[Shard]:
    return [Shard(index, count) for index in range(1, count + 1)]

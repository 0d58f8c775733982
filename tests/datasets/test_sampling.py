"""A sample has the requested size, a minimum of each stratum, and is reproducible."""

from pathlib import Path

import pytest

from sitemapaudit.bounds.margin import Margin
from sitemapaudit.datasets.samples.sampling import SampleChoice, draw_more, draw_sample
from sitemapaudit.items import SkipReason
from sitemapaudit.runs.ledger.ledger import Ledger
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_run

HOST = "https://www.example.com"


def write_ledger(folder: Path, sizes: list[int]) -> None:
    """Write a ledger with sitemaps of these sizes."""
    log = Ledger(folder)
    for number, size in enumerate(sizes):
        locs = [f"{HOST}/{number}/{entry}" for entry in range(size)]
        log.append(listed(*locs, sitemap=f"{HOST}/{number}.xml"))
    log.close()


def counts(sample: list[str]) -> dict[str, int]:
    """Return how many URLs of each sitemap a sample contains."""
    names = [url.split("/")[3] for url in sample]
    return {name: names.count(name) for name in sorted(set(names))}


@pytest.mark.parametrize(
    ("sizes", "size", "expected"),
    [
        ([2, 1000], 10, {"0": 2, "1": 8}),
        ([1000, 1], 10, {"0": 9, "1": 1}),
        ([3, 3, 3], 100, {"0": 3, "1": 3, "2": 3}),
        ([1000, 2, 2], 8, {"0": 6, "1": 1, "2": 1}),
    ],
)
def test_each_sitemap_is_represented(
    tmp_path: Path, sizes: list[int], size: int, expected: dict[str, int]
) -> None:
    write_ledger(tmp_path, sizes)
    assert counts(draw_sample(tmp_path, SampleChoice(size), 256)) == expected


def test_each_template_of_a_sitemap_is_represented(tmp_path: Path) -> None:
    log = Ledger(tmp_path)
    locs = [f"{HOST}/{number}" for number in range(1000)]
    log.append(listed(*locs, *(f"{HOST}/shop/{number}.html" for number in range(20))))
    log.close()
    sample = draw_sample(tmp_path, SampleChoice(40), 256)
    assert len(sample) == 40
    # A uniform draw takes 1 on the average.
    assert sum(url.endswith(".html") for url in sample) == 10


def test_a_large_sample_is_spread_in_proportion(tmp_path: Path) -> None:
    write_ledger(tmp_path, [9_000, 1_000])
    spread = counts(draw_sample(tmp_path, SampleChoice(1_000), 256))
    assert 870 < spread["0"] < 930


def test_a_sample_grows_until_the_share_is_known(tmp_path: Path) -> None:
    write_ledger(tmp_path, [9_000, 1_000])
    choice = SampleChoice(None, Margin(2))
    drawn: list[str] = []
    sizes = []
    log = Ledger(tmp_path)
    while more := draw_more(tmp_path, choice, len(drawn), 256):
        drawn += more
        sizes.append(len(drawn))
        for url in more:
            log.append(fetched_page(url, 404 if url.endswith("0") else 200))
    log.close()
    assert sizes[0] == 250
    assert 1_500 < len(set(drawn)) == len(drawn) < 4_000
    assert {url.split("/")[3] for url in drawn[:250]} == {"0", "1"}


def test_the_seed_determines_the_sample(tmp_path: Path) -> None:
    write_ledger(tmp_path, [100, 100])
    first, again, other = (
        draw_sample(tmp_path, SampleChoice(10, seed=seed), 256) for seed in (1, 1, 2)
    )
    assert first == again
    assert set(first) != set(other)


def test_skipped_urls_are_not_drawn(tmp_path: Path) -> None:
    entries = listed(*(f"{HOST}/{number}" for number in range(10)))
    for entry in entries.rows[:7]:
        entry.skip_reason = SkipReason.EXCLUDE
    log = Ledger(tmp_path)
    log.append(entries)
    log.close()
    assert sorted(draw_sample(tmp_path, SampleChoice(100), 256)) == [
        f"{HOST}/{n}" for n in (7, 8, 9)
    ]


def test_urls_outside_the_sample_are_skipped_in_the_tables(tmp_path: Path) -> None:
    entries = listed(*(f"{HOST}/{number}" for number in range(10)))
    run = build_run(tmp_path, [entries], pages=4)
    sample = draw_sample(tmp_path, SampleChoice(4), 256)
    outside = run.urls[run.urls["skip_reason"] == "sample"]["url"].tolist()
    assert sorted(outside + sample) == sorted(run.urls["url"])
    assert run.manifest.unchecked_urls == 4


def test_a_limited_sample_is_the_sample_of_the_size_that_the_limit_leaves(tmp_path: Path) -> None:
    write_ledger(tmp_path, [1_000, 2, 2])
    limited = SampleChoice(400, limit=8)
    assert draw_sample(tmp_path, limited, 256) == draw_sample(tmp_path, SampleChoice(8), 256)
    assert len(draw_sample(tmp_path, SampleChoice(400, limit=500), 256)) == 400

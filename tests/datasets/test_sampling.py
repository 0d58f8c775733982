"""A sample has the requested size, is spread over the sitemaps, and is reproducible."""

from pathlib import Path

import pytest

from sitemapaudit.datasets.sampling import draw_sample
from sitemapaudit.items import SkipReason
from sitemapaudit.runs.ledger import Ledger
from tests.support import build_run, listed

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
        ([1000, 1000], 10, {"0": 5, "1": 5}),
        ([1000, 1], 10, {"0": 9, "1": 1}),
        ([3, 3, 3], 100, {"0": 3, "1": 3, "2": 3}),
        ([1000, 2, 2], 8, {"0": 4, "1": 2, "2": 2}),
    ],
)
def test_each_sitemap_is_represented(
    tmp_path: Path, sizes: list[int], size: int, expected: dict[str, int]
) -> None:
    write_ledger(tmp_path, sizes)
    assert counts(draw_sample(tmp_path, size, 0, 256)) == expected


def test_the_seed_determines_the_sample(tmp_path: Path) -> None:
    write_ledger(tmp_path, [100, 100])
    first, again, other = (draw_sample(tmp_path, 10, seed, 256) for seed in (1, 1, 2))
    assert first == again
    assert set(first) != set(other)


def test_skipped_urls_are_not_drawn(tmp_path: Path) -> None:
    entries = listed(*(f"{HOST}/{number}" for number in range(10)))
    for entry in entries.rows[:7]:
        entry.skip_reason = SkipReason.EXCLUDE
    log = Ledger(tmp_path)
    log.append(entries)
    log.close()
    assert sorted(draw_sample(tmp_path, 100, 0, 256)) == [f"{HOST}/{n}" for n in (7, 8, 9)]


def test_urls_outside_the_sample_are_skipped_in_the_tables(tmp_path: Path) -> None:
    entries = listed(*(f"{HOST}/{number}" for number in range(10)))
    run = build_run(tmp_path, [entries], pages=4)
    sample = draw_sample(tmp_path, 4, 0, 256)
    outside = run.urls[run.urls["skip_reason"] == "sample"]["url"].tolist()
    assert sorted(outside + sample) == sorted(run.urls["url"])
    assert run.manifest.unchecked_urls == 4

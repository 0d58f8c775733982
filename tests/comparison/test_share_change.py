"""A change of the share between sampled runs is told apart from chance."""

from pathlib import Path

import pytest

from sitemapaudit.comparison.share_change import compare_shares
from sitemapaudit.datasets.run import Run
from sitemapaudit.report.wording import describe_share_change
from tests.support.commands import run_in_process
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_run

LOCS = [f"https://www.example.com/{number}" for number in range(2_000)]


def run_with(folder: Path, gone: int, pages: int | str = 150) -> Run:
    """Return a run of a site where every so-manieth of 20 pages is gone."""
    found = [
        fetched_page(url, 404 if number % 20 < gone else 200) for number, url in enumerate(LOCS)
    ]
    return build_run(folder, [listed(*LOCS), *found], pages=pages)


@pytest.mark.parametrize(
    ("then", "now", "more"), [(1, 1, False), (1, 2, False), (1, 6, True), (6, 1, True)]
)
def test_small_changes_may_be_chance(tmp_path: Path, then: int, now: int, more: bool) -> None:
    old, new = run_with(tmp_path / "old", then), run_with(tmp_path / "new", now)
    change = compare_shares(old.manifest, new.manifest)
    assert change is not None
    assert change.is_more_than_chance is more
    assert change.low < (then - now) / 20 < change.high


def test_a_whole_run_has_no_chance(tmp_path: Path) -> None:
    old = run_with(tmp_path / "old", 1, "all")
    new = run_with(tmp_path / "new", 2)
    change = compare_shares(old.manifest, new.manifest)
    assert change is not None
    assert change.before == 0.95
    assert compare_shares(old.manifest, old.manifest) is None
    assert new.manifest.sample is not None
    wide, narrow = new.manifest.sample.for_comparison, new.manifest.sample.indexable
    assert wide is not None
    assert narrow is not None
    assert (change.low, change.high) == (wide.low - 0.95, wide.high - 0.95)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_the_command_says_so(tmp_path: Path) -> None:
    site = tmp_path / "www.example.com"
    old = run_with(site / "2026-11-20T12-00-00Z", 1)
    new = run_with(site / "2026-11-21T12-00-00Z", 6)
    output = run_in_process("compare", str(old.path), str(new.path)).stdout
    change = compare_shares(old.manifest, new.manifest)
    assert change is not None
    sentence = describe_share_change(change)
    assert "the change is more than chance (\N{MINUS SIGN}" in sentence
    assert sentence in output
    assert sentence in (new.path / "report.html").read_text(encoding="utf-8")

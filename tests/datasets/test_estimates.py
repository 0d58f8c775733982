"""The table of estimates says what a sample tells about each verdict and rule, and where."""

from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.bounds.hypergeometric import fixed_interval
from sitemapaudit.bounds.margin import Margin
from sitemapaudit.bounds.watched import watched_interval
from sitemapaudit.datasets.run import Run
from sitemapaudit.datasets.samples.sampling import SampleChoice, draw_more, draw_sample
from sitemapaudit.items import Error, Page, Verdict
from sitemapaudit.runs.ledger.ledger import Ledger
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_run

HOST = "https://www.example.com"
LOCS = [f"{HOST}/{number}" for number in range(2_000)]
SHOP = [f"{HOST}/shop/{number}.html" for number in range(6)]


def respond(url: str) -> Page:
    """Every fifth page is gone, every page of the shop too, and every 50th cannot be reached."""
    if url.endswith("49"):
        return Page(url, error=Error.TIMEOUT, verdict=Verdict.UNREACHABLE)
    return fetched_page(url, 404 if url.endswith(("0", "5", ".html")) else 200)


def sampled_run(folder: Path, pages: int | str, **values: Any) -> tuple[Run, list[str]]:
    """Return a run that fetched a sample of two sitemaps, and the sample."""
    items = [listed(*LOCS, sitemap=f"{HOST}/a.xml"), listed(*SHOP, sitemap=f"{HOST}/b.xml")]
    log = Ledger(folder / "draw")
    for item in items:
        log.append(item)
    drawn: list[str] = []
    if isinstance(pages, int):
        drawn = draw_sample(folder / "draw", SampleChoice(pages), 256)
    while isinstance(pages, str):
        more = draw_more(folder / "draw", SampleChoice(None, Margin(5)), len(drawn), 256)
        if not more:
            break
        for url in more:
            log.append(respond(url))
        drawn += more
    log.close()
    return build_run(folder / "run", [*items, *map(respond, drawn)], pages=pages, **values), drawn


def row_of(run: Run, name: str, scope: str = "all", place: str | None = None) -> Any:
    """Return the only row of the table about a class and a place."""
    rows = run.estimates
    rows = rows[(rows["name"] == name) & (rows["scope"] == scope)]
    rows = rows[rows["place"].isna() if place is None else rows["place"] == place]
    (row,) = rows.to_dict("records")
    return row


def test_bounds_of_all_urls_come_from_the_uniform_draw_and_small_strata(tmp_path: Path) -> None:
    run, drawn = sampled_run(tmp_path, 200)
    others = [url for url in drawn if "/shop/" not in url]
    assert len(drawn) == 200
    assert len(others) == 194
    verdicts = [respond(url).verdict for url in others]
    found, unknown = verdicts.count(Verdict.NOT_FOUND), verdicts.count(Verdict.UNREACHABLE)
    low, _ = fixed_interval(2_000, 194, found)
    _, high = fixed_interval(2_000, 194, found + unknown)
    row = row_of(run, "not-found")
    assert (row["sampled"], row["population"], row["unknown"]) == (200, 2_006, unknown)
    assert row["found"] == found + 6
    assert (row["low"], row["high"]) == ((low + 6) / 2_006, (high + 6) / 2_006)
    assert row["share"] == pytest.approx((2_000 * found / (194 - unknown) + 6) / 2_006)


def test_an_unreachable_page_is_known_to_be_unreachable(tmp_path: Path) -> None:
    run, drawn = sampled_run(tmp_path, 500)
    row = row_of(run, "unreachable")
    assert row["unknown"] == 0
    assert row["found"] == sum(url.endswith("49") for url in drawn) > 0


def test_places_have_bounds_of_their_own(tmp_path: Path) -> None:
    run, _ = sampled_run(tmp_path, 200)
    shop = row_of(run, "indexable", "template", "www.example.com/shop/*.html")
    assert (shop["share"], shop["low"], shop["high"], shop["sampled"]) == (0, 0, 0, 6)
    sitemap = row_of(run, "indexable", "sitemap", f"{HOST}/a.xml")
    assert sitemap["population"] == 2_000
    assert sitemap["low"] < 0.8 - 0.02 < 0.8 < sitemap["high"]
    scopes = run.estimates.groupby("scope")["place"].nunique().to_dict()
    assert scopes == {"all": 0, "sitemap": 2, "template": 2}


def test_rules_have_bounds_even_if_they_found_nothing(tmp_path: Path) -> None:
    run, drawn = sampled_run(tmp_path, 200, rules={})
    gone = row_of(run, "page-not-found")
    assert gone["found"] == row_of(run, "not-found")["found"] > 0
    assert gone["unknown"] == sum(url.endswith("49") for url in drawn)
    none = row_of(run, "noindex-meta")
    assert (none["kind"], none["found"], none["low"]) == ("rule", 0, 0)
    assert 0 < none["high"] < 0.05
    assert not {"loc-duplicate", "page-soft-404"} & set(run.estimates["name"])


def test_a_sample_that_grew_has_bounds_that_hold_at_its_end(tmp_path: Path) -> None:
    run, drawn = sampled_run(tmp_path, "±5%")
    row = row_of(run, "not-found")
    verdicts = [respond(url).verdict for url in drawn]
    first = verdicts[:100]
    low, _ = watched_interval(
        2_006, (100, first.count(Verdict.NOT_FOUND)), (len(drawn), row["found"])
    )
    assert row["found"] == verdicts.count(Verdict.NOT_FOUND)
    assert (row["sampled"], row["low"]) == (len(drawn), low / 2_006)
    assert run.manifest.sample is not None
    assert run.manifest.sample.margin == "±5%"
    assert run.manifest.unchecked_urls == 0


def test_the_manifest_has_the_bounds(tmp_path: Path) -> None:
    run, _ = sampled_run(tmp_path, 200)
    row = row_of(run, "indexable")
    share = run.manifest.share
    assert share.bounds is not None
    assert (share.bounds.low, share.bounds.high) == (row["low"], row["high"])
    assert share.summary().bounds == share.bounds
    assert (tmp_path / "run" / "estimates.csv").read_text(encoding="utf-8").count("\n") == 1 + len(
        run.estimates
    )


def test_a_run_without_a_sample_has_no_estimates(tmp_path: Path) -> None:
    run, _ = sampled_run(tmp_path, 10)
    assert run.estimates["sampled"].max() == 10
    whole = build_run(tmp_path / "whole", [listed(*SHOP), *map(respond, SHOP)])
    assert whole.manifest.sample is None
    assert whole.manifest.share.summary().bounds is None
    with pytest.raises(FileNotFoundError, match="pages=500"):
        _ = whole.estimates


def test_one_shard_has_no_estimates(tmp_path: Path) -> None:
    run, _ = sampled_run(tmp_path, 50, shard="1/2")
    sample = run.manifest.sample
    assert sample is not None
    assert "one shard" in (sample.fault or "")
    assert not sample.verdicts
    assert run.estimates.empty

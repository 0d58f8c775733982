"""Arguments and limits: which URLs are fetched, and what is reported of the others."""

import json
import re
from pathlib import Path

import pytest

from tests.sites.website import Website
from tests.support.audits import Audited, crawl
from tests.support.settings import NO_RULES, QUICK

PAGES = ("/a/", "/b/")
ONE_RULE = {"AUDIT_RULES": json.dumps(NO_RULES | {"audit-incomplete": "notice"})}
"""For tests of what makes an audit incomplete."""


def audit(
    tmp_path: Path, arguments: dict[str, str], settings: dict[str, str] | None = None
) -> tuple[Audited, Website]:
    with Website("listing") as website:
        return crawl(tmp_path, {"site": website.origin, **arguments}, settings), website


def sample(tmp_path: Path, website: Website, seed: str) -> frozenset[str]:
    """Return the paths in a sample of two URLs."""
    arguments = {"site": website.origin, "pages": "2"}
    audited = crawl(tmp_path, arguments, {"AUDIT_SEED": seed, **QUICK})
    assert audited.status == 0
    assert len(skipped_paths(audited)["sample"]) == 4
    checked = audited.run.urls[audited.run.urls["verdict"] == "indexable"]
    return frozenset(url.removeprefix(website.origin) for url in checked["url"])


def skipped_paths(audited: Audited) -> dict[str, list[str]]:
    """Return the paths that were skipped, by reason."""
    urls = audited.run.urls
    unchecked = urls[urls["verdict"] == "unchecked"]
    return {
        str(reason): sorted(re.sub(r"^http://[^/]+", "", url) for url in group["url"])
        for reason, group in unchecked.groupby("skip_reason")
    }


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"pages": "none"}, {"pages": ["/a/1", "/a/2", "/a/3", "/b/1", "/b/2", "/b/3"]}),
        (
            {"exclude": "/b/2$", "since": "2026-06-01"},
            {"exclude": ["/b/2"], "since": ["/a/1", "/a/3", "/b/3"]},
        ),
        (
            {"include": "/a/", "exclude": "/[12]$"},
            {"exclude": ["/a/1", "/a/2"], "include": ["/b/1", "/b/2", "/b/3"]},
        ),
    ],
)
def test_urls_that_the_user_skips_are_not_a_finding(
    tmp_path: Path, arguments: dict[str, str], expected: dict[str, list[str]]
) -> None:
    audited, _ = audit(tmp_path, arguments, ONE_RULE)
    assert skipped_paths(audited) == expected
    assert audited.status == 0
    assert "audit-incomplete" not in dict(audited.findings())
    assert audited.run.manifest.complete


def test_a_sample_is_random_and_depends_on_the_seed(tmp_path: Path) -> None:
    with Website("listing") as website:
        first, again = (sample(tmp_path / name, website, "0") for name in ("first", "again"))
        assert first == again
        samples = {first}
        # Two pages are too few for a minimum of each sitemap.
        for seed in "12345678":
            if len(samples) > 1 and {path[:3] for paths in samples for path in paths} == {*PAGES}:
                break
            samples.add(sample(tmp_path / seed, website, seed))
        else:
            pytest.fail(f"always {samples}")


def test_each_url_is_fetched_by_one_shard(tmp_path: Path) -> None:
    settings = {**QUICK, "AUDIT_RESULTS": "later"}
    with Website("listing") as website:
        for index in (1, 2, 3):
            arguments = {"site": website.origin, "shard": f"{index}/3"}
            assert crawl(tmp_path / str(index), arguments, settings).status == 0
        pages = {path: times for path, times in website.requests().items() if path[:3] in PAGES}
    assert pages == dict.fromkeys(("/a/1", "/a/2", "/a/3", "/b/1", "/b/2", "/b/3"), 1)


@pytest.mark.parametrize(
    ("settings", "unchecked", "unread"),
    [
        ({"AUDIT_MAX_URLS": "2", "AUDIT_MAX_SITEMAPS": "2"}, 1, 1),
        ({"AUDIT_MAX_DEPTH": "0"}, 0, 2),
    ],
)
def test_a_limit_makes_the_audit_incomplete_and_is_reported(
    tmp_path: Path, settings: dict[str, str], unchecked: int, unread: int
) -> None:
    audited, _ = audit(tmp_path, {}, ONE_RULE | settings)
    manifest = audited.run.manifest
    assert audited.status == 3
    assert not manifest.complete
    assert (manifest.unchecked_urls, manifest.unread_sitemaps) == (unchecked, unread)
    assert "audit-incomplete" in dict(audited.findings())
    assert [name for name in settings if name not in audited.output] == []


@pytest.mark.parametrize("limit", [{"CLOSESPIDER_PAGECOUNT": "2"}, {"CLOSESPIDER_ITEMCOUNT": "2"}])
def test_a_limit_of_scrapy_ends_the_run_and_is_reported(
    tmp_path: Path, limit: dict[str, str]
) -> None:
    audited, _ = audit(tmp_path, {}, {**limit, "CONCURRENT_REQUESTS": "1", **QUICK})
    assert audited.status == 3
    assert audited.run.manifest.status == "interrupted"
    assert f"{next(iter(limit))} was reached" in audited.output
    assert len(audited.run.urls) == sum(audited.run.manifest.verdicts.values())


@pytest.mark.parametrize(
    ("follow", "expected"),
    [
        ("redirect,hreflang", {"/moved-to", "/german"}),
        ("canonical", {"/canonical-of"}),
        ("none", set()),
    ],
)
def test_only_the_chosen_targets_are_fetched(
    tmp_path: Path, follow: str, expected: set[str]
) -> None:
    with Website("targets") as website:
        settings = {**QUICK, "AUDIT_RESULTS": "later"}
        audited = crawl(tmp_path, {"site": website.origin, "follow": follow}, settings)
    assert audited.status == 0
    targets = {"/moved-to", "/canonical-of", "/german"}
    assert targets & website.requests().keys() == expected


def test_of_a_given_sitemap_only_its_pages_are_fetched(tmp_path: Path) -> None:
    with Website("listing") as website:
        audited = crawl(tmp_path, {"sitemap": f"{website.origin}/a.xml"}, QUICK)
    assert audited.status == 0
    fetched = {path for path in website.requests() if not re.fullmatch("/[0-9a-f]{24}", path)}
    assert fetched == {"/robots.txt", "/a.xml", "/a/1", "/a/2", "/a/3"}
    assert audited.run.sitemaps["source"].tolist() == ["given"]


def test_agent_selects_the_group_and_the_directives_that_count(tmp_path: Path) -> None:
    with Website("directives") as website:
        audited = crawl(tmp_path, {"site": website.origin, "agent": "bingbot"}, QUICK)
    verdicts = dict(zip(audited.run.urls["url"], audited.run.urls["verdict"], strict=True))
    assert verdicts[f"{website.origin}/other"] == "noindex"
    assert verdicts[f"{website.origin}/google"] == "indexable"

"""Feeds of Scrapy hold the rows of the tables: entries one by one, findings and verdicts too."""

import csv
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import open_run
from sitemapaudit.feeds import named_item
from sitemapaudit.items import Entry, Finding, Page, Rendering, Robots, Sitemap, Url
from tests.sites.website import Website
from tests.support import Audited, crawl, scrapy

pytestmark = pytest.mark.xdist_group("feeds")

FEEDS: dict[str, dict[str, Any]] = {
    "pages.jsonl": {},
    "entries.jsonl": {},
    "findings.jsonl": {},
    "urls.jsonl": {},
    "sitemaps-as-read.jsonl": {},
    "everything.jsonl": {},
    "chosen.jsonl": {
        "item_classes": ["sitemapaudit.items.Page", "sitemapaudit.items.Finding"],
    },
    # What is asked for counts more than the name of the file.
    "pages-by-name-only.jsonl": {"item_classes": ["sitemapaudit.items.Robots"]},
    "findings-%(batch_id)d.json": {"format": "json", "batch_item_count": 1},
    "findings.csv": {"format": "csv"},
    "pages.csv": {"format": "csv", "fields": ["url", "status", "verdict"]},
}


@pytest.fixture(scope="module")
def fed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Audited]:
    """Audit a website with many feeds; return their folder too."""
    folder = tmp_path_factory.mktemp("feeds")
    feeds = {
        str(folder / name): {"format": "jsonlines", **options} for name, options in FEEDS.items()
    }
    with Website("repeats") as website:
        audited = crawl(folder / "audits", {"site": website.origin}, {"FEEDS": json.dumps(feeds)})
    assert audited.status == 0
    assert "Traceback" not in audited.log
    return folder, audited


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def alike(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Return rows in a form that does not depend on their order."""
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def table(audited: Audited, name: str) -> list[dict[str, Any]]:
    """Return a table as JSON shows it."""
    done = scrapy("report", str(audited.run.path), "-s", "AUDIT_FORMATS=jsonl")
    assert done.returncode == 0
    return lines(audited.run.path / f"{name}.jsonl")


def test_findings_are_those_of_the_table_in_its_order(fed: tuple[Path, Audited]) -> None:
    folder, audited = fed
    expected = table(audited, "findings")
    assert {row["rule"] for row in expected} >= {"loc-duplicate", "url-in-multiple-sitemaps"}
    assert lines(folder / "findings.jsonl") == expected


def test_verdicts_are_those_of_the_table(fed: tuple[Path, Audited]) -> None:
    folder, audited = fed
    fields = ("url", "verdict", "indexable", "sitemaps", "rules")
    told = [{name: row[name] for name in fields} for row in lines(folder / "urls.jsonl")]
    expected = [{name: row[name] for name in fields} for row in table(audited, "urls")]
    assert told == expected
    dates = [row["lastmod"] for row in lines(folder / "urls.jsonl") if row["lastmod"]]
    assert dates
    assert all(date.endswith("+00:00") for date in dates)


def test_entries_are_rows(fed: tuple[Path, Audited]) -> None:
    folder, audited = fed
    told = lines(folder / "entries.jsonl")
    entries = audited.run.entries
    assert Counter((row["sitemap"], row["position"], row["loc"]) for row in told) == Counter(
        zip(entries["sitemap"], entries["position"], entries["loc"], strict=True)
    )
    assert told[0].keys() == set(entries.columns)


def test_pages_are_rows(fed: tuple[Path, Audited]) -> None:
    folder, audited = fed
    told = lines(folder / "pages.jsonl")
    pages = audited.run.pages
    assert {row["url"]: row["verdict"] for row in told} == dict(
        zip(pages["url"], pages["verdict"], strict=True)
    )
    assert len(told) == len(pages)


def test_a_name_that_begins_with_that_of_a_table_chooses(fed: tuple[Path, Audited]) -> None:
    folder, audited = fed
    # A sitemap is told of when it is begun, and once more when it was read.
    told = {row["sitemap"] for row in lines(folder / "sitemaps-as-read.jsonl")}
    assert told == set(audited.run.sitemaps["sitemap"])


def test_item_classes_choose(fed: tuple[Path, Audited]) -> None:
    folder, _ = fed
    expected = lines(folder / "pages.jsonl") + lines(folder / "findings.jsonl")
    assert alike(lines(folder / "chosen.jsonl")) == alike(expected)
    (robots,) = lines(folder / "pages-by-name-only.jsonl")
    assert robots["permission"] == "rules"


def test_a_feed_that_does_not_choose_gets_all(fed: tuple[Path, Audited]) -> None:
    folder, _ = fed
    parts = ("pages", "entries", "findings", "urls", "sitemaps-as-read", "pages-by-name-only")
    expected = [row for part in parts for row in lines(folder / f"{part}.jsonl")]
    assert alike(lines(folder / "everything.jsonl")) == alike(expected)


def test_findings_come_in_batches_if_asked_for(fed: tuple[Path, Audited]) -> None:
    folder, _ = fed
    expected = lines(folder / "findings.jsonl")
    batches = [
        json.loads((folder / f"findings-{number}.json").read_text())
        for number in range(1, len(expected) + 1)
    ]
    assert batches == [[row] for row in expected]


def test_other_formats_of_scrapy_work(fed: tuple[Path, Audited]) -> None:
    folder, _ = fed
    with (folder / "findings.csv").open(newline="") as file:
        told = [row["message"] for row in csv.DictReader(file)]
    assert told == [row["message"] for row in lines(folder / "findings.jsonl")]
    with (folder / "pages.csv").open(newline="") as file:
        pages = list(csv.DictReader(file))
    assert pages == [
        {"url": row["url"], "status": str(row["status"]), "verdict": row["verdict"]}
        for row in lines(folder / "pages.jsonl")
    ]


def test_output_by_the_option_of_the_command_line(tmp_path: Path) -> None:
    pages, findings = tmp_path / "pages.jsonl", tmp_path / "findings.json"
    with Website("repeats") as website:
        site = ["-a", f"site={website.origin}", "-s", f"AUDIT_DIR={tmp_path / 'audits'}"]
        done = scrapy("crawl", "sitemap", *site, "-o", str(pages), "-o", str(findings))
    assert done.returncode == 0
    run = open_run(tmp_path / "audits")
    assert {row["url"] for row in lines(pages)} == set(run.pages["url"])
    assert [row["rule"] for row in json.loads(findings.read_text())] == list(run.findings["rule"])


@pytest.mark.parametrize(
    ("uri", "item"),
    [
        ("pages.jsonl", Page),
        ("/tmp/out/pages.csv", Page),
        ("findings_%(time)s.json", Finding),
        ("s3://bucket/site/urls.jsonl.gz", Url),
        ("gs://bucket/%(name)s/entries-%(batch_id)05d.jsonl", Entry),
        ("file:///tmp/sitemaps.xml", Sitemap),
        ("robots.jsonl", Robots),
        ("renderings.jsonl", Rendering),
        ("out.jsonl", None),
        ("pagespeed.jsonl", None),
        ("s3://pages/out.jsonl", None),
        ("stdout:", None),
    ],
)
def test_the_name_of_a_file_may_say_what_it_holds(uri: str, item: type | None) -> None:
    assert named_item(uri) is item

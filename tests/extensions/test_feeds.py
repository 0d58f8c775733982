"""Feeds of Scrapy contain the rows of the tables: entries one by one, verdicts and findings too."""

import csv
import json
import os
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from scrapy.exporters import JsonLinesItemExporter
from scrapy.settings import Settings

from sitemapaudit import open_run
from sitemapaudit.config import ConfigError
from sitemapaudit.config.scrapy_settings import check_types
from sitemapaudit.extensions.feed_exporter import item_for_feed
from sitemapaudit.items import Entry, Finding, Page, Rendering, Robots, Sitemap, Url
from tests.sites.website import Website
from tests.support.audits import Audited, crawl
from tests.support.commands import scrapy

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
    # An explicit choice takes precedence over the name of the file.
    "pages-by-name-only.jsonl": {"item_classes": ["sitemapaudit.items.Robots"]},
    "findings-%(batch_id)d.json": {"format": "json", "batch_item_count": 1},
    "findings.csv": {"format": "csv"},
    "pages.csv": {"format": "csv", "fields": ["url", "status", "verdict"]},
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Audited]:
    """Audit a website with many feeds; return the folder of the feeds and the audit."""
    folder = tmp_path_factory.mktemp("feeds")
    feeds = {
        str(folder / name): {"format": "jsonlines", **options} for name, options in FEEDS.items()
    }
    with Website("repeats") as website:
        settings = {"FEEDS": json.dumps(feeds), "AUDIT_FORMATS": "jsonl"}
        audited = crawl(folder / "audits", {"site": website.origin}, settings)
    assert audited.status == 0
    assert "Traceback" not in audited.log
    return folder, audited


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def in_any_order(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Return rows as texts that can be compared whatever their order."""
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def table(audited: Audited, name: str) -> list[dict[str, Any]]:
    """Return the rows of a table as JSON."""
    return lines(audited.run.path / f"{name}.jsonl")


def test_findings_are_those_of_the_table_in_the_same_order(exported: tuple[Path, Audited]) -> None:
    folder, audited = exported
    expected = table(audited, "findings")
    assert {row["rule"] for row in expected} >= {"loc-duplicate", "url-in-multiple-sitemaps"}
    assert lines(folder / "findings.jsonl") == expected


def test_verdicts_are_those_of_the_table(exported: tuple[Path, Audited]) -> None:
    folder, audited = exported
    fields = ("url", "verdict", "indexable", "sitemaps", "rules")
    found = [{name: row[name] for name in fields} for row in lines(folder / "urls.jsonl")]
    expected = [{name: row[name] for name in fields} for row in table(audited, "urls")]
    assert found == expected
    dates = [row["lastmod"] for row in lines(folder / "urls.jsonl") if row["lastmod"]]
    assert dates
    assert all(date.endswith("+00:00") for date in dates)


def test_entries_are_rows(exported: tuple[Path, Audited]) -> None:
    folder, audited = exported
    found = lines(folder / "entries.jsonl")
    entries = audited.run.entries
    assert Counter((row["sitemap"], row["position"], row["loc"]) for row in found) == Counter(
        zip(entries["sitemap"], entries["position"], entries["loc"], strict=True)
    )
    assert found[0].keys() == set(entries.columns)


def test_pages_are_rows(exported: tuple[Path, Audited]) -> None:
    folder, audited = exported
    found = lines(folder / "pages.jsonl")
    pages = audited.run.pages
    assert {row["url"]: row["verdict"] for row in found} == dict(
        zip(pages["url"], pages["verdict"], strict=True)
    )
    assert len(found) == len(pages)


def test_a_file_name_that_begins_with_the_name_of_a_table_selects_its_rows(
    exported: tuple[Path, Audited],
) -> None:
    folder, audited = exported
    # A sitemap has a row when reading begins, and another one at the end.
    found = {row["sitemap"] for row in lines(folder / "sitemaps-as-read.jsonl")}
    assert found == set(audited.run.sitemaps["sitemap"])


def test_item_classes_select_rows(exported: tuple[Path, Audited]) -> None:
    folder, _ = exported
    expected = lines(folder / "pages.jsonl") + lines(folder / "findings.jsonl")
    assert in_any_order(lines(folder / "chosen.jsonl")) == in_any_order(expected)
    (robots,) = lines(folder / "pages-by-name-only.jsonl")
    assert robots["permission"] == "rules"


def test_a_feed_without_a_choice_contains_everything(exported: tuple[Path, Audited]) -> None:
    folder, _ = exported
    parts = ("pages", "entries", "findings", "urls", "sitemaps-as-read", "pages-by-name-only")
    expected = [row for part in parts for row in lines(folder / f"{part}.jsonl")]
    assert in_any_order(lines(folder / "everything.jsonl")) == in_any_order(expected)


def test_findings_can_be_written_in_batches(exported: tuple[Path, Audited]) -> None:
    folder, _ = exported
    expected = lines(folder / "findings.jsonl")
    batches = [
        json.loads((folder / f"findings-{number}.json").read_text())
        for number in range(1, len(expected) + 1)
    ]
    assert batches == [[row] for row in expected]


def test_other_formats_of_scrapy_work(exported: tuple[Path, Audited]) -> None:
    folder, _ = exported
    with (folder / "findings.csv").open(newline="") as file:
        found = [row["message"] for row in csv.DictReader(file)]
    assert found == [row["message"] for row in lines(folder / "findings.jsonl")]
    with (folder / "pages.csv").open(newline="") as file:
        pages = list(csv.DictReader(file))
    assert pages == [
        {"url": row["url"], "status": str(row["status"]), "verdict": row["verdict"]}
        for row in lines(folder / "pages.jsonl")
    ]


def test_the_option_of_the_command_line_writes_feeds(tmp_path: Path) -> None:
    pages, findings = tmp_path / "pages.jsonl", tmp_path / "findings.json"
    with Website("repeats") as website:
        site = ["-a", f"site={website.origin}", "-s", f"AUDIT_DIR={tmp_path / 'audits'}"]
        done = scrapy("crawl", "sitemap", *site, "-o", str(pages), "-o", str(findings))
    assert done.returncode == 0
    run = open_run(tmp_path / "audits")
    assert {row["url"] for row in lines(pages)} == set(run.pages["url"])
    assert [row["rule"] for row in json.loads(findings.read_text())] == list(run.findings["rule"])


class FailingExporter(JsonLinesItemExporter):
    """Fails at the third item."""

    number = 0

    def export_item(self, item: Any) -> None:
        self.number += 1
        if self.number == 3:
            raise ValueError("no third item")
        super().export_item(item)


def test_a_feed_that_fails_affects_no_other_feed(tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.x", tmp_path / "pages.jsonl"
    feeds = {str(bad): {"format": "failing"}, str(good): {"format": "jsonlines"}}
    settings = {
        "FEEDS": json.dumps(feeds),
        "FEED_EXPORTERS": json.dumps({"failing": f"{__name__}.FailingExporter"}),
    }
    with Website("repeats") as website:
        audited = crawl(tmp_path / "audits", {"site": website.origin}, settings)
    assert audited.status == 3
    assert f"1 feed could not be written: {bad}: ValueError: no third item." in audited.log
    assert audited.log.count("The feed ") == 1
    assert audited.run.manifest.complete
    assert {row["url"] for row in lines(good)} == set(audited.run.pages["url"])


@pytest.mark.parametrize(
    ("feed", "reason"),
    [
        ({"x.marshal": {"format": "marshal"}}, "x.marshal: marshal cannot contain dates; choose"),
        ({f"{__file__}/y-%(batch_id)d.json": {"format": "json"}}, " cannot be written."),
    ],
)
def test_a_feed_that_cannot_be_written_is_refused(feed: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(reason)):
        check_types(Settings({"FEEDS": feed}))


FEEDS_IN_A_FOLDER = [
    "{}/x.json", "{}/%(time)s.json", "{}/%(name)s/x.json", "{}/new/x-%(batch_id)d.json",
    "file://{}/x.json", "x.json", "%(name)s.json", "new/%(time)s/x.json",
]  # fmt: skip


@pytest.mark.parametrize("uri", FEEDS_IN_A_FOLDER)
def test_only_the_folder_of_a_feed_must_be_writable(
    uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings({"FEEDS": {uri.format(tmp_path): {"format": "json"}}})
    # Root can write everywhere.
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) == tmp_path)
    check_types(settings)
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != tmp_path)
    with pytest.raises(ConfigError, match="cannot be written"):
        check_types(settings)


def test_a_feed_that_exists_must_be_writable_and_not_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x.json"
    file.touch()
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) == file)
    check_types(Settings({"FEEDS": {str(file): {"format": "json"}}}))
    with pytest.raises(ConfigError, match="cannot be written"):
        check_types(Settings({"FEEDS": {str(tmp_path / "y.json"): {"format": "json"}}}))


@pytest.mark.parametrize("uri", ["s3://bucket/x.json", "ftp://a.example/%(time)s.json", "stdout:"])
def test_a_feed_elsewhere_is_not_checked(uri: str) -> None:
    check_types(Settings({"FEEDS": {uri: {"format": "json"}}}))


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
def test_the_file_name_selects_the_item_type(uri: str, item: type | None) -> None:
    assert item_for_feed(uri) is item

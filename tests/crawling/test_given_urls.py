"""A list of URLs in place of sitemaps: the same verdicts, and no finding about sitemaps."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemapaudit.items import Kind
from sitemapaudit.rules.catalog import catalog
from tests.sites.website import Website
from tests.support.audits import Audited, crawl
from tests.support.commands import scrapy

pytestmark = pytest.mark.xdist_group("given_urls")


@pytest.fixture(scope="module")
def website() -> Iterator[Website]:
    with Website("directives") as website:
        yield website


@pytest.fixture(scope="module")
def audited(website: Website, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    folder = tmp_path_factory.mktemp("given")
    urls = [f"{website.origin}{path}" for path in website.definition["verdicts"]]
    rows = ["Address,Clicks", *(f"{url},1" for url in urls), "not a url,1", f"{urls[0]},1"]
    (folder / "list.csv").write_text("\n".join(rows))
    columns = {"AUDIT_COLUMNS": '{"robots_line": "header:x-robots-tag"}'}
    return crawl(folder / "audits", {"urls": str(folder / "list.csv"), "workers": "2"}, columns)


def verdicts(audited: Audited) -> dict[str, str]:
    frame = audited.run.urls
    return dict(zip(frame["url"], frame["verdict"], strict=True))


def test_verdicts_are_those_of_a_sitemap(audited: Audited, website: Website) -> None:
    assert audited.status == 0, audited.log
    assert verdicts(audited) == website.verdicts()


def test_findings_about_sitemaps_do_not_apply(audited: Audited, website: Website) -> None:
    rules = catalog()
    expected = [
        (rule, place) for rule, place in website.findings() if not rules[rule].about_sitemaps
    ]
    found = [(rule, place) for rule, place in audited.findings() if rule in dict(expected)]
    assert found == expected
    assert not [rule for rule, _ in audited.findings() if rules[rule].about_sitemaps]
    (invalid,) = audited.run.sql(
        "select message, position, line from findings where rule = 'loc-not-absolute'"
    ).to_dict("records")
    last = len(website.verdicts()) + 1
    assert invalid == {
        "message": "loc 'not a url' is not an absolute URL", "position": last, "line": last + 1,
    }  # fmt: skip
    checked = audited.run.manifest.checked_rules
    assert "page-not-found" in checked
    assert not [rule for rule in checked if rules[rule].about_sitemaps]


def test_the_list_is_a_sitemap_of_its_own_kind(audited: Audited, website: Website) -> None:
    (row,) = audited.run.sitemaps.to_dict("records")
    assert (row["sitemap"], row["kind"]) == ("url-list", Kind.LIST)
    assert row["entries"] == len(website.verdicts()) + 2
    assert audited.run.manifest.arguments["site"] == website.origin
    assert "in 1 list" in (audited.run.path / "report.md").read_text()


def test_a_resumed_run_needs_no_other_file(audited: Audited, tmp_path: Path) -> None:
    run = Path(shutil.copytree(audited.run.path, tmp_path / "site" / "run"))
    manifest = json.loads((run / "run.json").read_text())
    manifest["arguments"]["urls"] = str(tmp_path / "gone.csv")
    manifest |= {"status": "running", "finished": None}
    (run / "run.json").write_text(json.dumps(manifest))
    # Killed when the list was not read to its end.
    for table, kept in (("sitemaps", 1), ("entries", 3), ("pages", 2)):
        (file,) = (run / "log").glob(f"{table}.*")
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:kept]))
    done = scrapy("crawl", "sitemap", "-a", f"resume={run}", "-s", "AUDIT_SPEED=full")
    assert done.returncode == 0, done.stderr
    resumed = Audited(0, "", "", tmp_path)
    assert verdicts(resumed) == verdicts(audited)
    first, second = (each.run.urls["robots_line"] for each in (audited, resumed))
    assert first.count() > 1
    assert first.equals(second)
    assert resumed.findings() == audited.findings()

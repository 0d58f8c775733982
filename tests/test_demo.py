"""The demo website: an audit finds exactly what is planted, and nothing on what is clean."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from sitemapaudit.demo.examples import Example, examples, found_between, found_in
from sitemapaudit.demo.files import HUGE_INDEX
from sitemapaudit.demo.website import Demo
from sitemapaudit.rules.catalogue import catalogue
from tests.comparison.runs import differences
from tests.conftest import Week
from tests.support import Audited, audit_demo, crawl, scrapy

_PORT = re.compile(r"(//[^/:]+):\d+")


pytestmark = pytest.mark.xdist_group("demo")


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    return audit_demo(tmp_path_factory.mktemp("limited"), "-s", "AUDIT_MAX_URLS=20")


@pytest.fixture(scope="module")
def huge_index(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    audits = tmp_path_factory.mktemp("index")
    with Demo() as website:
        sitemap = website.origins.shop + HUGE_INDEX
        return crawl(audits, {"sitemap": sitemap}, {"AUDIT_MAX_SITEMAPS": "1"})


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    return audit_demo(tmp_path_factory.mktemp("rendered"), "-a", "render=auto")


def expected(*, rendered: bool = False) -> list[tuple[str, str]]:
    with Demo() as demo:
        places = demo.expected(rendered=rendered)
        return [(rule, _PORT.sub(r"\1:*", place)) for rule, place in places]


def anywhere(findings: list[tuple[str, str]]) -> Counter[tuple[str, str]]:
    """Return findings without ports: they can differ from run to run."""
    return Counter((rule, _PORT.sub(r"\1:*", place)) for rule, place in findings)


def test_exactly_what_is_planted_is_found(demo: Audited) -> None:
    assert demo.status == 0
    assert anywhere(demo.findings()) == Counter(expected())


def test_with_a_browser_what_scripts_do_is_found_too(rendered: Audited) -> None:
    assert rendered.status == 0
    assert anywhere(rendered.findings()) == Counter(expected(rendered=True))


def test_a_week_later_the_same_is_found_and_by_comparing_exactly_what_is_planted(
    week: Week,
) -> None:
    assert anywhere(week.later.findings()) == Counter(expected())
    done = scrapy("compare", str(week.earlier.audits), str(week.later.audits))
    assert (done.returncode, done.stderr) == (0, "")
    rows = differences(week.later.run.path)
    told = [(row["rule"], row["sitemap"]) for row in rows if row["change"] != "went"]
    assert sorted(told) == week.expected
    assert {row["change"] for row in rows} == {"new", "went"}


def test_the_demo_of_a_week_later_can_be_asked_for(tmp_path: Path) -> None:
    limit = ("-a", "pages=none", "-s", "AUDIT_MAX_SITEMAPS=30")
    later = audit_demo(tmp_path, *limit, site="demo-later")
    assert later.run.path.parent.name == "demo"
    read = {sitemap.rpartition("/")[2] for sitemap in later.run.sitemaps["sitemap"]}
    assert "guides.xml" in read
    assert "offers.xml" not in read


def test_every_rule_has_a_planted_fault(
    week: Week, limited: Audited, huge_index: Audited, rendered: Audited
) -> None:
    runs = (week.earlier, limited, huge_index, rendered)
    rules = {rule for run in runs for rule, _ in run.findings()}
    assert rules | {rule for rule, _ in week.expected} == catalogue().keys()


def test_the_page_of_each_rule_has_an_example_of_the_demo(
    week: Week, limited: Audited, huge_index: Audited, rendered: Audited
) -> None:
    assert examples().keys() == catalogue().keys()
    found = {
        rule: shape(example)
        for run in (limited, huge_index, rendered, week.earlier)
        for rule, example in found_in(run.run).items()
    }
    between = found_between(week.earlier.run, week.later.run)
    found |= {rule: shape(example) for rule, example in between.items()}
    assert {rule: shape(example) for rule, example in examples().items()} == found, "run make docs"


def shape(example: Example) -> str:
    """Return an example without what differs from run to run: ports, dates, random addresses."""
    # Both are cut where they are long, and ports are not always as long.
    said = (re.sub(r"[0-9a-f]{24}|[0-9]+", "#", text) for text in (example.place, example.message))
    return " ".join(text[:80] for text in said)


def test_clean_pages_have_no_finding(demo: Audited) -> None:
    urls = demo.run.urls
    clean = urls[urls["url"].str.contains("/product/")]
    found = set(clean["rules"].explode().dropna())
    assert len(clean) == 150
    assert found == {"url-in-multiple-sitemaps"}


def test_each_url_has_one_verdict_and_the_summary_counts_them(demo: Audited) -> None:
    manifest = demo.run.manifest
    assert sum(manifest.verdicts.values()) == len(demo.run.urls) == demo.run.urls["url"].nunique()
    assert "The audit is complete." in demo.output
    assert "Traceback" not in demo.log


def test_a_limit_shows_what_an_incomplete_audit_looks_like(limited: Audited) -> None:
    assert limited.status == 3
    assert ("audit-incomplete" in dict(limited.findings())) is True
    assert "not complete" in limited.output


def test_the_manifest_tells_the_outcome(demo: Audited) -> None:
    manifest = json.loads((demo.run.path / "run.json").read_text(encoding="utf-8"))
    assert manifest["status"] == "finished"
    assert manifest["complete"] is True
    assert manifest["rules"]["page-not-found"] == 2
    assert set(manifest["severities"]) == {"error", "warning", "notice"}


def test_the_run_folder_holds_what_is_promised(demo: Audited) -> None:
    names = {path.name for path in demo.run.path.iterdir()}
    tables = {"sitemaps", "entries", "pages", "urls", "findings", "robots"}
    assert names == {"run.json", "log", "report.html", "urls.csv", "findings.csv"} | {
        f"{table}.parquet" for table in tables
    }


def test_a_body_that_is_no_html_is_not_downloaded(demo: Audited) -> None:
    pages = demo.run.pages.set_index("url")
    document = pages[pages.index.str.endswith("/catalogue.pdf")].iloc[0]
    assert document["content_type"] == "application/pdf"
    assert document["bytes"] == 9 + 4096

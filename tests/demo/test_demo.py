"""Audits of the demo website report all planted faults, and nothing else."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from sitemapaudit.demo.website import Demo
from sitemapaudit.items import Entry, Page, Subject
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.examples import Example, examples
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.runs.cause import Cause, CauseKind
from sitemapaudit.runs.ledger.ledger import readable_rows
from sitemapaudit.runs.manifest import Manifest, Status
from tests.comparison.runs import differences
from tests.examples import Planted, make_examples
from tests.support.audits import Audited, audit_demo
from tests.support.commands import scrapy
from tests.support.settings import RULES_OFF
from tests.support.week import Week

CONCERNED: Final = {Subject.ENTRY: ("entries", Entry), Subject.PAGE: ("pages", Page)}

_PORT = re.compile(r"(//[^/:]+):\d+")


pytestmark = pytest.mark.xdist_group("demo")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    with Demo() as website:
        yield Planted(website, tmp_path_factory.mktemp("planted"))


@cache
def planted_findings(*, rendered: bool = False) -> Counter[tuple[str, str]]:
    with Demo() as demo:
        return without_ports(demo.expected(rendered=rendered))


def without_ports(findings: list[tuple[str, str]]) -> Counter[tuple[str, str]]:
    """Count findings, regardless of ports: these can differ between runs."""
    return Counter((rule, _PORT.sub(r"\1:*", place)) for rule, place in findings)


def test_an_audit_reports_exactly_the_planted_faults(demo: Audited) -> None:
    assert demo.status == 3
    assert without_ports(demo.findings()) == planted_findings()


def test_a_finding_about_a_listed_url_says_where_it_is_listed(demo: Audited) -> None:
    """A finding about a whole site is about no listed URL, not even about its home page."""
    without_entry = demo.run.sql(
        "select rule, url from findings semi join urls using (url) where position is null"
    )
    assert without_entry.to_dict("records") == []
    homes = demo.run.sql("select rules from urls where url = origin_of(url) || '/'")["rules"]
    assert not {"sitemap-dirt-rate", "priority-identical"} & {
        name for each in homes for name in each
    }


def test_an_audit_in_a_browser_also_reports_the_faults_of_scripts(planted: Planted) -> None:
    assert without_ports(planted.rendered.findings()) == planted_findings(rendered=True)


def test_the_demo_ends_well_and_says_how_a_real_audit_would_end(planted: Planted) -> None:
    assert planted.rendered.status == 0
    assert "otherwise the status would be 3" in " ".join(planted.rendered.output.split())


@pytest.mark.parametrize(
    ("causes", "status"),
    [
        (["failed-sitemaps"], 0),
        *((["failed-sitemaps", kind], 3) for kind in CauseKind if kind != "failed-sitemaps"),
    ],
)
def test_only_the_planted_sitemaps_are_forgiven(causes: list[str], status: int) -> None:
    manifest = Manifest({"site": "demo"}, {}, {}, "", status=Status.FINISHED)
    manifest.decide_complete([Cause(CauseKind(kind), kind) for kind in causes])
    assert (manifest.complete, manifest.reason) == (False, "; ".join(causes))
    assert manifest.exit_status("never") == status
    manifest.status = Status.INTERRUPTED
    assert manifest.exit_status("never") == 3


def test_comparing_two_weeks_reports_exactly_the_planted_changes(week: Week) -> None:
    assert without_ports(week.later.findings()) == planted_findings()
    assert (week.comparison.returncode, week.comparison.stderr) == (0, "")
    rows = differences(week.later.run.path)
    reported = [(row["rule"], row["sitemap"]) for row in rows if row["change"] != "removed"]
    assert sorted(reported) == week.expected
    assert {row["change"] for row in rows} == {"new", "removed"}


def test_a_new_lastmod_is_no_change_and_a_new_text_is_one(week: Week) -> None:
    runs = ("--since", str(week.earlier.run.path), str(week.later.run.path))
    done = scrapy("changed", *runs)
    assert (done.returncode, done.stderr) == (0, "")
    counts = re.findall(r"^([\d,]+) (\S+): ", done.stdout, re.MULTILINE)
    assert counts == [("24", "content-changed"), ("12", "removed")]


def test_the_demo_of_a_week_later_can_be_audited_alone(tmp_path: Path) -> None:
    words = ("-a", "pages=none", "-s", "AUDIT_MAX_SITEMAPS=30", "-s", RULES_OFF)
    later = audit_demo(tmp_path, *words, site="demo-later")
    assert later.run.path.parent.name == "demo"
    sitemaps = {sitemap.rpartition("/")[2] for sitemap in later.run.sitemaps["sitemap"]}
    assert "guides.xml" in sitemaps
    assert "offers.xml" not in sitemaps


def test_each_rule_has_an_up_to_date_example(planted: Planted, week: Week) -> None:
    found = make_examples(planted, week)
    stored = {rule: comparable(example) for rule, example in examples().items()}
    assert stored == {rule: comparable(example) for rule, example in found.items()}, "make examples"
    assert stored.keys() == catalog().keys()


def comparable(example: Example) -> str:
    """Return an example without times and random addresses: they differ between runs."""
    return re.sub(r"[0-9a-f]{24}|[0-9]+", "#", f"{example.place} {example.message}")


def test_clean_pages_have_no_findings(demo: Audited) -> None:
    urls = demo.run.urls
    clean = urls[urls["url"].str.contains("/product/")]
    assert len(clean) == 150
    assert set(clean["rules"].explode().dropna()) == {"url-in-multiple-sitemaps"}


def test_each_url_has_one_verdict_that_the_summary_counts(demo: Audited) -> None:
    manifest = demo.run.manifest
    assert sum(manifest.verdicts.values()) == len(demo.run.urls) == demo.run.urls["url"].nunique()
    assert "The audit is incomplete: 4 sitemaps could not be read" in demo.output
    assert "Traceback" not in demo.log


def test_an_audit_that_reaches_a_limit_is_incomplete(planted: Planted) -> None:
    limited = planted.limited
    assert limited.status == 3
    assert "audit-incomplete" in dict(limited.findings())
    assert "The audit is incomplete" in limited.output


def test_the_manifest_contains_the_outcome(demo: Audited) -> None:
    manifest = json.loads((demo.run.path / "run.json").read_text(encoding="utf-8"))
    assert manifest["status"] == "finished"
    assert (manifest["complete"], manifest["failed_sitemaps"]) == (False, 4)
    assert manifest["rules"]["page-not-found"] == 2
    assert set(manifest["severities"]) == {"error", "warning", "notice"}


def test_the_run_folder_contains_the_documented_files(demo: Audited) -> None:
    names = {path.name for path in demo.run.path.iterdir()}
    tables = {"sitemaps", "entries", "pages", "urls", "findings", "occurrences", "robots"}
    files = {"run.json", "log", "crawl.log", "report.html", "report.md"}
    files |= {"urls.csv", "findings.csv", "occurrences.csv"}
    assert names == files | {f"{table}.parquet" for table in tables}


def test_a_body_that_is_not_html_is_not_downloaded(demo: Audited) -> None:
    pages = demo.run.pages.set_index("url")
    document = pages[pages.index.str.endswith("/catalogue.pdf")].iloc[0]
    assert document["content_type"] == "application/pdf"
    assert document["bytes"] == 9 + 4096


@pytest.fixture(scope="module")
def logged(demo: Audited) -> dict[Subject, list[Any]]:
    """Return the entries and the pages of the ledger."""
    return {
        subject: list(readable_rows(demo.run.path, table, item))
        for subject, (table, item) in CONCERNED.items()
    }


@pytest.mark.parametrize(
    "rule",
    [rule for rule in catalog().values() if issubclass(rule, RowRule) and rule().own_concern],
    ids=lambda rule: rule.id,
)
def test_a_rule_finds_nothing_in_a_row_that_does_not_concern_it(
    logged: dict[Subject, list[Any]], rule: type[RowRule[Any]]
) -> None:
    concern: Any = rule().own_concern
    skipped = [row for row in logged[rule.subject] if not concern(row)]
    assert skipped
    assert [finding for row in skipped for finding in rule().check(row)] == []

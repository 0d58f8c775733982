"""The file of the report: its content, its security policy and its size."""

import base64
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sitemapaudit import Run
from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import compare
from sitemapaudit.config.logo import read_logo
from sitemapaudit.datasets import memory_limit
from sitemapaudit.datasets.database import connect
from sitemapaudit.items import Kind, Sitemap, Verdict
from sitemapaudit.report import (
    changes_since,
    finding_groups,
    report_page,
    sitemap_files,
    url_facts,
)
from sitemapaudit.report.brand import Brand
from sitemapaudit.report.report_page import write_report
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.compared_agents import ComparedAgents
from sitemapaudit.verdicts import MEANINGS
from tests.report.markup import data_of, text_of
from tests.report.site import SCRIPT, SITE, copy_run, make_faulty_run, make_hostile_run
from tests.support.paths import PROJECT
from tests.support.rows import SITEMAP, fetched_page, listed
from tests.support.runs import build_audited_run

pytestmark = pytest.mark.xdist_group("report")


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return the run of a site with faults; a test that writes into it uses a copy."""
    return make_faulty_run(tmp_path_factory.mktemp("faulty") / "run")


@pytest.fixture(scope="module")
def markup(faulty: Run) -> str:
    """Return the report of the run of a site with faults."""
    return report_of(faulty)


def report_of(run: Run, before: Run | None = None) -> str:
    comparison = compare(before.path, run.path, 256, Audit()) if before else None
    return write_report(run.path, run.manifest, catalog(), comparison).read_text(encoding="utf-8")


def test_the_report_is_a_single_file(faulty: Run, tmp_path: Path) -> None:
    run = copy_run(faulty, tmp_path / "run")
    (run.path / "report.html").unlink(missing_ok=True)
    before = {file.name for file in run.path.iterdir()}
    file = write_report(run.path, run.manifest, catalog())
    assert file == run.path / "report.html"
    assert {each.name for each in run.path.iterdir()} - before == {"report.html", "report.md"}


def test_a_failure_leaves_the_previous_report(
    faulty: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = copy_run(faulty, tmp_path / "run")
    first = report_of(run)
    monkeypatch.setattr(report_page, "render", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(run.path, run.manifest, catalog())
    assert (run.path / "report.html").read_text(encoding="utf-8") == first
    assert not (run.path / "scratch").exists()


@pytest.mark.parametrize(("small", "needed"), [(True, 5), (False, 4)])
def test_memory_is_doubled_until_it_suffices(
    faulty: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: bool, needed: int
) -> None:
    attempts: list[tuple[int, bool]] = []

    def connect_with_little_memory(
        scratch: Path, memory: int, *, in_memory: bool
    ) -> duckdb.DuckDBPyConnection:
        attempts.append((memory, in_memory))
        if len(attempts) < needed:
            raise duckdb.OutOfMemoryException
        return connect(scratch, memory, in_memory=in_memory)

    run = copy_run(faulty, tmp_path / "run")
    (run.path / "report.html").unlink(missing_ok=True)
    monkeypatch.setattr(memory_limit, "connect", connect_with_little_memory)
    if not small:
        monkeypatch.setattr(memory_limit, "SMALL", 0)
    assert write_report(run.path, run.manifest, catalog(), memory=50).exists()
    on_disk = [(50, False), (100, False), (200, False), (400, False)]
    assert attempts == [*([(50, True)] if small else []), *on_disk]


def test_the_policy_allows_only_its_own_scripts(markup: str) -> None:
    header = re.search(r'Security-Policy" content="([^"]*)"', markup)
    assert header is not None
    policy = html.unescape(header[1])
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    (script,) = re.findall(r'(?s)<script type="module">(.*?)</script>', markup)
    (style,) = re.findall(r"(?s)<style>(.*?)</style>", markup)
    for text in (script, style):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_the_markup_loads_nothing(markup: str) -> None:
    own = re.sub(r"(?s)<(script|style)\b.*?</\1>", "", markup)
    assert not re.search(r"<(link|img|iframe|object|embed|base|form [^>]*action)\b", own)
    assert not re.search(r"\bsrc=", own)


def test_the_overview_is_text(markup: str) -> None:
    text = text_of(markup)
    assert f"Sitemap audit of {SITE}" in text
    assert "83.3 % of 48 judged URLs are indexable; 2 could not be determined" in text
    assert "Not determined 2" in text
    assert "The audit is complete. No argument skipped a URL." in text
    assert "Started 2026-11-21 12:00:00 UTC for Googlebot" in text


def test_limits_are_named(tmp_path: Path) -> None:
    run = build_audited_run(tmp_path, [listed(SITE), Sitemap(SITEMAP, kind=Kind.URLSET)], pages=5)
    text = text_of(report_of(run))
    assert "It was limited by pages=5" in text
    assert "It is unknown whether any listed URL is indexable; 1 could not be" in text


def test_an_incomplete_audit_says_so(tmp_path: Path) -> None:
    run = build_audited_run(tmp_path, [listed(SITE)], reason="it was stopped by hand")
    assert "The audit is incomplete: it was stopped by hand." in text_of(report_of(run))


def test_what_denied_access_and_what_helps_are_named(faulty: Run, tmp_path: Path) -> None:
    run = copy_run(faulty, tmp_path / "run")
    run.manifest.complete, run.manifest.remedy = False, "set HTTPAUTH_USER"
    run.manifest.compared_agents = [ComparedAgents(SITE, "403", "200", browser_denied=False)]
    text = text_of(report_of(run))
    assert "To fix this: set HTTPAUTH_USER." in text
    assert f"{SITE}: 403 for this program, 200 for a browser's User-Agent." in text
    assert "Whether the site admits Googlebot cannot be tested from here" in text


def test_rules_that_failed_are_named(faulty: Run, tmp_path: Path) -> None:
    run = copy_run(faulty, tmp_path / "run")
    run.manifest.broken_rules = {"loc-invalid": 3}
    assert "Rules that failed: loc-invalid." in text_of(report_of(run))


def test_a_run_without_urls_claims_nothing(tmp_path: Path) -> None:
    text = text_of(report_of(build_audited_run(tmp_path, [])))
    assert "It is unknown whether any listed URL is indexable." in text
    assert "no sitemap could be read" in text
    assert "%" not in text


def test_a_run_without_findings_says_so(tmp_path: Path) -> None:
    rules = dict.fromkeys(catalog(), "off")
    items: list[Any] = [
        listed(SITE),
        fetched_page(SITE, noindex=False),
        Sitemap(SITEMAP, kind=Kind.URLSET),
    ]
    assert "There are no findings." in text_of(
        report_of(build_audited_run(tmp_path, items, rules=rules))
    )


def test_a_rule_has_the_text_of_its_page(markup: str) -> None:
    text = text_of(markup)
    rule = catalog()["page-not-found"]
    assert rule.title() in text
    assert rule.section("Fix")[1:] in text
    assert all(reference.name in text for reference in rule.references)


def test_the_most_severe_rules_are_first(markup: str) -> None:
    severities = re.findall(r'<details class="rule (\w+)"', markup)
    assert severities == sorted(severities, key=["error", "warning", "notice"].index)
    assert set(severities) == {"error", "warning", "notice"}


def test_element_ids_are_unique(markup: str) -> None:
    ids = re.findall(r'\bid="([^"]+)"', re.sub(r"(?s)<script.*", "", markup))
    assert len(ids) == len(set(ids))
    assert not (set(ids) - set(catalog())) & set(catalog())


def test_every_verdict_has_a_meaning() -> None:
    assert set(MEANINGS) == set(Verdict)


def test_changes_since_the_previous_run_are_counted(faulty: Run, tmp_path: Path) -> None:
    before = build_audited_run(
        tmp_path / "before",
        [
            listed(f"{SITE}/"),
            fetched_page(f"{SITE}/", noindex=False),
            Sitemap(SITEMAP, kind=Kind.URLSET),
        ],
        pages=7,
    )
    text = text_of(report_of(copy_run(faulty, tmp_path / "now"), before))
    assert "Then: 100.0 % of 1 judged URL is indexable. Now: 83.3 %" in text
    assert "not-found 0 3 +3 " in text
    assert "indexable 1 40 +39 " in text
    assert "page-not-found 0 3 +3 " in text
    assert "pages was 7, now all" in text


def test_counts_of_runs_that_checked_other_urls_are_neither_better_nor_worse(
    tmp_path: Path,
) -> None:
    places = [f"{SITE}/{number}" for number in range(10)]
    pages = [fetched_page(url, noindex=False) for url in places]
    before = build_audited_run(tmp_path / "before", [listed(*places), *pages])
    now = build_audited_run(tmp_path / "now", [listed(*places), *pages[:5]])
    text = text_of(report_of(now, before))
    assert "The two runs did not check the same URLs" in text
    assert "indexable 10 5 \u22125 " in text
    assert "\u22125 worse" not in text
    assert "\u22125 better" not in text
    missing = [fetched_page(url, 404) for url in places[:3]]
    worse = build_audited_run(tmp_path / "worse", [listed(*places), *missing, *pages[3:]])
    text = text_of(report_of(worse, before))
    assert "The two runs did not check the same URLs" not in text
    assert "not-found 0 3 +3 worse" in text
    assert "indexable 10 7 \u22123 worse" in text
    assert "page-not-found 0 3 +3 worse" in text


def test_without_a_previous_run_there_are_no_changes(markup: str) -> None:
    assert "Changes since the previous run" not in text_of(markup)


def test_changes_are_listed(faulty: Run, tmp_path: Path) -> None:
    was = fetched_page(f"{SITE}/bad/0", noindex=False)
    before = build_audited_run(tmp_path / "before", [listed(was.url, f"{SITE}/past"), was])
    now = copy_run(faulty, tmp_path / "now")
    markup = report_of(now, before)
    rows = data_of(markup)["changes"]
    assert {row["change"] for row in rows} >= {"new", "added", "removed", "verdict-changed"}
    changed = {"change": "verdict-changed", "place": f"{SITE}/bad/0"}
    assert changed | {"before": "indexable", "after": "not-found"} in rows
    assert "URLs removed 1 Verdicts changed 1" in text_of(markup)


def test_runs_without_differences_say_so(faulty: Run, tmp_path: Path) -> None:
    text = text_of(report_of(copy_run(faulty, tmp_path / "now"), faulty))
    assert (
        "No URL was added or removed, no verdict changed, and no finding is new or fixed." in text
    )


def test_of_many_changes_the_report_contains_some_of_each_kind(
    faulty: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = [fetched_page(f"{SITE}/good/{number}", 404) for number in range(3)]
    hidden = [fetched_page(f"{SITE}/good/{number}", noindex=True) for number in range(3, 6)]
    fine = [fetched_page(f"{SITE}/bad/{number}", noindex=False) for number in range(5)]
    were = [*lost, *hidden, *fine]
    before = build_audited_run(tmp_path / "before", [listed(*[page.url for page in were]), *were])
    now = copy_run(faulty, tmp_path / "now")
    every = data_of(report_of(now, before))["changes"]
    kinds = [tuple(map(row.get, ("change", "rule", "before", "after"))) for row in every]
    monkeypatch.setattr(changes_since, "PER_KIND", 2)
    markup = report_of(now, before)
    rows = data_of(markup)["changes"]
    assert rows == [row for at, row in enumerate(every) if kinds[:at].count(kinds[at]) < 2]
    new = [row["rule"] for row in rows if row["change"] == "new"]
    assert new.count("page-not-found") == 2
    assert f"This report contains {len(rows)} of {len(every)} changes" in text_of(markup)


def test_long_lists_are_truncated_and_say_so(
    faulty: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding_groups, "MAX_EXAMPLES", 2)
    monkeypatch.setattr(url_facts, "MAX_URLS", 5)
    monkeypatch.setattr(sitemap_files, "_FILES", sitemap_files._FILES.replace("1000", "2"))
    markup = report_of(copy_run(faulty, tmp_path / "run"))
    text, data = text_of(markup), data_of(markup)
    assert "The first 2 of 3 findings" in text
    assert "This report contains 5 of 50 listed URLs" in text
    assert "The 2 files with the most bad entries, of 3" in text
    assert len(data["urls"]) == 5
    assert len(data["sitemaps"]) == 2
    assert {len(each) for each in data["examples"].values()} <= {1, 2}


def test_the_budget_limits_long_texts(
    faulty: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(url_facts, "BUDGET", 4_000)
    data = data_of(report_of(copy_run(faulty, tmp_path / "run")))
    assert 1 <= len(data["urls"]) < 50
    assert len(json.dumps(data["urls"][:-1])) < 5_000


def test_the_budgets_keep_the_report_below_9_mb() -> None:
    own = sum(file.stat().st_size for file in (PROJECT / "sitemapaudit/report/assets").iterdir())
    budgets = finding_groups.BUDGET + sitemap_files.BUDGET + url_facts.BUDGET + changes_since.BUDGET
    assert own + budgets < 9_000_000


def test_urls_with_examples_and_severe_findings_are_first(markup: str) -> None:
    rows = data_of(markup)["urls"]
    assert len(rows) == 50
    ranks = [
        ["notice", "warning", "error"].index(row["findings"][0]["severity"]) for row in rows[:10]
    ]
    assert ranks == sorted(ranks, reverse=True)


def test_a_url_has_all_its_facts(markup: str) -> None:
    data = data_of(markup)
    row = next(each for each in data["urls"] if each["url"] == f"{SITE}/bad/5")
    assert row["verdict"] == "noindex"
    assert row["facts"]["sitemaps"] == [f"{SITE}/bad.xml"]
    assert row["facts"]["fetched_at"] == "2026-11-21 12:00:00 UTC"
    assert row["facts"]["statements"] == [
        "source: meta, token: noindex, until: 2026-11-21 12:00:00+00, applies: False"
    ]
    assert "noindex-meta" in {each["rule"] for each in row["findings"]}
    assert set(row["facts"]) <= set(data["meanings"])


def test_texts_of_the_site_are_never_markup(tmp_path: Path) -> None:
    markup = report_of(make_hostile_run(tmp_path))
    assert SCRIPT not in markup
    assert "window.caught" in markup
    assert "onerror='window.caught" not in re.sub(r"(?s)<script.*?</script>", "", markup)
    assert SCRIPT in json.dumps(data_of(markup), ensure_ascii=False)


def test_the_report_of_a_small_site_is_below_half_a_mb(markup: str) -> None:
    assert len(markup.encode()) < 500_000


def test_it_says_what_to_do_first(markup: str) -> None:
    text = text_of(markup)
    assert "What to do first" in text
    assert "Remove 3 dead URLs from 1 sitemap" in text
    assert "sitemapaudit repair writes sitemaps without this fault." in text


def test_response_times_are_given_by_sitemap(markup: str) -> None:
    text = text_of(markup)
    assert "sitemap pages 50 % 75 % 95 % 99 % all 43" in text
    assert re.search(rf"{SITE}/good.xml 40 \d", text)


def test_a_title_and_a_logo_are_those_of_the_settings(faulty: Run, tmp_path: Path) -> None:
    run = copy_run(faulty, tmp_path / "run")
    logo = tmp_path / "logo.svg"
    logo.write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    brand = Brand("Agency <b>", read_logo(logo))
    markup = write_report(run.path, run.manifest, catalog(), brand=brand).read_text("utf-8")
    assert "<title>Agency &lt;b&gt;</title>" in markup
    assert f"Agency <b> Sitemap audit of {SITE}. Started" in text_of(markup)
    assert re.search(r'<img class="logo" src="data:image/svg\+xml;base64,[\w+/=]+" alt="">', markup)

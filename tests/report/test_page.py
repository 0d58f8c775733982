"""The file that is written: what stands in it, what it may do, and what it must say."""

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
from sitemapaudit.comparison.comparing import compare
from sitemapaudit.datasets import working
from sitemapaudit.datasets.database import connect
from sitemapaudit.items import Kind, Sitemap, Verdict
from sitemapaudit.report import change, findings, page, sitemaps, urls
from sitemapaudit.report.libraries import libraries
from sitemapaudit.report.overview import MEANINGS
from sitemapaudit.report.page import write_report
from sitemapaudit.rules.catalogue import catalogue
from tests.report.site import SCRIPT, SITE, faulty, hostile
from tests.support import SITEMAP, answered, build_run, listed


def written(run: Run, before: Run | None = None) -> str:
    comparison = compare(before.path, run.path, 256) if before else None
    return write_report(run.path, run.manifest, comparison).read_text(encoding="utf-8")


def text_of(markup: str) -> str:
    """Return what a reader sees of the markup, scripts and styles left out."""
    seen = re.sub(r"(?s)<(script|style)\b.*?</\1>|<[^>]*>", " ", markup)
    return re.sub(r"\s+", " ", html.unescape(seen))


def data_of(markup: str) -> Any:
    found = re.search(r'(?s)id="data">(.*?)</script>', markup)
    assert found is not None
    return json.loads(found[1])


def test_it_is_one_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    run = faulty(tmp_path)
    before = {file.name for file in tmp_path.iterdir()}
    file = write_report(run.path, run.manifest)
    assert file == tmp_path / "report.html"
    assert {each.name for each in tmp_path.iterdir()} - before == {"report.html"}


def test_a_page_that_fails_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = faulty(tmp_path)
    first = written(run)
    monkeypatch.setattr(page, "render", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(run.path, run.manifest)
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == first
    assert not (tmp_path / "scratch").exists()


def test_memory_is_doubled_until_it_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def scarce(scratch: Path, memory: int) -> duckdb.DuckDBPyConnection:
        asked.append(memory)
        if len(asked) < 3:
            raise duckdb.OutOfMemoryException
        return connect(scratch, memory)

    run = faulty(tmp_path)
    monkeypatch.setattr(working, "connect", scarce)
    assert write_report(run.path, run.manifest, memory=50).exists()
    assert asked == [50, 100, 200]


def test_it_allows_its_own_scripts_and_nothing_else(tmp_path: Path) -> None:
    markup = written(faulty(tmp_path))
    policy = re.search(r'Security-Policy" content="([^"]*)"', markup)
    assert policy is not None
    said = html.unescape(policy[1])
    assert said.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in said
    scripts = re.findall(r"(?s)<script(?: type=\"module\")?>(.*?)</script>", markup)
    assert len(scripts) == 3
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in said


def test_it_asks_for_nothing(tmp_path: Path) -> None:
    markup = written(faulty(tmp_path))
    own = re.sub(r"(?s)<(script|style)\b.*?</\1>", "", markup)
    assert not re.search(r"<(link|img|iframe|object|embed|base|form [^>]*action)\b", own)
    assert not re.search(r"\bsrc=", own)


def test_the_answer_is_told_in_words(tmp_path: Path) -> None:
    text = text_of(written(faulty(tmp_path)))
    assert f"Sitemap audit of {SITE}" in text
    assert "83.3 % indexable: 40 of the 48 URLs of which it is known" in text
    assert "Not known 2" in text
    assert "The audit is complete. No argument left a URL out." in text
    assert "Started 2026-11-21 12:00:00 UTC for Googlebot" in text


def test_what_was_left_out_by_choice_is_counted_apart(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(SITE), Sitemap(SITEMAP, kind=Kind.URLSET)], pages=5)
    text = text_of(written(run))
    assert "It was limited by pages=5" in text
    assert "Not known" in text


def test_an_audit_that_is_not_complete_says_so(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(SITE)], reason="it was stopped by hand")
    assert "The audit is not complete: it was stopped by hand." in text_of(written(run))


def test_rules_that_failed_are_named(tmp_path: Path) -> None:
    run = faulty(tmp_path)
    run.manifest.broken_rules = {"loc-invalid": 3}
    assert "Rules that failed, and say nothing: loc-invalid." in text_of(written(run))


def test_of_nothing_nothing_is_claimed(tmp_path: Path) -> None:
    text = text_of(written(build_run(tmp_path, [])))
    assert "Of none of the listed URLs is it known whether it is indexable." in text
    assert "no sitemap could be read" in text
    assert "%" not in text


def test_an_audit_without_findings_has_none(tmp_path: Path) -> None:
    rules = dict.fromkeys(catalogue(), "off")
    items: list[Any] = [
        listed(SITE),
        answered(SITE, noindex=False),
        Sitemap(SITEMAP, kind=Kind.URLSET),
    ]
    assert "No rule found anything." in text_of(written(build_run(tmp_path, items, rules=rules)))


def test_a_rule_says_what_its_page_says(tmp_path: Path) -> None:
    text = text_of(written(faulty(tmp_path)))
    rule = catalogue()["page-not-found"]
    assert rule.title() in text
    assert rule.section("Fix")[1:] in text
    assert all(reference.name in text for reference in rule.references)


def test_rules_stand_gravest_first(tmp_path: Path) -> None:
    markup = written(faulty(tmp_path))
    severities = re.findall(r'<details class="rule (\w+)"', markup)
    assert severities == sorted(severities, key=["error", "warning", "notice"].index)
    assert set(severities) == {"error", "warning", "notice"}


def test_no_id_of_a_rule_is_that_of_another_part(tmp_path: Path) -> None:
    ids = re.findall(r'\bid="([^"]+)"', re.sub(r"(?s)<script.*", "", written(faulty(tmp_path))))
    assert len(ids) == len(set(ids))
    assert not (set(ids) - set(catalogue())) & set(catalogue())


def test_every_verdict_has_a_meaning() -> None:
    assert set(MEANINGS) == set(Verdict)


def test_the_change_since_the_run_before_is_told(tmp_path: Path) -> None:
    before = build_run(
        tmp_path / "before",
        [
            listed(f"{SITE}/"),
            answered(f"{SITE}/", noindex=False),
            Sitemap(SITEMAP, kind=Kind.URLSET),
        ],
        pages=7,
    )
    text = text_of(written(faulty(tmp_path / "now"), before))
    assert "Indexable then: 100 % (1 of 1)" in text
    assert "not-found 0 3 +3 worse" in text
    assert "indexable 1 40 +39 better" in text
    assert "page-not-found 0 3 +3 worse" in text
    assert "pages was 7, and is all" in text


def test_without_a_run_before_there_is_no_change(tmp_path: Path) -> None:
    assert "Since the run before" not in text_of(written(faulty(tmp_path)))


def test_changes_are_told_one_by_one(tmp_path: Path) -> None:
    was = answered(f"{SITE}/bad/0", noindex=False)
    before = build_run(tmp_path / "before", [listed(was.url, f"{SITE}/past"), was])
    now = faulty(tmp_path / "now")
    markup = written(now, before)
    rows = data_of(markup)["changes"]
    assert {row["change"] for row in rows} >= {"new", "came", "went", "verdict"}
    turned = {"change": "verdict", "place": f"{SITE}/bad/0"}
    assert turned | {"before": "indexable", "after": "not-found"} in rows
    assert "URLs went 1 Verdicts changed 1" in text_of(markup)


def test_where_nothing_changed_the_page_says_so(tmp_path: Path) -> None:
    text = text_of(written(faulty(tmp_path / "now"), faulty(tmp_path / "before")))
    assert "No URL came or went, no verdict changed, and no finding is new or mended." in text


def test_of_many_changes_some_of_each_kind_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = [answered(f"{SITE}/good/{number}", 404) for number in range(3)]
    hidden = [answered(f"{SITE}/good/{number}", noindex=True) for number in range(3, 6)]
    fine = [answered(f"{SITE}/bad/{number}", noindex=False) for number in range(5)]
    were = [*lost, *hidden, *fine]
    before = build_run(tmp_path / "before", [listed(*[page.url for page in were]), *were])
    now = faulty(tmp_path / "now")
    every = data_of(written(now, before))["changes"]
    kinds = [tuple(map(row.get, ("change", "rule", "before", "after"))) for row in every]
    monkeypatch.setattr(change, "ALIKE", 2)
    markup = written(now, before)
    rows = data_of(markup)["changes"]
    assert rows == [row for at, row in enumerate(every) if kinds[:at].count(kinds[at]) < 2]
    new = [row["rule"] for row in rows if row["change"] == "new"]
    assert new.count("page-not-found") == 2
    assert f"This page shows {len(rows)} of {len(every)} changes" in text_of(markup)


def test_a_long_list_is_cut_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "EXAMPLES", 2)
    monkeypatch.setattr(urls, "SHOWN", 5)
    monkeypatch.setattr(sitemaps, "_FILES", sitemaps._FILES.replace("1000", "2"))
    markup = written(faulty(tmp_path))
    text, data = text_of(markup), data_of(markup)
    assert "The first 2 of 3 findings" in text
    assert "This page holds 5 of 50 listed URLs" in text
    assert "The 2 with most bad entries, of 3" in text
    assert len(data["urls"]) == 5
    assert len(data["sitemaps"]) == 2
    assert {len(each) for each in data["examples"].values()} <= {1, 2}


def test_budgets_hold_where_texts_are_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urls, "BUDGET", 4_000)
    data = data_of(written(faulty(tmp_path)))
    assert 1 <= len(data["urls"]) < 50
    assert len(json.dumps(data["urls"][:-1])) < 5_000


def test_the_budgets_leave_the_page_below_15_mb() -> None:
    library = libraries()
    own = sum(len(text.encode()) for text in (library.plotly, library.datatables, library.css))
    budgets = findings.BUDGET + sitemaps.BUDGET + urls.BUDGET + change.BUDGET
    assert own + budgets < 14_500_000


def test_urls_of_examples_and_grave_ones_come_first(tmp_path: Path) -> None:
    rows = data_of(written(faulty(tmp_path)))["urls"]
    assert len(rows) == 50
    ranks = [
        ["notice", "warning", "error"].index(row["findings"][0]["severity"]) for row in rows[:10]
    ]
    assert ranks == sorted(ranks, reverse=True)


def test_of_a_url_everything_is_told(tmp_path: Path) -> None:
    data = data_of(written(faulty(tmp_path)))
    row = next(each for each in data["urls"] if each["url"] == f"{SITE}/bad/5")
    assert row["verdict"] == "noindex"
    assert row["facts"]["sitemaps"] == [f"{SITE}/rotten.xml"]
    assert row["facts"]["fetched_at"] == "2026-11-21 12:00:00 UTC"
    assert row["facts"]["statements"] == [
        "source: meta, token: noindex, until: 2026-11-21 12:00:00+00, holds: False"
    ]
    assert "noindex-meta" in {each["rule"] for each in row["findings"]}
    assert set(row["facts"]) <= set(data["meanings"])


def test_what_a_site_says_is_never_markup(tmp_path: Path) -> None:
    markup = written(hostile(tmp_path))
    assert SCRIPT not in markup
    assert "window.caught" in markup
    assert "onerror='window.caught" not in re.sub(r"(?s)<script.*?</script>", "", markup)
    assert SCRIPT in json.dumps(data_of(markup), ensure_ascii=False)

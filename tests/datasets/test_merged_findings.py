"""Many findings of one cause in a sitemap are one finding; findings say where entries are."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from sitemapaudit import Run
from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import compare
from sitemapaudit.datasets.build import Build
from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.merged_findings import MANY
from sitemapaudit.datasets.recipe import needed_relations
from sitemapaudit.items import Canonical, Entries
from sitemapaudit.repair.repairing import RepairOptions, repair
from sitemapaudit.report.report_page import write_report
from sitemapaudit.rules.catalog import catalog
from tests.comparison.runs import differences
from tests.rules.tables import manifest_of
from tests.support.paths import PROJECT
from tests.support.rows import SITEMAP, fetched_page, listed, sitemap_of
from tests.support.runs import build_audited_run
from tests.support.settings import NO_RULES

pytestmark = pytest.mark.xdist_group("merged-findings")

README = (PROJECT / "README.md").read_text(encoding="utf-8")
PAGE = "https://www.example.com/page"
RULES = ("loc-duplicate", "loc-session-id", "canonical-missing")
CHOSEN = {name: "off" for name in NO_RULES if name not in RULES}


def run_of(folder: Path, repeats: int, sessions: int, pages: int) -> Run:
    """Return a run of a sitemap with so many faults of each kind, on two lines each."""
    locs = [
        PAGE,
        *[PAGE] * repeats,
        *(f"{PAGE}?sid={number}" for number in range(sessions)),
        *(f"{PAGE}/{number}" for number in range(pages)),
    ]
    rows = [replace(row, line=2 * row.position + 1) for row in listed(*locs).rows]
    entries = Entries(SITEMAP, rows)
    read = {"is_html": True, "noindex": False, "bytes": 9}
    found = [fetched_page(f"{PAGE}/{number}", **read) for number in range(pages)]
    return build_audited_run(folder, [sitemap_of(entries), entries, *found], rules=CHOSEN)


def of_rule(frame: pd.DataFrame, rule: str) -> pd.DataFrame:
    return frame[frame["rule"] == rule].reset_index(drop=True)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run_of(tmp_path_factory.mktemp("few") / "1", MANY, MANY, MANY)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run_of(tmp_path_factory.mktemp("many") / "1", MANY + 1, MANY + 2, MANY + 3)


def test_as_many_as_the_limit_are_not_merged(few: Run) -> None:
    assert few.findings["rule"].value_counts().to_dict() == dict.fromkeys(RULES, MANY)
    assert set(few.findings["occurrences"]) == {1}
    assert few.occurrences.empty


def test_more_are_one_finding_about_the_sitemap(many: Run) -> None:
    assert many.findings["rule"].value_counts().to_dict() == dict.fromkeys(RULES, 1)
    (finding,) = of_rule(many.findings, "loc-duplicate").to_dict("records")
    assert pd.isna(finding["url"])
    assert finding["sitemap"] == SITEMAP
    assert (finding["position"], finding["line"], finding["occurrences"]) == (2, 5, MANY + 1)
    assert finding["message"] == (
        f"{MANY + 1} entries repeat another (the same loc), such as {PAGE}: repeats entry 1"
        " (the same loc)"
    )
    evidence = json.loads(finding["evidence"])
    assert evidence["count"] == MANY + 1
    assert evidence["examples"][:2] == [f"{PAGE} (line 5)", f"{PAGE} (line 7)"]
    assert len(evidence["examples"]) == 10


def test_their_number_is_that_of_all_of_them(many: Run) -> None:
    found = {"loc-duplicate": MANY + 1, "loc-session-id": MANY + 2, "canonical-missing": MANY + 3}
    assert many.manifest.rules == found
    assert many.manifest.finding_count == sum(found.values())
    assert many.manifest.rows["findings"] == len(many.findings) == len(RULES)
    section = write_report(many.path, many.manifest, catalog()).read_text(encoding="utf-8")
    assert f"{many.manifest.finding_count} findings by 3 rules" in section
    (query,) = re.findall(r'"(select rule, .* from findings .*)"', README)
    counted = many.sql(query)
    assert dict(zip(counted["rule"], counted.iloc[:, 1], strict=True)) == found


def test_many_findings_on_few_pages_are_not_merged(tmp_path: Path) -> None:
    urls = [f"{PAGE}/1", f"{PAGE}/2"]
    hrefs = [f"{PAGE}#{number}" for number in range(MANY)]
    canonicals = [Canonical("tag", href, href) for href in hrefs]
    found = [
        fetched_page(url, is_html=True, noindex=False, bytes=9, canonicals=canonicals)
        for url in urls
    ]
    rules = {name: "off" for name in NO_RULES if name != "canonical-invalid"}
    run = build_audited_run(tmp_path, [listed(*urls), *found], rules=rules)
    assert run.findings["url"].value_counts().to_dict() == dict.fromkeys(urls, MANY)


def test_fewer_in_each_of_several_sitemaps_are_one_finding_about_the_site(tmp_path: Path) -> None:
    files = [f"https://www.example.com/{number}.xml" for number in range(3)]

    def run_with(name: str, faults: int) -> Run:
        entries = [
            listed(*(f"{file}/p?sid={number}" for number in range(faults)), sitemap=file)
            for file in files
        ]
        return build_audited_run(tmp_path / name, entries, rules=CHOSEN)

    old, new = run_with("1", 3), run_with("2", 40)
    (finding,) = new.findings.to_dict("records")
    assert (finding["url"], finding["occurrences"]) == ("https://www.example.com", 120)
    assert pd.isna(finding["sitemap"])
    assert finding["message"].startswith(
        "120 entries in 3 sitemaps have a session ID: sid, such as https://www.example.com/0.xml/p"
    )
    assert new.occurrences["sitemap"].value_counts().to_dict() == dict.fromkeys(files, 40)
    for before, after in ((old, new), (new, old)):
        comparison = compare(before.path, after.path, 256, Audit(NO_RULES))
        assert comparison.changes["new"] == comparison.changes["fixed"] == 0


@pytest.mark.parametrize("position", ["null", "n"])
def test_findings_of_a_cause_are_merged_with_and_without_a_position(position: str) -> None:
    with connect() as connection:
        connection.execute(
            "create table findings as select 'r' as rule, 'error' as severity, 'site' as subject,"
            f" 'u' || n as url, 's' as sitemap, {position}::bigint as position, null::bigint as"
            " line, 'm' as message, null::varchar as evidence, 'c' as cause, 1::bigint as"
            f" occurrences from range({MANY + 1}) t(n)"
        )
        build = Build(connection, manifest_of(), Audit(NO_RULES))
        for relation in needed_relations(["occurrences"], build.manifest):
            if relation.name in ("merged_causes", "occurrences"):
                relation.create(build)
        numbers = connection.execute("select occurrences from findings").fetchall()
    assert numbers == [(MANY + 1,)]


def test_each_occurrence_is_kept(many: Run) -> None:
    assert many.occurrences["rule"].value_counts().to_dict() == {
        "loc-duplicate": MANY + 1,
        "loc-session-id": MANY + 2,
        "canonical-missing": MANY + 3,
    }
    sessions = of_rule(many.occurrences, "loc-session-id")
    assert sorted(sessions["position"]) == list(range(MANY + 3, 2 * MANY + 5))
    rules = many.urls.set_index("url")["rules"]
    assert list(rules[f"{PAGE}?sid=0"]) == ["loc-session-id"]
    assert list(rules[f"{PAGE}/0"]) == ["canonical-missing"]


def test_findings_on_pages_say_where_the_page_is_listed(few: Run) -> None:
    findings = of_rule(few.findings, "canonical-missing").set_index("url")
    first = 2 + 2 * MANY
    for number in (0, MANY - 1):
        row = findings.loc[f"{PAGE}/{number}"]
        assert (row["sitemap"], row["position"]) == (SITEMAP, first + number)
        assert row["line"] == 2 * (first + number) + 1


def test_repair_drops_the_same_urls(many: Run, tmp_path: Path) -> None:
    repaired = repair(many.path, tmp_path / "repaired", 256, RepairOptions())
    assert repaired.changes["dropped"] == MANY + 2


def test_merged_and_single_findings_of_a_cause_are_the_same(few: Run, many: Run) -> None:
    audit = Audit(NO_RULES)
    for old, new in ((few, many), (many, few), (many, many)):
        comparison = compare(old.path, new.path, 256, audit)
        assert comparison.changes["new"] == comparison.changes["fixed"] == 0
        assert {row["change"] for row in differences(new.path)} <= {"added", "removed"}


def test_a_merged_finding_is_fixed_or_unknown(many: Run, tmp_path: Path) -> None:
    clean = listed(f"{PAGE}/0")
    new = build_audited_run(tmp_path, [sitemap_of(clean), clean], rules=CHOSEN)
    compare(many.path, new.path, 256, Audit(NO_RULES))
    changes = {row["rule"]: row["change"] for row in differences(new.path) if row["rule"]}
    assert changes == {
        "loc-duplicate": "fixed",
        "loc-session-id": "fixed",
        "canonical-missing": "unknown",
    }

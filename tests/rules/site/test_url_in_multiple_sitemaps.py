"""url-in-multiple-sitemaps: the same normalised loc stands in at least two files."""

import json
from pathlib import Path

import pytest

from sitemapaudit.items import Entries, Kind
from tests.pages.answers import SITE, URL
from tests.support import build_run, listed, rule_on

RULE = "url-in-multiple-sitemaps"
A, B, C = f"{SITE}/a.xml", f"{SITE}/b.xml", f"{SITE}/c.xml"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([listed(URL, sitemap=A)], []),
        ([listed(URL, sitemap=A), listed(URL, sitemap=B)], [(URL, "notice")]),
        ([listed(URL, URL, sitemap=A)], []),
        ([listed(URL, URL, sitemap=A), listed(URL, sitemap=B)], [(URL, "notice")]),
        (
            [listed(URL, sitemap=A), listed("HTTPS://WWW.example.com:443/%61#x", sitemap=B)],
            [(URL, "notice")],
        ),
        ([listed(URL, sitemap=A), listed(f"{URL}/", sitemap=B)], []),
        ([listed(URL, sitemap=A), listed(f"{SITE}/A", sitemap=B)], []),
        ([listed(URL, sitemap=A), listed("http://www.example.com/a", sitemap=B)], []),
        ([listed("not a url", sitemap=A), listed("not a url", sitemap=B)], []),
        ([listed(URL, sitemap=A), listed(URL, sitemap=B, kind=Kind.RSS)], [(URL, "notice")]),
        ([listed(URL, sitemap=A), listed(URL, sitemap=B, kind=Kind.TEXT)], [(URL, "notice")]),
        ([listed(C, sitemap=A, kind=Kind.SITEMAPINDEX), listed(C, sitemap=B)], []),
        ([listed(C, sitemap=A, kind=Kind.SITEMAPINDEX)] * 2, []),
    ],
)
def test_files(tmp_path: Path, files: list[Entries], expected: list[tuple[str, str]]) -> None:
    run = build_run(tmp_path, files)
    assert [finding[:2] for finding in rule_on(run, RULE)] == expected


def test_message_names_the_files(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL, sitemap=file) for file in (C, A, B)])
    assert rule_on(run, RULE) == [(URL, "notice", f"is listed in 3 sitemaps: {A}, {B}, {C}")]
    (finding,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (finding.sitemap, finding.subject) == (A, "site")
    assert json.loads(str(finding.evidence))["count"] == 3


@pytest.mark.parametrize(("count", "end"), [(5, "/5.xml"), (6, "/5.xml …")])
def test_message_ends_at_five_files(tmp_path: Path, count: int, end: str) -> None:
    names = [f"{SITE}/{number}.xml" for number in range(1, count + 1)]
    run = build_run(tmp_path, [listed(URL, sitemap=name) for name in names])
    ((_, _, message),) = rule_on(run, RULE)
    assert message.startswith(f"is listed in {count} sitemaps: {SITE}/1.xml, ")
    assert message.endswith(end)

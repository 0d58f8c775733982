"""lastmod-no-timezone: a time without a time zone, which no other rule reports."""

import json

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.items import Entries
from tests.rules.sitemap.files import (
    NAMESPACE,
    PAGE,
    atom,
    atom_entry,
    entries_of,
    item,
    rss,
    url,
    urlset,
)
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "lastmod-no-timezone"
LOCAL = "2026-11-21T09:30:00"


def severities_of(lastmod: str) -> list[str]:
    (entry,) = entries_of(urlset(url(more=f"<lastmod>{lastmod}</lastmod>")))
    return severities(RULE, entry)


@pytest.mark.parametrize(
    "lastmod",
    [LOCAL, f"\n{LOCAL} ", "2026-11-21T09:30", "2026-11-21T09:30:00.5", "2026-11-21T00:00:00"],
)
def test_a_time_without_a_zone_is_the_only_finding(lastmod: str) -> None:
    assert severities_of(lastmod) == ["warning"]
    (entry,) = entries_of(urlset(url(more=f"<lastmod>{lastmod}</lastmod>")))
    assert [finding.rule for finding in Audit().examine(Entries(SITEMAP, [entry]))] == [RULE]


@pytest.mark.parametrize(
    "lastmod",
    [
        f"{LOCAL}Z",
        f"{LOCAL}+00:00",
        f"{LOCAL}-08:00",
        "2026-11-21T09:30Z",
        "2026-11-21T09:30:00.123456+01:00",
        "2026-11-21",
        "2026-11",
        "2026",
        "",
        " ",
    ],
)
def test_a_zone_or_no_time(lastmod: str) -> None:
    assert severities_of(lastmod) == []


@pytest.mark.parametrize(
    "lastmod",
    [
        "2026-11-21 09:30:00",
        "2026-11-21T9:30:00",
        "2026-11-31T09:30:00",
        "2026-11-21T24:30:00",
        f"{LOCAL}+0100",
        f"{LOCAL} UTC",
        f"{LOCAL}z",
        "Sat, 21 Nov 2026 09:30:00",
    ],
)
def test_lastmod_invalid_reports_invalid_dates(lastmod: str) -> None:
    assert severities_of(lastmod) == []
    (entry,) = entries_of(urlset(url(more=f"<lastmod>{lastmod}</lastmod>")))
    assert severities("lastmod-invalid", entry) == ["error"]


def test_in_every_format() -> None:
    child = f"<sitemap><loc>{PAGE}</loc><lastmod>{LOCAL}</lastmod></sitemap>"
    dated = f"<x:date xmlns:x='http://purl.org/dc/elements/1.1/'>{LOCAL}</x:date></item>"
    for body in (
        f'<sitemapindex xmlns="{NAMESPACE}">{child}</sitemapindex>',
        atom(atom_entry().replace("</entry>", f"<updated>{LOCAL}</updated></entry>")),
        rss(item().replace("</item>", dated)),
    ):
        (entry,) = entries_of(body)
        assert severities(RULE, entry) == ["warning"]


def test_rss_dates_are_not_w3c_dates() -> None:
    dated = item().replace("</item>", "<pubDate>Sat, 21 Nov 2026 09:30:00</pubDate></item>")
    (entry,) = entries_of(rss(dated))
    assert severities(RULE, entry) == []


def test_message_evidence_and_place() -> None:
    _, entry = entries_of(urlset(url(), url(more=f"<lastmod>{LOCAL}</lastmod>")))
    (finding,) = found(RULE, entry)
    assert finding.message == f"lastmod '{LOCAL}' has a time without a time zone"
    assert (finding.url, finding.sitemap, finding.position) == (PAGE, SITEMAP, 2)
    assert json.loads(finding.evidence or "") == {"lastmod": LOCAL}

"""lastmod-invalid: empty, not a W3C date, or a day that does not exist, or is before 1970.

A notice if only the schema rejects it.
"""

from xml.sax.saxutils import escape

import pytest

from sitemapaudit.items import Entry
from tests.rules.sitemap.files import (
    DECLARATION,
    NAMESPACE,
    PAGE,
    atom,
    entries_of,
    rss,
    url,
    urlset,
)
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP


def entry_with(lastmod: str) -> Entry:
    (entry,) = entries_of(urlset(url(more=f"<lastmod>{escape(lastmod)}</lastmod>")))
    return entry


@pytest.mark.parametrize(
    "lastmod",
    [
        "2026-11-21",
        "2024-02-29",
        "2000-02-29",
        "2026-12-31",
        "2026-11-21T00:00:00Z",
        "2026-11-21T23:59:59Z",
        "2026-11-21T09:30:00+01:00",
        "2026-11-21T09:30:00-08:00",
        "2026-11-21T09:30:00+05:45",
        "2026-11-21T09:30:00+14:00",
        "2026-11-21T09:30:00+23:59",
        "2026-11-21T09:30:00.5Z",
        "2026-11-21T09:30:00.123456789+01:00",
        "1997-07-16T19:20:30.45+01:00",
        "1970-01-01",
        "1970-01-01T01:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "9999-12-31",
        " 2026-11-21\n",
    ],
)
def test_valid(lastmod: str) -> None:
    assert severities("lastmod-invalid", entry_with(lastmod)) == []


@pytest.mark.parametrize(
    "lastmod",
    ["2026", "2026-11", "2026-11-21T09:30Z", "2026-11-21T09:30+01:00", "2026-11-21T23:59-12:00"],
)
def test_valid_dates_that_the_schema_rejects(lastmod: str) -> None:
    assert severities("lastmod-invalid", entry_with(lastmod)) == ["notice"]


@pytest.mark.parametrize("lastmod", ["2026-11-21T09:30:00", "2026-11-21T09:30:00.5"])
def test_a_time_without_a_zone_is_not_reported(lastmod: str) -> None:
    assert severities("lastmod-invalid", entry_with(lastmod)) == []


def test_a_time_without_seconds_and_zone_is_not_reported() -> None:
    assert severities("lastmod-invalid", entry_with("2026-11-21T09:30")) == []


@pytest.mark.parametrize(
    "lastmod",
    [
        "2023-02-29",
        "1900-02-29",
        "2026-02-30",
        "2026-11-31",
        "2026-11-00",
        "2026-00-21",
        "2026-13-21",
        "2026-13",
        "2026-11-21T24:00:00Z",
        "2026-11-21T09:60:00Z",
        "2026-11-21T09:30:60Z",
        "2026-11-21T24:00Z",
        "2026-11-21T09:30:00+24:00",
        "2026-11-21T09:30:00+01:60",
        "2026-02-30T09:30:00",
        "2026-02-30T09:30:00Z",
    ],
)
def test_days_and_times_that_do_not_exist(lastmod: str) -> None:
    assert severities("lastmod-invalid", entry_with(lastmod)) == ["error"]


@pytest.mark.parametrize(
    "lastmod",
    [
        "yesterday",
        "-",
        "null",
        "1763717400",
        "20261121",
        "20261121T093000Z",
        "26-11-21",
        "2026-1-5",
        "2026/11/21",
        "21.11.2026",
        "11-21-2026",
        "2026-W47-6",
        "2026-325",
        "+2026-11-21",
        "-2026-11-21",
        "12026-11-21",
        "2026-11-",
        "2026-11-21Z",
        "2026-11-21+01:00",
        "2026-11-21T",
        "2026-11-21T09Z",
        "2026-11-21T9:30:00Z",
        "2026-11-21 09:30:00",
        "2026-11-21 09:30:00Z",
        "2026-11-21t09:30:00z",
        "2026-11-21T09:30:00z",
        "2026-11-21T09:30:00 Z",
        "2026-11-21T09:30:00+0100",
        "2026-11-21T09:30:00+01",
        "2026-11-21T09:30:00+1:00",
        "2026-11-21T09:30:00UTC",
        "2026-11-21T09:30:00,5Z",
        "2026-11-21T09:30:00.Z",
        "2026-11-21T09:30.5Z",
        "09:30:00Z",
        "2026-11-21 - 2026-11-22",
        "Sat, 21 Nov 2026 09:30:00 GMT",
        "21 November 2026",
        "2026-11-2\N{FULLWIDTH DIGIT ONE}",
        "2026\N{HYPHEN}11\N{HYPHEN}21",
    ],
)
def test_other_formats(lastmod: str) -> None:
    assert severities("lastmod-invalid", entry_with(lastmod)) == ["error"]


def test_a_missing_lastmod_is_not_reported() -> None:
    (entry,) = entries_of(urlset(url()))
    assert severities("lastmod-invalid", entry) == []


@pytest.mark.parametrize("lastmod", ["<lastmod/>", "<lastmod></lastmod>", "<lastmod> \n</lastmod>"])
def test_an_empty_lastmod_is_an_error(lastmod: str) -> None:
    (entry,) = entries_of(urlset(url(more=lastmod)))
    (finding,) = found("lastmod-invalid", entry)
    assert (finding.severity, finding.message) == ("error", f"lastmod {entry.lastmod!r} is empty")


@pytest.mark.parametrize(
    "lastmod",
    [
        "1969-12-31",
        "1940-12-22",
        "1900-01-01T00:00:00Z",
        "1970-01-01T00:00:00+01:00",
        "0001-01-01",
        "0001-01-01T00:00:00+01:00",
    ],
)
def test_a_date_before_1970_is_a_warning(lastmod: str) -> None:
    (finding,) = found("lastmod-invalid", entry_with(lastmod))
    assert finding.severity == "warning"
    assert finding.message == f"lastmod {lastmod!r} is before 1970-01-01 UTC"


def test_a_time_before_1970_without_a_zone_has_one_finding() -> None:
    assert severities("lastmod-invalid", entry_with("1940-12-22T09:30:00")) == []


def test_a_date_before_1970_in_a_format_that_the_schema_rejects_is_one_finding() -> None:
    assert severities("lastmod-invalid", entry_with("1940")) == ["warning"]


@pytest.mark.parametrize(
    ("lastmod", "expected"),
    [
        ("2026-11-21", []),
        ("2026-11", ["notice"]),
        ("21.11.2026", ["error"]),
        ("", ["error"]),
        ("1940-12-22", ["warning"]),
    ],
)
def test_children_of_an_index_are_checked(lastmod: str, expected: list[str]) -> None:
    child = f"<sitemap><loc>{PAGE}.xml</loc><lastmod>{lastmod}</lastmod></sitemap>"
    (entry,) = entries_of(f'{DECLARATION}<sitemapindex xmlns="{NAMESPACE}">{child}</sitemapindex>')
    assert severities("lastmod-invalid", entry) == expected


@pytest.mark.parametrize(
    "body",
    [
        rss("<item><pubDate>Sat, 21 Nov 2026 09:30:00 GMT</pubDate></item>"),
        atom("<entry><updated>2026-11-21T09:30:00.00Z</updated></entry>"),
        f"{PAGE}\n",
    ],
)
def test_feeds_and_text_sitemaps_are_not_checked(body: str) -> None:
    (entry,) = entries_of(body)
    assert severities("lastmod-invalid", entry) == []


def test_the_entry_keeps_the_value_as_written() -> None:
    entry = entry_with(" 2026-02-30 ")
    assert (entry.lastmod, entry.lastmod_at) == (" 2026-02-30 ", None)


@pytest.mark.parametrize(
    ("lastmod", "message"),
    [
        ("2026-02-30", "lastmod '2026-02-30' is not a valid W3C date"),
        ("2026-11", "lastmod '2026-11' has the format YYYY-MM, which the schema rejects"),
    ],
)
def test_message_and_place(lastmod: str, message: str) -> None:
    _, entry = entries_of(urlset(url(), url(more=f"<lastmod>{lastmod}</lastmod>")))
    (finding,) = found("lastmod-invalid", entry)
    assert finding.message == message
    assert (finding.url, finding.sitemap, finding.position) == (PAGE, SITEMAP, 2)

"""Access logs: which requests count, where they went, and whether a crawler is what it says."""

import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pandas as pd
import pytest

from sitemapaudit.evidence.access_log import COLUMNS, read_access_log
from sitemapaudit.evidence.crawler_ranges import CrawlerRanges
from sitemapaudit.evidence.tables import ExportError
from tests.evidence.samples import IN_RANGE, OUT_OF_RANGE, log_line, write_log, write_ranges
from tests.support.effort import cpu_limit

SITE = "https://www.example.com"


@pytest.mark.parametrize(
    ("request_line", "url"),
    [
        ("GET /a HTTP/1.1", f"{SITE}/a"),
        ("HEAD /a?b=c%20d HTTP/2.0", f"{SITE}/a?b=c%20d"),
        ("GET /%7Ea/../b HTTP/1.1", f"{SITE}/b"),
        ("GET //other.example/a HTTP/1.1", f"{SITE}//other.example/a"),
        ("GET http://www.example.com/a HTTP/1.1", "http://www.example.com/a"),
        ("GET /a", f"{SITE}/a"),
        (r"GET /a?q=\"b\" HTTP/1.1", rf"{SITE}/a?q=\%22b\%22"),
        ("POST /a HTTP/1.1", None),
        ("-", None),
        (r"\x16\x03\x01", None),
    ],
)
def test_request_lines(request_line: str, url: str | None, tmp_path: Path) -> None:
    log = read_access_log([write_log(tmp_path / "log", [log_line(request_line)])], SITE)
    assert log.requests["url"].tolist() == ([] if url is None else [url])
    assert log.unreadable == 0


def test_values(tmp_path: Path) -> None:
    zone = timezone(timedelta(hours=2))
    line = log_line("GET /a HTTP/1.1", 404, at=datetime(2026, 11, 20, 1, tzinfo=zone), user="a b")
    log = read_access_log([write_log(tmp_path / "log", [line])], f"{SITE}/")
    (row,) = log.requests.to_dict("records")
    assert row["time"] == pd.Timestamp(datetime(2026, 11, 19, 23, tzinfo=UTC))
    assert (row["status"], row["address"]) == (404, IN_RANGE)
    assert pd.isna(row["verified"])


def test_only_the_crawler_counts_in_any_case(tmp_path: Path) -> None:
    agents = ("Mozilla/5.0 (X11)", "googlebot/2.1", "Mozilla/5.0 (compatible; bingbot/2.0)")
    lines = [log_line(f"GET /{at} HTTP/1.1", agent=agent) for at, agent in enumerate(agents)]
    file = write_log(tmp_path / "log", lines)
    assert read_access_log([file], SITE).requests["url"].tolist() == [f"{SITE}/1"]
    assert read_access_log([file], SITE, "bingbot").requests["url"].tolist() == [f"{SITE}/2"]


def test_dates_that_do_not_exist_and_long_lines_are_not_requests(tmp_path: Path) -> None:
    good = log_line("GET /a HTTP/1.1")
    wrong = re.sub(r"\[[^/]+/[^/]+", "[31/Feb", good)
    file = write_log(tmp_path / "log", [wrong, "[" * 10_000_000, good + "x" * 100_000, good])
    with cpu_limit(5):
        log = read_access_log([file], SITE)
    assert (log.requests["url"].tolist(), log.unreadable) == ([f"{SITE}/a"], 3)


def test_a_log_that_breaks_off_is_named(tmp_path: Path) -> None:
    file = write_log(tmp_path / "log.gz", [log_line("GET /a HTTP/1.1")])
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(ExportError, match=r"log\.gz is damaged: "):
        read_access_log([file], SITE)


def test_compressed_and_plain_logs_and_lines_of_other_formats(tmp_path: Path) -> None:
    plain = write_log(tmp_path / "a.log", [log_line("GET /a HTTP/1.1"), "", "starting up"])
    packed = write_log(tmp_path / "b.log.gz", [log_line("GET /b HTTP/1.1")])
    log = read_access_log([plain, packed], SITE)
    assert log.requests["url"].tolist() == [f"{SITE}/a", f"{SITE}/b"]
    assert log.unreadable == 1


def test_an_empty_log_has_the_columns(tmp_path: Path) -> None:
    log = read_access_log([write_log(tmp_path / "log", [])], SITE)
    assert list(log.requests.columns) == list(COLUMNS)
    assert str(log.requests["time"].dtype.tz) == "UTC"  # type: ignore[union-attr]


def test_addresses_are_verified_by_the_published_ranges(tmp_path: Path) -> None:
    ranges = CrawlerRanges([write_ranges(tmp_path / "googlebot.json")])
    addresses = {
        IN_RANGE: True,
        "66.249.66.32": False,
        OUT_OF_RANGE: False,
        "2001:4860:4801:10::1": True,
        "2001:4860:4801:11::1": False,
        "crawl-66-249-66-1.googlebot.com": False,
    }
    lines = [log_line("GET /a HTTP/1.1", address=address) for address in addresses]
    log = read_access_log([write_log(tmp_path / "log", lines)], SITE, ranges=ranges)
    assert log.requests["verified"].tolist() == list(addresses.values())


@pytest.mark.parametrize("text", ["", "[]", '{"prefixes": [{"ipv4Prefix": "x"}]}', '{"a": 1}'])
def test_a_file_without_ranges_is_one_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "ranges.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ExportError, match="has no IP ranges"):
        CrawlerRanges([file])


def test_an_origin_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not an origin"):
        read_access_log([], "www.example.com")

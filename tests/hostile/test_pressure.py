"""The audit respects how often, and after which delay, a host allows requests."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path

import pytest

from tests.hostile.attacks import urlset
from tests.hostile.host import FOREVER, HTML, TEXT, XML, Host, Sender, response
from tests.support import Audited, crawl

TOO_MANY_REQUESTS, UNAVAILABLE = "429 Too Many Requests", "503 Service Unavailable"
TOLERANCE = 0.2
"""Seconds by which a server on a busy machine may record a request too late."""


def http_date(seconds: float) -> str:
    """Return the time in a number of seconds, as an HTTP date."""
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


class BusySite:
    """A site that refuses the first requests for some of its pages."""

    def __init__(self, pages: int = 1, robots: str = "") -> None:
        self.host = Host(self._respond)
        self.refusals: dict[str, list[Callable[[], Sender]]] = {}
        self._paths = [f"/{number}" for number in range(pages)]
        self._robots = robots

    def _respond(self, path: str) -> Sender:
        if path == "/robots.txt":
            return response(f"{self._robots}Sitemap: {self.host.origin}/sitemap.xml\n", TEXT)
        if path == "/sitemap.xml":
            return response(urlset(self.host.origin + each for each in self._paths), XML)
        if self.refusals.get(path):
            return self.refusals[path].pop(0)()
        words = " ".join(f"{path[1:]}word{number}" for number in range(160))
        link = f'<link rel="canonical" href="{self.host.origin}{path}">'
        return response(f"<!doctype html><html lang=en><title>{path}</title>{link}<p>{words}", HTML)

    def audit(self, folder: Path, **settings: str) -> Audited:
        chosen = {"RETRY_TIMES": "3", "DOWNLOAD_TIMEOUT": "10"} | settings
        with self.host:
            return crawl(folder, {"site": self.host.origin}, chosen)

    def pauses(self, *paths: str) -> list[float]:
        """Return the seconds between all requests, or between those for these paths."""
        moments = [at for path, at in self.host.requests if not paths or path in paths]
        return [after - before for before, after in pairwise(moments)]


def refusal(status: str, retry_after: str | None = None) -> Sender:
    headers = [f"Retry-After: {retry_after}"] if retry_after else []
    return response("no", HTML, *headers, status=status)


@pytest.mark.parametrize("status", [TOO_MANY_REQUESTS, UNAVAILABLE], ids=["429", "503"])
@pytest.mark.parametrize(
    ("retry_after", "minimum", "maximum"),
    [
        (lambda: "2", 2.0, 5.0),
        (lambda: http_date(3), 1.5, 5.0),
        (lambda: "99999999999999999999", 1.5, 5.0),
        (lambda: http_date(1e8), 1.5, 5.0),
        (lambda: http_date(-1e8), 0.0, 1.5),
    ],
    ids=["seconds", "date", "absurd-seconds", "absurd-date", "past"],
)
def test_retry_after(
    tmp_path: Path,
    status: str,
    retry_after: Callable[[], str],
    minimum: float,
    maximum: float,
) -> None:
    site = BusySite()
    site.refusals["/0"] = [lambda: refusal(status, retry_after())]
    audited = site.audit(tmp_path, AUDIT_MAX_DELAY="2")
    (pause,) = site.pauses("/0")
    assert minimum <= pause <= maximum
    assert audited.run.urls["verdict"].tolist() == ["indexable"]
    assert audited.run.pages["retries"].tolist() == [1]


def test_retry_after_pauses_the_whole_host(tmp_path: Path) -> None:
    site = BusySite(60)
    site.refusals["/0"] = [lambda: refusal(TOO_MANY_REQUESTS, "2")]
    audited = site.audit(tmp_path, AUDIT_MAX_DELAY="10", CONCURRENT_REQUESTS_PER_DOMAIN="1")
    assert max(site.pauses()) >= 2
    assert set(audited.run.urls["verdict"]) == {"indexable"}


def test_each_429_without_retry_after_doubles_the_pause(tmp_path: Path) -> None:
    site = BusySite()
    site.refusals["/0"] = [lambda: refusal(TOO_MANY_REQUESTS)] * 3
    site.audit(tmp_path)
    pauses = site.pauses("/0")
    assert [pause >= rest for pause, rest in zip(pauses, (1, 2, 4), strict=True)] == [True] * 3


def test_a_page_that_is_always_refused_is_denied(tmp_path: Path) -> None:
    site = BusySite()
    site.refusals["/0"] = [lambda: refusal(TOO_MANY_REQUESTS, "1")] * 9
    audited = site.audit(tmp_path)
    assert audited.run.urls["verdict"].tolist() == ["denied"]
    assert site.host.count("/0") == 4


def test_crawl_delay(tmp_path: Path) -> None:
    site = BusySite(2, "User-agent: *\nCrawl-delay: 4\n")
    site.audit(tmp_path)
    pauses = site.pauses()
    assert len(pauses) == 3
    assert min(pauses) >= 4 - TOLERANCE
    assert sum(pauses) >= 4 * len(pauses) - TOLERANCE


def test_an_absurd_crawl_delay_is_shortened(tmp_path: Path) -> None:
    site = BusySite(2, "User-agent: *\nCrawl-delay: 86400\n")
    site.audit(tmp_path, AUDIT_MAX_DELAY="2")
    assert 2 - TOLERANCE <= min(site.pauses()) < 3


def test_a_maximum_delay_of_0_ignores_both(tmp_path: Path) -> None:
    site = BusySite(10, "User-agent: *\nCrawl-delay: 30\n")
    site.refusals["/0"] = [lambda: refusal(UNAVAILABLE, "30")]
    site.audit(tmp_path, AUDIT_MAX_DELAY="0")
    assert max(site.pauses()) < 10


def test_hosts_that_stall_do_not_delay_the_others(tmp_path: Path) -> None:
    fast = BusySite(50)
    with Host(lambda _: lambda: [FOREVER]) as pages, Host(lambda _: lambda: [FOREVER]) as files:
        pages.responses["/robots.txt"] = response("", TEXT)
        stalled = [f"http://localhost:{pages.port}/{number}" for number in range(200)]
        stalled += [f"http://localhost:{files.port}/{number}" for number in range(5)]
        responsive = [f"{fast.host.origin}/{number}" for number in range(50)]
        fast.host.responses["/sitemap.xml"] = response(urlset(stalled + responsive), XML)
        declared = [f"http://localhost:{files.port}/{number}.xml" for number in range(20)]
        declared.append(f"{fast.host.origin}/sitemap.xml")
        fast.host.responses["/robots.txt"] = response(
            "".join(f"Sitemap: {each}\n" for each in declared), TEXT
        )
        files.responses["/robots.txt"] = response("", TEXT)
        audited = fast.audit(
            tmp_path,
            AUDIT_PRIVATE_HOSTS="localhost",
            DOWNLOAD_TIMEOUT="3",
            AUDIT_SITEMAP_TIMEOUT="3",
            CLOSESPIDER_TIMEOUT="8",
            RETRY_TIMES="0",
        )
        # At most 40 requests are in flight: this one waited for the first timeouts.
        after_timeouts = pages.requests[40][1]
    fetched = [at for path, at in fast.host.requests if path[1:].isdigit()]
    assert len(fetched) == 50
    assert max(fetched) < after_timeouts
    urls = audited.run.urls.set_index("url")
    assert set(urls.loc[responsive, "verdict"]) == {"indexable"}

"""What a host asks for is kept to: how often it may be asked, and when again."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path

import pytest

from tests.hostile.attacks import urlset
from tests.hostile.host import FOREVER, HTML, TEXT, XML, Host, Sent, text
from tests.support import Audited, crawl

LATE = 0.2
"""Seconds by which a server on a busy machine may note a request too late."""


def in_seconds(number: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=number), usegmt=True)


class Pressed:
    """A site whose pages answer with a refusal so many times first."""

    def __init__(self, pages: int = 1, robots: str = "") -> None:
        self.host = Host(self._answer)
        self.refusals: dict[str, list[Callable[[], Sent]]] = {}
        self._paths = [f"/{number}" for number in range(pages)]
        self._robots = robots

    def _answer(self, path: str) -> Sent:
        if path == "/robots.txt":
            return text(f"{self._robots}Sitemap: {self.host.origin}/sitemap.xml\n", TEXT)
        if path == "/sitemap.xml":
            return text(urlset(self.host.origin + each for each in self._paths), XML)
        if self.refusals.get(path):
            return self.refusals[path].pop(0)()
        words = " ".join(f"{path[1:]}word{number}" for number in range(160))
        link = f'<link rel="canonical" href="{self.host.origin}{path}">'
        return text(f"<!doctype html><html lang=en><title>{path}</title>{link}<p>{words}", HTML)

    def audit(self, folder: Path, **settings: str) -> Audited:
        chosen = {"RETRY_TIMES": "3", "DOWNLOAD_TIMEOUT": "10"} | settings
        with self.host:
            return crawl(folder, {"site": self.host.origin}, chosen)

    def pauses(self, *paths: str) -> list[float]:
        """Return the seconds between requests, or between those for these paths."""
        moments = [at for path, at in self.host.asked if not paths or path in paths]
        return [after - before for before, after in pairwise(moments)]


def refusal(status: str, retry_after: str | None = None) -> Sent:
    more = [f"Retry-After: {retry_after}"] if retry_after else []
    return text("no", HTML, *more, status=status)


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
@pytest.mark.parametrize(
    ("stated", "least", "most"),
    [
        (lambda: "2", 2.0, 5.0),
        (lambda: in_seconds(3), 1.5, 5.0),
        (lambda: "99999999999999999999", 1.5, 5.0),
        (lambda: in_seconds(1e8), 1.5, 5.0),
        (lambda: in_seconds(-1e8), 0.0, 1.5),
    ],
    ids=["seconds", "date", "absurd-seconds", "absurd-date", "past"],
)
def test_retry_after(
    tmp_path: Path, status: str, stated: Callable[[], str], least: float, most: float
) -> None:
    site = Pressed()
    site.refusals["/0"] = [lambda: refusal(status, stated())]
    audited = site.audit(tmp_path, AUDIT_MAX_WAIT="2")
    (pause,) = site.pauses("/0")
    assert least <= pause <= most
    assert audited.run.urls["verdict"].tolist() == ["indexable"]
    assert audited.run.pages["retries"].tolist() == [1]


def test_the_whole_host_rests(tmp_path: Path) -> None:
    site = Pressed(60)
    site.refusals["/0"] = [lambda: refusal("429 Too Many Requests", "2")]
    audited = site.audit(tmp_path, AUDIT_MAX_WAIT="10", CONCURRENT_REQUESTS_PER_DOMAIN="1")
    assert max(site.pauses()) >= 2
    assert set(audited.run.urls["verdict"]) == {"indexable"}


def test_each_refusal_without_a_time_doubles_the_rest(tmp_path: Path) -> None:
    site = Pressed()
    site.refusals["/0"] = [lambda: refusal("429 Too Many Requests")] * 3
    site.audit(tmp_path)
    pauses = site.pauses("/0")
    assert [pause >= rest for pause, rest in zip(pauses, (1, 2, 4), strict=True)] == [True] * 3


def test_who_refuses_for_ever_is_denied_and_the_audit_ends(tmp_path: Path) -> None:
    site = Pressed()
    site.refusals["/0"] = [lambda: refusal("429 Too Many Requests", "1")] * 9
    audited = site.audit(tmp_path)
    assert audited.run.urls["verdict"].tolist() == ["denied"]
    assert site.host.times("/0") == 4


def test_crawl_delay(tmp_path: Path) -> None:
    site = Pressed(4, "User-agent: *\nCrawl-delay: 4\n")
    site.audit(tmp_path)
    pauses = site.pauses(*(f"/{number}" for number in range(4)))
    assert min(pauses) >= 4 - LATE
    assert sum(pauses) >= 4 * len(pauses) - LATE


def test_an_absurd_crawl_delay_is_cut(tmp_path: Path) -> None:
    site = Pressed(3, "User-agent: *\nCrawl-delay: 86400\n")
    site.audit(tmp_path, AUDIT_MAX_WAIT="4")
    assert 4 - LATE <= min(site.pauses("/0", "/1", "/2")) < 5


def test_neither_is_heeded_on_a_site_of_ones_own(tmp_path: Path) -> None:
    site = Pressed(10, "User-agent: *\nCrawl-delay: 30\n")
    site.refusals["/0"] = [lambda: refusal("503 Service Unavailable", "30")]
    site.audit(tmp_path, AUDIT_MAX_WAIT="0")
    assert max(site.pauses()) < 10


def test_hosts_that_stall_leave_room_for_the_others(tmp_path: Path) -> None:
    fast = Pressed(100)
    with Host(lambda _: lambda: [FOREVER]) as pages, Host(lambda _: lambda: [FOREVER]) as files:
        pages.answers["/robots.txt"] = text("", TEXT)
        stalled = [f"http://localhost:{pages.port}/{number}" for number in range(200)]
        stalled += [f"http://localhost:{files.port}/{number}" for number in range(5)]
        fine = [f"{fast.host.origin}/{number}" for number in range(100)]
        fast.host.answers["/sitemap.xml"] = text(urlset(stalled + fine), XML)
        declared = [f"http://localhost:{files.port}/{number}.xml" for number in range(20)]
        declared.append(f"{fast.host.origin}/sitemap.xml")
        fast.host.answers["/robots.txt"] = text(
            "".join(f"Sitemap: {each}\n" for each in declared), TEXT
        )
        files.answers["/robots.txt"] = text("", TEXT)
        audited = fast.audit(
            tmp_path,
            AUDIT_PRIVATE_HOSTS="localhost",
            DOWNLOAD_TIMEOUT="6",
            AUDIT_SITEMAP_TIMEOUT="6",
            CLOSESPIDER_TIMEOUT="12",
            RETRY_TIMES="0",
        )
        second_turn = pages.asked[40][1]
    pages_of_fast = [at for path, at in fast.host.asked if path[1:].isdigit()]
    assert len(pages_of_fast) == 100
    assert max(pages_of_fast) < second_turn
    urls = audited.run.urls.set_index("url")
    assert set(urls.loc[fine, "verdict"]) == {"indexable"}

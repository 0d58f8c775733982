"""The audit respects how often, and after which delay, a host allows requests."""

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.demo.server import LOOPBACK
from sitemapaudit.runs.manifest import Manifest
from tests.hostile.attacks import urlset
from tests.hostile.host import FOREVER, HTML, TEXT, XML, Host, Sender, response
from tests.runs.killing import finish, kill, start, wait_for_run
from tests.support.audits import Audited, crawl
from tests.support.settings import QUICK

TOO_MANY_REQUESTS, UNAVAILABLE = "429 Too Many Requests", "503 Service Unavailable"
TOLERANCE = 1.0
"""Seconds by which a server on a busy machine may record a request too late."""

SOON = 20.0
"""Seconds in which a busy machine does everything but wait; less than a delay of an absurd one."""


def http_date(seconds: float) -> str:
    """Return the time in a number of seconds, as an HTTP date."""
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


class BusySite:
    """A site on an address of its own that refuses the first requests for some of its pages."""

    def __init__(self, pages: int = 1, robots: str = "", address: str = LOOPBACK) -> None:
        self.host = Host(self._respond, address)
        self.address = address
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
        chosen = QUICK | {"RETRY_TIMES": "3", "DOWNLOAD_TIMEOUT": "60"} | settings
        with self.host:
            return crawl(folder, {"site": self.host.origin}, chosen)

    def pauses(self, *paths: str) -> list[float]:
        """Return the seconds between all requests, or between those for these paths."""
        moments = [at for path, at in self.host.requests if not paths or path in paths]
        return [after - before for before, after in pairwise(moments)]


class BusySites:
    """Sites by name, and their audit: each is a host of its own, with delays of its own."""

    def __init__(self, sites: Mapping[str, BusySite], folder: Path, max_delay: str) -> None:
        self._sites = sites
        declared = "".join(f"Sitemap: {each.host.origin}/sitemap.xml\n" for each in sites.values())
        front = BusySite(1, declared)
        with ExitStack() as stack:
            for site in sites.values():
                stack.enter_context(site.host)
            self.audited = front.audit(
                folder,
                AUDIT_MAX_DELAY=max_delay,
                AUDIT_PRIVATE_HOSTS=",".join(site.address for site in sites.values()),
                CONCURRENT_REQUESTS_PER_DOMAIN="1",
            )

    def __getitem__(self, name: str) -> BusySite:
        return self._sites[name]

    def rows(self, table: str, name: str) -> Any:
        """Return the rows of a table for the URLs of a site."""
        frame = getattr(self.audited.run, table)
        return frame[frame["url"].str.startswith(f"http://{self[name].address}:")]


def refusal(status: str, retry_after: str | None = None) -> Sender:
    headers = [f"Retry-After: {retry_after}"] if retry_after else []
    return response("no", HTML, *headers, status=status)


STATUSES = {"429": TOO_MANY_REQUESTS, "503": UNAVAILABLE}
RETRY_AFTER: dict[str, Callable[[], str]] = {
    "seconds": lambda: "2",
    "date": lambda: http_date(3),
    "absurd-seconds": lambda: "99999999999999999999",
    "absurd-date": lambda: http_date(1e8),
    "past": lambda: http_date(-1e8),
}


def refusing_sites(*kinds: str) -> dict[str, BusySite]:
    """Return a site for each kind of Retry-After and each status; it refuses one request."""
    sites = {}
    for number, (kind, status) in enumerate(product(kinds, STATUSES), start=10):
        site = sites[f"{kind}-{status}"] = BusySite(address=f"127.0.0.{number}")
        site.refusals["/0"] = [refuse_once(STATUSES[status], RETRY_AFTER[kind])]
    return sites


def refuse_once(status: str, retry_after: Callable[[], str]) -> Callable[[], Sender]:
    return lambda: refusal(status, retry_after())


@pytest.fixture(scope="module")
def obeyed(tmp_path_factory: pytest.TempPathFactory) -> BusySites:
    """Return sites whose delays are obeyed."""
    whole = BusySite(10, address="127.0.0.2")
    single = BusySite(60, address="127.0.0.6")
    doubled = BusySite(address="127.0.0.3")
    denied = BusySite(address="127.0.0.4")
    slow = BusySite(2, "User-agent: *\nCrawl-delay: 4\n", "127.0.0.5")
    for number in range(10):
        whole.refusals[f"/{number}"] = [lambda: refusal(TOO_MANY_REQUESTS, "2")]
    single.refusals["/40"] = [lambda: refusal(TOO_MANY_REQUESTS, "8")]
    doubled.refusals["/0"] = [lambda: refusal(TOO_MANY_REQUESTS)] * 3
    denied.refusals["/0"] = [lambda: refusal(TOO_MANY_REQUESTS, "1")] * 9
    sites = {"whole": whole, "single": single, "doubled": doubled, "denied": denied, "slow": slow}
    sites |= refusing_sites("seconds", "date", "past")
    return BusySites(sites, tmp_path_factory.mktemp("obeyed"), max_delay="60")


@pytest.fixture(scope="module")
def shortened(tmp_path_factory: pytest.TempPathFactory) -> BusySites:
    """Return sites whose delays are shortened."""
    sites = {"slow": BusySite(2, "User-agent: *\nCrawl-delay: 86400\n", "127.0.0.2")}
    sites |= refusing_sites("absurd-seconds", "absurd-date")
    return BusySites(sites, tmp_path_factory.mktemp("shortened"), max_delay="2")


def check_refused(sites: BusySites, name: str, minimum: float) -> None:
    """Check that the page of a site was fetched again after so many seconds, and soon."""
    (pause,) = sites[name].pauses("/0")
    assert minimum <= pause <= SOON
    assert sites.rows("urls", name)["verdict"].tolist() == ["indexable"]
    assert sites.rows("pages", name).query("role == 'listed'")["retries"].tolist() == [1]


@pytest.mark.xdist_group("obeyed-delays")
@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize(("kind", "minimum"), [("seconds", 2.0), ("date", 1.5), ("past", 0.0)])
def test_retry_after(obeyed: BusySites, kind: str, status: str, minimum: float) -> None:
    check_refused(obeyed, f"{kind}-{status}", minimum)


@pytest.mark.xdist_group("shortened-delays")
@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("kind", ["absurd-seconds", "absurd-date"])
def test_an_absurd_retry_after_is_shortened(shortened: BusySites, kind: str, status: str) -> None:
    check_refused(shortened, f"{kind}-{status}", 1.5)


@pytest.mark.xdist_group("obeyed-delays")
def test_a_host_that_refuses_most_requests_rests(obeyed: BusySites) -> None:
    assert max(obeyed["whole"].pauses()) >= 2
    assert set(obeyed.rows("urls", "whole")["verdict"]) == {"indexable"}


@pytest.mark.xdist_group("obeyed-delays")
def test_one_refused_page_alone_waits(obeyed: BusySites) -> None:
    site = obeyed["single"]
    (pause,) = site.pauses("/40")
    others = [f"/{number}" for number in range(60) if number != 40]
    assert max(site.pauses(*others)) < 8 <= pause
    assert set(obeyed.rows("urls", "single")["verdict"]) == {"indexable"}


@pytest.mark.xdist_group("obeyed-delays")
def test_waits_are_counted_and_reported(obeyed: BusySites) -> None:
    manifest, output = obeyed.audited.run.manifest, " ".join(obeyed.audited.output.split())
    assert manifest.refused == {"429": 21, "503": 3}
    assert manifest.rested > 0
    assert "24 responses with status 429 or 503 asked to wait" in output
    assert f"hosts were paused for {manifest.rested:,.1f} seconds" in output


@pytest.mark.xdist_group("obeyed-delays")
def test_each_429_without_retry_after_doubles_the_pause(obeyed: BusySites) -> None:
    pauses = obeyed["doubled"].pauses("/0")
    assert [pause >= rest for pause, rest in zip(pauses, (1, 2, 4), strict=True)] == [True] * 3


@pytest.mark.xdist_group("obeyed-delays")
def test_a_page_that_is_always_refused_is_denied(obeyed: BusySites) -> None:
    assert obeyed.rows("urls", "denied")["verdict"].tolist() == ["denied"]
    assert obeyed["denied"].host.count("/0") == 4


@pytest.mark.xdist_group("obeyed-delays")
def test_crawl_delay(obeyed: BusySites) -> None:
    pauses = obeyed["slow"].pauses()
    assert len(pauses) == 3
    assert min(pauses) >= 4 - TOLERANCE
    assert sum(pauses) >= 4 * len(pauses) - TOLERANCE


@pytest.mark.xdist_group("shortened-delays")
def test_an_absurd_crawl_delay_is_shortened(shortened: BusySites) -> None:
    assert 2 - TOLERANCE <= min(shortened["slow"].pauses()) < SOON


def test_a_maximum_delay_of_0_ignores_both(tmp_path: Path) -> None:
    site = BusySite(10, "User-agent: *\nCrawl-delay: 30\n")
    site.refusals["/0"] = [lambda: refusal(UNAVAILABLE, "30")]
    site.audit(tmp_path, AUDIT_MAX_DELAY="0", AUDIT_RESULTS="later")
    assert max(site.pauses()) < SOON


def test_a_run_that_is_stopped_waits_for_no_refused_page(tmp_path: Path) -> None:
    site = BusySite(2)
    site.refusals["/0"] = [lambda: refusal(UNAVAILABLE, "300")] * 9
    settings = {"AUDIT_MAX_DELAY": "600", "CLOSESPIDER_TIMEOUT": "6", "AUDIT_RESULTS": "later"}
    audited = site.audit(tmp_path, **settings)
    assert audited.status == 3
    begun, ended = (
        datetime.fromisoformat(line[:19])
        for line in audited.log.splitlines()
        if "Closing spider" in line or "Spider closed" in line
    )
    assert (ended - begun).total_seconds() < 100  # A wait lasts three times as long.
    assert site.host.count("/0") == 1


def test_what_a_killed_audit_has_counted_stays(tmp_path: Path) -> None:
    site = BusySite(2)
    site.refusals["/0"] = [lambda: refusal(UNAVAILABLE, "300")]
    with site.host:
        origin = f"site={site.host.origin}"
        process = start(tmp_path, origin, AUDIT_MAX_DELAY=600, AUDIT_RESULTS="later")
        run = wait_for_run(tmp_path, process)
        while not Manifest.read(run).refused:
            assert process.poll() is None, process.log
            time.sleep(0.05)
        assert kill(process)
        assert Manifest.read(run).refused == {"503": 1}
        finish(start(tmp_path, f"resume={run}"))
    assert Manifest.read(run).refused == {"503": 1}
    assert site.host.count("/0") == 2


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
            DOWNLOAD_TIMEOUT="7",
            AUDIT_SITEMAP_TIMEOUT="6",
            CLOSESPIDER_TIMEOUT="14",
            RETRY_TIMES="0",
        )
        # At most 40 requests are in flight: this one waited for the first timeouts.
        after_timeouts = pages.requests[40][1]
    fetched = [at for path, at in fast.host.requests if path[1:].isdigit()]
    assert len(fetched) == 50
    assert max(fetched) < after_timeouts
    urls = audited.run.urls.set_index("url")
    assert set(urls.loc[responsive, "verdict"]) == {"indexable"}

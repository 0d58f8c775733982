"""The audit of an endless site stops at a limit, which reports how much it skipped."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pytest

from tests.hostile.attacks import INDEX_START, urlset
from tests.hostile.host import HTML, TEXT, XML, Host, Sender, endless, response
from tests.support.audits import Audited, crawl
from tests.support.settings import QUICK

pytestmark = pytest.mark.xdist_group("limits")


def last_number(path: str) -> int:
    return int(path.rpartition("/")[2])


class Maze:
    """An endless site: each index lists two more, each page redirects to another."""

    def __init__(self, robots: str) -> None:
        self.host = Host(self._respond)
        self._robots = robots

    def _respond(self, path: str) -> Sender:
        origin = self.host.origin
        if path == "/robots.txt":
            return response(self._robots.format(origin=origin), TEXT)
        if path.startswith("/index/"):
            children = (f"{origin}/index/{2 * last_number(path) + more}" for more in (1, 2))
            locs = "".join(f"<sitemap><loc>{child}</loc></sitemap>" for child in children)
            return response(f"{INDEX_START}{locs}</sitemapindex>", XML)
        if path.startswith("/moved/"):
            return response("", f"Location: /moved/{last_number(path) + 1}", status="302 Found")
        if path == "/sitemap.xml":
            listed = [*(f"{origin}/{each}" for each in range(6)), "http://other.invalid/"]
            return response(urlset([f"{origin}/moved/0", *listed]), XML)
        return response(f"<!doctype html><title>{path}</title><p>{path}", HTML)

    def audit(self, folder: Path, **settings: str) -> Audited:
        with self.host:
            return crawl(folder, {"site": self.host.origin}, {"RETRY_TIMES": "0"} | settings)


INDEXES = "Sitemap: {origin}/index/0\n"
PAGES = "Sitemap: {origin}/sitemap.xml\n"
MOVED = "Sitemap: {origin}/moved/1000\n"


@dataclass(frozen=True)
class Outcome:
    """The results of an audit of an endless site, and the requested paths."""

    audited: Audited
    origin: str
    paths: Sequence[str]


def audit(folder: Path, robots: str, **settings: str) -> Outcome:
    maze = Maze(robots)
    audited = maze.audit(folder, **settings)
    return Outcome(audited, maze.host.origin, [path for path, _ in maze.host.requests])


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    """Return two audits with limits, each of sitemaps and of URLs."""
    folder, robots = tmp_path_factory.mktemp("limited"), INDEXES + PAGES
    return [
        audit(folder / "1", robots, AUDIT_MAX_DEPTH="3", AUDIT_MAX_HOSTS="0"),
        audit(
            folder / "2", robots, AUDIT_MAX_SITEMAPS="10", AUDIT_MAX_HOSTS="0", AUDIT_MAX_URLS="2"
        ),
    ]


@pytest.fixture(scope="module")
def unlimited(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """Return an audit that reaches no limit, of endless redirects."""
    folder = tmp_path_factory.mktemp("unlimited")
    return audit(folder, MOVED + PAGES, AUDIT_MAX_URLS="8", AUDIT_MAX_HOSTS="1")


@pytest.mark.parametrize(
    ("number", "name", "count"),
    [
        (0, "AUDIT_MAX_DEPTH", 16),
        (0, "AUDIT_MAX_HOSTS", 1),
        (1, "AUDIT_MAX_SITEMAPS", 10),
        (1, "AUDIT_MAX_URLS", 6),
    ],
    ids=["depth", "hosts", "sitemaps", "urls"],
)
def test_a_limit_counts_what_it_skips(
    limited: list[Outcome], number: int, name: str, count: int
) -> None:
    audited = limited[number].audited
    assert audited.status == 3
    assert audited.run.manifest.limits[name] == count
    assert len(audited.run.manifest.limits) == 2
    assert f"{name} skipped {count}" in " ".join(audited.output.split())
    findings = audited.run.findings.set_index("rule")["message"]
    assert f"{name} skipped {count}" in findings["audit-incomplete"]


def test_a_limit_that_is_not_reached_is_not_reported(unlimited: Outcome) -> None:
    assert unlimited.audited.status == 0
    assert unlimited.audited.run.manifest.limits == {}


def test_endless_redirects_of_a_page(unlimited: Outcome) -> None:
    numbers = [last_number(path) for path in unlimited.paths if path.startswith("/moved/")]
    assert sorted(number for number in numbers if number < 1000) == list(range(21))
    assert "page-redirect-chain" in dict(unlimited.audited.findings())


def test_endless_redirects_of_a_sitemap(unlimited: Outcome) -> None:
    numbers = [last_number(path) for path in unlimited.paths if path.startswith("/moved/")]
    assert sorted(number for number in numbers if number >= 1000) == list(range(1000, 1021))
    sitemap = f"{unlimited.origin}/moved/1000"
    errors = unlimited.audited.run.sitemaps.set_index("sitemap")["error"]
    assert errors[sitemap] == "too-many-redirects"
    rules = [rule for rule, place in unlimited.audited.findings() if place == sitemap]
    assert rules == ["sitemap-redirected"]


def test_a_flood_of_tiny_chunks_ends_and_the_other_pages_arrive(tmp_path: Path) -> None:
    head = f"HTTP/1.1 200 OK\r\n{HTML}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    host = Maze(PAGES).host
    host.responses["/0"] = lambda: chain([head], endless(b"1\r\na\r\n"))
    with host:
        audited = crawl(
            tmp_path, {"site": host.origin}, {"RETRY_TIMES": "0", "DOWNLOAD_TIMEOUT": "2", **QUICK}
        )
    errors = audited.run.urls.set_index("url")["error"]
    flood = audited.run.pages.set_index("url").loc[f"{host.origin}/0"]
    # A machine that is quick enough reads as much as a page may have.
    assert flood["error"] == "timeout" or flood["truncated"]
    assert errors[[f"{host.origin}/{number}" for number in range(1, 6)]].isna().all()

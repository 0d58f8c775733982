"""The audit of an endless site stops at a limit, which reports how much it skipped."""

from pathlib import Path

import pytest

from tests.hostile.attacks import INDEX_START, urlset
from tests.hostile.host import HTML, TEXT, XML, Host, Sender, response
from tests.support import Audited, crawl


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
MOVED = "Sitemap: {origin}/moved/0\n"


@pytest.mark.parametrize(
    ("robots", "settings", "limits"),
    [
        (INDEXES, {"AUDIT_MAX_DEPTH": "3"}, {"AUDIT_MAX_DEPTH": 16}),
        (INDEXES, {"AUDIT_MAX_SITEMAPS": "9"}, {"AUDIT_MAX_SITEMAPS": 10}),
        (PAGES, {"AUDIT_MAX_URLS": "2", "AUDIT_MAX_HOSTS": "0"}, {"AUDIT_MAX_URLS": 6}),
        (PAGES, {"AUDIT_MAX_HOSTS": "0"}, {"AUDIT_MAX_HOSTS": 1}),
    ],
    ids=["depth", "sitemaps", "urls", "hosts"],
)
def test_a_limit_counts_what_it_skips(
    tmp_path: Path, robots: str, settings: dict[str, str], limits: dict[str, int]
) -> None:
    audited = Maze(robots).audit(tmp_path, **settings)
    manifest = audited.run.manifest
    assert audited.status == 3
    assert manifest.limits == limits
    ((name, count),) = limits.items()
    assert f"{name} skipped {count}" in audited.output
    findings = audited.run.findings.set_index("rule")["message"]
    assert f"{name} skipped {count}" in findings["audit-incomplete"]


def test_a_limit_that_is_not_reached_is_not_reported(tmp_path: Path) -> None:
    audited = Maze(PAGES).audit(tmp_path, AUDIT_MAX_URLS="8", AUDIT_MAX_HOSTS="1")
    assert audited.status == 0
    assert audited.run.manifest.limits == {}


def test_endless_redirects_of_a_page(tmp_path: Path) -> None:
    maze = Maze(PAGES)
    audited = maze.audit(tmp_path)
    redirects = [path for path, _ in maze.host.requests if path.startswith("/moved/")]
    assert len(redirects) == len(set(redirects)) == 21
    assert "page-redirect-chain" in dict(audited.findings())


def test_endless_redirects_of_a_sitemap(tmp_path: Path) -> None:
    maze = Maze(MOVED)
    audited = maze.audit(tmp_path)
    assert len(maze.host.requests) == 22
    assert audited.run.sitemaps["error"].tolist() == ["too-many-redirects"]
    assert dict(audited.findings()).keys() == {"sitemap-redirected"}

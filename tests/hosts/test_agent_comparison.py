"""A site that denies access is asked once more, with the User-Agent of a browser."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.audits import Audited, crawl
from tests.support.runs import mark_running
from tests.support.settings import QUICK

pytestmark = pytest.mark.xdist_group("agent-comparison")

LISTED = "".join(f"<url><loc>{{origin}}/{number}</loc></url>" for number in range(3))
URLSET = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{LISTED}</urlset>'
STATUSES: dict[str, Callable[[bool], int]] = {
    "program": lambda browser: 200 if browser else 403,
    "everyone": lambda _: 403,
    "password": lambda _: 401,
    "others": lambda browser: 200 if browser else 403,
}
"""What the pages of each site return to a browser, and to others."""


class Site(ThreadingHTTPServer):
    """A site whose pages, or all files, depend on the User-Agent."""

    def __init__(self, kind: str, *, all_files: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.kind, self.all_files = kind, all_files
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.requests: Counter[str] = Counter()


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        site, browser = self.server, "Chrome/" in self.headers["User-Agent"]
        site.requests["browser" if browser else self.path] += 1
        body, status = b"", STATUSES[site.kind](browser)
        if self.path in ("/robots.txt", "/sitemap.xml") and not site.all_files:
            text = "Sitemap: {origin}/sitemap.xml\n" if "robots" in self.path else URLSET
            body, status = text.format(origin=site.origin).encode(), 200
        if (site.kind, self.path) == ("others", "/0"):
            status = 200
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def served(sites: list[Site]) -> Iterator[list[Site]]:
    for site in sites:
        threading.Thread(target=site.serve_forever, daemon=True).start()
    try:
        yield sites
    finally:
        for site in sites:
            site.shutdown()
            site.server_close()


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Site], Audited]:
    """Return four sites that deny access, and their audit."""
    kinds = [Site("program"), Site("everyone"), Site("password"), Site("program", all_files=True)]
    with served(kinds) as sites:
        given = {"site": ",".join(site.origin for site in sites)}
        return sites, crawl(tmp_path_factory.mktemp("audits"), given, QUICK)


def test_the_manifest_says_which_of_the_two_is_refused(audit: tuple[list[Site], Audited]) -> None:
    sites, audited = audit
    compared = {each.url.rpartition("/")[0]: each for each in audited.run.manifest.compared_agents}
    program, everyone, password, closed = (site.origin for site in sites)
    assert compared.keys() == {program, everyone, closed}
    assert password not in compared
    found = {site: (each.denied, each.browser) for site, each in compared.items()}
    assert found == {
        program: ("403", "200"), everyone: ("403", "403"), closed: ("403", "200"),
    }  # fmt: skip
    assert [compared[site].browser_denied for site in (program, everyone)] == [False, True]


def test_each_site_gets_one_request_more(audit: tuple[list[Site], Audited]) -> None:
    sites, _ = audit
    assert [site.requests["browser"] for site in sites] == [1, 1, 0, 1]
    assert all(max(site.requests.values()) == 1 for site in sites)


def test_the_summary_names_the_cause_the_remedy_and_what_cannot_be_known(
    audit: tuple[list[Site], Audited],
) -> None:
    text = " ".join(audit[1].output.split())
    assert "The audit is incomplete: no listed page could be read: 9 denied; " in text
    assert "To fix this: let this program in" in text
    assert text.count("Only this program is refused: let it in, or set USER_AGENT.") == 2
    assert text.count("The site refuses your address, or every program") == 1
    assert "Whether the site admits Googlebot cannot be tested from here" in text
    assert audit[1].status == 3


def test_the_first_page_of_a_resumed_run_is_that_of_its_beginning(tmp_path: Path) -> None:
    with served([Site("others")]) as (site,):
        first = crawl(tmp_path, {"site": site.origin}, {**QUICK, "AUDIT_MAX_URLS": "1"})
        mark_running(first.run.path)
        resumed = {"resume": str(first.run.path)}
        audited = crawl(tmp_path, resumed, {**QUICK, "AUDIT_MAX_URLS": "9"})
    assert audited.run.urls["status"].tolist() == [200, 403, 403]
    assert audited.run.manifest.compared_agents == []
    assert not site.requests["browser"]


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    with served([Site("program")]) as (site,):
        settings = QUICK | {"AUDIT_COMPARE_AGENTS": "False"}
        audited = crawl(tmp_path, {"site": site.origin}, settings)
    assert not site.requests["browser"]
    assert audited.run.manifest.compared_agents == []


PAIRS = (("403", True), ("200", False))

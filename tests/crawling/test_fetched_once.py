"""Each URL is fetched once, also one that is a sitemap or robots.txt and a page, or a redirect's
target."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from sitemapaudit.demo.documents import TEXT, entry, index, page, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.runs.ledger.ledger import ledger_file
from tests.runs.killing import read_rows
from tests.support.audits import Audited, crawl
from tests.support.commands import scrapy
from tests.support.settings import QUICK

pytestmark = pytest.mark.xdist_group("fetched-once")

SITEMAPS = ["/first.xml", "/moved.xml", "/second.xml", "/export?type=map", "/gone.xml"]
LISTED = ["/", *SITEMAPS, "/robots.txt", "/sitemap.xml", "/login", "/to-second"]

# More redirects to sitemaps than bodies that wait for them.
MOVED = [f"/moved-{number}.xml" for number in range(20)]
NUMBERED = [f"/numbered-{number}.xml" for number in range(20)]


class Site:
    """Lists its own sitemaps, of which two redirect, as pages; a server with two names."""

    def __init__(self) -> None:
        self.server = Server(self._reply)

    @property
    def origin(self) -> str:
        return self.server.origin

    @property
    def other(self) -> str:
        return f"http://localhost:{self.server.port}"

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            if not request.host.startswith("localhost"):
                return Reply(status=301, headers=[("Location", f"{self.other}/robots.txt")])
            declared = f"Sitemap: {self.origin}/sitemap.xml\nSitemap: {self.origin}/closed.xml\n"
            return Reply(f"User-agent: *\nDisallow: /private\n{declared}", headers=[TEXT])
        return self._sitemap(request.path) or page(request.path, canonical=self.origin + "/")

    def _sitemap(self, path: str) -> Reply | None:
        if path in MOVED:
            return Reply(status=301, headers=[("Location", path.replace("moved", "numbered"))])
        if path in NUMBERED:
            return self._xml(urlset([entry(f"{self.origin}/")]))
        match path:
            case "/sitemap.xml":
                paths = (*SITEMAPS, "/closed-2.xml", *MOVED, *NUMBERED)
                children = [self.origin + child for child in paths]
                return self._xml(index(children))
            case "/first.xml":
                locs = [*(self.origin + each for each in LISTED), f"{self.other}/private"]
                # The targets of redirects are known before the pages.
                return replace(self._xml(urlset(map(entry, locs))), delay=0.5)
            case "/moved.xml" | "/to-second":
                return Reply(status=301, headers=[("Location", "/second.xml")])
            case "/closed.xml" | "/closed-2.xml":
                return Reply(status=302, headers=[("Location", "/login")])
            case "/second.xml":
                return self._xml(urlset([entry(f"{self.origin}{path}?page")]))
            case "/export?type=map":
                # It is listed as a page before it arrives as a sitemap.
                return replace(self._xml(urlset([entry(f"{self.origin}/")])), delay=1)
            case "/gone.xml":
                return Reply("Gone", status=410, headers=[("Content-Type", "text/html")])
        return None

    def _xml(self, text: str) -> Reply:
        reply = xml(text)
        headers = [*reply.headers, ("X-Robots-Tag", "noindex"), ("ETag", '"1"')]
        return Reply(reply.body, headers=headers)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    with site.server:
        yield site


@pytest.fixture(scope="module")
def audited(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    private = {"AUDIT_PRIVATE_HOSTS": f"localhost:{site.server.port}", "RETRY_TIMES": "0"}
    folder: Path = tmp_path_factory.mktemp("once")
    done = crawl(folder, {"site": site.origin}, QUICK | private)
    assert done.status == 0, done.log
    return done


def test_no_url_is_fetched_twice(site: Site, audited: Audited) -> None:
    assert audited.status == 0
    repeated = {place for place, times in site.server.requests.items() if times > 1}
    assert {place for place in repeated if "/numbered-" not in place} == set()


def test_the_pages_of_sitemaps_are_those_of_their_responses(site: Site, audited: Audited) -> None:
    pages = audited.run.pages.set_index("url")
    urls = audited.run.urls.set_index("url")
    verdicts = {path: urls.loc[site.origin + path, "verdict"] for path in LISTED}
    assert verdicts["/gone.xml"] == "not-found"
    assert {verdicts[path] for path in ("/moved.xml", "/to-second")} == {"redirected"}
    assert {verdicts[path] for path in ("/first.xml", "/second.xml", "/sitemap.xml")} == {"noindex"}
    first = pages.loc[f"{site.origin}/first.xml"].to_dict()
    assert (first["content_type"], first["etag"], first["is_html"]) == (
        "application/xml",
        '"1"',
        False,
    )
    sizes = dict(zip(*(audited.run.sitemaps[name] for name in ("sitemap", "bytes")), strict=True))
    assert first["bytes"] == sizes[f"{site.origin}/first.xml"]
    assert pages.loc[f"{site.origin}/login", "title"] is not None
    assert urls.loc[f"{site.other}/private", "verdict"] == "blocked"


def test_every_sitemap_has_its_row_and_entries(site: Site, audited: Audited) -> None:
    sitemaps = audited.run.sitemaps.set_index("sitemap")
    assert all(sitemaps.loc[site.origin + path, "entries"] == 1 for path in NUMBERED)
    assert sitemaps.loc[f"{site.origin}/second.xml", "entries"] == 1
    assert sitemaps.loc[f"{site.origin}/moved.xml", "final_url"] == f"{site.origin}/second.xml"
    robots = {row["site"]: row for row in audited.run.robots.to_dict("records")}
    assert (robots[site.origin]["hops"], robots[site.other]["hops"]) == (1, 0)
    assert robots[site.other]["text"] == robots[site.origin]["text"]


def test_a_resumed_run_reads_the_pages_of_sitemaps_from_their_rows(
    site: Site, audited: Audited, tmp_path: Path
) -> None:
    whole = audited.run.path
    run = Path(shutil.copytree(whole, tmp_path / "site" / whole.name))
    manifest = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(manifest | {"status": "running", "finished": None}))
    pages = ledger_file(run, "pages")
    lines = pages.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if not json.loads(line)["url"].endswith(".xml")]
    pages.write_bytes(b"".join(kept))
    site.server.requests.clear()
    done = scrapy("crawl", "sitemap", "-a", f"resume={run}", "-s", "AUDIT_SPEED=full")
    assert done.returncode == 0, done.stderr
    # The rows of sitemaps do not contain the response of a redirect, nor HTML.
    fetched = {place.partition("/")[2] for place in site.server.requests}
    assert fetched == {"moved.xml", "gone.xml"}
    assert read_rows(run) == read_rows(whole)

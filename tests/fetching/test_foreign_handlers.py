"""With the handlers of a project, an audit keeps its identity, its limits and its safety."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.http import Response as ScrapyResponse

from sitemapaudit import __version__
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.pages.page_reader import MAX_BYTES
from tests.runs.killing import read_rows
from tests.sites.website import Website
from tests.support.audits import Audited, crawl
from tests.support.commands import check_crawl

pytestmark = pytest.mark.xdist_group("foreign-handlers")

SCRAPYS = "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"
SLOW = 2.5


class MarkingHandler(HTTP11DownloadHandler):
    """A handler of a project, whose requests can be recognized."""

    async def download_request(self, request: Request) -> ScrapyResponse:
        request.headers["X-Handler"] = "marking"
        return await super().download_request(request)


def settings(handler: str, **more: str) -> dict[str, str]:
    return {"DOWNLOAD_HANDLERS": json.dumps({"http": handler, "https": handler}), **more}


MARKING = f"{__name__}.MarkingHandler"


class Site(Server):
    """A site whose pages are long, slow, or on a private address; notes the headers of requests."""

    def __init__(self, canary: Server) -> None:
        super().__init__(self._answer)
        self.canary = canary
        self.seen: dict[str, dict[str, str]] = {}

    def _answer(self, request: ServerRequest) -> Reply:
        self.seen[request.path] = dict(request.headers)
        html = [("Content-Type", "text/html")]
        match request.path:
            case "/robots.txt":
                return Reply(f"Sitemap: {self.origin}/sitemap.xml")
            case "/sitemap.xml":
                locs = [f"{self.origin}/{name}" for name in ("page", "long", "slow", "image.png")]
                locs.append(f"http://localhost:{self.canary.port}/")
                urls = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
                text = (
                    f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
                )
                return Reply(text, headers=[("Content-Type", "application/xml")])
            case "/page":
                return Reply("<title>A page</title>", headers=html)
            case "/long":
                return Reply(b"<title>Long</title>" + b"x " * MAX_BYTES, headers=html)
            case "/slow":
                threading.Event().wait(SLOW)
                return Reply("<title>Slow</title>", headers=html)
            case "/image.png":
                return Reply(b"\x89PNG" * 1_000_000, headers=[("Content-Type", "image/png")])
        return Reply("<title>Nothing</title>", 404, html)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Server(lambda _: Reply("secret")) as canary, Site(canary) as site:
        yield site


@pytest.fixture(scope="module")
def audited(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    folder = tmp_path_factory.mktemp("marking")
    more = {"DOWNLOAD_TIMEOUT": "1", "RETRY_TIMES": "0"}
    return crawl(folder, {"site": site.origin}, settings(MARKING, **more))


def test_requests_have_the_identity_of_the_audit(site: Site, audited: Audited) -> None:
    assert {"/robots.txt", "/sitemap.xml", "/page", "/long", "/slow"} <= site.seen.keys()
    for headers in site.seen.values():
        assert headers["x-handler"] == "marking"
        assert headers["user-agent"] == f"sitemapaudit/{__version__}"
        assert headers["accept"].startswith("text/html,")
        assert headers["accept-encoding"] == "gzip, deflate, br"
    assert "Traceback" not in audited.log


def test_limits_are_kept(site: Site, audited: Audited) -> None:
    pages = {row["url"].removeprefix(site.origin): row for _, row in audited.run.pages.iterrows()}
    assert (pages["/page"]["title"], bool(pages["/page"]["truncated"])) == ("A page", False)
    assert (pages["/long"]["title"], bool(pages["/long"]["truncated"])) == ("Long", True)
    assert pages["/slow"]["error"] == "timeout"
    assert pages["/image.png"]["status"] == 200
    assert pages["/page"]["elapsed"] >= 0


def test_a_private_address_is_not_requested(site: Site, audited: Audited) -> None:
    errors = dict(zip(audited.run.urls["url"], audited.run.urls["error"], strict=True))
    assert errors[f"http://localhost:{site.canary.port}/"] == "private-address"
    assert site.canary.requests.total() == 0


def test_what_cannot_be_guaranteed_is_said_once(audited: Audited) -> None:
    assert audited.log.count(f"{MARKING} fetches pages: addresses in private networks are") == 1


@pytest.mark.parametrize("handler", [SCRAPYS, MARKING])
def test_an_audit_is_the_same(tmp_path: Path, handler: str) -> None:
    with Website("directives") as website:
        usual = crawl(tmp_path / "usual", {"site": website.origin})
        other = crawl(tmp_path / "other", {"site": website.origin}, settings(handler))
    assert other.status == usual.status
    assert read_rows(other.run.path) == read_rows(usual.run.path)


def test_pages_are_fetched_with_the_handler_and_rendered_in_the_browser(
    site: Site, tmp_path: Path
) -> None:
    site.seen.clear()
    arguments = {"site": site.origin, "render": "always", "exclude": "/slow$|/long$|localhost"}
    audited = crawl(tmp_path, arguments, settings(MARKING))
    assert audited.status == 0, audited.log
    assert site.seen["/robots.txt"]["x-handler"] == "marking"
    rendered = audited.run.pages.dropna(subset="rendered_ended_at")
    assert list(rendered["url"]) == [f"{site.origin}/page"]
    assert list(rendered["rendered_title"]) == ["A page"]


@pytest.mark.parametrize("argument", ["folder", "staging"])
def test_what_needs_our_handler_is_refused(tmp_path: Path, argument: str) -> None:
    value = str(tmp_path) if argument == "folder" else "http://127.0.0.1:9"
    words = ["-a", "site=www.example.com", "-a", f"{argument}={value}"]
    handlers = settings(SCRAPYS)["DOWNLOAD_HANDLERS"]
    done = check_crawl(*words, "-s", f"DOWNLOAD_HANDLERS={handlers}")
    assert done.returncode == 2
    assert done.stderr == (
        f"{argument}: it needs the download handler of sitemapaudit, but DOWNLOAD_HANDLERS names"
        f" {SCRAPYS}.\n"
    )

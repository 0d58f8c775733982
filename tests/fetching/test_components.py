"""Middlewares and receivers of a project see responses as Scrapy documents them."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.http import HtmlResponse, TextResponse
from scrapy.http import Response as ScrapyResponse

from sitemapaudit.demo.server import Reply, Server, ServerRequest
from tests.runs.killing import read_rows
from tests.support.audits import Audited, crawl

pytestmark = pytest.mark.xdist_group("components")

SITEMAP = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>{0}/a</loc></url><url><loc>{0}/b</loc></url><url><loc>{0}/c</loc></url>
</urlset>"""
PAGE = "<title>Page {} with ü</title><p>{}</p><p class=end>The end</p>"
TEXT = "Many words. " * 20_000


class SeeingMiddleware:
    """Writes what it sees of each response into a file of the folder of audits."""

    def __init__(self, crawler: Crawler) -> None:
        self._file = Path(crawler.settings["AUDIT_DIR"], "seen.jsonl")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_response(self, request: Request, response: ScrapyResponse) -> ScrapyResponse:
        self.see(request, response)
        return response

    def see(self, request: Request, response: ScrapyResponse) -> None:
        assert response.request is request
        row: dict[str, Any] = {"path": request.url.partition("//")[2].partition("/")[2]}
        row["class"] = type(response).__name__
        row["encoded"] = b"Content-Encoding" in response.headers
        if isinstance(response, TextResponse):
            row["end"] = response.text.split("\n")[-1][-11:]
        if isinstance(response, HtmlResponse):
            row["title"] = response.css("title::text").get()
            row["links"] = response.xpath("count(//p)").get()
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


class SeeingReceiver(SeeingMiddleware):
    """Does the same as a receiver of a signal."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension.received, signals.response_received)
        return extension

    def received(self, response: ScrapyResponse, request: Request) -> None:
        self.see(request, response)


class ReplacingMiddleware:
    """Gives one page another body and another header."""

    def process_response(self, request: Request, response: ScrapyResponse) -> ScrapyResponse:
        if request.url.endswith("/a"):
            response.headers["X-Robots-Tag"] = "noindex"
            return response.replace(body=b"<title>Replaced</title><p>Hello")
        return response


class IgnoringMiddleware:
    """Ignores one page before it is requested, and another one after that."""

    def process_request(self, request: Request) -> None:
        if request.url.endswith("/a"):
            raise IgnoreRequest("not this one")

    def process_response(self, request: Request, response: ScrapyResponse) -> ScrapyResponse:
        if request.url.endswith("/b"):
            raise IgnoreRequest("nor this one")
        return response


class Stopping:
    """Stops downloads: one page fails, of another one the rest is missing."""

    signal: object

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls()
        crawler.signals.connect(extension.received, cls.signal)
        return extension

    def received(self, request: Request) -> None:
        if request.url.endswith(("/a", "/b")):
            raise StopDownload(fail=request.url.endswith("/a"))


class StoppingAtHeaders(Stopping):
    """Stops after the headers."""

    signal = signals.headers_received


class StoppingAtBytes(Stopping):
    """Stops after the first bytes."""

    signal = signals.bytes_received


@pytest.fixture(scope="module")
def website() -> Iterator[Server]:
    """Serve long pages that are compressed."""

    def reply(request: ServerRequest) -> Reply:
        origin = f"http://{request.host}"
        if request.path == "/robots.txt":
            headers = [("Content-Type", "text/plain")]
            return Reply(f"Sitemap: {origin}/sitemap.xml\n", headers=headers)
        if request.path == "/sitemap.xml":
            body, kind = SITEMAP.format(origin), "application/xml"
        elif len(request.path) == 2:
            body, kind = PAGE.format(request.path, TEXT), "text/html; charset=utf-8"
        else:
            return Reply("<title>Nothing here</title>", 404, [("Content-Type", "text/html")])
        headers = [("Content-Type", kind), ("Content-Encoding", "gzip")]
        return Reply(gzip.compress(body.encode(), 0), headers=headers)

    with Server(reply) as server:
        yield server


@pytest.fixture(scope="module")
def alone(website: Server, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    """Return an audit without other components."""
    return crawl(tmp_path_factory.mktemp("alone"), {"site": website.origin})


def audit(folder: Path, website: Server, component: type, *, extension: bool = False) -> Audited:
    kind = "EXTENSIONS" if extension else "DOWNLOADER_MIDDLEWARES"
    settings = {kind: json.dumps({f"{__name__}.{component.__name__}": 500})}
    audited = crawl(folder, {"site": website.origin}, settings)
    assert "Traceback" not in audited.log
    return audited


def pages_of(audited: Audited) -> dict[str, dict[str, Any]]:
    """Return the rows of the listed pages by their paths."""
    rows: list[Any] = audited.run.pages.to_dict("records")
    return {row["url"][-2:]: row for row in rows if row["role"] == "listed"}


@pytest.mark.parametrize(
    ("component", "extension"), [(SeeingMiddleware, False), (SeeingReceiver, True)]
)
def test_responses_are_those_of_scrapy(
    website: Server, alone: Audited, tmp_path: Path, component: type, extension: bool
) -> None:
    audited = audit(tmp_path, website, component, extension=extension)
    lines = (tmp_path / "seen.jsonl").read_text(encoding="utf-8").splitlines()
    seen = {row["path"]: row for row in map(json.loads, lines)}
    for path in "abc":
        assert seen[path] == {
            "path": path,
            "class": "HtmlResponse",
            "encoded": False,
            "end": "The end</p>",
            "title": f"Page /{path} with ü",
            "links": "2.0",
        }
    assert seen["sitemap.xml"]["class"] == "XmlResponse"
    assert seen["sitemap.xml"]["end"] == "</urlset>"
    assert seen["robots.txt"]["class"] == "TextResponse"
    # What the audit reads is what was sent.
    assert read_rows(audited.run.path) == read_rows(alone.run.path)


def test_a_middleware_can_replace_a_response(
    website: Server, alone: Audited, tmp_path: Path
) -> None:
    pages, before = pages_of(audit(tmp_path, website, ReplacingMiddleware)), pages_of(alone)
    assert (pages["/a"]["title"], pages["/a"]["verdict"]) == ("Replaced", "noindex")
    assert pages["/a"]["bytes"] < before["/a"]["bytes"]
    for path in ("/b", "/c"):
        assert pages[path]["title"] == before[path]["title"]
        assert pages[path]["verdict"] == before[path]["verdict"] == "indexable"


def test_an_ignored_url_is_unchecked_with_the_reason(website: Server, tmp_path: Path) -> None:
    audited = audit(tmp_path, website, IgnoringMiddleware)
    pages = pages_of(audited)
    for path, words in (("/a", "not this one"), ("/b", "nor this one")):
        assert (pages[path]["verdict"], pages[path]["error"]) == ("unchecked", "ignored")
        expected = f"a component of the project ignored it (IgnoreRequest: {words})"
        assert pages[path]["error_detail"] == expected
    assert pages["/c"]["verdict"] == "indexable"
    assert audited.status == 3
    assert audited.run.manifest.reason == (
        f"2 listed URLs unchecked: {website.origin}/a (and 1 more): a component of the project"
        " ignored it (IgnoreRequest: not this one)"
    )
    assert "To fix this: change this component, or exclude such URLs" in " ".join(
        audited.output.split()
    )


class StoppingAtRobots(StoppingAtHeaders):
    """Stops the download of robots.txt, without its failure."""

    def received(self, request: Request) -> None:
        if request.url.endswith("/robots.txt"):
            raise StopDownload(fail=False)


def test_a_stopped_robots_txt_allows_nothing(website: Server, tmp_path: Path) -> None:
    audited = audit(tmp_path, website, StoppingAtRobots, extension=True)
    assert audited.status == 3
    assert len(audited.run.pages) == 0
    reason = audited.run.manifest.reason or ""
    assert "a component of the project stopped its download" in reason
    assert "robots-unreachable" not in set(audited.run.findings["rule"])


@pytest.mark.parametrize("component", [StoppingAtHeaders, StoppingAtBytes])
def test_a_receiver_can_stop_a_download(website: Server, tmp_path: Path, component: type) -> None:
    audited = audit(tmp_path, website, component, extension=True)
    pages = pages_of(audited)
    assert (pages["/a"]["verdict"], pages["/a"]["error"]) == ("unchecked", "ignored")
    assert (pages["/b"]["status"], bool(pages["/b"]["truncated"])) == (200, True)
    assert pages["/b"]["bytes"] < pages["/c"]["bytes"]
    assert (pages["/c"]["verdict"], bool(pages["/c"]["truncated"])) == ("indexable", False)
    reason = audited.run.manifest.reason or ""
    assert reason.startswith(f"1 listed URL unchecked: {website.origin}/a: a component of the")

"""A page whose canonical is outside the head is also fetched as crawlers, once per site."""

from pathlib import Path

import pytest

from sitemapaudit.demo.documents import TEXT, entry, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.runs.compared_canonicals import ComparedCanonicals
from tests.support.audits import crawl
from tests.support.settings import QUICK

PAGES = ("/1", "/2", "/3")
CRAWLERS = ("Googlebot/2.1", "bingbot/2.0")


class Streaming:
    """A site that sends metadata in the head to Bingbot only."""

    def __init__(self) -> None:
        self.agents: list[str] = []
        self.server = Server(self.reply)

    def reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(f"Sitemap: {self.server.origin}/sitemap.xml", headers=[TEXT])
        if request.path == "/sitemap.xml":
            return xml(urlset([entry(self.server.origin + path) for path in PAGES]))
        if request.path not in PAGES:
            return Reply("no", 404)
        agent = request.headers["user-agent"]
        self.agents += [name for name in CRAWLERS if name in agent]
        link = f"<link rel=canonical href={self.server.origin}{request.path}>"
        head, body = (link, "") if "bingbot" in agent else ("", link)
        text = f"<title>A</title>{head}</head><body><main><h1>A</h1>{request.path}</main>{body}"
        return Reply(text, headers=[("Content-Type", "text/html")])


@pytest.mark.parametrize("compares", [True, False])
def test_the_summary_says_for_whom_the_canonical_counts(tmp_path: Path, *, compares: bool) -> None:
    site = Streaming()
    with site.server:
        settings = QUICK | {"AUDIT_COMPARE_AGENTS": str(compares), "CONCURRENT_REQUESTS": "1"}
        audited = crawl(tmp_path, {"site": site.server.origin}, settings)
    compared = audited.run.manifest.compared_canonicals
    assert site.agents == [*CRAWLERS] * compares
    text = " ".join(audited.output.split())
    said = "for Googlebot, where it does not count; for the User-Agent of Bingbot it is in the head"
    assert (said in text) == compares
    if compares:
        assert compared == [ComparedCanonicals(compared[0].url, ["Bingbot"], ["Googlebot"])]


def test_one_place_for_all_is_no_matter_of_crawlers() -> None:
    compared = ComparedCanonicals("https://www.example.com/a", [], ["Googlebot", "Bingbot"])
    assert compared.describe().endswith("and for Googlebot and Bingbot, where it does not count.")

"""Sitemaps of an origin are read in the order in which they are listed, unless one is slow."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from sitemapaudit.demo.documents import entry, index, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from tests.support.audits import crawl
from tests.support.settings import QUICK

CHILDREN = [f"/child-{number}.xml" for number in range(4)]


def order_of(audits: Path, delay: float) -> list[str]:
    """Return the paths of the sitemaps in the order of the ledger; the first takes that long."""

    def reply(request: ServerRequest) -> Reply:
        origin = f"http://{request.host}"
        if request.path == "/index.xml":
            return xml(index([origin + child for child in CHILDREN]))
        listed = xml(urlset([entry(f"{origin}/page?{request.path}")]))
        return replace(listed, delay=delay if request.path == CHILDREN[0] else 0)

    with Server(reply) as site:
        arguments = {"sitemap": f"{site.origin}/index.xml", "pages": "none"}
        audited = crawl(audits, arguments, QUICK)
        assert audited.status == 0, audited.log
        lines = (audited.run.path / "log" / "entries.jsonl").read_text().splitlines()
        files = dict.fromkeys(json.loads(line)["file"] for line in lines)
        return [file.removeprefix(site.origin) for file in files]


@pytest.mark.parametrize("delay", [0.0, 0.2])
def test_rows_arrive_in_the_order_of_the_index(tmp_path: Path, delay: float) -> None:
    assert order_of(tmp_path, delay) == ["/index.xml", *CHILDREN]


def test_a_slow_sitemap_does_not_stop_the_others(tmp_path: Path) -> None:
    assert order_of(tmp_path, 3) == ["/index.xml", *CHILDREN[1:], CHILDREN[0]]

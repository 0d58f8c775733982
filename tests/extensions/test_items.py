"""Other components get every row of an audit as an ordinary item, verdicts and findings too."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest
from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.crawler import Crawler

from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.runs.ledger.records import ITEMS
from tests.runs.killing import read_rows
from tests.support.audits import Audited, crawl

pytestmark = pytest.mark.xdist_group("items")

TABLES = {
    "Robots": "robots",
    "Sitemap": "sitemaps",
    "Entry": "entries",
    "Page": "pages",
    "MediaFile": "media",
    "Url": "urls",
    "Finding": "findings",
}


class Seen:
    """Writes each item that it gets as a line of JSON, for a file in the folder of audits."""

    name = ""

    def __init__(self, crawler: Crawler) -> None:
        self._file = Path(crawler.settings["AUDIT_DIR"], self.name)
        self._lines: list[str] = []
        self._stats = crawler.stats

    def see(self, item: Any) -> None:
        row = {"type": type(item).__name__, "row": ItemAdapter(item).asdict()}
        self._lines.append(json.dumps(row, default=str))

    def close(self) -> None:
        count = self._stats.get_value(ITEMS)
        self._lines.append(json.dumps({"type": "count", "row": count}))
        self._file.write_text("\n".join(self._lines), encoding="utf-8")


class Pipeline(Seen):
    """A pipeline of a user."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_item(self, item: Any) -> Any:
        self.see(item)
        return item

    def close_spider(self) -> None:
        self.close()


class First(Pipeline):
    """A pipeline before that of the audit."""

    name = "first.jsonl"


class Last(Pipeline):
    """A pipeline after that of the audit."""

    name = "last.jsonl"


class Receiver(Seen):
    """An extension that receives each item."""

    name = "received.jsonl"

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension.see, signals.item_scraped)
        crawler.signals.connect(extension.close, signals.spider_closed)
        return extension


COMPONENTS = {
    "ITEM_PIPELINES": json.dumps({f"{__name__}.First": 1, f"{__name__}.Last": 300}),
    "EXTENSIONS": json.dumps({f"{__name__}.Receiver": 0}),
}
ARGUMENTS = {"links": "record", "media": "check"}


SITEMAP = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
    xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc>{origin}/</loc><image:image><image:loc>{origin}/a.png</image:loc></image:image></url>
  <url><loc>{origin}/a</loc></url>
  <url><loc>{origin}/gone</loc></url>
</urlset>"""
PAGE = "<title>Page {path}</title><a href='/'>Home</a> <a href='/a'>A</a> <a href='/b'>B</a>"


@pytest.fixture(scope="module")
def website() -> Iterator[Server]:
    """Serve a page that is not listed, an image, and a listed page that is gone."""

    def reply(request: ServerRequest) -> Reply:
        origin = f"http://{request.host}"
        match request.path:
            case "/robots.txt":
                return Reply(f"Sitemap: {origin}/sitemap.xml\n")
            case "/sitemap.xml":
                return Reply(SITEMAP.format(origin=origin))
            case "/a.png":
                return Reply(b"\x89PNG", headers=[("Content-Type", "image/png")])
            case "/" | "/a" | "/b" as path:
                page = PAGE.format(path=path)
                return Reply(page, headers=[("Content-Type", "text/html; charset=utf-8")])
        return Reply(status=404)

    with Server(reply) as server:
        yield server


@pytest.fixture(scope="module")
def seen(website: Server, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    audits = tmp_path_factory.mktemp("seen")
    return crawl(audits, {"site": website.origin, **ARGUMENTS}, COMPONENTS)


def items_of(audited: Audited, component: type[Seen]) -> list[tuple[str, Any]]:
    text = (audited.audits / component.name).read_text(encoding="utf-8")
    return [(line["type"], line["row"]) for line in map(json.loads, text.splitlines())]


def test_the_audit_is_the_same(website: Server, seen: Audited, tmp_path: Path) -> None:
    assert "Traceback" not in seen.log
    alone = crawl(tmp_path, {"site": website.origin, **ARGUMENTS})
    assert seen.status == alone.status
    assert read_rows(seen.run.path) == read_rows(alone.run.path)
    assert seen.run.manifest.links == alone.run.manifest.links


@pytest.mark.parametrize("component", [First, Last, Receiver])
def test_each_row_is_an_item(seen: Audited, component: type[Seen]) -> None:
    *items, count = items_of(seen, component)
    numbers = Counter(kind for kind, _ in items)
    assert numbers == {kind: len(getattr(seen.run, table)) for kind, table in TABLES.items()}
    assert count == ("count", len(items))


@pytest.mark.parametrize("kind", ["Url", "Finding"])
def test_results_are_those_of_the_tables_in_their_order(seen: Audited, kind: str) -> None:
    rows = [row for name, row in items_of(seen, Last) if name == kind]
    frame = getattr(seen.run, TABLES[kind])
    assert [row["url"] for row in rows] == [url or None for url in frame["url"].fillna("")]
    assert list(rows[0]) == list(frame.columns)


class FailingPipeline:
    """Fails when the spider is opened."""

    def open_spider(self) -> None:
        raise RuntimeError("no database")

    def process_item(self, item: Any) -> Any:
        return item


class ForgetfulPipeline:
    """Returns no item."""

    def process_item(self, item: Any) -> None:
        assert item is not None


@pytest.mark.parametrize(
    ("component", "order", "reason", "remedy"),
    [
        (
            FailingPipeline,
            200,
            "a component of the project failed before the first request",
            "correct what its exception in the log names",
        ),
        (
            ForgetfulPipeline,
            50,
            "a pipeline before that of the audit returned nothing",
            "let its process_item return each item, or raise DropItem to drop one",
        ),
    ],
)
def test_a_faulty_component_is_the_reason(
    website: Server, tmp_path: Path, component: type, order: int, reason: str, remedy: str
) -> None:
    settings = {"ITEM_PIPELINES": json.dumps({f"{__name__}.{component.__name__}": order})}
    audited = crawl(tmp_path, {"site": website.origin}, settings)
    assert audited.status == 3
    manifest = audited.run.manifest
    assert (manifest.reason, manifest.remedy) == (reason, remedy)
    log = (audited.run.path / "crawl.log").read_text(encoding="utf-8")
    assert ("no database" in log) is (component is FailingPipeline)


def test_an_interrupted_run_passes_no_results(website: Server, tmp_path: Path) -> None:
    settings = {**COMPONENTS, "CLOSESPIDER_PAGECOUNT": "1"}
    audited = crawl(tmp_path, {"site": website.origin}, settings)
    assert audited.status == 3
    assert "Url" not in {kind for kind, _ in items_of(audited, Last)}

"""Scrapy's SitemapSpider: the entries that reach its filter, and the sitemaps that it requests."""

import json
import sys
from collections.abc import Callable, Iterable
from threading import Thread
from typing import Any

from scrapy import signals
from scrapy.crawler import CrawlerProcess
from scrapy.http import Request
from scrapy.spiders import SitemapSpider
from scrapy.utils.reactor import install_reactor

from tests.conformance.adapters.process import introduce
from tests.conformance.cases import Facts

TELLS = ("urls", "sitemaps", "lastmod", "changefreq", "priority")
SETTINGS = {
    "LOG_ENABLED": False,
    "RETRY_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "TELNETCONSOLE_ENABLED": False,
}


class Recorder(SitemapSpider):
    """Records what it finds in ``found``, and requests no page."""

    name = "recorder"
    found: Facts
    first: str

    def sitemap_filter(self, entries: Any) -> Iterable[dict[str, Any]]:
        if entries.type == "sitemapindex":
            yield from entries
            return
        for entry in entries:
            url = entry["loc"]
            if not url:
                continue  # The spider skips it, too.
            self.found["urls"].append(url)
            for name in ("lastmod", "changefreq", "priority"):
                if entry.get(name):
                    self.found[name][url] = entry[name]

    def record_request(self, request: Request) -> None:
        if request.url != self.first and "redirect_times" not in request.meta:
            self.found["sitemaps"].append(request.url)

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.record_request, signals.request_scheduled)
        return spider


def read_all(process: CrawlerProcess, write: Callable[[Facts], None], reactor: Any) -> None:
    """Answer each case; the reactor runs in another thread."""
    for line in sys.stdin:
        case = json.loads(line)
        start = case["start"] + ("robots.txt" if case["kind"] == "site" else "")
        found: Facts = {name: {} for name in TELLS} | {"urls": [], "sitemaps": []}
        values = {"sitemap_urls": [start], "first": start, "found": found}

        def crawl(values: Facts = values, found: Facts = found) -> None:
            finished: Any = process.crawl(Recorder, **values)
            finished.addCallbacks(
                lambda _: write(found), lambda why: write({"error": str(why.value)})
            )

        reactor.callFromThread(crawl)
    reactor.callFromThread(reactor.stop)


def main() -> None:
    tells = {"sitemap": TELLS, "site": TELLS}
    write = introduce("scrapy", tells, without=("text", "rss-and-atom"))
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet import reactor  # noqa: PLC0415 - it must be installed first

    process = CrawlerProcess(SETTINGS)
    Thread(target=read_all, args=(process, write, reactor), daemon=True).start()
    process.start(stop_after_crawl=False, install_signal_handlers=False)


if __name__ == "__main__":
    main()

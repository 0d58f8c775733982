"""Measures what Scrapy itself needs for a request, and what four of its parts take of that.

``python benchmarks/scrapy_overhead.py --requests 20000``

It needs Scrapy alone. There is no network and no parsing: a download handler answers every request
at once. Each variant changes one part of Scrapy in a process of its own, and gives microseconds of
a processor for one more request. The note beside this file explains the parts.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from statistics import median
from time import process_time
from typing import Any

from pydispatch.dispatcher import getAllReceivers
from scrapy import Request, Spider, signalmanager
from scrapy.core.downloader.middleware import DownloaderMiddlewareManager
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response as ScrapyResponse
from scrapy.signalmanager import SignalManager
from scrapy.statscollectors import StatsCollector
from scrapy.utils.defer import ensure_awaitable

CONCURRENCY = 16


class Immediate:
    """A download handler that answers at once."""

    lazy = False

    async def download_request(self, request: Request) -> ScrapyResponse:
        return ScrapyResponse(request.url, body=b"x")

    async def close(self) -> None:
        pass


class Requests(Spider):
    """Requests as many URLs as its argument ``requests`` says."""

    name = "requests"
    requests = 0

    async def start(self) -> AsyncIterator[Any]:
        for number in range(int(self.requests)):
            yield Request(f"http://127.0.0.1/{number}")

    def parse(self, response: ScrapyResponse) -> None:
        pass


def plain_stats() -> None:
    """Let the stats collector find its methods as any object does."""
    del StatsCollector.__getattribute__


def plain_results() -> None:
    """Let the chain of middlewares make something awaitable only of what has to be awaited."""

    async def awaited(result: Any) -> Any:
        if result is None or isinstance(result, (Request, ScrapyResponse)):
            return result
        return await ensure_awaitable(result)

    async def process_request(self: Any, request: Request, download: Callable[..., Any]) -> Any:
        for method in self.methods["process_request"]:
            result = self._handle_mw_method(method, request=request)
            if result is not None and (answer := await awaited(result)):
                return answer
        return await download(request)

    async def process_response(self: Any, response: Any, request: Request) -> Any:
        for method in self.methods["process_response"]:
            result = self._handle_mw_method(method, request=request, response=response)
            response = result if isinstance(result, ScrapyResponse) else await awaited(result)
            if isinstance(response, Request):
                break
        return response

    changed = {"_process_request": process_request, "_process_response": process_response}
    for name, method in changed.items():
        setattr(DownloaderMiddlewareManager, name, method)


def heard_signals() -> None:
    """Let a signal that nobody listens to end where it is sent."""
    send = SignalManager.send_catch_log

    def send_catch_log(self: SignalManager, signal: Any, **named: Any) -> list[Any]:
        for _ in getAllReceivers(self.sender, signal):
            return send(self, signal, **named)
        return []

    signalmanager.SignalManager.send_catch_log = send_catch_log  # type: ignore[method-assign]


VARIANTS: dict[str, tuple[int, tuple[Callable[[], None], ...]]] = {
    "as it is": (100, ()),
    "one task": (1, ()),
    "and stats": (1, (plain_stats,)),
    "and results": (1, (plain_results,)),
    "and signals": (1, (heard_signals,)),
    "all four": (1, (plain_stats, plain_results, heard_signals)),
}
"""CONCURRENT_ITEMS, and what is changed."""


def crawl(variant: str, requests: int) -> None:
    """Print the CPU seconds of a crawl in which this variant applies."""
    items, changes = VARIANTS[variant]
    for change in changes:
        change()
    settings = {
        "CONCURRENT_ITEMS": items,
        "CONCURRENT_REQUESTS": CONCURRENCY,
        "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_HANDLERS": {"http": Immediate},
        "LOG_LEVEL": "ERROR",
        "ROBOTSTXT_OBEY": False,
        "TELNETCONSOLE_ENABLED": False,
    }
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(Requests)
    process.crawl(crawler, requests=requests)
    started = process_time()
    process.start()
    assert crawler.stats
    assert crawler.stats.get_value("response_received_count") == requests
    print(process_time() - started)


def cpu_seconds(variant: str, requests: int) -> float:
    """Return the CPU seconds of a crawl in a process of its own."""
    command = [sys.executable, __file__, "--variant", variant, "--requests", str(requests)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Measure the variants alternately; print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--variant", choices=VARIANTS)
    options = parser.parse_args()
    if options.variant:
        crawl(options.variant, options.requests)
        return
    few, many = options.requests // 10, options.requests
    costs: dict[str, list[float]] = {variant: [] for variant in VARIANTS}
    for _ in range(options.rounds):
        for variant, rounds in costs.items():
            more = cpu_seconds(variant, many) - cpu_seconds(variant, few)
            rounds.append(more / (many - few) * 1e6)
    whole = costs["as it is"]
    for variant, rounds in costs.items():
        saved = median(1 - own / all_ for own, all_ in zip(rounds, whole, strict=True))
        print(f"{variant:<24}{median(rounds):>6.0f} µs{saved:>8.0%} less")


if __name__ == "__main__":
    main()

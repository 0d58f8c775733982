"""Compares rendering with a bare scrapy-playwright spider, and measures memory over time.

``python benchmarks/rendering.py --pages 300 --rounds 3``
``python benchmarks/rendering.py --pages 500 --rounds 1 --alone`` (memory only)

Both open the same pages of a website on loopback in the same browser, with the same concurrency.
The spider only takes ``page.content()`` after each page has loaded, and sends no other requests.
The audit also waits until the scripts of each page are idle.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

from measuring import Measured, audit_command, measure, print_results, record, website

from sitemapaudit.config import AuditSettings
from sitemapaudit.rendering.browser import find_browser

BARE_SPIDER = """
import sys
from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess

origin, pages, concurrency, browser = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
handler = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
sizes = []

class Bare(Spider):
    name = "bare"
    async def start(self):
        for number in range(pages):
            yield Request(f"{origin}/page/{number}", meta={"playwright": True})
    def parse(self, response):
        sizes.append(len(response.body))

process = CrawlerProcess({
    "LOG_LEVEL": "WARNING",
    "DOWNLOAD_HANDLERS": {"http": handler, "https": handler},
    "CONCURRENT_REQUESTS": concurrency,
    "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
    "PLAYWRIGHT_LAUNCH_OPTIONS": {
        "executable_path": browser,
        "args": ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
    },
})
process.crawl(Bare)
process.start()
print(len(sizes))
"""


def audit(origin: str, pages: int, concurrency: int) -> Measured:
    """Audit the website and render every page; each page is requested once."""
    before = _requests(origin)
    with tempfile.TemporaryDirectory() as folder:
        settings = (f"AUDIT_RENDER_CONCURRENCY={concurrency}", "AUDIT_RULES={}")
        words = [word for setting in settings for word in ("-s", setting)]
        done = measure(audit_command(origin, Path(folder), "--render", "always", *words))
    assert f"{pages:,} rendered" in done.output, done.output
    assert _requests(origin) - before == pages, _requests(origin) - before
    return done


def crawl_with_bare_spider(origin: str, pages: int, concurrency: int) -> Measured:
    """Open the same pages with the bare spider."""
    browser = find_browser("").program
    command = [sys.executable, "-c", BARE_SPIDER, origin, str(pages), str(concurrency), browser]
    done = measure(command)
    assert done.output.split()[-1] == str(pages), done.output
    return done


def _requests(origin: str) -> int:
    with urlopen(f"{origin}/requests") as response:
        return int(response.read())


def main() -> None:
    """Measure both programs alternately; print the results, their ratio, and memory over time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--concurrency", type=int, default=AuditSettings().render_concurrency)
    parser.add_argument("--alone", action="store_true")
    options = parser.parse_args()
    jobs = {"sitemapaudit": audit}
    if not options.alone:
        jobs["bare spider"] = crawl_with_bare_spider
    results: dict[str, list[Measured]] = {name: [] for name in jobs}
    with website(options.pages) as origin:
        for _ in range(options.rounds):
            for name, job in jobs.items():
                results[name].append(job(origin, options.pages, options.concurrency))
    print(f"{options.pages:,} pages, {options.concurrency} at a time")
    print(f"rounds: {options.rounds}; medians:")
    print_results(results, options.pages)
    if not options.alone:
        ratios = [
            bare.seconds / own.seconds
            for own, bare in zip(results["sitemapaudit"], results["bare spider"], strict=True)
        ]
        record(
            "rendering, against a bare spider",
            f"{statistics.median(ratios):.2f} times",
            "0.95 times",
        )
    fifths = results["sitemapaudit"][-1].fifths()
    print("memory in each fifth of the run, MB: " + ", ".join(f"{part:.0f}" for part in fifths))


if __name__ == "__main__":
    main()

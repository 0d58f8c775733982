"""Rendered pages per second against a bare scrapy-playwright spider, and memory over the run.

``python benchmarks/rendering.py --pages 120 --rounds 3``
``python benchmarks/rendering.py --pages 500 --rounds 1 --alone`` (memory only)

Both open the same pages of a website on loopback, as many at once, in the same browser; the
spider only takes ``page.content()`` when each is loaded, and sends no other request. What a
page waits for its scripts to come to rest costs the audit time that the spider does not spend.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

from measuring import Measured, audit_command, measure, print_sides, website

from sitemapaudit.config import AuditSettings
from sitemapaudit.rendering.browser import find_browser

PEER = """
import sys
from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess

origin, pages, tabs, browser = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
handler = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
seen = []

class Bare(Spider):
    name = "bare"
    async def start(self):
        for number in range(pages):
            yield Request(f"{origin}/page/{number}", meta={"playwright": True})
    def parse(self, response):
        seen.append(len(response.body))

process = CrawlerProcess({
    "LOG_LEVEL": "WARNING",
    "DOWNLOAD_HANDLERS": {"http": handler, "https": handler},
    "CONCURRENT_REQUESTS": tabs,
    "CONCURRENT_REQUESTS_PER_DOMAIN": tabs,
    "PLAYWRIGHT_LAUNCH_OPTIONS": {
        "executable_path": browser,
        "args": ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
    },
})
process.crawl(Bare)
process.start()
print(len(seen))
"""


def audited(origin: str, pages: int, tabs: int) -> Measured:
    """Audit the website, each page rendered; one request a page reaches the server."""
    before = _requests(origin)
    with tempfile.TemporaryDirectory() as folder:
        words = ("-a", "render=always", "-s", f"AUDIT_TABS={tabs}", "-s", "AUDIT_RULES={}")
        done = measure(audit_command(origin, Path(folder), *words))
    assert f"{pages:,} rendered" in done.output, done.output
    assert _requests(origin) - before == pages, _requests(origin) - before
    return done


def bare(origin: str, pages: int, tabs: int) -> Measured:
    """Open the same pages with a spider that does nothing else."""
    browser = find_browser("").program
    command = [sys.executable, "-c", PEER, origin, str(pages), str(tabs), browser]
    done = measure(command)
    assert done.output.split()[-1] == str(pages), done.output
    return done


def _requests(origin: str) -> int:
    with urlopen(f"{origin}/requests") as answer:
        return int(answer.read())


def main() -> None:
    """Measure both sides in turn; print their figures, the ratio, and the memory over the run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--tabs", type=int, default=AuditSettings().tabs)
    parser.add_argument("--alone", action="store_true")
    options = parser.parse_args()
    jobs = {"sitemapaudit": audited} | ({} if options.alone else {"bare spider": bare})
    sides: dict[str, list[Measured]] = {name: [] for name in jobs}
    with website(options.pages) as origin:
        for _ in range(options.rounds):
            for name, job in jobs.items():
                sides[name].append(job(origin, options.pages, options.tabs))
    print(f"{options.pages:,} pages, {options.tabs} at once, median of {options.rounds}")
    print_sides(sides, options.pages)
    if not options.alone:
        ratios = [
            peer.seconds / own.seconds
            for own, peer in zip(sides["sitemapaudit"], sides["bare spider"], strict=True)
        ]
        print(f"pages per second: {statistics.median(ratios):.2f} of those of the bare spider")
    fifths = sides["sitemapaudit"][-1].fifths()
    print("memory by fifths of the run, MB: " + ", ".join(f"{part:.0f}" for part in fifths))


if __name__ == "__main__":
    main()

"""sitemap-verify: the URLs and the sitemaps of its report."""

import asyncio
import tempfile
from pathlib import Path

from sitemap_verify.service import validate_target

from tests.conformance.adapters.process import run
from tests.conformance.cases import Facts


def read(_: str, start: str) -> Facts:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "store.sqlite3")
        checked = validate_target(start, mode="url", check_reachability=False, store_path=store)
        report = asyncio.run(checked)
    return {
        "urls": report.discovered_urls,
        "sitemaps": [each for each in report.checked_sitemaps if each != start],
    }


if __name__ == "__main__":
    # It searches for the robots.txt of a domain by HTTPS only.
    run("sitemap-verify", read, {"sitemap": ["urls", "sitemaps"]})

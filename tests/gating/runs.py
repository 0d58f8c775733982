"""Runs and findings for gates."""

from pathlib import Path
from typing import Any

from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.items import Severity
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.sitemaps.dialects import NAMESPACE
from tests.support.rows import fetched_page, listed, sitemap_of
from tests.support.shared_runs import copy_of_run

SITE = "https://www.example.com"
STATUSES = {"a": 200, "b": 404, "c": 404}


def make_run(
    audits: Path,
    name: str = "2026-11-20T00-00-00Z",
    reason: str | None = None,
    only: str = "all",
    **statuses: int,
) -> Path:
    """Return a run of a site whose pages have these statuses; ``only`` is its argument pages."""
    pages = statuses or STATUSES
    entries = listed(*(f"{SITE}/{page}" for page in pages))
    rows = [fetched_page(f"{SITE}/{page}", status) for page, status in pages.items()]
    sitemap = sitemap_of(entries)
    sitemap.namespace = NAMESPACE
    run = copy_of_run(
        audits / "www.example.com" / name,
        [sitemap, entries, *rows],
        rules={},
        reason=reason,
        pages=only,
        site=SITE,
    )
    return run.path


def finding(rule: str = "page-not-found", place: str = "/b", **values: Any) -> GateFinding:
    given = {"severity": Severity.ERROR, "message": "returns 404", **values}
    return GateFinding(rule, given.pop("severity"), place, **given)


def manifest(**values: Any) -> Manifest:
    return Manifest({}, {}, {}, "2026-11-20T00:00:00Z", complete=True, **values)

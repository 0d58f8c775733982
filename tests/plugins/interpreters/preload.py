"""What the server does before it forks: see README.md."""

import atexit
import gc
import pkgutil
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from tempfile import TemporaryDirectory

from scrapy.settings import Settings
from scrapy.utils import versions

from sitemapaudit.audit import Audit
from sitemapaudit.config import AuditSettings
from sitemapaudit.crawling.new_run import package_versions
from sitemapaudit.engine.crawl_settings import EXTENSIONS_BASE
from sitemapaudit.engine.settings_table import ignored_settings
from sitemapaudit.report.markup import environment
from sitemapaudit.results.building import rebuild_results
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.manifest import Manifest
from tests.support.rows import fetched_page, listed, sitemap_of
from tests.support.runs import build_run

MODULES = (
    *(name.rpartition(".")[0] for name in EXTENSIONS_BASE),
    "distributed.cli.dask_scheduler",
    "distributed.cli.dask_worker",
    "rich.progress",
    "scrapy.core.downloader.middleware",
    "scrapy.core.engine",
    "scrapy.core.scheduler",
    "scrapy.core.spidermw",
    "scrapy.dupefilters",
    "scrapy.logformatter",
    "scrapy.pqueues",
    "scrapy.squeues",
    "scrapy.statscollectors",
    "scrapy.utils.engine",
)
"""Modules of others that commands import by name."""

PACKAGES = ("queuelib", "scrapy.commands", "scrapy.downloadermiddlewares", "sitemapaudit")
"""Packages of which commands import any module."""


def import_everything() -> None:
    """Import what commands do; ``__main__`` of a package would run it."""
    for name in PACKAGES:
        for module in pkgutil.walk_packages(import_module(name).__path__, f"{name}."):
            if not module.name.endswith(".__main__"):
                import_module(module.name)
    for name in MODULES:
        import_module(name)


def use_everything() -> None:
    """Read rules, templates and versions, and build the results of a small run."""
    catalog()
    versions.get_versions()
    package_versions()
    ignored_settings(Settings({"AUDIT_DIR": "audits"}))
    for template in environment().list_templates(extensions=["html"]):
        environment().get_template(template)
    with TemporaryDirectory() as name:
        folder = Path(name)
        urls = ["https://www.example.com/", "https://www.example.com/a"]
        entries = listed(*urls)
        pages = [fetched_page(url, title="A title", words=200) for url in urls]
        build_run(folder, [sitemap_of(entries), entries, *pages], rules={})
        rebuild_results([folder], folder, Manifest.read(folder), Audit({}), AuditSettings())


def remember_packages() -> None:
    """Search the installed packages once: Scrapy asks which commands they add at each start.

    Scrapy imports the function by its name, so this comes first. The log of each crawl names the
    versions of some.
    """
    metadata.entry_points = cache(metadata.entry_points)  # type: ignore[assignment]
    versions.version = cache(versions.version)  # type: ignore[attr-defined]
    metadata.entry_points(group="scrapy.commands")


def preload() -> None:
    """Prepare this process for its forks."""
    remember_packages()
    import_everything()
    use_everything()
    # What is here stays: collecting garbage in a fork must neither visit nor copy it.
    gc.collect()
    gc.freeze()
    # Otherwise DuckDB's library complains at the end about objects that nobody collected.
    atexit.register(gc.unfreeze)

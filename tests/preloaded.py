"""Does what commands do first, in the process from which the others are forked.

It imports their modules, and builds the results of a small run: DuckDB, the templates and the
decoders prepare much on first use.
"""

import atexit
import gc
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from scrapy.utils.misc import walk_modules_iter

from sitemapaudit.audit import Audit
from sitemapaudit.config import AuditSettings
from sitemapaudit.report.markup import environment
from sitemapaudit.results.building import rebuild_results
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.settings import EXTENSIONS_BASE
from tests.support import build_run, fetched_page, listed, sitemap_of

for package in (
    "queuelib",
    "scrapy.commands",
    "scrapy.downloadermiddlewares",
    "sitemapaudit.cli",
    "sitemapaudit.commands",
    "sitemapaudit.comparison",
    "sitemapaudit.crawling",
    "sitemapaudit.datasets",
    "sitemapaudit.extensions",
    "sitemapaudit.gating",
    "sitemapaudit.rendering",
    "sitemapaudit.repair",
    "sitemapaudit.report",
    "sitemapaudit.results",
    "sitemapaudit.spiders",
    "sitemapaudit.workers",
):
    list(walk_modules_iter(package))
for module in (
    *(name.rpartition(".")[0] for name in EXTENSIONS_BASE),
    "rich.progress",
    "scrapy.core.engine",
    "scrapy.core.scheduler",
    "scrapy.core.spidermw",
    "scrapy.core.downloader.middleware",
    "scrapy.dupefilters",
    "scrapy.logformatter",
    "scrapy.pqueues",
    "scrapy.squeues",
    "scrapy.statscollectors",
    "scrapy.utils.engine",
):
    import_module(module)
catalog()
for template in environment().list_templates():
    environment().get_template(template)

with TemporaryDirectory() as name:
    folder = Path(name)
    urls = ["https://www.example.com/", "https://www.example.com/a"]
    entries = listed(*urls)
    pages = [fetched_page(url, title="A title", words=200) for url in urls]
    build_run(folder, [sitemap_of(entries), entries, *pages], rules={})
    rebuild_results([folder], folder, Manifest.read(folder), Audit({}), AuditSettings())

# What is here stays: collecting garbage in a fork must neither visit nor copy it.
gc.collect()
gc.freeze()
# Otherwise DuckDB's library complains at the end about objects that nobody collected.
atexit.register(gc.unfreeze)

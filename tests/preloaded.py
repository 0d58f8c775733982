"""Imports what commands import, in the process from which the others are forked."""

import gc
import json
import subprocess
import sys

from scrapy.utils.misc import walk_modules_iter

from sitemapaudit.datasets.finding_table import COLUMN_NAMES
from sitemapaudit.report.markup import environment
from sitemapaudit.rules.catalog import catalog

for package in (
    "scrapy.commands",
    "scrapy.downloadermiddlewares",
    "sitemapaudit.cli",
    "sitemapaudit.commands",
    "sitemapaudit.comparison",
    "sitemapaudit.datasets",
    "sitemapaudit.extensions.pipeline",
    "sitemapaudit.repair",
    "sitemapaudit.report",
    "sitemapaudit.results",
    "sitemapaudit.spiders",
):
    list(walk_modules_iter(package))
catalog()
for template in environment().list_templates():
    environment().get_template(template)

# DuckDB must not be open in a process that forks: another process finds the columns of each query.
FIND = """
import json
from sitemapaudit.datasets.finding_table import COLUMN_NAMES
from tests.rules.tables import tables_of
tables_of([])
print(json.dumps(COLUMN_NAMES))
"""
COLUMN_NAMES.update(json.loads(subprocess.check_output([sys.executable, "-c", FIND])))

# What is here stays: collecting garbage in a fork must neither visit nor copy it.
gc.collect()
gc.freeze()

"""Imports what commands import, in the process from which the others are forked."""

import gc

from scrapy.utils.misc import walk_modules_iter

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

# What is here stays: collecting garbage in a fork must neither visit nor copy it.
gc.collect()
gc.freeze()

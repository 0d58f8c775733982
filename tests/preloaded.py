"""Imports what commands import, in the process from which the others are forked."""

from scrapy.utils.misc import walk_modules_iter

from sitemapaudit.rules.catalog import catalog

for package in (
    "scrapy.commands",
    "scrapy.downloadermiddlewares",
    "sitemapaudit.cli",
    "sitemapaudit.commands",
    "sitemapaudit.spiders",
):
    list(walk_modules_iter(package))
catalog()

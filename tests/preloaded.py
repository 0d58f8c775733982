"""What every command of the project imports, for the process that the others are forked from."""

from scrapy.utils.misc import walk_modules_iter

from sitemapaudit.rules.catalogue import catalogue

for package in (
    "scrapy.commands",
    "scrapy.downloadermiddlewares",
    "sitemapaudit.commands",
    "sitemapaudit.spiders",
):
    list(walk_modules_iter(package))
catalogue()

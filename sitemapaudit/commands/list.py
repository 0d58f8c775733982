"""``scrapy list`` with the spiders of add-ons: Scrapyd reads it when a project is deployed."""

from argparse import Namespace

from scrapy.commands.list import Command as ListCommand
from scrapy.crawler import AsyncCrawlerRunner

from sitemapaudit.output import say


class Command(ListCommand):
    """Prints the names of the spiders of a project."""

    def run(self, args: list[str], opts: Namespace) -> None:  # noqa: ARG002 - as in Scrapy
        """Print the names; a runner loads the add-ons, and Scrapy's own command does not."""
        assert self.settings is not None
        say("\n".join(sorted(AsyncCrawlerRunner(self.settings).spider_loader.list())))

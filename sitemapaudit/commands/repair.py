"""``scrapy repair``: see ``sitemapaudit.cli.repair``."""

from sitemapaudit.cli.adapter import ScrapyAdapter


class Command(ScrapyAdapter):
    """The command ``repair``."""

    command_name = "repair"

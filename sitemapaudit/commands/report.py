"""``scrapy report``: see ``sitemapaudit.cli.report``."""

from sitemapaudit.cli.adapter import ScrapyAdapter


class Command(ScrapyAdapter):
    """The command ``report``."""

    command_name = "report"

"""``scrapy schedule``: see ``sitemapaudit.cli.schedule``."""

from sitemapaudit.cli.adapter import ScrapyAdapter


class Command(ScrapyAdapter):
    """The command ``schedule``."""

    command_name = "schedule"

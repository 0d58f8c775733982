"""``scrapy gate``: see ``sitemapaudit.cli.gate``."""

from sitemapaudit.cli.adapter import ScrapyAdapter


class Command(ScrapyAdapter):
    """The command ``gate``."""

    command_name = "gate"

"""``scrapy rules``: see ``sitemapaudit.cli.rules``."""

from sitemapaudit.cli.adapter import ScrapyAdapter


class Command(ScrapyAdapter):
    """The command ``rules``."""

    command_name = "rules"

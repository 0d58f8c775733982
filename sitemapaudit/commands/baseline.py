"""``scrapy baseline``: see ``sitemapaudit.cli.baseline``."""

from sitemapaudit.cli.adapter import ScrapyAdapter


class Command(ScrapyAdapter):
    """The command ``baseline``."""

    command_name = "baseline"

"""``scrapy compare``: see ``sitemapaudit.cli.compare``."""

from sitemapaudit.cli.adapter import ScrapyAdapter


class Command(ScrapyAdapter):
    """The command ``compare``."""

    command_name = "compare"

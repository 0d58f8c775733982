"""``scrapy changed``: see ``sitemapaudit.cli.changed``."""

from sitemapaudit.cli.adapter import ScrapyAdapter


class Command(ScrapyAdapter):
    """The command ``changed``."""

    command_name = "changed"

"""``python -m sitemapaudit``."""

from sitemapaudit.cli.main import start

start()

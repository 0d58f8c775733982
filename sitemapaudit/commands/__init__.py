"""The commands of ``scrapy`` in this project: adapters of those in ``sitemapaudit.cli``."""

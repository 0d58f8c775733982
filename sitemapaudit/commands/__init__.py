"""Commands of the project: ``scrapy crawl``, ``scrapy rules``."""

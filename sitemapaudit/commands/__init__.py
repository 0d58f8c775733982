"""The commands of Scrapy that this project replaces: ``scrapy crawl`` and ``scrapy list``."""

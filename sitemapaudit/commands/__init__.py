"""The command of Scrapy that this project replaces: ``scrapy crawl``."""

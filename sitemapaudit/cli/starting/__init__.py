"""The checks of ``scrapy crawl`` before an audit starts."""

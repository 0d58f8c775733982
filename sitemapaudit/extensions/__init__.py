"""Scrapy components: the item pipeline, progress bar, feeds and monitors."""

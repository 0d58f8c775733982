"""Scrapy's stats collector without its check of each call."""

from scrapy.statscollectors import MemoryStatsCollector


class QuickStats(MemoryStatsCollector):
    """Counts as Scrapy's default collector does.

    Scrapy's wraps each method, to warn of an argument that was dropped. That takes ten times as
    long as counting, which happens several times per page.
    """

    __getattribute__ = object.__getattribute__

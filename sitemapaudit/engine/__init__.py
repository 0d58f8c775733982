"""Scrapy as an audit uses it: downloader, stats, signals, and the one module with private API."""

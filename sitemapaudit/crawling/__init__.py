"""The crawl: which URLs are fetched, when, and how responses arrive."""

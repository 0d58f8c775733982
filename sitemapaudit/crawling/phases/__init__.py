"""The phases of a crawl: each fetches more when the one before is done."""

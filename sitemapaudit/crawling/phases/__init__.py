"""The phases of a crawl: each fetches more when the previous one is done."""

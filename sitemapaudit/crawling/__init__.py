"""The crawl: selects URLs, fetches each once, and reads the responses."""

"""Rules about the entries of a sitemap."""

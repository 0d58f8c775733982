"""Rules about sitemap files."""

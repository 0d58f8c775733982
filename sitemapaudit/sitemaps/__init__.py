"""Sitemap files: bytes → the row of the file and its entries."""

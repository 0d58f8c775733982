"""Sitemap files: the bytes of a file → its row and its entries."""

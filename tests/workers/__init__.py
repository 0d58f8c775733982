"""Runs whose pages are fetched by several processes."""

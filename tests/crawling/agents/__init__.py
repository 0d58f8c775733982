"""Verdicts for several crawlers."""

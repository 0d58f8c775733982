"""Writes repaired sitemaps from the tables of a run, with a list of all changes."""

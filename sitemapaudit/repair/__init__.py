"""The tables of a run → its sitemaps as they should be, and a list of what was changed."""

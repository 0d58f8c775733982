"""Rules about the pages that are listed."""

"""Audits of a list of sites as jobs of a Scrapyd server."""

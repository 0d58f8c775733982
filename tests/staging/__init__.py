"""Audits of a site before it is live: on staging."""

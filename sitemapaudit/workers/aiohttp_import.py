"""Imports aiohttp in a worker; to be imported before any module that imports it itself.

Nothing in a worker uses the contexts that aiohttp makes: their certificates would take a fifteenth
of the time to start.
"""

from __future__ import annotations

from sitemapaudit.crawling.certificates import without_certificates

with without_certificates():
    import aiohttp  # noqa: F401

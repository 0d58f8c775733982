"""Imports aiohttp; to be imported before any module that imports it itself."""

from __future__ import annotations

from sitemapaudit.fetching.certificates import loaded_by_a_thread

with loaded_by_a_thread():
    import aiohttp  # noqa: F401

"""Downloader middlewares of Scrapy that few runs need, imported only if they do something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.request import getproxies

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_BASE: Final = "DOWNLOADER_MIDDLEWARES_BASE"
_COOKIES: Final = {"scrapy.downloadermiddlewares.cookies.CookiesMiddleware": 700}
_PROXIES: Final = {"scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": 750}


def add_optional_middlewares(settings: BaseSettings) -> None:
    """Add cookies if they are enabled, and proxies if one may be set."""
    added: dict[str, int] = {}
    if settings.getbool("COOKIES_ENABLED"):
        added |= _COOKIES
    if getproxies() or settings.getdict("DOWNLOADER_MIDDLEWARES"):
        added |= _PROXIES
    settings.set(_BASE, {**settings.getdict(_BASE), **added}, priority="spider")

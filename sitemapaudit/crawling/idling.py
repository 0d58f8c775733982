"""When everything that was begun is done: only then is it known what comes next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from sitemapaudit.engine.private_api import is_closing, scraper_is_idle

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_POLL: Final = 0.02


async def wait_until_idle(crawler: Crawler, is_idle: Callable[[], bool]) -> bool:
    """Wait until nothing is in flight; return False if the run is closed before."""
    while not (is_idle() and scraper_is_idle(crawler)):
        if is_closing(crawler):
            return False
        await asyncio.sleep(_POLL)
    return not is_closing(crawler)

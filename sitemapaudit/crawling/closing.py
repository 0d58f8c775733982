"""An end that Scrapy forgets: that of a run which is closed on an item of ``start()``.

Scrapy waits until its scraper is idle, and looks whether it is after each response. Nobody looks
after an item that comes from ``start()``: without another response the run would never end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.utils.asyncio import call_later

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_SOON: Final = 0.05


def see_to_the_end(crawler: Crawler) -> None:
    """Look after each item whether the run is to be closed, where items can be what closes it."""

    def look() -> None:
        engine: Any = crawler.engine
        slot = engine.scraper.slot
        if slot is not None and slot.closing and not slot.closing.called and slot.is_idle():
            slot.closing.callback(crawler.spider)

    def item_scraped() -> None:
        call_later(_SOON, look)

    if crawler.settings.getint("CLOSESPIDER_ITEMCOUNT"):
        # Scrapy would drop a function that nobody else holds.
        crawler.signals.connect(item_scraped, signals.item_scraped, weak=False)

"""Queries on the ledger while crawling. They can take seconds, so each runs in a thread."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from scrapy.exceptions import CloseSpider

T = TypeVar("T")


async def query_in_thread(failure: str, query: Callable[..., T], *arguments: Any) -> T:
    """Run a query in a thread. Raises CloseSpider with ``failure`` if the disk is full."""
    try:
        return await asyncio.to_thread(query, *arguments)
    except Exception as error:
        # No other run needs DuckDB here.
        from sitemapaudit.datasets.refusals import describe_refusal  # noqa: PLC0415

        refusal = describe_refusal(error)
        if refusal is None:
            raise
        raise CloseSpider(f"{failure}: {refusal}") from error

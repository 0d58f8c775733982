"""What the crawl needs of a renderer: the browser itself is a layer above."""

from __future__ import annotations

from collections.abc import AsyncIterator
from collections.abc import Set as AbstractSet
from typing import Protocol

from sitemapaudit.http.response import Response
from sitemapaudit.items import Page, Rendering, Robots
from sitemapaudit.runs.link_log import LinkRecord

RenderOutput = Rendering | Robots | LinkRecord
"""A rendering, the links in it, or a robots.txt that was read for it."""


class PageRenderer(Protocol):
    """Chooses pages and renders them."""

    def choose(self, page: Page) -> None:
        """Set the render reason of a page that was read, if it is chosen."""

    def take_sample(self, sample: AbstractSet[str]) -> None:
        """Take the URLs to render where ``render`` is a number."""

    def render(self, response: Response, page: Page) -> AsyncIterator[RenderOutput]:
        """Render a page if it is chosen; yield the rows that result."""

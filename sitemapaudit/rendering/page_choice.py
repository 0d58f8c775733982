"""The choice of pages to render: rendering costs about a hundred times as much as reading."""

from collections import Counter
from collections.abc import Set as AbstractSet
from typing import Final

from sitemapaudit.config import ALWAYS, AUTO, NEVER
from sitemapaudit.items import Page, RenderReason, Role
from sitemapaudit.pages.main_text import LITTLE_TEXT_WORDS
from sitemapaudit.urls.template import url_template

PER_PATTERN: Final = 3
"""The number of pages per URL pattern that ``auto`` renders."""

MAX_PATTERNS: Final = 500
"""The limit for URL patterns; the paths of a site with more are data."""


class PageChoice:
    """Decides whether to render a page that was read; ``mode`` is the argument ``render``."""

    def __init__(self, mode: str | int) -> None:
        self._mode = mode
        self._sample: AbstractSet[str] = frozenset()
        self._patterns: Counter[str] = Counter()

    def take_sample(self, sample: AbstractSet[str]) -> None:
        """Set the URLs to render if ``render`` is a number."""
        self._sample = sample

    def reason(self, page: Page) -> RenderReason | None:
        """Return why a page is rendered; None if it is not."""
        if self._mode == NEVER or not page.is_html or not page.was_read:
            return None
        if page.error or page.truncated:
            return None
        if page.role is Role.PROBE:
            return RenderReason.COMPARISON if page.scripts else None
        if page.role not in (Role.LISTED, Role.LINK):
            return None
        if self._mode == ALWAYS:
            return RenderReason.ALWAYS
        if self._mode == AUTO:
            return self._auto_reason(page)
        return RenderReason.SAMPLE if page.url in self._sample else None

    def _auto_reason(self, page: Page) -> RenderReason | None:
        """Return why scripts can matter to a page, judging by its source.

        A page without scripts that a browser runs needs no rendering.
        """
        if not page.scripts:
            return None
        if page.words is not None and page.words < LITTLE_TEXT_WORDS:
            return RenderReason.LITTLE_TEXT
        if page.noindex:
            return RenderReason.NOINDEX
        if page.set_by_script:
            return RenderReason.SET_BY_SCRIPT
        return RenderReason.TEMPLATE if self._is_new_pattern(page.url) else None

    def _is_new_pattern(self, url: str) -> bool:
        pattern = url_template(url)
        if pattern not in self._patterns and len(self._patterns) >= MAX_PATTERNS:
            return False
        self._patterns[pattern] += 1
        return self._patterns[pattern] <= PER_PATTERN

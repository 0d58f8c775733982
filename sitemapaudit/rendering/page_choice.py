"""The choice of pages to render: rendering costs about a hundred times as much as reading."""

from bisect import insort
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import Final

from sitemapaudit import urls
from sitemapaudit.config import ALWAYS, AUTO, NEVER
from sitemapaudit.items import Page, RenderReason, Role
from sitemapaudit.pages.main_text import LITTLE_TEXT_WORDS
from sitemapaudit.urls.template import SAMPLED, url_template

MAX_PATTERNS: Final = 500
"""The limit for URL patterns; the paths of a site with more are data."""


_CHOSEN_ROLES: Final = (Role.LISTED, Role.LINK)


class PageChoice:
    """Decides whether to render a page that was read; ``mode`` is the argument ``render``.

    If links are recorded, every page below the ``domains`` counts, however it was found, and the
    pages that stand for a template are a random sample of it, by ``seed``.
    """

    def __init__(
        self, mode: str | int, *, links: bool = False, domains: Collection[str] = (), seed: int = 0
    ) -> None:
        self._mode = mode
        self._links = links
        self._domains = domains
        self._seed = seed
        self._sample: AbstractSet[str] = frozenset()
        self._templates: dict[tuple[str, int | None], list[int]] = {}

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
        if page.role not in _CHOSEN_ROLES and not self._may_link(page):
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
        if page.set_by_script or page.may_redirect:
            return RenderReason.SET_BY_SCRIPT
        return RenderReason.TEMPLATE if self._stands_for_template(page) else None

    def _may_link(self, page: Page) -> bool:
        return self._links and urls.is_below(urls.host(page.url), self._domains)

    def _stands_for_template(self, page: Page) -> bool:
        """Return whether a page is among the first of its template, or of those known so far.

        The lowest random numbers of a template are its sample, in whatever order they arrive.
        Pages with another number of scripts do other things: they are another template.
        """
        key = url_template(page.url), page.scripts if self._links else None
        if key not in self._templates and len(self._templates) >= MAX_PATTERNS:
            return False
        lowest = self._templates.setdefault(key, [])
        number = urls.digest(f"{self._seed} {page.url}") if self._links else len(lowest)
        if len(lowest) >= SAMPLED and number >= lowest[SAMPLED - 1]:
            return False
        insort(lowest, number)
        del lowest[SAMPLED:]
        return True

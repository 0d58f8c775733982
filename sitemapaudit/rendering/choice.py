"""Which pages are opened in a browser, and why: it costs some forty times as much as reading."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set as AbstractSet
from typing import Final
from urllib.parse import urlsplit

from sitemapaudit.config import ALWAYS, AUTO, NEVER
from sitemapaudit.items import Page, Reason, Role

LITTLE_TEXT: Final = 50
"""Words of the main text below which scripts may be what fills the page."""

OF_EACH_TEMPLATE: Final = 3
"""Pages of each kind of address that are opened with ``auto``."""

MAX_TEMPLATES: Final = 500
"""Kinds of addresses that are told apart; a site with more of them is one whose paths are data."""

_EXTENSION: Final = re.compile(r"\.[A-Za-z]{1,5}$")


class Choice:
    """Decides of each page that was read; ``mode`` is what the argument ``render`` says."""

    def __init__(self, mode: str | int) -> None:
        self._mode = mode
        self._sample: AbstractSet[str] = frozenset()
        self._templates: Counter[str] = Counter()

    def take_sample(self, sample: AbstractSet[str]) -> None:
        """Take the URLs that were drawn, where ``render`` is a number."""
        self._sample = sample

    def reason(self, page: Page) -> Reason | None:
        """Say why a page is to be opened; None if it is not."""
        if self._mode == NEVER or not page.html or not page.was_read or page.error or page.cut:
            return None
        if page.role is Role.PROBE:
            return Reason.COMPARISON if page.scripts else None
        if page.role is not Role.LISTED:
            return None
        if self._mode == ALWAYS:
            return Reason.ALWAYS
        if self._mode == AUTO:
            return self._risk(page)
        return Reason.SAMPLE if page.url in self._sample else None

    def _risk(self, page: Page) -> Reason | None:
        """Say why scripts may matter to a page, as far as its HTML shows; or take it as a sample.

        Scripts that do not run are none.
        """
        if not page.scripts:
            return None
        if page.words is not None and page.words < LITTLE_TEXT:
            return Reason.LITTLE_TEXT
        if page.noindex:
            return Reason.NOINDEX
        if page.scripted:
            return Reason.SCRIPTED
        return Reason.TEMPLATE if self._is_new_kind(page.url) else None

    def _is_new_kind(self, url: str) -> bool:
        template = template_of(url)
        if template not in self._templates and len(self._templates) >= MAX_TEMPLATES:
            return False
        self._templates[template] += 1
        return self._templates[template] <= OF_EACH_TEMPLATE


def template_of(url: str) -> str:
    """Return what addresses of one kind have in common.

    That is the host, the first segment of a longer path, the number of
    segments, the extension, and the names of the parameters.
    """
    parts = urlsplit(url)
    *above, last = parts.path.removeprefix("/").split("/")
    first = above[0] if above else ""
    extension = _EXTENSION.search(last)
    ending = (extension[0] if extension else "*") if last else ""
    names = sorted(pair.partition("=")[0] for pair in parts.query.split("&"))
    return f"{parts.netloc}/{first}{'/*' * len(above)}/{ending}?{'&'.join(names)}"

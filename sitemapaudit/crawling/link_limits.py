"""Limits on the number of linked URLs to fetch, for websites that have no end."""

from collections import Counter

from sitemapaudit import urls
from sitemapaudit.config import Config
from sitemapaudit.urls.similarity import url_shape
from sitemapaudit.urls.url_set import UrlSet


class LinkLimits:
    """Counts the linked URLs that are fetched and those that limits skip.

    ``skipped`` counts the latter by setting; ``shapes`` counts those of AUDIT_MAX_SIMILAR by shape.
    """

    def __init__(self, config: Config) -> None:
        limit = config.settings.max_linked
        self._max_linked = config.arguments.shard.share_of(limit) if limit else None
        self._max_similar = config.settings.max_similar
        self._linked = 0
        self._counted = UrlSet()
        self._similar = Counter[int]()
        self.skipped = Counter[str]()
        self.shapes = Counter[str]()

    def admit(self, url: str) -> bool:
        """Return whether a linked URL may be fetched, and count it once."""
        if self._max_linked is not None and self._linked >= self._max_linked:
            self._skip(url, "AUDIT_MAX_LINKED")
            return False
        shape = url_shape(url)
        key = urls.digest(shape)
        if self._max_similar and self._similar[key] >= self._max_similar:
            if self._skip(url, "AUDIT_MAX_SIMILAR"):
                self.shapes[shape] += 1
            return False
        self._linked += 1
        self._similar[key] += 1
        return True

    def _skip(self, url: str, setting: str) -> bool:
        """Count a URL that a limit skips; return whether none skipped it before."""
        is_new = self._counted.add(url)
        if is_new:
            self.skipped[setting] += 1
        return is_new

    def restore(self, url: str) -> None:
        """Count a URL that was fetched before the run was resumed."""
        self._linked += 1
        self._similar[urls.digest(url_shape(url))] += 1

"""Passes over the links: shards fetch what other shards found, until none finds a new URL."""

from sitemapaudit.runs.manifest import Manifest


class LinkPasses:
    """Decides after each merge whether another pass can find more."""

    def __init__(self) -> None:
        self._before: tuple[int, int] | None = None

    def has_more(self, merged: Manifest) -> bool:
        """Return whether URLs wait for their shards, and the last pass changed anything.

        A limit can leave the same ones in every pass: then no page is fetched.
        """
        found = merged.waiting_links, merged.rows.get("pages", 0)
        before, self._before = self._before, found
        return merged.waiting_links > 0 and found != before

"""A URL to fetch."""

from typing import Any

from msgspec import Struct

from sitemapaudit.items import AgentPage, Error, Page, RecheckedPage, Role, Verdict


class FirstResult(Struct, frozen=True):
    """The result of the first request for a page, before it is rechecked.

    ``was_carried`` says that it was a 304 that is no longer trusted. ``control`` is the page that a
    304 confirmed, if the response is compared with it.
    """

    verdict: Verdict
    status: int | None
    error: Error | None
    retries: int
    was_carried: bool = False
    control: Page | None = None


class FetchTask(Struct, frozen=True):
    """A URL to fetch, its role, the page that led to it, and the steps from a listed page.

    ``first`` is its first result, if this is a recheck. ``for_others`` says that only agents other
    than the first may fetch it.
    """

    url: str
    role: Role = Role.LISTED
    via: str | None = None
    steps: int = 0
    first: FirstResult | None = None
    for_others: bool = False

    def new_page(self, **values: Any) -> Page:
        """Return a row for the response."""
        if self.for_others:
            return AgentPage(self.url, role=self.role, via=self.via, **values)
        item = Page if self.first is None else RecheckedPage
        return item(self.url, role=self.role, via=self.via, **values)

"""Resources of a page of staging or of a build folder: the browser requests none of them itself."""

from typing import Final

from sitemapaudit import urls
from sitemapaudit.fetching.fetcher import Fetcher
from sitemapaudit.http.redirects import REDIRECT_STATUSES
from sitemapaudit.rendering.page_visit import StoredResponse
from sitemapaudit.rendering.rendered_page import stored_response

_MAX_HOPS: Final = 5


class StandIn:
    """Fetches the resources of pages; the browser would request the site itself."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    async def serve(self, url: str) -> StoredResponse | None:
        """Return the response for a URL; None if there is none."""
        normal = urls.normalize(url)
        for _ in range(_MAX_HOPS):
            if normal is None:
                return None
            response = await self._fetcher.fetch(self._fetcher.resource_request(normal))
            if response.status is None:
                return None
            if response.status not in REDIRECT_STATUSES:
                return stored_response(response)
            normal = response.redirect_target()
        return None

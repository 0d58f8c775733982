"""The origins that answer in place of the hosts of the site."""

from collections.abc import Iterable, Mapping
from typing import Self

from sitemapaudit.urls.normal_form import authority, origin


class Staging:
    """The staging origins, by the origin of the site that each stands for.

    Every URL of an audit is that of the site. Only requests go to staging, whatever their scheme.
    """

    def __init__(self, origins: Mapping[str, str]) -> None:
        self.origins = origins
        self._by_host = {authority(f"{site}/"): staging for site, staging in origins.items()}
        self._sites = {staging: site for site, staging in reversed(list(origins.items()))}

    @classmethod
    def read(cls, given: Mapping[str, str], sites: Iterable[str]) -> Self:
        """Return the staging of these sites (origins), from one origin or one for each host."""
        if not given:
            return cls({})
        if "" in given:
            return cls(dict.fromkeys(sites, given[""]))
        known = {authority(f"{site}/"): site for site in sites}
        return cls({known.get(host, f"https://{host}"): each for host, each in given.items()})

    def origin_for(self, url: str) -> str | None:
        """Return the staging origin that answers for a URL; None if its own host does."""
        return self._by_host.get(authority(url))

    def request_url(self, url: str) -> str:
        """Return the URL that is requested for a URL of the site."""
        staging = self.origin_for(url)
        return url if staging is None else staging + url.removeprefix(origin(url))

    def site_url(self, url: str) -> str:
        """Return the URL of the site for one of staging, and any other URL as it is."""
        site = self._sites.get(origin(url))
        return url if site is None else site + url.removeprefix(origin(url))

"""The origins that answer in place of the hosts of the site."""

import re
from collections.abc import Iterable, Mapping
from typing import Self

from sitemapaudit.urls.normal_form import authority, origin


class Staging:
    """The staging origins, by the origin of the site that each stands for.

    Every URL of an audit is that of the site. Only requests go to staging, whatever their scheme.
    A host that stands for itself is live: it is requested as it is. No other host is requested.
    """

    def __init__(self, origins: Mapping[str, str]) -> None:
        self.origins = origins
        self._by_host = {authority(f"{site}/"): staging for site, staging in origins.items()}
        self.live = {host for host, each in self._by_host.items() if host == authority(f"{each}/")}
        """The hosts that are requested as they are."""
        self._sites = {
            staging: site
            for site, staging in reversed(list(origins.items()))
            if authority(f"{site}/") not in self.live
        }

    @classmethod
    def read(cls, given: Mapping[str, str], sites: Iterable[str]) -> Self:
        """Return the staging of these sites (origins), from one origin or one for each host."""
        if not given:
            return cls({})
        if "" in given:
            return cls(dict.fromkeys(sites, given[""]))
        known = {authority(f"{each}/"): each for each in given.values()}  # Those of live hosts.
        known |= {authority(f"{site}/"): site for site in sites}
        return cls({known.get(host, f"https://{host}"): each for host, each in given.items()})

    def origin_for(self, url: str) -> str | None:
        """Return the staging origin that answers for a URL; None if there is none."""
        host = authority(url)
        return None if host in self.live else self._by_host.get(host)

    def request_url(self, url: str) -> str | None:
        """Return the URL that is requested for a URL; None if its host must not be requested."""
        if not self.origins or authority(url) in self.live:
            return url
        staging = self.origin_for(url)
        return None if staging is None else staging + url.removeprefix(origin(url))

    def site_url(self, url: str) -> str:
        """Return the URL of the site for one of staging, and any other URL as it is."""
        site = self._sites.get(origin(url))
        return url if site is None else site + url.removeprefix(origin(url))

    def rename(self, text: bytes, url: str) -> bytes:
        """Return a text with the addresses of staging as those of the site.

        ``url`` is the URL of the site whose response has the text. Hosts that only begin like
        staging, and other ports, stay.
        """
        names = {authority(f"{each}/") for each in self._sites}
        longest_first = sorted(names, key=len, reverse=True)
        pattern = b"|".join(re.escape(name.encode()) for name in longest_first)
        own = self.origin_for(url)

        def site_of(match: re.Match[bytes]) -> bytes:
            name = match[1].decode().lower()
            if own is not None and authority(f"{own}/") == name:
                return origin(url).encode()
            return next(
                site.encode() for each, site in self._sites.items() if authority(f"{each}/") == name
            )

        return re.sub(
            rb"(?:https?:)?//(%s)(?![\w-]|\.\w|:\d)" % pattern, site_of, text, flags=re.IGNORECASE
        )

"""The list of URLs that the user gave, in place of sitemaps."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sitemapaudit import urls
from sitemapaudit.caps import batches, fit
from sitemapaudit.config import Config, Site
from sitemapaudit.fetching.responses import Responses
from sitemapaudit.given_files import read_parts
from sitemapaudit.hosts.connecting import connect, restored_robots
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.items import Entries, Entry, Kind, Robots, Sitemap
from sitemapaudit.runs.ledger.url_list import url_list_file
from sitemapaudit.sitemaps.text_file import read_lines

URL_LIST: Final = "url-list"
"""The name of the list among sitemaps: the same in each run, whatever the name of its file."""


class GivenUrls:
    """Yields the list as the only sitemap, with its URLs as entries.

    It has the methods of ``Discovery``. The list is in the run folder, so that a resumed run has
    the same one.
    """

    def __init__(self, config: Config, hosts: Hosts, responses: Responses, run: Path) -> None:
        self._staging = config.staging
        self._hosts = hosts
        self._responses = responses
        self._file = url_list_file(run)
        self._is_restored = False

    def restore(self, row: Sitemap, children: list[str]) -> None:  # noqa: ARG002 - as Discovery
        """Record that the list was read before the run was resumed."""
        self._is_restored |= row.complete

    async def start(self, sites: Iterable[Site], _: Iterable[str]) -> AsyncIterator[Robots]:
        """Read the robots.txt of each site; then the audited origins are known."""
        for site in dict.fromkeys(sites):
            restored = restored_robots(self._hosts, site)
            robots = restored or await connect(self._hosts, self._responses, site)
            if robots is None:
                continue
            self._hosts.sites.add(robots.site)
            self._hosts.audited.add(robots.site)
            if restored is None:
                yield robots

    def is_known(self, _: str) -> bool:
        """Return whether a URL is that of a sitemap: none is."""
        return False

    async def read_sitemaps(self) -> AsyncIterator[Sitemap | Entries]:
        """Yield the URLs of the list, between its incomplete row and its complete one."""
        if self._is_restored:
            return
        row = Sitemap(URL_LIST, kind=Kind.LIST, fetched_at=datetime.now(UTC), complete=False)
        yield row
        for batch in batches(map(fit, self._entries())):
            row.entries += len(batch)
            yield Entries(URL_LIST, batch)
        yield replace(row, complete=True)

    def listed_elsewhere(self) -> Iterator[str]:
        """Yield nothing: all entries are those of this run."""
        return iter(())

    def _entries(self) -> Iterator[Entry]:
        lines = read_lines(read_parts(self._file), "UTF-8")
        for position, (number, loc) in enumerate(lines, start=1):
            intact = "\N{REPLACEMENT CHARACTER}" not in loc
            url = urls.normalize(loc) if intact else None
            url = url and self._staging.site_url(url)
            yield Entry(URL_LIST, position, Kind.LIST, loc, url, line=number)

"""Access to the site of a run: over the network, by its staging, or in a build folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from msgspec import Struct

from sitemapaudit.fetching.staging_site import StagingSite

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitemapaudit.config import Config
    from sitemapaudit.fetching.address_policy import AddressPolicy
    from sitemapaudit.fetching.build_site import BuildSite


class SiteAccess(Struct, frozen=True):
    """The addresses that may be contacted, and the replacement of the site, if any.

    The download handler reads it from the attribute ``access`` of the spider.
    """

    addresses: AddressPolicy
    staging: StagingSite | None
    build: BuildSite | None

    @classmethod
    def create(cls, crawler: Crawler, config: Config, addresses: AddressPolicy) -> Self:
        """Create the access of a configuration. Raises ValueError."""
        return cls(addresses, StagingSite.create(config, crawler.stats), _build_of(config))


def _build_of(config: Config) -> BuildSite | None:
    if config.arguments.folder is None:
        return None
    # Few runs audit a folder.
    from sitemapaudit.fetching.build_site import BuildSite  # noqa: PLC0415

    return BuildSite.create(config)

"""The parts that fetch and read pages: the same in a crawl and in its workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapaudit.config import Config
from sitemapaudit.crawling.page_fetcher import PageFetcher
from sitemapaudit.crawling.revalidation import Reuse
from sitemapaudit.fetching.access import SiteAccess
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.certificates import configure_trusted_authorities
from sitemapaudit.fetching.fetcher import Fetcher
from sitemapaudit.hosts.host import HostTable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class Assembly(Struct, frozen=True):
    """The assembled parts; the spider gets ``access`` before its first request."""

    access: SiteAccess
    hosts: HostTable
    fetcher: Fetcher
    pages: PageFetcher


def assemble(
    crawler: Crawler, config: Config, addresses: AddressPolicy, reuse: Reuse | None
) -> Assembly:
    """Create the parts that fetch and read pages, and revalidate those of ``reuse``."""
    configure_trusted_authorities()
    hosts, fetcher = HostTable(), Fetcher(crawler, config, addresses)
    pages = PageFetcher.create(config, fetcher, hosts, reuse)
    return Assembly(SiteAccess.create(crawler, config, addresses), hosts, fetcher, pages)

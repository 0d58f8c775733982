"""The scope of a run."""

from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.config.arguments import Site


class Scope(Struct, frozen=True):
    """The sites and sitemaps that a run audits, and the other hosts that it may contact.

    ``private_hosts`` and ``staging_origins`` may have private addresses, as the audited origins may
    without staging.
    """

    sites: tuple[Site, ...]
    sitemaps: tuple[str, ...] = ()
    private_hosts: frozenset[str] = frozenset()
    staging_origins: tuple[str, ...] = ()

    @property
    def origins(self) -> list[str]:
        """The origins of all sites and sitemaps, in order."""
        origins = [origin for site in self.sites for origin in site.origins]
        return origins + [urls.origin(url) for url in self.sitemaps]

    @property
    def exempt_origins(self) -> list[str]:
        """The origins that may have private addresses: those that are requested."""
        return [*self.staging_origins] or self.origins

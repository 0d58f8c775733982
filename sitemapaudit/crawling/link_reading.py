"""Whether and how the links of pages are read."""

from __future__ import annotations

from sitemapaudit.config import Config, Links
from sitemapaudit.pages.links import LinkReader


def link_reader(config: Config) -> LinkReader | None:
    """Return what reads the links of the pages of a run; None if they are not recorded."""
    if config.arguments.links is Links.NONE:
        return None
    return LinkReader(config.domains, config.staging.site_url)

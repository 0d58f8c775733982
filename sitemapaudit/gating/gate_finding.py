"""A finding for a gate, with a place that does not depend on order, lines or hosts."""

from msgspec import Struct

from sitemapaudit.items import Severity


class GateFinding(Struct, frozen=True):
    """A finding; ``rule`` and ``place`` identify it in a baseline.

    ``place`` is the path of the URL or sitemap without its host, so it is the same for staging and
    the live site. ``file`` is the file of a build that is the page, not the page of an error; a
    finding about an entry has none, because its place is in the sitemap.
    """

    rule: str
    severity: Severity
    place: str
    message: str
    url: str | None = None
    sitemap: str | None = None
    line: int | None = None
    file: str | None = None

    @property
    def where(self) -> str:
        """The URL or sitemap, for people."""
        return self.url or self.sitemap or "the site"

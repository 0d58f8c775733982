"""A finding as a gate sees it: with a place that survives another order, other lines and hosts."""

from msgspec import Struct

from sitemapaudit.items import Severity


class GateFinding(Struct, frozen=True):
    """A finding: a baseline knows it by ``rule`` and ``place``.

    ``place`` is the path of the URL or the sitemap, without its host: the same finding on staging
    and live. ``file`` is the file of a build that it is about.
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

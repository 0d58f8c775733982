import re
from collections.abc import Iterator
from typing import Final

from sitemapaudit.items import Finding, Permission, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, PROTOCOL, PROTOCOL_FAQ

_MANAGED: Final = re.compile(
    r"# *BEGIN Cloudflare Managed content.*?(?:# *END Cloudflare Managed content|\Z)",
    re.IGNORECASE | re.DOTALL,
)
"""The lines that Cloudflare writes into a robots.txt ("Managed robots.txt")."""

_REPLACED: Final = "; Cloudflare manages all of it, and may have replaced your file"


class RobotsNoSitemapLine(RowRule[Robots]):
    """robots.txt declares no sitemap

    When: robots.txt was read and has no Sitemap line. The name of the line is not case-sensitive,
    and the line belongs to no group. The message says so if the file has content that Cloudflare
    manages, which is sent before or in place of your file.

    Why: A Sitemap line shows every search engine where the sitemap is. Without it, search engines
    must guess the URL, unless you submit the sitemap to each of them.

    Fix: Add a line "Sitemap: https://…" with the absolute URL of the sitemap. If Cloudflare manages
    the file, as the message then says, make sure that it finds your file and keeps it.
    """

    severity = Severity.NOTICE
    message = "has no Sitemap line{note}"
    about_sitemaps = True
    references = (
        PROTOCOL,
        PROTOCOL_FAQ,
        GOOGLE_ROBOTS,
    )

    def check(self, row: Robots) -> Iterator[Finding]:
        if row.audited and row.permission is Permission.RULES and not row.sitemaps:
            before, managed, after = _MANAGED.sub("\0", row.text or "").partition("\0")
            own = any(map(_has_line, (before, after)))
            note = "; Cloudflare manages a part of it" if own else _REPLACED
            yield self.finding(row, note=note if managed else "")


def _has_line(text: str) -> bool:
    """Return whether a text has a line that is neither empty nor a comment."""
    return any(line.partition("#")[0].strip() for line in text.splitlines())

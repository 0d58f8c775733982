"""What one attack is, and what an audit must say of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tests.hostile.host import Sent

NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
OPENING: Final = f'<?xml version="1.0"?>\n<urlset xmlns="{NAMESPACE}">'
INDEX: Final = f'<?xml version="1.0"?>\n<sitemapindex xmlns="{NAMESPACE}">'


@dataclass(frozen=True)
class Attack:
    """One address of the hostile website: what it sends, and which rules and error it ends with."""

    path: str
    sent: Sent
    rules: tuple[str, ...] = ()
    error: str | None = None


def urlset(locs: Iterable[str]) -> str:
    """Return a sitemap in which nothing is wrong."""
    entries = "".join(
        f"<url><loc>{loc}</loc><lastmod>2026-{1 + number % 10:02}-{1 + number // 10 % 28:02}"
        "</lastmod></url>"
        for number, loc in enumerate(locs)
    )
    return f"{OPENING}{entries}</urlset>"

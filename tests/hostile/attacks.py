"""One attack, and what an audit must report about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tests.hostile.host import Sender

NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
URLSET_START: Final = f'<?xml version="1.0"?>\n<urlset xmlns="{NAMESPACE}">'
INDEX_START: Final = f'<?xml version="1.0"?>\n<sitemapindex xmlns="{NAMESPACE}">'


@dataclass(frozen=True)
class Attack:
    """One path of the hostile website: what it sends, and the expected rules and error."""

    path: str
    sender: Sender
    rules: tuple[str, ...] = ()
    error: str | None = None

    @property
    def waits(self) -> bool:
        """Whether only a time-out ends it; every other attack ends at a limit or by itself."""
        return self.error == "timeout"


def urlset(locs: Iterable[str]) -> str:
    """Return a sitemap without a fault."""
    entries = "".join(
        f"<url><loc>{loc}</loc><lastmod>2026-{1 + number % 10:02}-{1 + number // 10 % 28:02}"
        "</lastmod></url>"
        for number, loc in enumerate(locs)
    )
    return f"{URLSET_START}{entries}</urlset>"

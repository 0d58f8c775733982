"""A URL to fetch."""

from __future__ import annotations

from dataclasses import dataclass

from sitemapaudit.items import Role


@dataclass(slots=True, frozen=True)
class FetchTask:
    """A URL to fetch: why, which page led to it, and how many steps from a listed page."""

    url: str
    role: Role = Role.LISTED
    via: str | None = None
    steps: int = 0

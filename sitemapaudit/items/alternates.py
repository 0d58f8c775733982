"""Alternates: of entries and of pages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Alternate:
    """An alternate, from an entry, a tag or a header; ``fault`` says why its code is none."""

    source: str
    rel: str | None
    hreflang: str | None
    href: str | None
    url: str | None
    fault: str | None = None
    media: str | None = None

"""Language alternates of entries and of pages."""

from dataclasses import dataclass


@dataclass(slots=True)
class Alternate:
    """An alternate of an entry, tag or header; ``code_error`` says why its code is invalid."""

    source: str
    rel: str | None
    hreflang: str | None
    href: str | None
    url: str | None
    code_error: str | None = None
    media: str | None = None

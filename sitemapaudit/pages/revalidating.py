"""Conditional requests: what to send, whether a 304 can be used, and the page that it confirms.

RFC 9110 sections 8.8 and 13, RFC 9111 section 4.3.
"""

import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from sitemapaudit.http.response import Response
from sitemapaudit.items import Page, Revalidation
from sitemapaudit.pages.directives import PageStatements
from sitemapaudit.pages.page_reader import apply_directives
from sitemapaudit.verdicts import decide_verdict

NOT_MODIFIED: Final = 304

MIN_AGE: Final = timedelta(seconds=60)
"""Age from which Last-Modified counts as proof of no change (RFC 9110 8.8.2.2).

A page that changed twice in a second has the same date, and so has one whose date is that of the
request.
"""

_ENTITY_TAG: Final = re.compile(r'(?:W/)?"([\x21\x23-\x7e\x80-\xff]*)"')
_COMPRESSED: Final = re.compile(r"(.+?)(?:--?|;|:)(?:gzip|br|deflate|zstd)")
"""A tag to which a server or a proxy added the coding of the body."""

_DIRECTING_HEADERS: Final = frozenset({"x-robots-tag", "link", "refresh", "set-cookie"})
"""Headers that a 304 need not carry (RFC 9110 section 15.4.5)."""

_KEPT: Final = (
    "status", "redirect_kind", "target", "content_type", "is_html", "bytes", "last_modified",
    "etag", "vary", "date", "date_modified", "date_modified_at", "scripts", "set_by_script",
    "refreshes", "canonical", "canonical_source", "canonicals", "title", "description", "h1",
    "lang", "words", "content_hash", "fingerprint", "soft_404", "alternates",
    "alternates_outside_head",
)  # fmt: skip
"""Columns that a 304 confirms, or replaces if it carries the header."""

_kept: Final = attrgetter(*_KEPT)

READ_COLUMNS: Final = frozenset(
    {*_KEPT, "url", "verdict", "statements", "carried_from", "fetched_at"}
)
"""The columns of an earlier page that are read here; others have no effect."""

_CONTENT: Final = (
    "content_type", "is_html", "title", "description", "h1", "lang", "content_hash", "canonicals",
    "alternates", "alternates_outside_head", "refreshes",
)  # fmt: skip
"""The columns by which two responses are compared."""


def conditions(earlier: Page) -> dict[str, str]:
    """Return the headers of a request that depends on changes since an earlier response."""
    headers = {}
    if tags := [f'"{tag}"' for tag in _tags(earlier.etag)]:
        weak = "W/" if str(earlier.etag).startswith("W/") else ""
        headers["If-None-Match"] = ", ".join(f"{weak}{tag}" for tag in tags)
    sent = earlier.date or earlier.fetched_at
    if earlier.last_modified and sent and earlier.last_modified <= sent - MIN_AGE:
        moment = earlier.last_modified.astimezone(UTC)
        headers["If-Modified-Since"] = format_datetime(moment, usegmt=True)
    return headers


def is_usable(response: Response, earlier: Page) -> bool:
    """Return whether a 304 confirms an earlier response, and all that mattered in it.

    It must not name another version (RFC 9111 section 4.3.4), nor carry headers that the earlier
    response did not have.
    """
    if not _DIRECTING_HEADERS.isdisjoint(response.headers):
        return False
    if not varies_only_by_encoding(", ".join(response.header_lines("vary"))):
        return False
    tag = response.header("etag")
    if tag is not None and earlier.etag is not None:
        return not set(_tags(tag)).isdisjoint(_tags(earlier.etag))
    modified = response.header_time("last-modified")
    return None in (modified, earlier.last_modified) or modified == earlier.last_modified


def varies_only_by_encoding(vary: str) -> bool:
    """Return whether a Vary header names nothing but Accept-Encoding."""
    names = {name.strip().lower() for name in vary.split(",")}
    return names <= {"", "accept-encoding"}


def carry(earlier: Page, response: Response, page: Page, agent: str, run: str) -> Page:
    """Fill a page with what a 304 confirmed; ``run`` is the run of the earlier page.

    Whatever depends on the day is decided again: directives with a date, and so the verdict.
    """
    for name, value in zip(_KEPT, _kept(earlier), strict=True):
        setattr(page, name, value)
    page.etag = response.header("etag") or page.etag
    page.last_modified = response.header_time("last-modified") or page.last_modified
    page.vary = ", ".join(response.header_lines("vary")) or page.vary
    page.date = response.header_time("date") or page.date
    page.elapsed, page.retries = response.elapsed, response.retries
    page.fetched_at = response.fetched_at
    stated = PageStatements(agent, response.fetched_at or datetime.now(UTC))
    stated.add(earlier.statements)
    apply_directives(page, stated, agent)
    page.statements = stated.kept
    page.verdict = decide_verdict(page)
    page.carried_from = earlier.carried_from or run
    page.revalidation = Revalidation.NOT_MODIFIED
    return page


def differences(earlier: Page, page: Page) -> list[str]:
    """Return the columns in which the content of two responses differs."""
    if page.status != earlier.status:
        return ["status"]
    found = [name for name in _CONTENT if getattr(earlier, name) != getattr(page, name)]
    return found + ["statements"] * (_directives_of(earlier) != _directives_of(page))


def _directives_of(page: Page) -> list[tuple[Any, ...]]:
    """Return the directives of a page, whatever applies today."""
    return [(each.source, each.agent, each.token) for each in page.statements]


@lru_cache(maxsize=1_024)  # A page in flight needs its tags several times.
def _tags(etag: str | None) -> tuple[str, ...]:
    """Return the opaque tags of an ETag: its own, and the one without the coding of the body.

    A server that adds the coding compares with the tag without it, and would never match.
    """
    match = _ENTITY_TAG.fullmatch((etag or "").strip())
    if match is None:
        return ()
    compressed = _COMPRESSED.fullmatch(match[1])
    return (match[1], compressed[1]) if compressed else (match[1],)

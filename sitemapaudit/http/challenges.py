"""Bot challenges: responses that a firewall sends to robots in place of those of the site."""

import re
from collections.abc import Mapping
from typing import Final

from sitemapaudit.http.decoding import decode
from sitemapaudit.http.response import Response

_HEADERS: Final[Mapping[str, tuple[str, ...]]] = {
    "cf-mitigated": ("challenge",),
    "sg-captcha": ("challenge",),
    "x-amzn-waf-action": ("challenge", "captcha"),
}
"""The headers of Cloudflare, SiteGround and AWS, with the values that mark a challenge."""

_IMPERVA: Final = "/_Incapsula_Resource"
_NOINDEX: Final = re.compile(rb"<meta\s+name=.?robots\b[^>]*noindex", re.IGNORECASE)

_MAX_BYTES: Final = 4_096
"""Bytes of a page of Imperva: it has about one kilobyte."""


def challenge_in_place(response: Response) -> str | None:
    """Return the challenge that a response has in place of a file, with a status of success."""
    if response.error is not None or response.status is None:
        return None
    return find_challenge(response) if 200 <= response.status < 300 else None


def find_challenge(response: Response) -> str | None:
    """Return the header or the script by which a response shows that it is a bot challenge."""
    for name, values in _HEADERS.items():
        value = (response.header(name) or "").strip().lower()
        if value in values:
            return f"{name}: {value}"
    return f"script: {_IMPERVA}" if _is_of_imperva(response) else None


def _is_of_imperva(response: Response) -> bool:
    if response.status is None or not 200 <= response.status < 300:
        return False
    if not 0 < len(response.body) <= _MAX_BYTES:
        return False
    body, _ = decode(response.body, response.codings, limit=_MAX_BYTES)
    if f"{_IMPERVA}?".encode() not in body or not _NOINDEX.search(body):
        return False
    # It adds the same script to pages of the site, which have a text.
    content = body.lower().rpartition(b"<body")[2].partition(b">")[2].partition(b"</body>")[0]
    before, _, frame = content.partition(b"<iframe")
    return not (before + frame.rpartition(b"</iframe>")[2]).strip()

"""robots.txt → its row, with the sitemaps that it declares, and its policy (RFC 9309)."""

from collections.abc import Iterable
from typing import Final

from protego import Protego

from sitemapaudit import urls
from sitemapaudit.http.challenges import challenge_in_place
from sitemapaudit.http.decoding import decode
from sitemapaudit.http.response import Response
from sitemapaudit.http.sniffing import looks_like_html
from sitemapaudit.items import ELSEWHERE, DeclaredSitemap, Error, Permission, Robots
from sitemapaudit.robots.groups import EOL
from sitemapaudit.robots.policy import Policy

MAX_BYTES: Final = 512_000
"""Bytes that are read; the rest is ignored (RFC 9309 section 2.5: at least 500 kibibytes)."""

_MAX_URL_CHARACTERS: Final = 3 * MAX_BYTES
"""Limit for all declared URLs together: more than percent-encoding can make of the lines.

Only relative values can exceed it, because each is resolved against the address of the file.
"""

_UNAVAILABLE: Final = frozenset(
    {Error.TOO_MANY_REDIRECTS, Error.REDIRECT_INVALID, Error.REDIRECT_LOOP, Error.CHALLENGE}
)
_STOPPED: Final = "a component of the project stopped its download"

# Protego breaks lines at these characters; private ones replace them to keep values as written.
_REPLACEMENTS: Final = {code: code + 0xF0000 for code in (11, 12, 28, 29, 30, 0x85, 0x2028, 0x2029)}
_ORIGINALS: Final = {replacement: code for code, replacement in _REPLACEMENTS.items()}


def read_robots(response: Response, robots: Robots) -> Policy:
    """Fill the row from the response, and return the policy.

    A file that was not received or cannot be decoded to its end counts as unreachable: the missing
    part could disallow anything. A bot challenge counts as a denial.
    """
    robots.status = response.status
    robots.error = response.error
    robots.error_detail = response.error_detail
    robots.content_type = response.media_type
    robots.headers = response.header_texts
    robots.fetched_at = response.fetched_at
    if challenge := challenge_in_place(response):
        robots.error, robots.error_detail = Error.CHALLENGE, challenge
    robots.permission = decide_permission(response.status, robots.error)
    if robots.permission is not Permission.RULES:
        return Policy(robots.permission)
    body, decoded = decode(response.body, response.codings, limit=2 * MAX_BYTES)
    robots.bytes = decoded.bytes
    if decoded.bytes <= MAX_BYTES and (response.truncated or decoded.ended_early):
        robots.error, robots.error_detail = Error.ENCODING, decoded.error
        if response.truncated:
            robots.error, robots.error_detail = Error.IGNORED, _STOPPED
        robots.permission = Permission.UNREACHABLE
        return Policy(robots.permission)
    robots.is_html = looks_like_html(body)
    text = _first_lines(body).decode("utf-8-sig", errors="replace")
    robots.text = text
    robots.sitemaps = declared_sitemaps(text, robots.final_url or robots.url)
    return Policy(Permission.RULES, text)


def restore_policy(robots: Robots) -> Policy:
    """Return the policy of a robots.txt that was read before."""
    return Policy(robots.permission, robots.text or "")


def decide_permission(status: int | None, error: Error | None) -> Permission:
    """Decide what the response means for its host (RFC 9309 sections 2.3.1.1 to 2.3.1.4).

    429 counts as a server error, as for Google. After too many redirects, or an invalid one, or if
    access is denied, the file is unavailable: everything is allowed. A build folder or staging that
    does not have it says nothing about it, and nothing is requested from its host.
    """
    if error in ELSEWHERE:
        return Permission.ALL
    if error in _UNAVAILABLE:
        return Permission.ALL
    if status is None or error is not None or not 200 <= status < 600:
        return Permission.UNREACHABLE
    if status in (429, *range(500, 600)):
        return Permission.NONE
    return Permission.RULES if 200 <= status < 300 else Permission.ALL


def declared_sitemaps(text: str, base: str) -> list[DeclaredSitemap]:
    """Return the ``Sitemap:`` lines: they may be anywhere in the file, and belong to no group.

    Protego decides which lines count, as it does for the rules. A relative value is resolved
    against ``base``, the address of the file, although it should be a full address (sitemaps.org,
    "Specifying the Sitemap location in your robots.txt file").
    """
    declared = []
    room = _MAX_URL_CHARACTERS
    for number, line in enumerate(EOL.split(text), start=1):
        for value in _sitemap_values(line):
            url = urls.normalize(value, base) if value else None
            room -= len(url or "")
            declared.append(DeclaredSitemap(number, value, url if room >= 0 else None))
    return declared


def _first_lines(body: bytes) -> bytes:
    """Return the complete lines within the limit: a truncated line could mean anything."""
    if len(body) <= MAX_BYTES:
        return body
    within = body[: MAX_BYTES + 1]
    return within[: max(within.rfind(b"\n"), within.rfind(b"\r")) + 1]


def _sitemap_values(line: str) -> Iterable[str]:
    if "map" not in line.lower():
        return ()
    record = line.partition("#")[0].strip().translate(_REPLACEMENTS)
    values = [value.translate(_ORIGINALS) for value in Protego.parse(record).sitemaps]
    if not values and any(Protego.parse(record + "-").sitemaps):
        return ("",)  # Protego skips a record without a value.
    return values

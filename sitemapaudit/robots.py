"""robots.txt → what it allows, and which sitemaps it declares (RFC 9309)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from protego import Protego

from sitemapaudit import urls
from sitemapaudit.answer import Answer
from sitemapaudit.decoding import decode
from sitemapaudit.items import Declared, Error, Permission, Robots

MAX_BYTES: Final = 512_000
"""Bytes that are read (RFC 9309 section 2.5: at least 500 kibibytes); the rest is ignored."""

MAX_HOPS: Final = 5
"""Redirects that are followed (RFC 9309 section 2.3.1.2); beyond them it is unavailable."""

# RFC 9309 section 2.2: EOL = CR / LF / CRLF. Protego would also break a line at
# other characters, so they are percent-encoded before it reads the file.
_EOL: Final = re.compile(r"\r\n|\r|\n")
_OTHER_BREAKS: Final = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")

_HTML: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)

# What stands in for them where a value is wanted as it is written: private characters.
_HIDDEN: Final = {code: code + 0xF0000 for code in (11, 12, 28, 29, 30, 0x85, 0x2028, 0x2029)}
_SHOWN: Final = {hidden: code for code, hidden in _HIDDEN.items()}


class Policy:
    """What the robots.txt of one site allows, for any agent."""

    def __init__(self, permission: Permission, text: str = "") -> None:
        self.permission = permission
        self._rules = Protego.parse(_one_kind_of_break(text))

    def allows(self, url: str, agent: str) -> bool | None:
        """Whether ``agent`` may ask for a URL; None where robots.txt could not be reached.

        The longest match decides, and a tie allows (RFC 9309 section 2.2.2).
        """
        if self.permission is Permission.RULES:
            return self._rules.can_fetch(url, agent)
        if self.permission is Permission.UNREACHABLE:
            return None
        return self.permission is Permission.ALL

    def crawl_delay(self, agent: str) -> float | None:
        """Seconds between requests that the file asks of ``agent``; not in RFC 9309, yet common."""
        return self._rules.crawl_delay(agent)


def read_robots(answer: Answer, robots: Robots) -> Policy:
    """Fill the row from the answer, and return what it allows.

    A file of which only the beginning can be decoded is as good as none: what
    is missing could forbid anything.
    """
    robots.status = answer.status
    robots.error = answer.error
    robots.error_detail = answer.error_detail
    robots.content_type = answer.media_type
    robots.fetched_at = answer.fetched_at
    robots.permission = permission(answer.status, answer.error)
    if robots.permission is not Permission.RULES:
        return Policy(robots.permission)
    body, decoded = decode(answer.body, answer.lines("content-encoding"), cap=2 * MAX_BYTES)
    robots.bytes = decoded.bytes
    if decoded.early and decoded.bytes <= MAX_BYTES:
        robots.error, robots.error_detail = Error.ENCODING, decoded.fault
        robots.permission = Permission.UNREACHABLE
        return Policy(robots.permission)
    robots.html = _HTML.match(body) is not None
    text = _first_lines(body).decode("utf-8-sig", errors="replace")
    robots.text = text
    robots.sitemaps = declared_sitemaps(text, robots.final_url or robots.url)
    return Policy(Permission.RULES, text)


def restored_policy(robots: Robots) -> Policy:
    """Return what a robots.txt allows that was read before."""
    return Policy(robots.permission, robots.text or "")


def permission(status: int | None, error: Error | None) -> Permission:
    """What the answer for robots.txt means for its host (RFC 9309 sections 2.3.1.1 to 2.3.1.4).

    429 is taken as a server error, as Google does; a chain of redirects that
    is too long, or leads nowhere, makes the file unavailable: all is allowed.
    """
    if error in (Error.TOO_MANY_REDIRECTS, Error.REDIRECT_INVALID, Error.REDIRECT_LOOP):
        return Permission.ALL
    if status is None or error is not None:
        return Permission.UNREACHABLE
    if status == 429 or status >= 500:
        return Permission.NONE
    return Permission.RULES if 200 <= status < 300 else Permission.ALL


def declared_sitemaps(text: str, base: str) -> list[Declared]:
    """Return the ``Sitemap:`` lines: anywhere in the file, belonging to no group.

    What counts as such a line is Protego's decision, as it is for the rules.
    A relative value is resolved against ``base``, the address of the file,
    though it ought to be a full address (sitemaps.org, "Specifying the Sitemap
    location in your robots.txt file").
    """
    return [
        Declared(number, value, urls.normalise(value, base) if value else None)
        for number, line in enumerate(_EOL.split(text), start=1)
        for value in _sitemap_values(line)
    ]


def _first_lines(body: bytes) -> bytes:
    """Return the lines within the limit; a line that it cuts in two could say anything."""
    if len(body) <= MAX_BYTES:
        return body
    within = body[: MAX_BYTES + 1]
    return within[: max(within.rfind(b"\n"), within.rfind(b"\r")) + 1]


def _sitemap_values(line: str) -> Iterable[str]:
    if "map" not in line.lower():
        return ()
    record = line.partition("#")[0].strip().translate(_HIDDEN)
    values = [value.translate(_SHOWN) for value in Protego.parse(record).sitemaps]
    if not values and any(Protego.parse(record + "-").sitemaps):
        return ("",)  # Protego passes over a record without a value.
    return values


def _one_kind_of_break(text: str) -> str:
    lines = _EOL.split(text)
    return "\n".join(_OTHER_BREAKS.sub(_percent_encode, line) for line in lines)


def _percent_encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())

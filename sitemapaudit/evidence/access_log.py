"""Access logs of web servers in the combined format of Apache and nginx."""

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import pandas as pd
from msgspec import Struct

from sitemapaudit.evidence.crawler_ranges import CrawlerRanges
from sitemapaudit.evidence.tables import ExportError
from sitemapaudit.urls import normalize
from sitemapaudit.urls import origin as origin_of

_GZIP: Final = b"\x1f\x8b"

# httpd.apache.org/docs/2.4/logs.html: %h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-agent}i"
_LINE: Final = re.compile(
    r'(?P<address>\S+) \S+ .*?\[(?P<time>[^\[\]]+)\] "(?P<request>(?:[^"\\]|\\.)*)"'
    r' (?P<status>\d{3}) (?:\d+|-) "(?:[^"\\]|\\.)*" "(?P<agent>(?:[^"\\]|\\.)*)"'
)
_LONGEST: Final = 2**16
"""Bytes of a line."""

_TIME: Final = "%d/%b/%Y:%H:%M:%S %z"

COLUMNS: Final = ("time", "url", "status", "address", "agent", "verified")


class AccessLog(Struct, frozen=True):
    """The requests of a crawler.

    ``requests`` has the columns ``time`` (UTC), ``url`` (normalized), ``status``, ``address``,
    ``agent`` and ``verified``: whether the address is in the published ranges; null if none were
    given. ``unreadable`` counts the lines that are not in the combined format.
    """

    requests: pd.DataFrame
    unreadable: int


def read_access_log(
    files: Iterable[str | Path],
    origin: str,
    crawler: str = "Googlebot",
    ranges: CrawlerRanges | None = None,
) -> AccessLog:
    """Read the GET and HEAD requests of a crawler from logs, plain or compressed with gzip.

    Log lines contain only paths: ``origin`` is the site's, such as ``https://www.example.com``.
    A request counts if the User-Agent contains ``crawler``; letter case does not matter. Raises
    ValueError if ``origin`` is not valid or a file is damaged, and OSError if one cannot be read.
    """
    home = normalize(origin)
    if home is None:
        raise ValueError(f"{origin!r} is not an origin such as https://www.example.com")
    site = origin_of(home)
    rows: list[tuple[Any, ...]] = []
    unreadable = 0
    for line in _lines(files):
        found = _LINE.match(line)
        if found is None:
            unreadable += 1
        elif crawler.lower() in found["agent"].lower() and (url := _url(found["request"], site)):
            address = found["address"]
            verified = None if ranges is None else address in ranges
            row = found["time"], url, int(found["status"]), address, found["agent"], verified
            rows.append(row)
    frame = pd.DataFrame(rows, columns=list(COLUMNS)).astype({"verified": "boolean"})
    frame["time"] = pd.to_datetime(frame["time"], format=_TIME, utc=True, errors="coerce")
    is_dated = frame["time"].notna()
    frame = frame[is_dated].reset_index(drop=True)
    return AccessLog(frame, unreadable + int((~is_dated).sum()))


def _lines(files: Iterable[str | Path]) -> Iterator[str]:
    for file in map(Path, files):
        with file.open("rb") as raw:
            compressed = raw.read(len(_GZIP)) == _GZIP
        with gzip.open(file) if compressed else file.open("rb") as lines:
            try:
                yield from _decoded(cast("BinaryIO", lines))
            except (EOFError, zlib.error) as error:
                raise ExportError(f"{file} is damaged: {error}") from None


def _decoded(lines: BinaryIO) -> Iterator[str]:
    """Yield lines as text; a line that is too long has the text of no request."""
    while line := lines.readline(_LONGEST):
        end = line
        while len(end) == _LONGEST and not end.endswith(b"\n"):
            end = lines.readline(_LONGEST)
        if line.strip():
            yield line.decode(errors="replace") if end is line else "too long"


def _url(request: str, site: str) -> str | None:
    """Return the URL of a request line; None if it is not GET or HEAD."""
    method, _, rest = request.partition(" ")
    if method not in ("GET", "HEAD"):
        return None
    target = rest.rpartition(" HTTP/")[0] or rest
    # Resolved as a reference, //name/path would be another host (RFC 9112 section 3.2.1).
    return normalize(site + target if target.startswith("/") else target)

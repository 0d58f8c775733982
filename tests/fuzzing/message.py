"""The bytes of a case → a response: header lines, an empty line and a body, as in HTTP."""

from sitemapaudit.http.response import Response
from tests.support.rows import NOW

URL = "https://www.example.com/a"


def parse_message(data: bytes, url: str = URL) -> Response:
    """Parse a case; the first line that is not a header starts the body.

    The line ``status: 404`` is not a header but sets the status.
    """
    headers: dict[str, list[str]] = {}
    body = data
    while body:
        line, _, rest = body.partition(b"\n")
        name, colon, value = line.partition(b": ")
        if not colon:
            body = body if line else rest
            break
        headers.setdefault(_decode(name).lower(), []).append(_decode(value))
        body = rest
    status = headers.pop("status", ["200"])[-1]
    code = int(status) if status.isascii() and status.isdecimal() and len(status) == 3 else 200
    return Response(url, code, headers, body, fetched_at=NOW)


def _decode(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")

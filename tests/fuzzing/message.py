"""Bytes of a case → what a server said: header lines, a blank line, a body, as in HTTP."""

from sitemapaudit.answer import Answer
from tests.support import NOW

URL = "https://www.example.com/a"


def message(data: bytes, url: str = URL) -> Answer:
    """Read a case; a line that is no header ends them, and begins the body.

    The line ``status: 404`` is none of the server's headers, but its status.
    """
    headers: dict[str, list[str]] = {}
    body = data
    while body:
        line, _, rest = body.partition(b"\n")
        name, colon, value = line.partition(b": ")
        if not colon:
            body = body if line else rest
            break
        headers.setdefault(_text(name).lower(), []).append(_text(value))
        body = rest
    status = headers.pop("status", ["200"])[-1]
    code = int(status) if status.isascii() and status.isdecimal() and len(status) == 3 else 200
    return Answer(url, code, headers, body, fetched_at=NOW)


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")

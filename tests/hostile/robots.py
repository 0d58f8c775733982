"""robots.txt files of hosts that hold up whoever waits for them."""

from itertools import chain, repeat

from tests.hostile.attacks import Attack
from tests.hostile.compression import compressed_robots
from tests.hostile.host import FOREVER, TEXT, Sent, endless, http, text
from tests.hostile.wire import after, drip

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
PATH = "/robots.txt"


def robots() -> dict[str, Attack]:
    """Return the files, by a name; a page of their host stands or falls with each."""
    return {
        "gigabyte": Attack(PATH, lambda: http(repeat(b"Disallow: /x\n" * 8_000, 10_000), TEXT)),
        "line": Attack(PATH, lambda: http(chain([b"Disallow: /"], endless(b"x")), TEXT)),
        "bomb": compressed_robots(),
        "stall": failing(lambda: [FOREVER], "timeout"),
        "drip": failing(lambda: http(drip(b"User-agent: *\n" * 9), TEXT), "timeout"),
        "headers": failing(after(HEAD, then=lambda: endless(b"X-A: b\r\n")), "invalid-http"),
        "redirects": Attack(PATH, text("", "Location: /robots.txt?1", status="302 Found")),
    }


def failing(sent: Sent, error: str) -> Attack:
    """Return a file that cannot be had."""
    rule = "page-timeout" if error == "timeout" else "page-connection-error"
    return Attack(PATH, sent, (rule,), error)

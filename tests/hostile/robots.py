"""robots.txt files that delay everything that waits for them."""

from itertools import chain, repeat

from tests.hostile.attacks import Attack
from tests.hostile.compression import compressed_robots
from tests.hostile.host import FOREVER, TEXT, Sender, endless, response, stream
from tests.hostile.wire import drip, send

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
PATH = "/robots.txt"


def robots(*, large: bool = True) -> dict[str, Attack]:
    """Return the attacks by name, without or with large files; each host has a harmless page."""
    return {
        "gigabyte": Attack(PATH, lambda: stream(repeat(b"Disallow: /x\n" * 8_000, 10_000), TEXT)),
        "line": Attack(PATH, lambda: stream(chain([b"Disallow: /"], endless(b"x")), TEXT)),
        "agents": Attack(PATH, lambda: stream([many_agents()], TEXT)),
        **(compressed_robots() if large else {}),
        "stall": failing(lambda: [FOREVER], "timeout"),
        "drip": failing(lambda: stream(drip(b"User-agent: *\n" * 9), TEXT), "timeout"),
        "headers": failing(send(HEAD, then=lambda: endless(b"X-A: b\r\n")), "invalid-http"),
        "redirects": Attack(PATH, response("", "Location: /robots.txt?1", status="302 Found")),
    }


def many_agents() -> bytes:
    """Return one group of many agents and many rules: each rule is for each agent."""
    agents = "".join(f"User-agent: {number}\n" for number in range(9_000))
    return (agents + "".join(f"Disallow: /x{number}\n" for number in range(5_000))).encode()


def failing(sender: Sender, error: str) -> Attack:
    """Return a file that cannot be fetched: the page of its host gets the error."""
    rule = "page-timeout" if error == "timeout" else "page-connection-error"
    return Attack(PATH, sender, (rule,), error)

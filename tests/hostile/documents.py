"""Sitemaps that are small when they are sent, and large or far-reaching when they are read."""

from itertools import chain

from tests.hostile.attacks import INDEX, NAMESPACE, OPENING, Attack
from tests.hostile.host import XML, Sent, endless, http, text

XMLNS = f'xmlns="{NAMESPACE}"'
ENTITY = ("sitemap-doctype", "loc-invalid", "lastmod-missing")
EMPTY = ("sitemap-doctype", "sitemap-no-entries")
HEAP = ("sitemap-too-large", "loc-missing", "lastmod-missing")


def doctype(declarations: str, entry: str = "") -> Sent:
    body = OPENING.replace("\n", f"\n<!DOCTYPE urlset [{declarations}]>\n")
    return text(f"{body}{entry}</urlset>", XML)


def laughs() -> str:
    """Return the declarations of an entity that stands for ten to the power of ten letters."""
    tens = (f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 11))
    return '<!ENTITY e0 "h">' + "".join(tens)


def documents(canary: str) -> list[Attack]:
    """Return the attacks; ``canary`` is an address that nobody may ask for."""
    external = f'<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b SYSTEM "{canary}/entity">'
    parameter = f'<!ENTITY % p SYSTEM "{canary}/parameter"> %p;'
    name, tag, child = b"a", b"<url>", b"<sitemap/>"
    return [
        Attack(
            "/laughs.xml", doctype(laughs(), entry("&e10;")), (*ENTITY, "sitemap-xml-malformed")
        ),
        Attack("/external.xml", doctype(external, entry("&a;&b;")), ENTITY),
        Attack("/parameter.xml", doctype(parameter), EMPTY),
        Attack(
            "/dtd.xml",
            text(f'<!DOCTYPE urlset SYSTEM "{canary}/dtd"><urlset {XMLNS}/>', XML),
            EMPTY,
        ),
        Attack("/deep.xml", text(OPENING + "<a>" * 100_000, XML), ("sitemap-xml-malformed",)),
        Attack(
            "/attribute.xml",
            text(f"{OPENING}{long_entry()}</urlset>", XML),
            ("sitemap-xml-malformed",),
        ),
        Attack("/name.xml", endlessly(OPENING + "<", name), ("sitemap-too-large",)),
        Attack("/tag.xml", endlessly(OPENING, tag), (*HEAP, "sitemap-too-many-urls")),
        Attack("/index.xml", endlessly(INDEX, child), (*HEAP, "index-too-many-sitemaps")),
    ]


def entry(host: str) -> str:
    return f"<url><loc>http://{host}.example/</loc></url>"


def long_entry() -> str:
    return f'<url a="{"x" * 6_000_000}"><loc>http://a.example/</loc></url>'


def endlessly(start: str, piece: bytes) -> Sent:
    """Return what sends a piece over and over: ten gigabytes, or as much as is taken."""
    return lambda: http(chain([start.encode()], endless(piece)), XML)

"""Sitemaps that are small on the wire, and large or far-reaching when they are parsed."""

from itertools import chain

from tests.hostile.attacks import INDEX_START, NAMESPACE, URLSET_START, Attack
from tests.hostile.host import XML, Sender, endless, response, stream

XMLNS = f'xmlns="{NAMESPACE}"'
ENTITY = ("sitemap-doctype", "loc-invalid", "lastmod-missing")
MALFORMED = ("sitemap-xml-malformed",)
EMPTY = ("sitemap-doctype", "sitemap-no-entries")
PADDING = b" " * 1_000
"""Space of an entry: a file has more entries than allowed, and not all that are read at most."""

HEAP = ("sitemap-too-large", "loc-missing", "lastmod-missing")


def doctype(declarations: str, entry: str = "") -> Sender:
    body = URLSET_START.replace("\n", f"\n<!DOCTYPE urlset [{declarations}]>\n")
    return response(f"{body}{entry}</urlset>", XML)


def billion_laughs() -> str:
    """Return the declarations of an entity that expands to ten to the power of ten letters."""
    tens = (f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 11))
    return '<!ENTITY e0 "h">' + "".join(tens)


def documents(canary: str) -> list[Attack]:
    """Return the attacks; ``canary`` is an origin that must not be contacted."""
    external = f'<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b SYSTEM "{canary}/entity">'
    parameter = f'<!ENTITY % p SYSTEM "{canary}/parameter"> %p;'
    name, tag, child = b"a", b"<url>" + PADDING, b"<sitemap/>" + PADDING
    return [
        Attack(
            "/laughs.xml",
            doctype(billion_laughs(), entry("&e10;")),
            (*ENTITY, "sitemap-xml-malformed"),
        ),
        Attack("/external.xml", doctype(external, entry("&a;&b;")), ENTITY),
        Attack("/parameter.xml", doctype(parameter), EMPTY),
        Attack(
            "/dtd.xml",
            response(f'<!DOCTYPE urlset SYSTEM "{canary}/dtd"><urlset {XMLNS}/>', XML),
            EMPTY,
        ),
        Attack("/deep.xml", response(URLSET_START + "<a>" * 100_000, XML), MALFORMED),
        Attack(
            "/attribute.xml", response(f"{URLSET_START}{long_entry()}</urlset>", XML), MALFORMED
        ),
        Attack("/name.xml", endlessly(URLSET_START + "<", name), ("sitemap-too-large",)),
        Attack("/tag.xml", endlessly(URLSET_START, tag), (*HEAP, "sitemap-too-many-urls")),
        Attack("/index.xml", endlessly(INDEX_START, child), (*HEAP, "index-too-many-sitemaps")),
    ]


def entry(host: str) -> str:
    return f"<url><loc>http://{host}.example/</loc></url>"


def long_entry() -> str:
    return f'<url a="{"x" * 6_000_000}"><loc>http://a.example/</loc></url>'


def endlessly(start: str, piece: bytes) -> Sender:
    """Return a sender that repeats a piece until the client disconnects."""
    return lambda: stream(chain([start.encode()], endless(piece)), XML)

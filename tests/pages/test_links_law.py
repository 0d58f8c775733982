"""A law over random documents: links are those that selectors find, whatever was read before."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapaudit import urls
from sitemapaudit.pages.html import Html, read_html
from sitemapaudit.pages.links import EDGE_BYTES, NOFOLLOW, REGIONS, LinkReader, PageLinks
from sitemapaudit.pages.selecting import Elements

ORIGIN = "https://www.example.com"
DOMAINS = ("example.com",)
BASES = (f"{ORIGIN}/a/b", f"{ORIGIN}/a/c?d", f"{ORIGIN}/a/", f"{ORIGIN}/", f"{ORIGIN}/x/y/z", "")
HREFS = (
    "", "#f", "?q", "?q#f", "b", "./b", "../b", "/b", "b/", "b?q", "//www.example.com/b", " b ",
    "\tb", "é?é", "b%2", "%62", "https://www.example.com/a/b", "https://WWW.example.com:443/b", ".",
    "..", "https://shop.example.com/b", "https://example.org/b", "mailto:b", "http:b",
)  # fmt: skip
PARTS = (
    "<a href='{}'>", "<a href='{}' rel=nofollow>", "</a>", "<a>", "<a href>", "<area href='{}'>",
    "<svg><a xlink:href='{}'>", "</svg>", "<iframe src='{}'></iframe>", "<object data='{}'>",
    "</object>", "<embed src='{}'>", "<iframe srcdoc=\"<nav><a href='{}'>x</a></nav>\"></iframe>",
    "<template shadowrootmode=open><a href='{}'>x</a></template>", "<template><a href='{}'></a>",
    "</template>", "<iframe></iframe>", "<nav>", "</nav>", "<main>", "</main>", "<header>",
    "</header>", "<footer>", "</footer>", "<aside>", "<div>", "</div>", "<p>", "<table>", "x",
)  # fmt: skip
FRAMES = "iframe[src], object[data], embed[src]"
INNER = "iframe[srcdoc], template[shadowrootmode]"


def random_document(random: Random) -> str:
    parts = random.choices(PARTS, k=random.randrange(30))
    return "<!doctype html><body>" + "".join(
        part.replace("{}", random.choice(HREFS)) for part in parts
    )


def region(node: LexborNode | None) -> str:
    """Return the region of an element, from the outermost ancestor to the nearest."""
    if node is None:
        return "other"
    outer, name = region(node.parent), node.tag or ""
    if name in ("main", "nav", "aside"):
        return name
    return (
        name if name in ("header", "footer") and outer in ("other", "header", "footer") else outer
    )


def selected_links(tree: LexborHTMLParser, base: str) -> Iterator[tuple[str | None, str, bool]]:
    """Yield the target, region and nofollow of each link that selectors find."""
    for node in tree.css("a[href], area[href]"):
        attributes = node.attributes
        href = attributes["href"] if "href" in attributes else attributes["xlink:href"]
        unfollowed = attributes.get("rel") == "nofollow"
        yield urls.normalize(href or "", base or None), region(node.parent), unfollowed
    for node in tree.css(INNER):
        inner = node.attributes.get("srcdoc") or (node.html or "").split(">", 1)[1]
        yield from selected_links(LexborHTMLParser(inner), base)
    for node in tree.css(FRAMES):
        address = (node.attributes.get("src") or node.attributes.get("data") or "").strip()
        if address:
            yield urls.normalize(address, base or None), "frame", False


def expected_links(document: str, base: str, page: str) -> dict[str, tuple[str, bool]]:
    found: dict[str, tuple[str, bool]] = {}
    for target, name, unfollowed in selected_links(LexborHTMLParser(document), base):
        if target is None or target == page or not urls.is_below(urls.host(target), DOMAINS):
            continue
        before, is_unfollowed = found.get(target, (name, unfollowed))
        best = "frame" if "frame" in (before, name) else min(before, name, key=REGIONS.index)
        found[target] = best, unfollowed and is_unfollowed
    return found


def read_links(document: str, base: str, page: str, reader: LinkReader) -> PageLinks:
    found: list[PageLinks] = []

    def read(tree: LexborHTMLParser, _: Html, elements: Elements) -> None:
        found.append(reader.read(tree, base, page, "", elements))

    read_html(document.encode(), "utf-8", also=read)
    return found[0]


def test_links_are_those_that_selectors_find_whatever_was_read_before() -> None:
    random = Random(1)
    reader = LinkReader(DOMAINS)
    for _ in range(400):
        document, base = random_document(random), random.choice(BASES)
        page = random.choice([base or f"{ORIGIN}/", f"{ORIGIN}/a/b"])
        links = read_links(document, base, page, reader)
        alone = LinkReader(DOMAINS).read(LexborHTMLParser(document), base, page)
        assert links == replace(alone, unnamed=links.unnamed)
        flags = links.edges[EDGE_BYTES - 1 :: EDGE_BYTES]
        found = {
            links.unnamed[target]: (REGIONS[flag % NOFOLLOW].value, flag >= NOFOLLOW)
            for target, flag in zip(links.targets, flags, strict=True)
        }
        assert found == expected_links(document, base, page), document

"""What the links of a page are: their targets, regions and nofollow."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from sitemapaudit import urls
from sitemapaudit.items import Region
from sitemapaudit.pages import links as page_links
from sitemapaudit.pages.canonical import read_html_canonicals
from sitemapaudit.pages.html import Html, read_html
from sitemapaudit.pages.links import (
    EDGE_BYTES,
    NOFOLLOW,
    REGIONS,
    LinkReader,
    PageLinks,
    count_buttons,
)
from sitemapaudit.pages.selecting import Elements
from tests.support.effort import cpu_limit

SITE = "https://www.example.com"
PAGE = f"{SITE}/folder/page?x=1"


def read(
    source: str, base: str = PAGE, url: str = PAGE, *, domains: tuple[str, ...] = ("example.com",)
) -> dict[str, tuple[str, bool]]:
    """Return the region of each target of a page, and whether nothing may follow it."""
    found = LinkReader(domains).read(LexborHTMLParser(source), base, url)
    flags = found.edges[EDGE_BYTES - 1 :: EDGE_BYTES]
    digests = [found.edges[at : at + 8] for at in range(0, len(found.edges), EDGE_BYTES)]
    assert digests == found.targets
    return {
        name: (REGIONS[flag % NOFOLLOW].value, flag >= NOFOLLOW)
        for name, flag in zip(names_of(found), flags, strict=True)
    }


def names_of(links: PageLinks) -> list[str]:
    """Return the URLs of the targets of a page, which no record has named."""
    names = [links.unnamed[target] for target in links.targets]
    assert links.targets == [urls.digest_bytes(name) for name in names]
    return names


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("/a", f"{SITE}/a"),
        ("a", f"{SITE}/folder/a"),
        ("../a", f"{SITE}/a"),
        ("?y=2", f"{SITE}/folder/page?y=2"),
        ("//www.example.com/a", f"{SITE}/a"),
        ("HTTP://WWW.Example.com:80/a", "http://www.example.com/a"),
        (" /a ", f"{SITE}/a"),
        ("/a#part", f"{SITE}/a"),
        ("https://blog.example.com/", "https://blog.example.com/"),
        ("https://example.com/", "https://example.com/"),
        ("https://notexample.com/", None),
        ("https://www.example.org/", None),
        ("#part", None),
        ("", None),
        (PAGE, None),
        ("page?x=1#part", None),
        ("mailto:a@example.com", None),
        ("javascript:void(0)", None),
        ("tel:+1", None),
    ],
)
def test_what_an_address_leads_to(href: str, target: str | None) -> None:
    source = f"<a href='{href}'>first</a><p><a href='{href}'>again</a></p>"
    assert list(read(source)) == ([target] if target else [])


@pytest.mark.parametrize(
    ("attributes", "target"),
    [
        ("xlink:href='/x'", "/x"),
        ("href='/y'", "/y"),
        ("xlink:href='/x' href='/y'", "/y"),
        ("xlink:title='t' href='/y'", "/y"),
        ("xlink:href", None),
        ("xml:href='/x'", None),
        ("XLINK:HREF='/x'", "/x"),
    ],
)
def test_links_of_svg(attributes: str, target: str | None) -> None:
    source = f"<svg><a {attributes}>a</a></svg>"
    assert list(read(source)) == ([SITE + target] if target else [])
    html = read_html(source.encode(), None, anchors=True)
    assert [each for each in html.anchors if each] == ([target] if target else [])


@pytest.mark.parametrize("prefix", ["xlink", "xml", "xmlns", "x", ""])
@pytest.mark.parametrize(
    "element", ["a", "area", "link", "base", "meta", "script", "html", "svg a"]
)
def test_attributes_with_prefixes_break_no_page(prefix: str, element: str) -> None:
    names = ("href", "rel", "type", "name", "content", "lang", "hreflang", "title", "src")
    attributes = " ".join(f"{prefix}:{name}='/x'" for name in names)
    opened = "".join(f"<{name} {attributes}>" for name in element.split())
    body = f"<!doctype html>{opened}<p>text".encode()
    read_html(body, None, anchors=True, also=lambda tree, *_: read_links(tree))


def read_links(tree: LexborHTMLParser) -> None:
    LinkReader(()).read(tree, PAGE, PAGE)


def test_addresses_are_relative_to_the_base() -> None:
    reader = LinkReader(())
    tree = LexborHTMLParser("<a href=a>a</a><a href='#b'>b</a><a href='?c'>c</a>")
    for base in (f"{SITE}/x/y", f"{SITE}/x/z", f"{SITE}/other/"):
        folder = base.rpartition("/")[0]
        found = names_of(reader.read(tree, base, PAGE))
        assert found == [f"{folder}/a", base, f"{base}?c"]


def test_the_nearest_region_counts_and_of_several_the_best() -> None:
    source = """
        <header><a href=/header>h</a><nav><a href=/nav>n</a></nav></header>
        <main><header><a href=/main>m</a></header><aside><a href=/aside>s</a></aside>
        <a href=/best>b</a></main>
        <footer><a href=/best>b</a><a href=/footer>f</a></footer>
        <map><area href=/other></map>
    """
    found = {urls.path(url): region for url, (region, _) in read(source).items()}
    assert found == {
        "/header": "header", "/nav": "nav", "/main": "main", "/aside": "aside",
        "/best": "main", "/footer": "footer", "/other": "other",
    }  # fmt: skip
    assert {*found.values()} == {*map(str, Region)} - {"frame", "refresh"}


@pytest.mark.parametrize(
    ("rels", "nofollow"),
    [
        (["nofollow"], True),
        (["UGC noopener"], True),
        (["sponsored", "nofollow"], True),
        (["nofollow", ""], False),
        (["noopener"], False),
        (["nofollowed"], False),
    ],
)
def test_a_link_is_nofollow_if_it_is_so_wherever_it_occurs(rels: list[str], nofollow: bool) -> None:
    source = "".join(f"<a href=/a rel='{rel}'>a</a>" for rel in rels)
    assert read(source)[f"{SITE}/a"] == ("other", nofollow)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<iframe src=/x></iframe>", {"/x": "frame"}),
        ("<object data=/x></object><embed src=/y>", {"/x": "frame", "/y": "frame"}),
        ("<a href=/x>x</a><nav><iframe src=/x></iframe></nav>", {"/x": "frame"}),
        ("<iframe src=page?x=1></iframe><iframe src=about:blank></iframe>", {}),
        ("<iframe srcdoc=\"<nav><a href='/x'>x</a></nav>\"></iframe>", {"/x": "nav"}),
        ("<p><template shadowrootmode=open><a href=/x>x</a></template></p>", {"/x": "other"}),
        ("<p><template><a href=/x>x</a></template></p>", {}),
        ("<frameset><frame src=/x><frame src=/y></frameset>", {"/x": "frame", "/y": "frame"}),
    ],
)  # fmt: skip
def test_frames_are_parts_of_the_page(source: str, found: dict[str, str]) -> None:
    links = read(source)
    assert {urls.path(url): region for url, (region, _) in links.items()} == found


@pytest.mark.parametrize(
    ("markup", "dropped"),
    [
        ("<button onclick=\"location.href='/x'\">x</button>", 1),
        ("<select onchange='window.open(value)'></select>", 1),
        ("<a href=\"javascript:location='/x'\">x</a>", 1),
        ("<a href=\"JavaScript:open('/x')\">x</a>", 1),
        ("<a href='javascript:void(0)' onclick='print()'>x</a>", 0),
        ("<a OnClick = \"location='/x'\" href=/y>x</a>", 1),
        ("<p class=versionchanged>onclick location</p>", 0),
        ("<a href=\"java&#115;cript:location='/x'\">x</a><a href=/y>y</a>", 1),
        ("<a href='javascript:void(0)'>x</a><iframe src=\"javascript:open('/x')\"></iframe>", 0),
        ("<p>Once, a concept.</p><p ONCHANGE=\"navigate('/x')\">x</p>", 1),
        ("<p>Once. " * 99 + "<p onclick=\"navigate('/x')\">x</p>", 1),
    ],
)
def test_links_that_only_scripts_know_are_counted(markup: str, dropped: int) -> None:
    assert LinkReader(()).read(LexborHTMLParser(markup), PAGE, PAGE).dropped == dropped


@pytest.mark.parametrize(
    ("markup", "dropped"),
    [
        (f"<iframe srcdoc='{'<div>' * 200_000}'></iframe>", 1),
        (f"<template shadowrootmode=open>{'<p>' * 20_000}</template>", 1),
        (f"<iframe srcdoc='{'<div>' * 5_000}'></iframe>" * 20, 18),
        ("<iframe src=/x></iframe>" * 600, 100),
    ],
    ids=["deep", "template", "many documents", "many frames"],
)
def test_documents_in_a_page_take_little_time(markup: str, dropped: int) -> None:
    tree = LexborHTMLParser(markup)
    with cpu_limit():
        assert LinkReader(()).read(tree, PAGE, PAGE).dropped == dropped


def test_many_words_that_begin_like_a_handler_take_little_time() -> None:
    tree = LexborHTMLParser("<p>" + "once onclick " * 500_000)
    with cpu_limit():
        assert LinkReader(()).read(tree, PAGE, PAGE).dropped == 0


@pytest.mark.parametrize(
    ("markup", "number"),
    [
        ("<button>More</button>", 1),
        ("<div role=button>More</div>", 1),
        ("<button type=submit>Send</button>", 0),
        ("<form><p><button>Send</button></p></form>", 0),
        ("<button aria-controls=menu>Menu</button>", 0),
    ],
)
def test_buttons_that_may_load_more_links(markup: str, number: int) -> None:
    assert count_buttons(LexborHTMLParser(f"<script></script>{markup}")) == number
    assert count_buttons(LexborHTMLParser(markup)) == 0


def test_a_page_may_go_elsewhere_after_some_seconds() -> None:
    reader = LinkReader(())
    links = reader.read(LexborHTMLParser("<a href=/a>a</a><a href=/b>b</a>"), PAGE, PAGE)
    reader.add_refreshes(links, [f"{SITE}/b", f"{SITE}/c", PAGE, "https://other.example/"])
    regions = [REGIONS[flag].value for flag in links.edges[8::EDGE_BYTES]]
    assert [*map(urls.path, names_of(links))] == ["/a", "/b", "/c"]
    assert regions == ["other", "refresh", "refresh"]


@pytest.mark.parametrize(
    ("head", "charset", "query"),
    [
        ("<meta charset=iso-8859-1>", None, "%E9"),
        ("<meta http-equiv=Content-Type content='x; charset=windows-1251'>", None, "%26%23233%3B"),
        ("", "iso-8859-1", "%E9"),
        ("<meta charset=iso-8859-1>", "utf-8", "%C3%A9"),
        ("", "utf-16le", "%C3%A9"),
        ("<meta charset=no-such>", None, "%C3%A9"),
    ],
)  # fmt: skip
def test_queries_have_the_encoding_of_the_page(head: str, charset: str | None, query: str) -> None:
    codec = charset or ("iso-8859-1" if "8859" in head else "utf-8")
    written = "&eacute;" if "1251" in head else "é"
    source = f"{head}<a href='/é?q={written}#é'>a</a><link rel=canonical href='?q={written}'>"
    found: list[str] = []

    def read_links(tree: LexborHTMLParser, html: Html, elements: Elements) -> None:
        found.extend(names_of(LinkReader(()).read(tree, PAGE, PAGE, html.encoding, elements)))
        found.extend(str(each.url) for each in read_html_canonicals(html, PAGE))

    read_html(source.encode(codec), charset, also=read_links)
    path = "%C3%A9" if "1251" not in head else found[0].split("/")[3].partition("?")[0]
    assert found == [f"{SITE}/{path}?q={query}", f"{SITE}/folder/page?q={query}"]


def test_a_page_can_forbid_to_follow_its_links() -> None:
    links = LinkReader(()).read(LexborHTMLParser("<a href=/a>a</a><nav><a href=/b>b"), PAGE, PAGE)
    links.forbid_following()
    assert [flag >= NOFOLLOW for flag in links.edges[8::EDGE_BYTES]] == [True, True]


def test_links_above_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_links, "MAX_LINKS", 3)
    source = "".join(f"<a href=/{number % 5}>a</a>" for number in range(10))
    links = LinkReader(()).read(LexborHTMLParser(source), PAGE, PAGE)
    assert (len(links.targets), len(links.edges), links.dropped) == (3, 3 * EDGE_BYTES, 2)


def test_each_target_is_named_by_the_first_page_that_records_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_links, "MAX_LINKS", 3)
    reader = LinkReader(())

    def read(page: str, *paths: str) -> PageLinks:
        source = "".join(f"<a href={path}>a</a>" for path in paths)
        return reader.read(LexborHTMLParser(source), page, page)

    first, second, third = f"{SITE}/1", f"{SITE}/2", f"{SITE}/3"
    dropped = read(first, "/a", "/b", "/c", "/d")
    assert read(third, "/a").dropped == 0  # A page that is not recorded names nothing.
    assert dropped.take_names() == [first, f"{SITE}/a", f"{SITE}/b", f"{SITE}/c"]
    assert read(second, "/a", "/d", "/e").take_names() == [second, f"{SITE}/d", f"{SITE}/e"]
    assert read(third, "/a", "/d", "/e").take_names() == [third]

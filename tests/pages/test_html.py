"""HTML, parsed like a browser does: title, h1, lang, base, metas and links, in any encoding."""

import codecs

import pytest

from sitemapaudit.pages.html import Html, read_html
from tests.pages.responses import SITE, URL, canonical, page_of
from tests.support.effort import cpu_limit


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("<title>One</title>", "One"),
        ("<title> One \n  two </title>", "One two"),
        ("<title>One</title><title>Two</title>", "One"),
        ("<title>&lt;One&gt; &amp; two</title>", "<One> & two"),
        ("<title><b>One</b></title>", "<b>One</b>"),
        ("<title></title>", ""),
        ("<p>x", None),
        ("", None),
        ("<body><title>One</title>", "One"),
        ("<svg><title>Icon</title></svg>", None),
        ("<svg><g><g><title>Icon</title></g></g></svg>", None),
        ("<math><title>Formula</title></math>", None),
        ("<body><svg><g><title>Icon</title></g></svg><title>One</title>", "One"),
        ("<title>One</title><svg><title>Icon</title></svg>", "One"),
        ("<svg><desc><title>One</title></desc></svg>", "One"),
        ("<math><desc><title>Formula</title></desc></math>", None),
        ("<template><title>Not this</title></template><title>One</title>", "One"),
        ("<noscript><title>Not this</title></noscript><title>One</title>", "One"),
        ("<!--<title>Not this</title>--><title>One</title>", "One"),
        ("<script>'<title>Not this</title>'</script><title>One</title>", "One"),
        ("<title>One", "One"),
    ],
)
def test_titles(body: str, title: str | None) -> None:
    assert read_html(body.encode(), None).title == title


@pytest.mark.parametrize(
    ("body", "h1"),
    [
        ("<h1>One</h1>", "One"),
        ("<h1>One <b>two</b>\n three</h1>", "One two three"),
        ("<h1>One</h1><h1>Two</h1>", "One"),
        ("<h2>One</h2>", None),
        ("<template><h1>Not this</h1></template><h1>One</h1>", "One"),
        ("<h1><img alt=x></h1>", ""),
    ],
)
def test_h1(body: str, h1: str | None) -> None:
    assert read_html(body.encode(), None).h1 == h1


@pytest.mark.parametrize(
    ("body", "lang"),
    [
        ("<html lang=de>", "de"),
        ("<HTML LANG=' de-AT '>", "de-AT"),
        ("<html lang=''>", None),
        ("<html>", None),
        ("<p lang=de>", None),
    ],
)
def test_languages(body: str, lang: str | None) -> None:
    assert read_html(body.encode(), None).lang == lang


@pytest.mark.parametrize(
    ("body", "base"),
    [
        ("<base href=/x/>", "/x/"),
        ("<base href=/x/><base href=/y/>", "/x/"),
        ("<base target=_blank><base href=/y/>", "/y/"),
        ("<body><base href=/x/>", "/x/"),
        ("<template><base href=/x/></template>", None),
        ("<base>", None),
        ("<svg><base href=/x/></svg><base href=/y/>", "/y/"),
        ("<svg><foreignObject><base href=/x/></foreignObject></svg>", "/x/"),
        ("<svg><mi><base href=/x/></mi></svg>", None),
    ],
)
def test_base_elements(body: str, base: str | None) -> None:
    assert read_html(body.encode(), None).base == base


@pytest.mark.parametrize(
    ("body", "metas"),
    [
        ("<meta name=robots content=noindex>", [("robots", "", "noindex")]),
        ("<META NAME=ROBOTS CONTENT=NoIndex>", [("ROBOTS", "", "NoIndex")]),
        ("<body><p>x<meta name=robots content=noindex>", [("robots", "", "noindex")]),
        ("<body><svg><meta name=robots content=none></svg>", [("robots", "", "none")]),
        ("<meta http-equiv=refresh content=5>", [("", "refresh", "5")]),
        ("<meta name=robots>", [("robots", "", "")]),
        ("<meta name=a content='&quot;b&quot;'>", [("a", "", '"b"')]),
        ("<head><noscript><meta name=robots content=none></noscript>", []),
        ("<body><noscript><meta name=robots content=none></noscript>", []),
        ("<template><meta name=robots content=none></template>", []),
        ("<!--<meta name=robots content=none>-->", []),
        ("<xmp><meta name=robots content=none></xmp>", []),
    ],
)
def test_metas(body: str, metas: list[tuple[str, str, str]]) -> None:
    assert read_html(body.encode(), None).metas == metas


@pytest.mark.parametrize(
    ("before", "in_head"),
    [
        ("", True),
        ("<html><head>", True),
        ("<head><noscript><img src=x></noscript>", True),
        ("<head><template><p>x</p></template>", True),
        ("<head><script></script><style></style><meta><link><base>", True),
        ("<head></head>", True),
        ("<head><img>", False),
        ("<head>text", False),
        ("<head></head><body>", False),
        ("<svg>", False),
    ],
)
def test_where_the_head_ends(before: str, *, in_head: bool) -> None:
    (link,) = [
        link for link in read_html(f"{before}{canonical('/a')}".encode(), None).links
        if link.relations
    ]  # fmt: skip
    assert (link.relations, link.in_head) == (["canonical"], in_head)


def test_attributes_of_a_link() -> None:
    (link,) = read_html(b"<link REL=' Alternate  b ' href hreflang=de>", None).links
    assert link.relations == ["alternate", "b"]
    assert (link.get("href"), link.get("hreflang"), link.get("media")) == ("", "de", None)


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        (None, URL),
        ("", URL),
        ("/x/", f"{SITE}/x/"),
        ("x/", f"{SITE}/x/"),
        (" /x/\n", f"{SITE}/x/"),
        ("//other.example", "https://other.example/"),
        ("mailto:a@example.com", URL),
        ("data:text/html,", URL),
        ("http://[::1", URL),
    ],
)
def test_base_urls(base: str | None, expected: str) -> None:
    assert Html(base=base).base_url(URL) == expected


def test_relative_addresses_are_resolved_against_the_base() -> None:
    page = page_of(
        "<base href=/x/><link rel=canonical href=b><link rel=alternate hreflang=de href=b>"
        "<meta http-equiv=refresh content='5; url=b'>"
    )
    ((alternate,), (refresh,)) = page.alternates, page.refreshes
    assert [page.canonical, alternate.url, refresh.url] == [f"{SITE}/x/b"] * 3


WORD = "Привет“é”"


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        (f"<title>{WORD}</title>".encode(), None),
        (f"<title>{WORD}</title>".encode(), "utf-8"),
        (f"<title>{WORD}</title>".encode(), "utf8"),
        (f"<meta charset=utf-8><title>{WORD}</title>".encode(), None),
        (f"<meta charset=koi8-r><title>{WORD}</title>".encode(), "utf-8"),
        (codecs.BOM_UTF8 + f"<title>{WORD}</title>".encode(), None),
        (codecs.BOM_UTF8 + f"<title>{WORD}</title>".encode(), "utf-8"),
        (codecs.BOM_UTF8 + f"<title>{WORD}</title>".encode(), "iso-8859-1"),
        (codecs.BOM_UTF8 + f"<meta charset=koi8-r><title>{WORD}</title>".encode(), "koi8-r"),
        (codecs.BOM_UTF16_LE + f"<title>{WORD}</title>".encode("utf-16-le"), None),
        (codecs.BOM_UTF16_BE + f"<title>{WORD}</title>".encode("utf-16-be"), None),
        (codecs.BOM_UTF16_LE + f"<title>{WORD}</title>".encode("utf-16-le"), "iso-8859-1"),
        (codecs.BOM_UTF16_BE + f"<title>{WORD}</title>".encode("utf-16-be"), "utf-8"),
        (f"<title>{WORD}</title>".encode("utf-16-le"), "utf-16le"),
        (f"<title>{WORD}</title>".encode("utf-16-be"), "utf-16be"),
        (f"<title>{WORD}</title>".encode("gb18030"), "gb18030"),
        (f"<meta charset=gb18030><title>{WORD}</title>".encode("gb18030"), None),
        (f"<title>{WORD}</title>".encode(), "no-such-charset"),
        (f"<title>{WORD}</title>".encode(), "\0"),
        (f"<title>{WORD}</title>".encode(), "ütf-8"),
        (f"<meta charset=no-such-charset><title>{WORD}</title>".encode(), None),
        (f"<meta charset=gb18030><title>{WORD}</title>".encode("gb18030"), "no-such-charset"),
        (f"<title>{WORD}</title>".encode(), "base64"),
        (f"<title>{WORD}</title>".encode(), "rot13"),
        (f"<title>{WORD}</title>".encode(), "punycode"),
        (f"<title>{WORD}</title>".encode(), "idna"),
        (f"<title>{WORD}</title>".encode(), "unicode_escape"),
        (f"<title>{WORD}</title>".encode(), "raw-unicode-escape"),
        (f"<title>{WORD}</title>".encode(), "utf-7"),
        (f"<title>{WORD}</title>".encode(), "undefined"),
    ],
)
def test_encodings(body: bytes, charset: str | None) -> None:
    assert read_html(body, charset).title == WORD


@pytest.mark.parametrize("charset", [None, "utf-8", "koi8-r"])
@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ],
)
def test_a_byte_order_mark_does_not_end_the_head(
    mark: bytes, encoding: str, charset: str | None
) -> None:
    (link,) = read_html(mark + canonical("/a").encode(encoding), charset).links
    assert link.in_head


@pytest.mark.parametrize(
    ("charset", "encoded"),
    [
        ("windows-1251", "Привет"),
        ("koi8-r", "Привет"),
        ("iso-8859-1", "é"),
        ("iso-8859-2", "ő"),
        ("windows-1252", "“é”"),
        ("shift_jis", "日本"),
        ("euc-jp", "日本"),
        ("euc-kr", "한국"),
        ("big5", "中文"),
        ("gbk", "中文"),
    ],
)
def test_legacy_encodings(charset: str, encoded: str) -> None:
    title = f"<title>{encoded}</title>"
    assert read_html(title.encode(charset), charset).title == encoded
    meta = f"<meta charset={charset}>{title}"
    assert read_html(meta.encode(charset), None).title == encoded
    equiv = f"<meta http-equiv=Content-Type content='text/html; charset={charset}'>{title}"
    assert read_html(equiv.encode(charset), None).title == encoded


def test_the_header_overrides_the_meta_tag() -> None:
    body = "<meta charset=iso-8859-1><title>é</title>".encode("koi8-u", "xmlcharrefreplace")
    assert read_html(body, "koi8-u").title == "é"
    assert (
        read_html("<meta charset=koi8-r><title>é</title>".encode("latin-1"), "latin-1").title == "é"
    )


DIRECTIVE = "<meta name=robots content=none>"
FALSE_CHARSETS = [
    "utf-32", "utf-16", "hex", "rot13", "undefined", "idna", "Punycode", "utf-7", "UTF7",
    "unicode_escape", "unicode-escape", "raw_unicode_escape", "",
]  # fmt: skip


@pytest.mark.parametrize("charset", FALSE_CHARSETS)
def test_a_false_charset_hides_no_directive(charset: str) -> None:
    title = f"<title>{WORD}\\x3c+ADw-</title>"
    html = read_html(f"<meta charset='{charset}'>{title}{DIRECTIVE}".encode(), None)
    assert html.title == f"{WORD}\\x3c+ADw-"
    assert ("robots", "", "none") in html.metas


@pytest.mark.parametrize("charset", [None, "punycode", "idna", "utf-7"])
def test_slow_codecs_are_not_used(charset: str | None) -> None:
    body = b"<meta charset=punycode><title>a</title>" + b"b" * 1_000_000
    with cpu_limit():
        assert read_html(body, charset).title == "a"


def test_invalid_bytes_are_replaced() -> None:
    assert read_html(b"<title>a\xffb</title>", "utf-8").title == "a\ufffdb"
    assert read_html(b"<title>a\xffb</title>", "us-ascii").title == "a\ufffdb"


def test_a_false_charset_in_the_header_hides_no_directive() -> None:
    page = page_of(b"<meta name=robots content=noindex>", media="text/html; charset=utf-7")
    assert page.noindex is True


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("m.setAttribute('name', 'robots')", ["robots"]),
        ('m.name = "robots"', ["robots"]),
        ("m.name='googlebot'", ["robots"]),
        ("$('<link>', {rel: 'canonical', href: here})", ["canonical"]),
        ("l.rel = `canonical`", ["canonical"]),
        ("l.setAttribute('rel','canonical')", ["canonical"]),
        ("document.write('<link rel=\"canonical\" href=x>')", ["canonical"]),
        ("head.innerHTML += '<meta name=robots content=noindex>'", ["robots"]),
        ("document.querySelector('link[rel=canonical]').href = x", ["canonical"]),
        ("l.rel='canonical'; m.name='ROBOTS'", ["canonical", "robots"]),
        ('self.push([1, "{\\"rel\\":\\"canonical\\",\\"name\\":\\"robots\\"}"])', []),
        ('data = {"rel": "canonical", "name": "robots"}', []),
        ("fetch('/robots.txt'); // the canonical", []),
        ("m.name = 'robotics'", []),
    ],
)
def test_elements_that_scripts_write_are_recorded(script: str, expected: list[str]) -> None:
    assert read_html(f"<script>{script}</script>".encode(), None).set_by_script == expected


def test_data_blocks_do_not_count_as_scripts() -> None:
    html = "<script type=application/json>l.rel = 'canonical'</script><p>rel='canonical'"
    assert read_html(html.encode(), None).set_by_script == []


def test_anchors_are_read_on_request() -> None:
    html = "<nav><a href=/a>a</a></nav><a>none</a><a href=''>b</a><map><area href=/c></map>"
    assert read_html(html.encode(), None, anchors=True).anchors == ["/a", "", "/c"]
    assert read_html(html.encode(), None).anchors == []

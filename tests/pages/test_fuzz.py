"""Any response becomes a page with a verdict, without an exception, within a second."""

import gzip
from datetime import timedelta

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitemapaudit.audit import Audit
from sitemapaudit.http.dates import parse_http_date
from sitemapaudit.http.response import Response
from sitemapaudit.items import Page, RedirectKind, Verdict
from sitemapaudit.pages.directives import parse_unavailable_after, read_header_statements
from sitemapaudit.pages.html import read_html
from sitemapaudit.pages.link_header import read_links
from sitemapaudit.pages.page_reader import read_page
from sitemapaudit.pages.refresh import read_refresh
from tests.pages.responses import URL, page_of
from tests.support.rows import NOW

fast = settings(
    deadline=timedelta(seconds=1), suppress_health_check=[HealthCheck.too_slow], max_examples=300
)

HEADERS = (
    "link", "x-robots-tag", "refresh", "location", "content-type", "content-encoding",
    "content-length", "last-modified", "date", "set-cookie", "cf-mitigated",
)  # fmt: skip
CHARSETS = (
    "utf-8", "utf-16", "utf-16le", "utf-32", "utf-7", "iso-8859-1", "windows-1252", "shift_jis",
    "gb18030", "hz", "iso-2022-jp", "big5", "idna", "punycode", "unicode_escape", "hex", "rot13",
    "base64", "zip", "undefined", "mbcs", "charmap", "raw_unicode_escape", "x-user-defined",
)  # fmt: skip

text = st.text(max_size=200)
# Half of the input uses words of the grammars, so that it gets past the first step.
words = st.sampled_from([
    "noindex", "none", "unavailable_after", "googlebot", "*", ":", ": ", ",", ", ", ";", "; ",
    "<", ">", "</b>", '"', "\\", "=", "rel=canonical", "rel=alternate", "hreflang=de", "anchor=",
    "url=", "0", "5", ".", "2026-11-21", "Sat, 21 Nov 2026 12:00:00 GMT", "0001-01-01T00:00+14:00",
    "9999-12-31T23:59-14:00", "https://", "//[::1", "@", "%", "%zz", "#", "text/html", "charset=",
    "gzip", "br", "deflate", "challenge", *CHARSETS,
])  # fmt: skip
phrases = st.lists(words | text, max_size=12).map("".join)
headers = st.dictionaries(
    st.sampled_from(HEADERS), st.lists(phrases | text, min_size=1, max_size=3), max_size=6
)

tags = st.sampled_from([
    "<title>", "</title>", "<meta name=robots content='", "<meta http-equiv=refresh content='",
    "<meta charset=", "'>", "<link rel=canonical href='", "<link rel=alternate hreflang=de href='",
    "<base href='", "<html lang='", "</head>", "<body>", "<h1>", "</h1>", "<main>", "<p>", "<svg>",
    "</svg>", "<math>", "<template>", "</template>", "<noscript>", "<table>", "<select>", "<!--",
    "-->", "<!doctype html>", "<![CDATA[", "<frameset>", "<textarea>", "<plaintext>", "<script>",
    "&#xD800;", "&amp", "\0", "\r",
])  # fmt: skip
documents = st.lists(tags | words | text, max_size=30).map("".join).map(
    lambda document: document.encode(errors="surrogatepass")
)  # fmt: skip
bodies = st.binary(max_size=400) | documents | documents.map(gzip.compress)
statuses = st.sampled_from([200, 200, 200, 204, 206, 301, 302, 304, 403, 404, 503]) | st.integers(
    100, 999
)


@fast
@given(
    body=bodies, headers=headers, status=statuses, skipped=st.booleans(), truncated=st.booleans()
)
def test_any_response_is_read(
    body: bytes, headers: dict[str, list[str]], status: int, *, skipped: bool, truncated: bool
) -> None:
    response = Response(
        URL, status, headers, body, skipped=skipped, truncated=truncated, fetched_at=NOW
    )
    page = read_page(response, Page(URL, allowed=True), "Googlebot")
    assert isinstance(page.verdict, Verdict)
    assert (page.noindex is None) == (
        not 200 <= status < 300
        or page.error is not None
        or page.challenge is not None
        or page.redirect_kind is RedirectKind.REFRESH
    )
    assert page.location == response.header("location")
    assert len(page.statements) >= sum(
        len(list(read_header_statements(line))) for line in response.header_lines("x-robots-tag")
    )
    msgspec.json.encode(page)
    audit = Audit()
    for finding in audit.examine(page):
        msgspec.json.encode(finding)
    assert not audit.broken


@fast
@given(body=bodies, charset=st.none() | st.sampled_from(CHARSETS) | text)
def test_html_is_read_in_any_charset(body: bytes, charset: str | None) -> None:
    html = read_html(body, charset)
    assert html.text.words >= 0
    assert (html.text.hash is None) == (html.text.words == 0)


@fast
@given(body=documents, charset=st.sampled_from(CHARSETS) | text)
def test_html_can_declare_any_charset(body: bytes, charset: str) -> None:
    read_html(f"<meta charset='{charset}'>".encode(errors="replace") + body, None)


@fast
@given(rest=documents)
def test_a_directive_at_the_start_is_read_whatever_follows(rest: bytes) -> None:
    assert page_of(b"<meta name=robots content=noindex>" + rest).noindex is True


@fast
@given(lines=st.lists(phrases | text, max_size=4))
def test_any_link_header_is_read(lines: list[str]) -> None:
    for link in read_links(lines):
        assert any(link.target in line for line in lines)
        assert all(name == name.lower() for name in link.parameters)


@fast
@given(targets=st.lists(st.text('ab/,;" ?=&', max_size=8), max_size=5), title=st.text("ab,;<>= "))
def test_all_well_formed_links_are_read(targets: list[str], title: str) -> None:
    line = ", ".join(f'<{target}>; title="{title}"; rel=canonical' for target in targets)
    found = list(read_links([line]))
    assert [link.target for link in found] == [target.strip() for target in targets]
    assert all(link.parameters == {"title": title, "rel": "canonical"} for link in found)


@fast
@given(line=phrases | text)
def test_any_header_line_is_read(line: str) -> None:
    for statement in read_header_statements(line):
        assert statement.token
        assert statement.agent is None or statement.agent == statement.agent.lower()


@fast
@given(before=phrases, after=phrases)
def test_a_directive_on_its_own_line_is_always_read(before: str, after: str) -> None:
    lines = {"x-robots-tag": [before, "noindex", after]}
    response = Response(URL, 200, lines, b"", fetched_at=NOW)
    assert read_page(response, Page(URL), "Googlebot").noindex is True


@fast
@given(value=phrases | text)
def test_any_refresh_is_read(value: str) -> None:
    refresh = read_refresh("meta", value, URL)
    if refresh is not None:
        assert refresh.delay >= 0
        assert refresh.url is None or refresh.url.startswith(("http://", "https://"))


@fast
@given(value=phrases | text | st.datetimes().map(str))
def test_any_date_is_in_utc_or_invalid(value: str) -> None:
    for moment in (parse_http_date(value), parse_unavailable_after(value)):
        assert moment is None or moment.utcoffset() == timedelta(0)

"""The normal form of addresses: which are the same URL, and which are not a URL."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit import urls

NORMAL = [
    # Scheme and host in lower case (RFC 3986 section 6.2.2.1).
    ("HTTP://EXAMPLE.com/", "http://example.com/"),
    ("hTTps://WWW.Example.COM/Path", "https://www.example.com/Path"),
    # The default port is dropped, and no other (section 6.2.3).
    ("http://example.com:80/", "http://example.com/"),
    ("https://example.com:443/a", "https://example.com/a"),
    ("http://example.com:/a", "http://example.com/a"),
    ("http://example.com:443/", "http://example.com:443/"),
    ("https://example.com:80/", "https://example.com:80/"),
    ("http://example.com:08080/", "http://example.com:8080/"),
    # An empty path is "/".
    ("http://example.com", "http://example.com/"),
    ("http://example.com?q=1", "http://example.com/?q=1"),
    ("http://example.com#top", "http://example.com/"),
    # Internationalized names become A-labels (UTS 46, not transitional).
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
    ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
    ("http://faß.example/", "http://xn--fa-hia.example/"),
    ("http://例え.テスト/", "http://xn--r8jz45g.xn--zckzah/"),
    ("http://example。com/", "http://example.com/"),
    # Percent triplets in upper case, unreserved characters decoded (section 6.2.2.2).
    ("http://example.com/%e2%82%ac", "http://example.com/%E2%82%AC"),
    ("http://example.com/%7euser", "http://example.com/~user"),
    ("http://example.com/%41%5a%61%7a%30%39%2d%2e%5f%7e", "http://example.com/AZaz09-._~"),
    ("http://example.com/a%2fb", "http://example.com/a%2Fb"),
    ("http://example.com/?q=%3d%26", "http://example.com/?q=%3D%26"),
    ("http://example.com/?q=%61", "http://example.com/?q=a"),
    ("http://example.com/%252e", "http://example.com/%252e"),
    # A broken triplet stays as it is; decoding never completes it.
    ("http://example.com/100%", "http://example.com/100%"),
    ("http://example.com/%zz", "http://example.com/%zz"),
    ("http://example.com/%2%31", "http://example.com/%2%31"),
    ("http://example.com/%%32%33", "http://example.com/%%323"),
    # Non-ASCII is percent-encoded as UTF-8 (RFC 3987 section 3.1).
    ("http://example.com/café?q=é", "http://example.com/caf%C3%A9?q=%C3%A9"),
    ("http://example.com/😀", "http://example.com/%F0%9F%98%80"),
    ("http://example.com/a b", "http://example.com/a%20b"),
    # Dot segments (section 5.2.4), written out or encoded.
    ("http://example.com/a/./b/../c", "http://example.com/a/c"),
    ("http://example.com/../../a", "http://example.com/a"),
    ("http://example.com/a/%2e%2E/b", "http://example.com/b"),
    ("http://example.com/a/..", "http://example.com/"),
    ("http://example.com/?q=a/../b", "http://example.com/?q=a/../b"),
    # The fragment never reaches a server.
    ("http://example.com/a#b", "http://example.com/a"),
    ("http://example.com/a#", "http://example.com/a"),
    ("http://example.com/a?b#c?d#e", "http://example.com/a?b"),
    # IP addresses, in all notations.
    ("http://[0:0:0:0:0:0:0:1]:80/", "http://[::1]/"),
    ("http://[2001:DB8::A]/", "http://[2001:db8::a]/"),
    ("http://127.1/", "http://127.0.0.1/"),
    ("http://[::ffff:192.0.2.1]:81/", "http://[::ffff:c000:201]:81/"),
    # Host names that break the rules (RFC 1123 section 2.1), but are in use.
    ("http://my_shop.example.com/", "http://my_shop.example.com/"),
    ("http://-a.example.com/", "http://-a.example.com/"),
    ("http://a-.example.com/", "http://a-.example.com/"),
    ("http://localhost/", "http://localhost/"),
    (f"http://{'a' * 63}.example/", f"http://{'a' * 63}.example/"),
    (f"http://{'a.' * 126}b/", f"http://{'a.' * 126}b/"),
    # Surrounding white space is not part of an address (URL standard, section 4.4).
    (" \t\r\nhttp://example.com/a \n", "http://example.com/a"),
]

DIFFERENT = [
    ("http://example.com/a", "http://example.com/a/"),
    ("http://example.com/a", "http://example.com/A"),
    ("http://example.com/", "http://example.com/index.html"),
    ("http://example.com/?a=1&b=2", "http://example.com/?b=2&a=1"),
    ("http://example.com/?a", "http://example.com/?a="),
    ("http://example.com/a", "http://example.com/a?"),
    ("http://example.com/a%2Fb", "http://example.com/a/b"),
    ("http://example.com/a%3Fb", "http://example.com/a?b"),
    ("http://example.com/a//b", "http://example.com/a/b"),
    ("http://example.com/a+b", "http://example.com/a%20b"),
    ("http://example.com/a+b", "http://example.com/a%2Bb"),
    ("http://example.com/a;b", "http://example.com/a%3Bb"),
    ("http://example.com/", "https://example.com/"),
    ("http://example.com/", "http://www.example.com/"),
    ("http://example.com/", "http://example.com:8080/"),
    ("http://example.com/", "http://example.com./"),
    ("http://example.com/%E9", "http://example.com/%C3%A9"),
    ("http://example.com/caf%C3%A9", "http://example.com/cafe%CC%81"),
]

INVALID = [
    # Other schemes.
    "ftp://example.com/a",
    "file:///etc/passwd",
    "mailto:a@example.com",
    "javascript:alert(1)",
    "data:text/plain,http://example.com/",
    "feed:http://example.com/",
    "httpss://example.com/",
    "ws://example.com/",
    "view-source:http://example.com/",
    # Relative.
    "",
    " ",
    "/a",
    "a.html",
    "//example.com/a",
    "?q",
    "#top",
    "www.example.com/a",
    # User information.
    "http://user@example.com/",
    "http://user:secret@example.com/",
    "http://:secret@example.com/",
    "https://example.com@evil.example/",
    # Hosts that cannot exist in DNS.
    "http://{{host}}/",
    "http://${host}/",
    "http://*.example.com/",
    "http://example.com,/",
    "http://example..com/",
    "http://.example.com/",
    "http://example.com../",
    "http://./",
    "http://\u200b.com/",
    # Labels that encode nothing, or not in the normal form.
    "http://xn--/",
    "http://a.xn--pokxncvks/",
    "http://xn--a/",
    "http://xn--a-.example/",
    "http://xn--Bcher-Kva-abc.example:8080/",
    f"http://{'a' * 64}.example/",
    f"http://{'a.' * 127}b.c/",
    # Malformed addresses.
    "http://",
    "http://?q",
    "http://:80/",
    "http://example.com:65536/",
    "http://example.com:port/",
    "http://exa mple.com/",
    "http://exa<mple.com/",
    "http://example.com%00/",
    "http://[::1/",
    "http://[g::1]/",
    "http://1.2.3.400/",
    "http://example.com/\ud800",
    "\udfff",
]

BASE = "https://example.com/a/b?q#f"
RESOLVED = [
    ("c", "https://example.com/a/c"),
    ("/c", "https://example.com/c"),
    ("../c", "https://example.com/c"),
    ("../../../c", "https://example.com/c"),
    ("?c", "https://example.com/a/b?c"),
    ("#c", "https://example.com/a/b?q"),
    ("", "https://example.com/a/b?q"),
    ("//other.example/c", "https://other.example/c"),
    ("http://other.example", "http://other.example/"),
    ("mailto:a@example.com", None),
    ("//user@other.example/", None),
    ("http:user:secret@other.example/", None),
    ("http:\tuser:secret@other.example/", None),
    ("https:user:secret@other.example/", None),
    ("http://[", None),
]

PARTS = [
    # url, origin, host, port, path
    ("http://example.com/", "http://example.com", "example.com", 80, "/"),
    ("https://example.com/a/b?c=/d", "https://example.com", "example.com", 443, "/a/b"),
    ("https://example.com/?c", "https://example.com", "example.com", 443, "/"),
    ("http://example.com:8080/a", "http://example.com:8080", "example.com", 8080, "/a"),
    ("https://[::1]/a?b", "https://[::1]", "::1", 443, "/a"),
    ("http://[2001:db8::80]:8443/", "http://[2001:db8::80]:8443", "2001:db8::80", 8443, "/"),
    ("http://127.0.0.1:1/", "http://127.0.0.1:1", "127.0.0.1", 1, "/"),
    ("http://example.com//a//", "http://example.com", "example.com", 80, "//a//"),
]


@pytest.mark.parametrize(("address", "expected"), NORMAL)
def test_normal_forms(address: str, expected: str) -> None:
    assert urls.normalize(address) == expected


@pytest.mark.parametrize(("address", "expected"), NORMAL)
def test_a_normal_form_is_its_own_normal_form(address: str, expected: str) -> None:
    assert urls.normalize(expected) == expected


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_different_urls_have_different_normal_forms(first: str, second: str) -> None:
    normal = urls.normalize(first), urls.normalize(second)
    assert None not in normal
    assert normal[0] != normal[1]


@pytest.mark.parametrize("address", INVALID)
def test_invalid_addresses_have_no_normal_form(address: str) -> None:
    assert urls.normalize(address) is None


@pytest.mark.parametrize(("reference", "expected"), RESOLVED)
def test_a_relative_address_is_resolved_against_its_base(
    reference: str, expected: str | None
) -> None:
    assert urls.normalize(reference, BASE) == expected


@pytest.mark.parametrize(("url", "origin", "host", "port", "path"), PARTS)
def test_the_parts_of_a_url(url: str, origin: str, host: str, port: int, path: str) -> None:
    assert urls.normalize(url) == url
    assert urls.origin(url) == origin
    assert urls.authority(url) == origin.partition("://")[2]
    assert urls.host(url) == host
    assert urls.port(url) == port
    assert urls.scheme(url) == origin.partition(":")[0]
    assert urls.path(url) == path


def test_the_digest_is_the_same_on_every_machine() -> None:
    # printf https://www.example.com/ | b2sum -l 64
    assert urls.digest("https://www.example.com/") == 0x748458A4CC8FFCB8


def test_digests_of_similar_urls_are_spread_over_64_bits() -> None:
    digests = {urls.digest(f"https://www.example.com/{number}") for number in range(1000)}
    assert len(digests) == 1000
    assert max(digests) > 2**63 > min(digests) >= 0
    assert {digest % 8 for digest in digests} == set(range(8))


# Text that is more likely to be an address than random text.
ADDRESSES = st.lists(
    st.sampled_from(["http://", "https:", "//", "example.com", "é", "[::1]", ":80", "@", "%", "%2"])
    | st.sampled_from(["/", "/..", "/%2e", "?", "#", "%41", "%zz", "&a=", " ", "\\", "\ud800"])
    | st.text(max_size=4),
    max_size=10,
).map("".join)


@given(ADDRESSES | ADDRESSES.map("http://example.com/{}".format) | st.text())
def test_any_text_has_a_normal_form_or_is_invalid(text: str) -> None:
    url = urls.normalize(text)
    if url is not None:
        assert urls.normalize(url) == url
        assert url.isascii()
        assert "#" not in url
        assert url.startswith(f"{urls.origin(url)}/")
        assert urls.path(url).startswith("/")
        assert 0 <= urls.port(url) <= 65_535
        assert urls.host(url)
        assert "@" not in urls.authority(url)


@given(ADDRESSES, ADDRESSES)
def test_any_relative_address_has_a_normal_form_or_is_invalid(reference: str, base: str) -> None:
    url = urls.normalize(reference, base)
    assert url is None or urls.normalize(url) == url


@given(
    st.sampled_from(
        [
            "http://example.com",
            "https://a.b:8443",
            "https://a.b:443",
            "http://0x7f.1",
            "http://a..b",
        ]
    ),
    st.text(alphabet="ab/.?&=%;:@!$'()*+,~_-#[]\\ é", max_size=30),
)
def test_an_address_that_is_normal_already_has_the_normal_form_of_any(
    origin: str, rest: str
) -> None:
    """Such an address is recognized without a parser, which must find the same."""
    address = f"{origin}/{rest}"
    assert urls.normalize(address) == urls.normalize(f" {address} ")

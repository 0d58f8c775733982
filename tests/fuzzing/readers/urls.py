"""The normal form of a URL can be fetched, and is its own normal form."""

from sitemapaudit import urls

WORDS = (
    b"http://", b"https://", b"HTTPS:", b"ftp://", b"//", b"/../", b"/./", b"%2e", b"%7e", b"%%32",
    b"%zz", b":80", b":443", b"@", b"?", b"#", b"[::1]", b"0x7f.1", b"xn--", b"www.example.com",
    b"\xc3\xbc", b"\xe3\x80\x82", b"\xc2\xad", b"\xed\xa0\x80", b"\t", b"\\", b"\n",
)  # fmt: skip

_BASE = "https://www.example.com/a/b?c"
_CHARACTERS = set(map(chr, range(0x21, 0x7F))) - set('#<>"')


def check(data: bytes) -> None:
    """Normalize an address; the text after the first line break is its base."""
    address, _, base = _decode(data).partition("\n")
    for url in (
        urls.normalize(address),
        urls.normalize(address, _BASE),
        urls.normalize(address, urls.normalize(base)),
    ):
        if url is not None:
            _check(url)


def _check(url: str) -> None:
    assert urls.normalize(url) == url
    assert urls.normalize(url, _BASE) == url
    assert set(url) <= _CHARACTERS, url
    assert urls.scheme(url) in ("http", "https")
    assert url.startswith(urls.origin(url) + urls.path(url))
    assert urls.host(url)
    assert "@" not in urls.authority(url)
    assert 0 <= urls.port(url) <= 65_535
    assert 0 <= urls.digest(url) < 1 << 64
    assert urls.strip_whitespace(url) == url


def _decode(data: bytes) -> str:
    try:
        return data.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return data.decode(errors="replace")

"""loc-invalid: an absolute loc that is not a valid http(s) URL."""

import pytest

from sitemapaudit.caps import MAX_TEXT
from tests.rules.sitemap.files import entries_of, index, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

HOST = "https://www.example.com"


@pytest.mark.parametrize(
    "loc",
    [
        HOST,
        f"{HOST}/",
        f"{HOST.upper()}/A",
        "http://www.example.com/a",
        f"{HOST}/a/b;c=d/e.html?f=g&amp;h=i,j",
        f"{HOST}/%C3%A4%2f%2F%25",
        f"{HOST}/ä",
        f"{HOST}/東京",
        f"{HOST}/a\u00a0b",
        f"{HOST}/a\u00a0",
        f"{HOST}/a\u3000b",
        "https://my_shop.example.com/",
        "https://-a-.example.com/",
        "https://localhost/",
        "https://www.example.com./",
        f"{HOST}/a(b)*c!$'~_-",
        f"{HOST}/a|b{{c}}`^",
        f"{HOST}/a@b",
        f"{HOST}?mail=a@b",
        f"{HOST}#a@b",
        f"{HOST}/a#",
        f"{HOST}/a:b",
        f"{HOST}//a",
        f"\n  {HOST}/a\n",
        "https://bücher.example/",
        "https://xn--bcher-kva.example/",
        "https://192.0.2.1/",
        "https://[2001:db8::1]/",
        f"{HOST}:443/",
        f"{HOST}:1/",
        f"{HOST}:65535/",
        f"{HOST}:/",
    ],
)
def test_valid(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities("loc-invalid", entry) == []


@pytest.mark.parametrize(
    "loc",
    [
        "ftp://www.example.com/a",
        "file:///etc/passwd",
        "mailto:a@example.com",
        "javascript:alert(1)",
        "data:text/html,a",
        "httpss://www.example.com/a",
        "android-app://com.example/https/www.example.com/a",
        f"{HOST}/a b",
        f"{HOST}/?q=a b",
        f"{HOST}/a#b c",
        f"{HOST}/a&#9;b",
        f"{HOST}/a\nb",
        f"{HOST}/a&#13;b",
        f"{HOST}/a&#x7f;b",
        f"{HOST}/a&#x85;b",
        "https://www.exa mple.com/a",
        f"{HOST}/100%",
        f"{HOST}/%",
        f"{HOST}/%4",
        f"{HOST}/%G0",
        f"{HOST}/%0G",
        f"{HOST}/%u00e4",
        f"{HOST}/%%20",
        f"{HOST}/?discount=50%&amp;page=2",
        f"{HOST}/%20/%zz",
        "https://user@www.example.com/",
        "https://user:secret@www.example.com/",
        "https://:secret@www.example.com/",
        "https://@www.example.com/",
        "https://user%40a@www.example.com/",
        f"{HOST}:65536/",
        f"{HOST}:99999/",
        f"{HOST}:http/",
        f"{HOST}:-1/",
        f"{HOST}:80:80/",
        "https://:443/",
        "https://[2001:db8::1/",
        "https://[2001:db8::g]/",
        "https://256.0.0.1/",
        "https://www.exa%20mple.com/",
        "https://{{host}}/",
        "https://%HOST%/",
        "https://${host}/a",
        "https://*.example.com/",
        "https://www..example.com/",
        "https://.example.com/",
        "https://www.example.com,/",
        "https://www.exam\u00a0ple.com/",
        f"https://{'a' * 64}.example/",
        "https://www.exa&lt;mple.com/",
        "https://&lt;host&gt;/",
    ],
)
def test_invalid(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities("loc-invalid", entry) == ["error"]


@pytest.mark.parametrize(
    "loc",
    ["", "  ", "/a", "/a b", "/100%", "//user@www.example.com/", "www.example.com/a b", "https://"],
)
def test_relative_locs_are_not_reported(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities("loc-invalid", entry) == []


def test_a_character_that_could_not_be_read_is_reported() -> None:
    (entry,) = entries_of(urlset(url(f"{HOST}/a\x01b")))
    assert entry.recovered
    assert severities("loc-invalid", entry) == ["error"]


def test_an_entity_that_is_not_expanded_is_reported() -> None:
    declared = '<!DOCTYPE urlset [<!ENTITY host "www.example.com">]>'
    body = urlset(url("https://&host;/a")).replace("\n", f"\n{declared}\n", 1)
    (entry,) = entries_of(body)
    assert severities("loc-invalid", entry) == ["error"]


def test_children_of_an_index_are_checked() -> None:
    first, second = entries_of(index(f"{HOST}/a.xml", f"{HOST}/b c.xml"))
    assert severities("loc-invalid", first) == []
    assert severities("loc-invalid", second) == ["error"]


@pytest.mark.parametrize(
    ("loc", "problem"),
    [
        ("ftp://a/b", "its scheme is not http or https"),
        ("https://user@a/b", "it contains user information"),
        (f"{HOST}/a b", "it contains the character ' '"),
        (f"{HOST}/50%_off", "'%_o' is not valid percent-encoding"),
        ("https://{{host}}/", "its host or port is invalid, or part of it could not be read"),
        (
            f"{HOST}:x/".ljust(MAX_TEXT, "a"),
            "its host or port is invalid, or part of it could not be read",
        ),
        (
            f"{HOST}/".ljust(MAX_TEXT, "ä"),
            f"it has more than {MAX_TEXT:,} characters, percent-encoding included",
        ),
    ],
    ids=["scheme", "user", "space", "percent", "host", "longest", "too-long-when-encoded"],
)
def test_message_contains_the_problem(loc: str, problem: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    (finding,) = found("loc-invalid", entry)
    assert finding.message == f"loc {loc!r} is not a valid URL: {problem}"


def test_place() -> None:
    body = urlset(url(), url(f"{HOST}/a b"), url(f"{HOST}:http/"))
    findings = [finding for entry in entries_of(body) for finding in found("loc-invalid", entry)]
    assert [(each.url, each.sitemap, each.position) for each in findings] == [
        (f"{HOST}/a%20b", SITEMAP, 2),
        (None, SITEMAP, 3),
    ]

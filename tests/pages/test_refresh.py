"""Meta refresh and the Refresh header: the declarative refresh steps of the HTML Standard."""

import pytest

from sitemapaudit.pages.refresh import read_refresh
from tests.pages.responses import SITE, URL, page_of
from tests.support.effort import cpu_limit

B = f"{SITE}/b"


@pytest.mark.parametrize(
    ("value", "delay", "url"),
    [
        ("0; url=/b", 0, B),
        ("5; url=/b", 5, B),
        ("5;url=/b", 5, B),
        ("5;URL=/b", 5, B),
        ("5; Url = /b", 5, B),
        ("5, url=/b", 5, B),
        ("5 url=/b", 5, B),
        ("5 ; url=/b", 5, B),
        ("5\t\n;\r\furl=/b", 5, B),
        ("5;/b", 5, B),
        ("5; /b", 5, B),
        ("5 /b", 5, B),
        ("5,/b", 5, B),
        ("  5; url=/b", 5, B),
        ("5; url=/b  ", 5, B),
        ("5; url='/b'", 5, B),
        ('5; url="/b"', 5, B),
        ("5; '/b'", 5, B),
        ("5; url='/b' and more", 5, B),
        ("5; url='//other.example/'", 5, "https://other.example/"),
        ("5; url=' /b '", 5, B),
        ("5; url='/b", 5, B),
        ("5; url=\"/b'", 5, f"{B}'"),
        ("5; url=b", 5, B),
        ("5; url=https://other.example/?url=x;y", 5, "https://other.example/?url=x;y"),
        ("5; url=//other.example", 5, "https://other.example/"),
        ("5; url=?url=/b", 5, f"{URL}?url=/b"),
        ("5; url/b", 5, f"{SITE}/url/b"),
        ("5; urlb", 5, f"{SITE}/urlb"),
        ("5; u", 5, f"{SITE}/u"),
        ("0.5; url=/b", 0, B),
        (".5; url=/b", 0, B),
        ("1.9.9; url=/b", 1, B),
        (".; url=/b", 0, B),
        ("05; url=/b", 5, B),
        ("86400; url=/b", 86_400, B),
    ],
)
def test_the_delay_and_the_target_are_read(value: str, delay: float, url: str) -> None:
    refresh = read_refresh("meta", value, URL)
    assert refresh is not None
    assert (refresh.delay, refresh.url) == (delay, url)


@pytest.mark.parametrize(
    ("value", "href"),
    [
        ("5; url=/b", "/b"),
        ("5; url=/b  ", "/b"),
        ("5; url='/b' and more", "/b"),
        ("5; url=' /b '", " /b "),
        ("5; url=../B?x=%7e#part", "../B?x=%7e#part"),
        ("5; HTTPS://Other.example", "HTTPS://Other.example"),
        ("5; url=mailto:a@example.com", "mailto:a@example.com"),
        ("5; url=''", None),
        ("5", None),
    ],
)
def test_the_address_is_kept_as_written(value: str, href: str | None) -> None:
    refresh = read_refresh("meta", value, URL)
    assert refresh is not None
    assert refresh.href == href


@pytest.mark.parametrize("value", ["5", " 5 ", "5;", "5; ", "5;url=", "5; url=''", "0.5"])
def test_a_refresh_without_an_address(value: str) -> None:
    refresh = read_refresh("meta", value, URL)
    assert refresh is not None
    assert refresh.url is None


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "url=/b",
        "; url=/b",
        "x",
        "-1; url=/b",
        "+1",
        "5x",
        "5url=/b",
        "5:/b",
        "\u0665; url=/b",
    ],
)
def test_other_values_are_not_a_refresh(value: str) -> None:
    assert read_refresh("meta", value, URL) is None


@pytest.mark.parametrize("address", ["mailto:a@example.com", "javascript:x()", "http://[::1"])
def test_an_invalid_address_has_no_url(address: str) -> None:
    refresh = read_refresh("meta", f"0; url={address}", URL)
    assert refresh is not None
    assert refresh.url is None


@pytest.mark.parametrize(
    ("body", "lines", "expected"),
    [
        ("<meta http-equiv=refresh content='0; url=/b'>", [], [("meta", 0, B)]),
        ("<META HTTP-EQUIV=' Refresh ' CONTENT='3;URL=/b'>", [], [("meta", 3, B)]),
        ("<body><meta http-equiv=refresh content='0;/b'>", [], [("meta", 0, B)]),
        ("<base href=/x/><meta http-equiv=refresh content='0;c'>", [], [
            ("meta", 0, f"{SITE}/x/c")
        ]),
        ("<base href=/x/>", ["Refresh: 0; url=b"], [("header", 0, B)]),
        ("", ["Refresh: 0; url=/b"], [("header", 0, B)]),
        ("", ["Refresh: 1", "Refresh: 2; url=/b"], [("header", 1, None), ("header", 2, B)]),
        ("<noscript><meta http-equiv=refresh content='0;/b'></noscript>", [], []),
        ("<template><meta http-equiv=refresh content='0;/b'></template>", [], []),
        ("<meta name=refresh content='0; url=/b'>", [], []),
        ("<meta http-equiv=refresh>", ["Refresh: soon"], []),
    ],
)  # fmt: skip
def test_the_refreshes_of_a_page(
    body: str, lines: list[str], expected: list[tuple[str, float, str | None]]
) -> None:
    page = page_of(body, *lines)
    assert [(one.source, one.delay, one.url) for one in page.refreshes] == expected


@pytest.mark.parametrize(
    "value",
    ["1" * 50_000 + "x", "1" + "." * 50_000 + "x", " " * 50_000 + "x", "1" + " " * 50_000 + "\0"],
)
def test_hostile_values_take_little_time(value: str) -> None:
    with cpu_limit():
        refresh = read_refresh("meta", value, URL)
    assert refresh is None or refresh.delay == 1

"""loc-not-escaped: characters that a URL may only contain percent-encoded."""

import json
from xml.sax.saxutils import escape

import pytest

from tests.rules.sitemap.files import atom, atom_entry, entries_of, index, item, rss, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "loc-not-escaped"
HOST = "https://www.example.com"


def severities_of(loc: str) -> list[str]:
    (entry,) = entries_of(urlset(url(escape(loc))))
    return severities(RULE, entry)


@pytest.mark.parametrize("character", [*'"<>[]\\^{}|`', "ä", "é", "中", "😀", "\u00a0", "\u200b"])
@pytest.mark.parametrize("place", ["/{}", "/a{}b", "/?q={}", "?{}", "/#{}", "/a/{}/b"])
def test_unescaped(character: str, place: str) -> None:
    assert severities_of(HOST + place.format(f"{character}x")) == ["notice"]


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\u3000", "\x85"])
def test_white_space_outside_ascii_is_part_of_the_url(space: str) -> None:
    (entry,) = entries_of(urlset(url(f"{HOST}/a{space}")))
    assert entry.url is not None
    assert entry.url.startswith(f"{HOST}/a%")
    assert severities(RULE, entry) == ["notice"]
    assert severities("loc-whitespace", entry) == []


def test_a_backslash_ends_the_host() -> None:
    assert severities_of(f"{HOST}\\a") == ["notice"]


@pytest.mark.parametrize(
    "loc",
    [
        HOST,
        f"{HOST}/a?b=c&d=e#f",
        f"{HOST}/%C3%A4%22%3C%3E%5C%5E%7B%7D%7C%60",
        f"{HOST}/-._~:/?@!$&'()*+,;=",
        "https://bücher.example/a",
        "https://bücher.example?a",
        "https://bücher.example#a",
        "https://日本.example:8443",
        f" \t{HOST}/a\r\n",
    ],
)
def test_escaped(loc: str) -> None:
    assert severities_of(loc) == []


@pytest.mark.parametrize("loc", ["", "/ä", "ftp://www.example.com/ä", "https://ex ample.com/ä"])
def test_invalid_urls_are_not_reported(loc: str) -> None:
    assert severities_of(loc) == []


def test_in_every_format() -> None:
    written = f"{HOST}/ä"
    for body in (index(written), f"{written}\n", rss(item(written)), atom(atom_entry(written))):
        (entry,) = entries_of(body)
        assert severities(RULE, entry) == ["notice"]


def test_the_loc_of_an_image_does_not_count() -> None:
    image = "http://www.google.com/schemas/sitemap-image/1.1"
    more = f'<i:image xmlns:i="{image}"><i:loc>{HOST}/ä.png</i:loc></i:image>'
    (entry,) = entries_of(urlset(url(f"{HOST}/a", more)))
    assert severities(RULE, entry) == []


def test_message_contains_each_character_once() -> None:
    (entry,) = entries_of(urlset(url(f"{HOST}/ä|ä|ö")))
    (finding,) = found(RULE, entry)
    assert finding.message == "loc contains characters that are not percent-encoded: ä | ö"
    assert (finding.sitemap, finding.position) == (SITEMAP, 1)
    assert json.loads(finding.evidence or "") == {"characters": "ä | ö", "loc": f"{HOST}/ä|ä|ö"}


@pytest.mark.parametrize(("letters", "more"), [("αβγδεζηθικ", ""), ("αβγδεζηθικλ", " …")])
def test_message_contains_at_most_ten_characters(letters: str, more: str) -> None:
    (entry,) = entries_of(urlset(url(f"{HOST}/{letters}")))
    (finding,) = found(RULE, entry)
    characters = " ".join(letters[:10]) + more
    assert finding.message == f"loc contains characters that are not percent-encoded: {characters}"

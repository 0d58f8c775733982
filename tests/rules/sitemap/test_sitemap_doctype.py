"""sitemap-doctype: a DOCTYPE declaration precedes the root."""

import pytest

from tests.rules.sitemap.files import DECLARATION, PAGE, entries_of, row_of, url, urlset
from tests.support.findings import found, severities

RULE = "sitemap-doctype"
PLAIN = urlset(url(PAGE))


def with_doctype(markup: str) -> str:
    return PLAIN.replace(DECLARATION, f"{DECLARATION}{markup}\n")


@pytest.mark.parametrize(
    "markup",
    [
        "<!DOCTYPE urlset>",
        '<!DOCTYPE urlset SYSTEM "sitemap.dtd">',
        "<!-- written by hand -->\n<!DOCTYPE urlset>",
        '<!DOCTYPE urlset [<!ENTITY page "https://www.example.com/">]>',
    ],
)
def test_declarations(markup: str) -> None:
    assert severities(RULE, row_of(with_doctype(markup))) == ["warning"]


@pytest.mark.parametrize(
    "body", [PLAIN, with_doctype("<!-- <!DOCTYPE urlset> -->"), f"{PAGE}\n", ""]
)
def test_files_without_a_declaration(body: str) -> None:
    assert severities(RULE, row_of(body)) == []


def test_an_html_page_is_not_reported() -> None:
    assert severities(RULE, row_of("<!doctype html><title>Shop</title>")) == []


def test_entities_are_never_expanded() -> None:
    body = with_doctype('<!DOCTYPE urlset [<!ENTITY secret SYSTEM "file:///etc/hostname">]>')
    (entry,) = entries_of(body.replace(PAGE, f"{PAGE}&secret;"))
    assert entry.loc == f"{PAGE}&secret;"
    assert entry.url is None


def test_message() -> None:
    (finding,) = found(RULE, row_of(with_doctype("<!DOCTYPE urlset>")))
    assert finding.message == "has a DOCTYPE declaration"

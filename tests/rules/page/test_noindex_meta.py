"""noindex-meta: a robots meta tag, in head or body, says noindex or none."""

import pytest

from tests.pages.responses import URL, head, page_of
from tests.support.findings import found, severities

RULE = "noindex-meta"
NOINDEX = '<meta name="robots" content="noindex">'


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("robots", "noindex", ["error"]),
        ("robots", "none", ["error"]),
        ("ROBOTS", "NOINDEX", ["error"]),
        (" Robots ", " NoIndex ", ["error"]),
        ("robots", "nofollow,noindex", ["error"]),
        ("robots", "noarchive , none", ["error"]),
        ("robots", "noindex,", ["error"]),
        ("robots", "max-snippet:-1, noindex", ["error"]),
        ("robots", "unavailable_after: Saturday, 21-Nov-37 12:00:00 GMT, noindex", ["error"]),
        ("robots", "noindex, index", ["error"]),
        ("robots", "index", []),
        ("robots", "", []),
        ("robots", "nofollow", []),
        ("robots", "noindexing", []),
        ("robots", "noimageindex", []),
        ("robots", "max-snippet: none", []),
        ("robots", "max-image-preview:none", []),
        ("googlebot", "noindex", []),
        ("otherbot", "noindex", []),
        ("description", "noindex", []),
        ("keywords", "none", []),
        ("robot", "noindex", []),
    ],
)
def test_tag(name: str, content: str, expected: list[str]) -> None:
    page = page_of(head(f'<meta name="{name}" content="{content}">'))
    assert severities(RULE, page) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<head>{NOINDEX}", ["error"]),
        (f"<body><p>x</p>{NOINDEX}", ["error"]),
        (f"<head><div></div>{NOINDEX}</head>", ["error"]),
        (f"<body><main><div>{NOINDEX}</div></main>", ["error"]),
        (f"<head><noscript>{NOINDEX}</noscript>", []),
        (f"<body><noscript>{NOINDEX}</noscript>", []),
        (f"<head><template>{NOINDEX}</template>", []),
        (f"<body><template>{NOINDEX}</template>", []),
        (f"<!-- {NOINDEX} -->", []),
        (f"<script>{NOINDEX}</script>", []),
        (f"<textarea>{NOINDEX}</textarea>", []),
        ("<META CONTENT=noindex NAME=Robots>", ["error"]),
        ("<meta name=robots value=noindex>", []),
        ("<meta property=robots content=noindex>", []),
        (NOINDEX + NOINDEX, ["error"]),
    ],
)
def test_place(body: str, expected: list[str]) -> None:
    assert severities(RULE, page_of(body)) == expected


@pytest.mark.parametrize("agent", ["Googlebot", "Bingbot", "Some-Other-Crawler"])
def test_the_tag_applies_to_every_agent(agent: str) -> None:
    assert severities(RULE, page_of(head(NOINDEX), agent=agent)) == ["error"]


def test_message_contains_the_token() -> None:
    (finding,) = found(RULE, page_of(head('<meta name=robots content="nofollow, NONE">')))
    assert finding.message == "says none in a meta robots tag"
    assert finding.url == URL


def test_a_header_is_not_reported() -> None:
    assert severities(RULE, page_of(head(), "X-Robots-Tag: noindex")) == []

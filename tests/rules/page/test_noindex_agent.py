"""noindex-agent: noindex or none for one agent; an error if it is the configured one."""

import json

import pytest

from tests.pages.responses import URL, head, page_of
from tests.support.findings import found, severities

RULE = "noindex-agent"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("googlebot", "noindex", ["error"]),
        ("GoogleBot", "NONE", ["error"]),
        ("googlebot", "nofollow, noindex", ["error"]),
        ("googlebot-news", "noindex", ["notice"]),
        ("bingbot", "noindex", ["notice"]),
        ("otherbot", "none", ["notice"]),
        ("googlebot", "index", []),
        ("googlebot", "noimageindex", []),
        ("robots", "noindex", []),
        ("description", "noindex", []),
    ],
)
def test_tag(name: str, content: str, expected: list[str]) -> None:
    page = page_of(head(f'<meta name="{name}" content="{content}">'))
    assert severities(RULE, page) == expected
    assert page.noindex is (expected == ["error"] or name == "robots")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["googlebot: noindex"], ["error"]),
        (["Googlebot: None"], ["error"]),
        (["googlebot:noindex"], ["error"]),
        (["googlebot: nofollow, noindex"], ["error"]),
        (["googlebot: max-snippet: 5, noindex"], ["error"]),
        (["otherbot: noindex, googlebot: nofollow"], ["notice"]),
        (["otherbot: nofollow, googlebot: noindex"], ["error"]),
        (["otherbot: noindex"], ["notice"]),
        (["googlebot-news: none"], ["notice"]),
        (["googlebot: nofollow", "noindex"], []),
        (["noindex"], []),
        (["*: noindex"], []),
        (["max-snippet: 20, noindex"], []),
        (["max-image-preview: large, noindex"], []),
        (["max-video-preview: 5, none"], []),
        (["unavailable_after: Sat, 21 Nov 2037 12:00:00 GMT, noindex"], []),
        (["googlebot: index"], []),
    ],
)
def test_header(lines: list[str], expected: list[str]) -> None:
    page = page_of(head(), *[f"X-Robots-Tag: {line}" for line in lines])
    assert severities(RULE, page) == expected


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        ("Googlebot", "error"),
        ("GOOGLEBOT", "error"),
        ("Googlebot-News", "error"),
        ("Bingbot", "notice"),
        ("Googlebots", "notice"),
        ("NotGooglebot", "notice"),
    ],
)
def test_configured_agent(agent: str, expected: str) -> None:
    page = page_of(head('<meta name="googlebot" content="noindex">'), agent=agent)
    assert severities(RULE, page) == [expected]


def test_an_agent_name_need_not_end_in_bot() -> None:
    body = head('<meta name="Slurp" content="noindex">')
    assert severities(RULE, page_of(body, agent="slurp")) == ["error"]


def test_each_agent_is_reported_once() -> None:
    body = head('<meta name="googlebot" content="noindex, none">')
    page = page_of(body, "X-Robots-Tag: googlebot: noindex", "X-Robots-Tag: otherbot: noindex")
    assert sorted(severities(RULE, page)) == ["error", "notice"]


def test_message() -> None:
    (finding,) = found(RULE, page_of(head('<meta name="GoogleBot" content="None">')))
    assert finding.message == "says none to googlebot in a meta tag"
    assert finding.url == URL
    (finding,) = found(RULE, page_of(head(), "X-Robots-Tag: otherbot: noindex"))
    assert finding.message == "says noindex to otherbot in the X-Robots-Tag header"
    evidence = json.loads(finding.evidence or "")
    assert (evidence["agent"], evidence["token"]) == ("otherbot", "noindex")

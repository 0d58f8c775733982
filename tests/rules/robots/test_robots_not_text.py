"""robots-not-text: warning for an HTML document, notice for another or no media type."""

import json

import pytest

from sitemapaudit.http.response import Response
from sitemapaudit.items import Robots
from sitemapaudit.robots import read_robots
from tests.rules.robots.files import ROBOTS, SITE
from tests.support.findings import found, severities

RULE = "robots-not-text"
RULES = "User-agent: *\nDisallow: /private/\n"
PAGE = "<!DOCTYPE html><title>Not found</title>"


def received(body: str, content_type: str | None, status: int = 200) -> Robots:
    row = Robots(SITE, ROBOTS)
    headers = {} if content_type is None else {"content-type": [content_type]}
    read_robots(Response(ROBOTS, status, headers, body.encode()), row)
    return row


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/plain", []),
        ("text/plain; charset=utf-8", []),
        ("Text/Plain;charset=UTF-8", []),
        (None, ["notice"]),
        ("", ["notice"]),
        ("; charset=utf-8", ["notice"]),
        ("text/html", ["notice"]),
        ("application/octet-stream", ["notice"]),
        ("text/plainer", ["notice"]),
        ("text/x-plain", ["notice"]),
    ],
)
def test_media_type(content_type: str | None, expected: list[str]) -> None:
    assert severities(RULE, received(RULES, content_type)) == expected


@pytest.mark.parametrize(
    "body",
    [
        PAGE,
        "<!doctype HTML><p>",
        "<html><body>",
        "<HTML lang=en>",
        "\n\t <html>",
        "\ufeff<html>",
        "\ufeff \n<!doctype html>",
    ],
)
@pytest.mark.parametrize("content_type", ["text/plain", "text/html", None])
def test_an_html_page_is_one_warning(body: str, content_type: str | None) -> None:
    assert severities(RULE, received(body, content_type)) == ["warning"]


@pytest.mark.parametrize(
    "body",
    ["", "\ufeffUser-agent: *\n", "# <html>\n", RULES + PAGE, "<htmlx>", "<!doctype svg>", "<xml>"],
)
def test_bodies_that_are_not_html(body: str) -> None:
    assert severities(RULE, received(body, "text/plain")) == []


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (received(PAGE, "text/html"), "is an HTML page"),
        (received(RULES, "text/html"), "has the media type text/html; it must be text/plain"),
        (received(RULES, None), "has no media type; it must be text/plain"),
    ],
)
def test_message(row: Robots, message: str) -> None:
    (finding,) = found(RULE, row)
    assert (finding.url, finding.message) == (ROBOTS, message)
    assert json.loads(finding.evidence or "")["content_type"] == row.content_type

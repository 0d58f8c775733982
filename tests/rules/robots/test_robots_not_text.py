"""robots-not-text: an HTML document is a warning; another media type, or none, a notice."""

from dataclasses import replace

import pytest

from sitemapaudit.answer import Answer
from sitemapaudit.items import Robots
from sitemapaudit.robots import read_robots
from tests.rules.robots.files import ROBOTS, SITE, robots
from tests.support import found, severities

RULE = "robots-not-text"
RULES = "User-agent: *\nDisallow: /private/\n"
PAGE = "<!DOCTYPE html><title>Not found</title>"


def sent(body: str, content_type: str | None, status: int = 200) -> Robots:
    row = Robots(SITE, ROBOTS)
    headers = {} if content_type is None else {"content-type": [content_type]}
    read_robots(Answer(ROBOTS, status, headers, body.encode()), row)
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
    assert severities(RULE, sent(RULES, content_type)) == expected


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
def test_web_page_is_one_warning(body: str, content_type: str | None) -> None:
    assert severities(RULE, sent(body, content_type)) == ["warning"]


@pytest.mark.parametrize(
    "body",
    ["", "\ufeffUser-agent: *\n", "# <html>\n", RULES + PAGE, "<htmlx>", "<!doctype svg>", "<xml>"],
)
def test_no_web_page(body: str) -> None:
    assert severities(RULE, sent(body, "text/plain")) == []


@pytest.mark.parametrize(("status", "expected"), [(206, ["warning"]), (404, []), (503, [])])
def test_only_what_is_read_as_rules(status: int, expected: list[str]) -> None:
    assert severities(RULE, sent(PAGE, "text/html", status)) == expected


def test_other_hosts_are_not_judged() -> None:
    assert severities(RULE, robots(PAGE, judged=False)) == []
    assert severities(RULE, replace(robots(RULES, judged=False), content_type=None)) == []


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (sent(PAGE, "text/html"), "is a web page"),
        (sent(RULES, "text/html"), "has the type text/html, and ought to be text/plain"),
        (sent(RULES, None), "has no type, and ought to be text/plain"),
    ],
)
def test_message(row: Robots, message: str) -> None:
    (finding,) = found(RULE, row)
    assert (finding.url, finding.message) == (ROBOTS, message)

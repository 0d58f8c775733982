"""Robots directives in meta tags and X-Robots-Tag lines, and the agents they apply to."""

from datetime import UTC, datetime

import pytest

from sitemapaudit.items import Statement
from sitemapaudit.pages.directives import (
    applies_to,
    forbids_index,
    is_unavailable_after,
    parse_unavailable_after,
    read_header_statements,
    read_meta_statements,
)  # fmt: skip
from tests.pages.responses import head, page_of
from tests.support.effort import cpu_limit

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
RFC_850 = "Saturday, 21-Nov-26 12:00:00 GMT"


def directives_of(statements: list[Statement]) -> list[tuple[str | None, str]]:
    return [(statement.agent, statement.token) for statement in statements]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", []),
        (" , ,", []),
        ("noindex", [(None, "noindex")]),
        ("NoIndex , NOFOLLOW", [(None, "noindex"), (None, "nofollow")]),
        ("noindex,,nofollow,", [(None, "noindex"), (None, "nofollow")]),
        ("googlebot: noindex", [("googlebot", "noindex")]),
        ("GoogleBot : NoIndex", [("googlebot", "noindex")]),
        ("googlebot:noindex, nofollow", [("googlebot", "noindex"), ("googlebot", "nofollow")]),
        ("noindex, googlebot: nofollow", [(None, "noindex"), ("googlebot", "nofollow")]),
        ("a: noindex, b: nofollow, none", [("a", "noindex"), ("b", "nofollow"), ("b", "none")]),
        ("*: noindex", [(None, "noindex")]),
        ("a: none, *: noindex", [("a", "none"), (None, "noindex")]),
        ("googlebot:", []),
        ("googlebot: , noindex", [("googlebot", "noindex")]),
        ("max-snippet: 20", [(None, "max-snippet: 20")]),
        ("max-snippet:20, noindex", [(None, "max-snippet: 20"), (None, "noindex")]),
        ("MAX-IMAGE-PREVIEW : Large", [(None, "max-image-preview: large")]),
        ("max-video-preview:-1", [(None, "max-video-preview: -1")]),
        ("a: max-snippet: 5, none", [("a", "max-snippet: 5"), ("a", "none")]),
        (f"unavailable_after: {RFC_850}, noindex", [
            (None, f"unavailable_after: {RFC_850.lower()}"), (None, "noindex"),
        ]),
        (f"a: unavailable_after: {RFC_850}, noindex", [
            ("a", f"unavailable_after: {RFC_850.lower()}"), ("a", "noindex"),
        ]),
        ("unavailable_after: Sat, 21 Nov 2026 12:00:00 GMT", [
            (None, "unavailable_after: sat, 21 nov 2026 12:00:00 gmt"),
        ]),
        ("unavailable_after: 2026-11-21, noindex", [
            (None, "unavailable_after: 2026-11-21"), (None, "noindex"),
        ]),
    ],
)  # fmt: skip
def test_header_lines(line: str, expected: list[tuple[str | None, str]]) -> None:
    assert directives_of(list(read_header_statements(line))) == expected


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("robots", "noindex", [(None, "noindex")]),
        (" ROBOTS ", "NoIndex,\n nofollow", [(None, "noindex"), (None, "nofollow")]),
        ("googlebot", "noindex", [("googlebot", "noindex")]),
        ("Googlebot-News", "none", [("googlebot-news", "none")]),
        ("bingbot", "none", [("bingbot", "none")]),
        ("slurp", "none", [("slurp", "none")]),
        ("robots", "max-snippet:5", [(None, "max-snippet: 5")]),
        ("robots", f"unavailable_after: {RFC_850}, none", [
            (None, f"unavailable_after: {RFC_850.lower()}"), (None, "none"),
        ]),
        ("description", "noindex", []),
        ("author", "none", []),
        ("bottom", "none", []),
        ("", "noindex", []),
    ],
)  # fmt: skip
def test_meta_tags(name: str, content: str, expected: list[tuple[str | None, str]]) -> None:
    assert directives_of(list(read_meta_statements(name, content, ("slurp",)))) == expected


def test_the_source_is_recorded() -> None:
    page = page_of(head("<meta name=robots content=nofollow>"), "X-Robots-Tag: noarchive")
    assert {(statement.source, statement.token) for statement in page.statements} == {
        ("meta", "nofollow"),
        ("header", "noarchive"),
    }


@pytest.mark.parametrize(
    ("named", "agent", "expected"),
    [
        (None, "Googlebot", True),
        ("googlebot", "Googlebot", True),
        ("googlebot", "googlebot", True),
        ("googlebot", "Googlebot-News", True),
        ("googlebot-news", "Googlebot", False),
        ("googlebot-news", "Googlebot-News", True),
        ("googlebot-news", "Googlebot-Image", False),
        ("google", "Googlebot", False),
        ("bingbot", "Googlebot", False),
        ("yandex", "YandexBot", True),
        ("yandexbot", "YandexBot", True),
        ("yandexbot", "Yandex", False),
        ("googlebot", "Applebot", False),
        ("claude", "Claude-SearchBot", False),
    ],
)
def test_the_agents_that_a_statement_applies_to(
    named: str | None, agent: str, *, expected: bool
) -> None:
    assert applies_to(Statement("meta", named, "noindex"), agent) is expected


@pytest.mark.parametrize(
    ("token", "until", "expected"),
    [
        ("noindex", None, True),
        ("none", None, True),
        ("nofollow", None, False),
        ("index", None, False),
        ("noimageindex", None, False),
        ("unavailable_after: x", None, False),
        ("unavailable_after: x", datetime(2026, 11, 21, 12, tzinfo=UTC), True),
        ("unavailable_after: x", datetime(2026, 11, 21, 12, 0, 1, tzinfo=UTC), False),
    ],
)
def test_directives_that_forbid_indexing(
    token: str, until: datetime | None, *, expected: bool
) -> None:
    assert forbids_index(Statement("meta", None, token, until), NOON) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("unavailable_after: 2026-11-21", True),
        ("unavailable_after: soon", True),
        ("UNAVAILABLE_AFTER:2026-11-21", True),
        ("noindex", False),
        ("max-snippet: 1", False),
    ],
)
def test_unavailable_after_is_recognized(line: str, *, expected: bool) -> None:
    (statement,) = read_header_statements(line)
    assert is_unavailable_after(statement) is expected


@pytest.mark.parametrize(
    "value",
    [
        "2026-11-21T12:00:00Z",
        "2026-11-21T12:00:00",
        "2026-11-21T13:00:00+01:00",
        "2026-11-21 12:00",
        "Sat, 21 Nov 2026 12:00:00 GMT",
        "21 Nov 2026 12:00:00 GMT",
        "21 Nov 26 04:00:00 PST",
        RFC_850,
        "21-Nov-2026 12:00:00 GMT",
    ],
)
def test_valid_dates(value: str) -> None:
    assert parse_unavailable_after(value) == NOON


@pytest.mark.parametrize("value", ["", "soon", "21.11.2026", "2026-11-31", "9" * 5000])
def test_invalid_dates(value: str) -> None:
    assert parse_unavailable_after(value) is None


@pytest.mark.parametrize(
    "line",
    ["a:" * 50_000, "unavailable_after: Mon," * 5_000, "noindex" + " " * 50_000, "," * 50_000],
)
def test_hostile_lines_take_little_time(line: str) -> None:
    with cpu_limit():
        assert len(list(read_header_statements(line))) <= 5_000


@pytest.mark.parametrize(
    ("lines", "agent", "directives", "noindex"),
    [
        ([], "Googlebot", [], False),
        (["noindex", "NOINDEX"], "Googlebot", ["noindex"], True),
        (["nofollow, max-snippet: 5"], "Googlebot", ["nofollow", "max-snippet: 5"], False),
        (["googlebot: noindex", "nofollow"], "Googlebot", ["noindex", "nofollow"], True),
        (["googlebot: noindex", "nofollow"], "Bingbot", ["nofollow"], False),
        (["otherbot: noindex"], "Googlebot", [], False),
        (["index, noindex"], "Googlebot", ["index", "noindex"], True),
        (["none, googlebot: index"], "Googlebot", ["none", "index"], True),
    ],
)
def test_directives_that_apply_to_the_agent(
    lines: list[str], agent: str, directives: list[str], *, noindex: bool
) -> None:
    page = page_of(head(), *[f"X-Robots-Tag: {line}" for line in lines], agent=agent)
    assert (page.directives, page.noindex) == (directives, noindex)


@pytest.mark.parametrize(
    ("agent", "metas", "headers", "expected"),
    [
        ("YandexBot", {"yandex": "noindex"}, [], True),
        ("Yandex", {"yandex": "noindex"}, [], True),
        ("YandexBot", {"yandexbot": "noindex"}, [], True),
        ("Googlebot", {"yandex": "noindex"}, [], False),
        ("YandexBot", {}, ["X-Robots-Tag: yandex: noindex"], True),
        ("YandexBot", {"yandex": "noindex", "robots": "all"}, [], False),
        ("YandexBot", {"robots": "noindex"}, ["X-Robots-Tag: index"], False),
        ("YandexBot", {"robots": "noindex", "googlebot": "index"}, [], True),
        ("Googlebot", {"robots": "noindex", "googlebot": "index"}, [], True),
        ("Googlebot-News", {"googlebot": "noindex"}, [], True),
    ],
)
def test_what_agents_obey(
    agent: str, metas: dict[str, str], headers: list[str], *, expected: bool
) -> None:
    tags = "".join(f"<meta name={name} content={content}>" for name, content in metas.items())
    assert page_of(head(tags), *headers, agent=agent).noindex is expected

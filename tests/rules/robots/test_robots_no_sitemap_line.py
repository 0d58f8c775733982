"""robots-no-sitemap-line: robots.txt was read and has no Sitemap line."""

import pytest

from sitemapaudit.items import Error
from tests.rules.robots.files import DECLARED, ROBOTS, robots
from tests.support import found, severities

MAX_BYTES = 512_000


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("", ["notice"]),
        ("User-agent: *\nDisallow: /private\n", ["notice"]),
        (f"# {DECLARED}\n", ["notice"]),
        ("Disallow: /sitemap.xml\n", ["notice"]),
        (DECLARED, []),
        (f"{DECLARED} # the only one", []),
        (f"\ufeff{DECLARED}\n", []),
        (DECLARED.upper(), []),
        (DECLARED.lower(), []),
        (DECLARED.replace(": ", ":"), []),
        (DECLARED.replace(":", " :", 1), []),
        (f"  \t{DECLARED}", []),
        (f"User-agent: otherbot\nDisallow: /\n{DECLARED}\nDisallow: /a\n", []),
        (f"User-agent: *\rDisallow: /\r{DECLARED}\r", []),
        ("Sitemap: /sitemap.xml", []),
        ("Sitemap:", []),
    ],
)
def test_sitemap_lines(body: str, expected: list[str]) -> None:
    assert severities("robots-no-sitemap-line", robots(body)) == expected


@pytest.mark.parametrize(
    ("status", "expected"),
    [(200, ["notice"]), (206, ["notice"]), (304, []), (404, []), (429, []), (503, [])],
)
def test_only_a_file_that_was_read_is_audited(status: int, expected: list[str]) -> None:
    assert severities("robots-no-sitemap-line", robots(status=status)) == expected


@pytest.mark.parametrize("error", [Error.DNS, Error.TIMEOUT, Error.TOO_MANY_REDIRECTS])
def test_a_failed_request_is_not_reported(error: Error) -> None:
    assert severities("robots-no-sitemap-line", robots(status=None, error=error)) == []


@pytest.mark.parametrize(
    ("comment", "expected"), [(MAX_BYTES - len(f"\n{DECLARED}"), []), (MAX_BYTES, ["notice"])]
)
def test_lines_beyond_512000_bytes_are_ignored(comment: int, expected: list[str]) -> None:
    body = "#" * comment + f"\n{DECLARED}\n"
    assert severities("robots-no-sitemap-line", robots(body)) == expected


def test_other_hosts_are_not_audited() -> None:
    assert severities("robots-no-sitemap-line", robots(audited=False)) == []


def test_message_and_place() -> None:
    (finding,) = found("robots-no-sitemap-line", robots())
    assert finding.message == "has no Sitemap line"
    assert (finding.url, finding.sitemap) == (ROBOTS, None)

"""robots-no-sitemap-line: robots.txt was read and has no Sitemap line."""

import pytest

from tests.rules.robots.files import DECLARED, ROBOTS, robots
from tests.support.findings import found, severities

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
    ("comment", "expected"), [(MAX_BYTES - len(f"\n{DECLARED}"), []), (MAX_BYTES, ["notice"])]
)
def test_lines_beyond_512000_bytes_are_ignored(comment: int, expected: list[str]) -> None:
    body = "#" * comment + f"\n{DECLARED}\n"
    assert severities("robots-no-sitemap-line", robots(body)) == expected


def test_message_and_place() -> None:
    (finding,) = found("robots-no-sitemap-line", robots())
    assert finding.message == "has no Sitemap line"
    assert (finding.url, finding.sitemap) == (ROBOTS, None)

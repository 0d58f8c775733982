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


MANAGED = """# As a condition of accessing this website …
# BEGIN Cloudflare Managed content
User-agent: *
Content-Signal: search=yes,ai-train=no
Allow: /

User-agent: GPTBot
Disallow: /
# END Cloudflare Managed Content
"""


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (MANAGED, "; Cloudflare manages all of it, and may have replaced your file"),
        (f"{MANAGED}\n# mine\n", "; Cloudflare manages all of it, and may have replaced your file"),
        (f"{MANAGED}\nUser-agent: *\nDisallow: /a\n", "; Cloudflare manages a part of it"),
        ("User-agent: *\nDisallow: /a\n", ""),
    ],
)
def test_a_file_that_cloudflare_manages(text: str, note: str) -> None:
    (finding,) = found("robots-no-sitemap-line", robots(text))
    assert finding.message == f"has no Sitemap line{note}"

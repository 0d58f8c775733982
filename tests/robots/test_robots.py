"""robots.txt: the URLs that it allows, and the sitemaps that it declares (RFC 9309)."""

import gzip
import re
from itertools import product

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.http.response import Response
from sitemapaudit.items import ELSEWHERE, Error, Permission, Robots
from sitemapaudit.robots import (
    MAX_BYTES,
    Policy,
    decide_permission,
    declared_sitemaps,
    read_robots,
    restore_policy,
)
from sitemapaudit.robots.groups import group_of
from sitemapaudit.urls import normalize
from tests.support.rows import NOW

SITE = "https://example.com"
ROBOTS = f"{SITE}/robots.txt"
AGENT = "Googlebot"


def read(
    body: bytes | str, status: int | None = 200, error: Error | None = None, **headers: str
) -> tuple[Robots, Policy]:
    """Read a response; header names have underscores for hyphens."""
    sent = body.encode() if isinstance(body, str) else body
    lines = {name.replace("_", "-"): [value] for name, value in headers.items()}
    row = Robots(SITE, ROBOTS, final_url=ROBOTS)
    response = Response(ROBOTS, status, lines, sent, error, fetched_at=NOW)
    return row, read_robots(response, row)


def is_allowed(text: bytes | str, path: str, agent: str = AGENT) -> bool | None:
    """Return whether an agent may fetch a path; a policy that is restored says the same."""
    row, policy = read(text)
    allowed = policy.allows(SITE + path, agent)
    assert restore_policy(row).allows(SITE + path, agent) is allowed
    return allowed


def sitemap_lines_of(text: str) -> list[tuple[int, str, str | None]]:
    return [(line.line, line.value, line.url) for line in declared_sitemaps(text, ROBOTS)]


# Allowed URLs (sections 2.2.1 to 2.2.3).

PATHS = [
    # The path starts with the rule; case matters; a path without a rule is allowed.
    ("Disallow: /private", "/private", False),
    ("Disallow: /private", "/private/a", False),
    ("Disallow: /private", "/privateer", False),
    ("Disallow: /private", "/Private", True),
    ("Disallow: /private/", "/private", True),
    ("Disallow: /", "/", False),
    ("Disallow: /a", "/b", True),
    ("Disallow:", "/a", True),
    ("Allow:", "/a", True),
    ("Disallow: /?q", "/?q=1", False),
    ("Disallow: /", "/robots.txt", True),
    # The longest match wins, in any order.
    ("Allow: /a/b\nDisallow: /a", "/a/b/c", True),
    ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
    ("Disallow: /a/b\nAllow: /a", "/a/b/c", False),
    ("Allow: /a\nDisallow: /a/b", "/a/b/c", False),
    ("Allow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/", True),
    ("Allow: /p/\nDisallow: /p/disallowed.gif", "/p/disallowed.gif", False),
    # In a tie, the URL is allowed.
    ("Disallow: /a\nAllow: /a", "/a", True),
    ("Allow: /a\nDisallow: /a", "/a", True),
    ("Disallow: /*.php\nAllow: /a.ph", "/a.php", False),
    ("Disallow: /a.ph*\nAllow: /a.php*", "/a.php", True),
    # Wildcards (section 2.2.3).
    ("Disallow: /*.gif", "/a/b.gif?c", False),
    ("Disallow: *.gif", "/a.gif", False),
    ("Disallow: /a*", "/a", False),
    ("Disallow: /a*c", "/abc", False),
    ("Disallow: /a*c", "/ab", True),
    ("Disallow: /*a*b*c", "/xaxbxc", False),
    ("Disallow: /*a*b*c", "/xaxcxb", True),
    ("Disallow: /*.gif$", "/a.gif", False),
    ("Disallow: /*.gif$", "/a.gif?b", True),
    ("Disallow: /*.gif$", "/a.gif.gif", False),
    ("Disallow: /exactly$", "/exactly", False),
    ("Disallow: /exactly$", "/exactly/", True),
    ("Disallow: /$", "/", False),
    ("Disallow: /$", "/a", True),
    ("Disallow: /a$b", "/a$b", False),
    # Percent-encoding does not matter (section 2.2.2, table).
    ("Disallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", False),
    ("Disallow: /foo/bar/%E3%83%84", "/foo/bar/%E3%83%84", False),
    ("Disallow: /foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", False),
    ("Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", False),
    ("Disallow: /é*x$", "/%C3%A9/x", False),
    ("Disallow: /?q=é", "/?q=%C3%A9", False),
    ("Disallow: /é\nAllow: /%C3%A9", "/%C3%A9", True),
    # A separator that is encoded separates nothing.
    ("Disallow: /*?", "/wiki/Who%3F", True),
    ("Disallow: /*?", "/wiki/Who?", False),
    ("Disallow: /*&", "/AT%26T", True),
    ("Disallow: /Who%3f", "/Who%3F", False),
    ("Disallow: /a%2Ab", "/a*b", False),
    ("Disallow: /a%2Ab", "/axb", True),
    # A triplet is broken: the rule is compared as it is written.
    ("Disallow: /*%", "/a?b&c", True),
    ("Disallow: /*%", "/%C3%A9", False),
    ("Disallow: /*%2", "/a%20b", False),
    # At its end, $ is only the end of the path.
    ("Disallow: /a$", "/a$", True),
    ("Disallow: /a%24", "/a$", False),
    # A rule is as long as it is written (Google's parser), without needless encoding.
    ("Allow: /a?\nDisallow: /a*b", "/a?b", False),
    ("Disallow: /%7Eme/\nAllow: /~me/x", "/~me/x", True),
    ("Disallow: /%6E\nAllow: /n", "/nn", True),
    ("Disallow: /%C3%A9\nAllow: /*x", "/%C3%A9x", False),
    # An allowed index page allows its folder (Google's parser).
    ("Disallow: /\nAllow: /a/index.htm", "/a/", True),
    ("Disallow: /\nAllow: /a/index.htm", "/a/b", False),
    # A field can begin with that of a rule (Google's parser).
    ("Disallowed: /a", "/a", False),
    ("Disallow: /\nAllows: /a", "/a", True),
    # Comments and white space.
    ("Disallow: /a # /b", "/a", False),
    ("Disallow: /a#b", "/a", False),
    ("# Disallow: /a", "/a", True),
    ("  Disallow  :\t/a\t", "/a", False),
    ("dIsAlLoW:/a", "/a", False),
    # Other lines are ignored.
    ("Noindex: /a", "/a", True),
    ("Disallow /a\nwhatever\n: :\n<p>", "/a", False),
]


@pytest.mark.parametrize(("rules", "path", "expected"), PATHS)
def test_paths(rules: str, path: str, expected: bool) -> None:
    assert normalize(SITE + path) == SITE + path
    assert is_allowed(f"User-agent: *\n{rules}\n", path) is expected


def texts(characters: str, length: int) -> list[str]:
    """Return all texts of these characters up to a length."""
    return [
        "".join(each) for size in range(length + 1) for each in product(characters, repeat=size)
    ]


def test_each_rule_matches_as_its_regular_expression_does() -> None:
    paths = [f"/{text}" for text in texts("ab$", 4)]
    for value in texts("ab*$", 4):
        parts = map(re.escape, f"/{value.removesuffix('$')}".split("*"))
        pattern = re.compile(".*".join(parts) + (r"\Z" if value.endswith("$") else ""))
        policy = Policy(Permission.RULES, f"User-agent: *\nDisallow: /{value}")
        disallowed = [path for path in paths if not policy.allows(SITE + path, AGENT)]
        assert disallowed == [path for path in paths if pattern.match(path)], value


def test_a_character_equals_its_triplet() -> None:
    """Except for separators; ``#``, ``*`` and ``$`` have a meaning."""
    for character in (chr(code) for code in range(33, 127) if chr(code) not in "#*$"):
        triplet = f"/a%{ord(character):02x}x"
        for rule, path in ((triplet, f"/a{character}x"), (f"/a{character}x", triplet)):
            policy = Policy(Permission.RULES, f"User-agent: *\nDisallow: {rule}")
            assert policy.allows(SITE + path, AGENT) is (character in "/?&=%"), (rule, path)


GROUPS = [
    # text, agent, whether /a is allowed
    ("User-agent: *\nDisallow: /a", "Googlebot", False),
    ("User-agent: Googlebot\nDisallow: /a", "Googlebot", False),
    ("User-agent: GOOGLEBOT\nDisallow: /a", "googlebot", False),
    ("User-agent: Googlebot\nDisallow: /a", "Bingbot", True),
    ("User-agent: bot\nDisallow: /a", "Googlebot", True),
    ("User-agent: Googlebot-News\nDisallow: /a", "Googlebot", True),
    # Only the group of the agent counts, in any order.
    ("User-agent: *\nDisallow: /a\n\nUser-agent: Googlebot\nAllow: /b", "Googlebot", True),
    ("User-agent: Googlebot\nAllow: /b\n\nUser-agent: *\nDisallow: /a", "Googlebot", True),
    ("User-agent: Googlebot\nAllow: /b\n\nUser-agent: *\nDisallow: /a", "Bingbot", False),
    ("User-agent: Googlebot\nDisallow:\n\nUser-agent: *\nDisallow: /", "Googlebot", True),
    # Several agents share a group.
    ("User-agent: Bingbot\nUser-agent: Googlebot\nDisallow: /a", "Googlebot", False),
    ("User-agent: Bingbot\nUser-agent: Googlebot\nDisallow: /a", "Bingbot", False),
    ("User-agent: Bingbot\n\n# b\nUser-agent: Googlebot\nDisallow: /a", "Bingbot", False),
    # Groups of the same agent are combined.
    ("User-agent: x\nDisallow: /b\nUser-agent: y\nUser-agent: x\nDisallow: /a", "x", False),
    (
        "User-agent: *\nDisallow: /b\nUser-agent: x\nAllow: /\nUser-agent: *\nDisallow: /a",
        "y",
        False,
    ),
    # Rules outside of a group are ignored; a blank line does not end a group.
    ("Disallow: /a\nUser-agent: *\nDisallow: /b", "Googlebot", True),
    ("User-agent: *\n\n\nDisallow: /b\n\nDisallow: /a", "Googlebot", False),
    # A Sitemap line does not belong to a group, and does not end one.
    ("User-agent: *\nSitemap: https://example.com/s\nDisallow: /a", "Googlebot", False),
    ("User-agent: x\nSitemap: /s\nUser-agent: y\nDisallow: /a", "x", False),
    # Nor does a line that says how content may be used.
    ("User-agent: x\nContent-Signal: search=yes\nUser-agent: y\nDisallow: /a", "x", False),
    ("User-agent: x\ncontent-usage : train-ai=n\nUser-agent: y\nDisallow: /a", "x", False),
    ("User-agent: *\nContent-Usage: /a train-ai=y\nDisallow: /a", "Googlebot", False),
    ("Content-Signal: search=no", "Googlebot", True),
    # A field that begins so, or has no value, starts a group, too (Google's parser).
    ("User-agents: *\nDisallow: /a", "Googlebot", False),
    ("User-agent: *\nDisallow: /b\nUser-agent:\nDisallow: /a", "Googlebot", True),
    # Google's crawlers for other products do not obey the group of all.
    ("User-agent: *\nDisallow: /", "AdsBot-Google", True),
    ("User-agent: *\nDisallow: /", "adsbot-google-mobile", True),
    ("User-agent: *\nDisallow: /", "APIs-Google", True),
    ("User-agent: *\nDisallow: /", "Mediapartners-Google", True),
    ("User-agent: *\nDisallow: /\nUser-agent: AdsBot-Google\nDisallow: /a", "AdsBot-Google", False),
    ("User-agent: *\nDisallow: /a", "AdsBot-Other", False),
    # No rules.
    ("", "Googlebot", True),
    ("User-agent: *", "Googlebot", True),
]


@pytest.mark.parametrize(("text", "agent", "expected"), GROUPS)
def test_groups(text: str, agent: str, expected: bool) -> None:
    assert is_allowed(text, "/a", agent) is expected


AGENTS = [
    # The value of a User-agent line, an agent, and whether it is bound.
    ("Google", "Googlebot", False),
    ("G", "Googlebot", False),
    ("bot", "Googlebot", False),
    ("goo*gle", "Googlebot", False),
    ("bing", "Bingbot", False),
    ("Googlebot/2.1", "Googlebot", True),
    ("googlebot*", "Googlebot", True),
    ("Googlebot 2", "Googlebot", True),
    ("Googlebot2", "Googlebot", True),
    ("Googlebot-News", "Googlebot", False),
    ("Googlebot", "Googlebot-News", True),
    ("Googlebot", "Googlebot-Image", True),
    ("Yandex", "YandexBot", True),
    ("YandexBot", "Yandex", False),
    ("Googlebot", "Applebot", True),
    ("Bingbot", "Applebot", False),
    ("MJ12bot", "MJ12bot", True),
    ("MJ", "MJ12bot", False),
    ("MJ12bot/1.4", "mj12bot", True),
    ("* all", "Googlebot", True),
    ("*bot", "Googlebot", False),
]


@pytest.mark.parametrize(("written", "agent", "bound"), AGENTS)
def test_the_names_that_bind_an_agent(written: str, agent: str, bound: bool) -> None:
    text = f"User-agent: {written}\nDisallow: /a"
    assert is_allowed(text, "/a", agent) is not bound
    assert (group_of(text, agent) == written.lower()) is bound


def test_its_own_name_comes_before_others() -> None:
    text = "User-agent: Googlebot\nDisallow: /a\nUser-agent: Googlebot-News\nDisallow: /b"
    assert is_allowed(text, "/a", "Googlebot-News") is True
    assert is_allowed(text, "/b", "Googlebot-News") is False
    assert is_allowed(text, "/b", "Googlebot-Image") is True


@pytest.mark.parametrize("field", ["dissallow", "dissalow", "disalow", "diasllow", "disallaw"])
def test_the_misspellings_of_googles_parser_are_read(field: str) -> None:
    assert is_allowed(f"User-agent: *\n{field}: /a", "/a") is False


@pytest.mark.parametrize("eol", ["\n", "\r", "\r\n"])
def test_line_endings(eol: str) -> None:
    text = eol.join(["User-agent: *", "", "Disallow: /a", "Sitemap: https://example.com/s", ""])
    row, policy = read(text)
    assert policy.allows(f"{SITE}/a", AGENT) is False
    assert policy.allows(f"{SITE}/b", AGENT) is True
    assert [(line.line, line.value) for line in row.sitemaps] == [(4, "https://example.com/s")]


OTHER_BREAKS = ["\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("character", OTHER_BREAKS)
def test_other_line_breaks_do_not_end_a_rule(character: str) -> None:
    text = f"User-agent: *\nDisallow: /a{character}Disallow: /\nDisallow: /b"
    assert is_allowed(text, "/open") is True
    assert is_allowed(text, "/b") is False
    assert read(text)[1].allows(normalize(f"{SITE}/a%{character}") or "", AGENT) is True
    encoded = "".join(f"%{byte:02X}" for byte in character.encode())
    assert is_allowed(text, f"/a{encoded}Disallow:%20/") is False


@pytest.mark.parametrize("character", OTHER_BREAKS)
def test_other_line_breaks_do_not_end_an_address(character: str) -> None:
    value = f"https://example.com/a{character}Sitemap: https://example.com/b"
    (line,) = declared_sitemaps(f"Sitemap: {value}", ROBOTS)
    assert line.value == value
    assert line.url == normalize(value)
    assert sitemap_lines_of(f"Disallow: /a{character}Sitemap: https://example.com/b") == []


def test_a_byte_order_mark_is_skipped() -> None:
    text = b"\xef\xbb\xbfUser-agent: *\nDisallow: /a"
    assert is_allowed(text, "/a") is False
    row, _ = read(b"\xef\xbb\xbfSitemap: https://example.com/s")
    assert [line.url for line in row.sitemaps] == ["https://example.com/s"]


def test_invalid_utf8_affects_only_its_line() -> None:
    assert is_allowed(b"User-agent: *\nDisallow: /caf\xe9\nDisallow: /a", "/a") is False
    assert is_allowed(b"User-agent: *\nDisallow: /caf\xe9\nDisallow: /a", "/b") is True


def test_the_crawl_delay_of_the_agent_is_used() -> None:
    _, policy = read("User-agent: x\nCrawl-delay: 2.5\n\nUser-agent: *\nDisallow: /a")
    assert policy.crawl_delay("x") == 2.5
    assert policy.crawl_delay("y") is None


# Sitemap lines.

S = "https://example.com/s.xml"
LINES = [
    (f"Sitemap: {S}", [(1, S, S)]),
    (f"sitemap:{S}", [(1, S, S)]),
    (f"SITEMAP :\t{S}\t", [(1, S, S)]),
    (f"  SiteMap: {S}  # the news", [(1, S, S)]),
    (f"Site-map: {S}", [(1, S, S)]),
    (f"Sitemap {S}", [(1, S, S)]),
    # Anywhere: before, within and after the groups.
    (f"Sitemap: {S}\nUser-agent: *\nDisallow: /", [(1, S, S)]),
    (f"User-agent: *\nSitemap: {S}\nDisallow: /", [(2, S, S)]),
    (f"User-agent: *\nDisallow: /\n\n\nSitemap: {S}", [(5, S, S)]),
    (f"Sitemap: {S}\n\nSitemap: {S}?2", [(1, S, S), (3, f"{S}?2", f"{S}?2")]),
    (f"Sitemap: {S}\nSitemap: {S}", [(1, S, S), (2, S, S)]),
    # As written, and normalized.
    ("Sitemap: HTTPS://Example.com:443/%7ea", [(1, "HTTPS://Example.com:443/%7ea", f"{SITE}/~a")]),
    ("Sitemap: http://other.example", [(1, "http://other.example", "http://other.example/")]),
    ("Sitemap: https://example.com/a:", [(1, "https://example.com/a:", f"{SITE}/a:")]),
    # Not an absolute http(s) address.
    ("Sitemap: /s.xml", [(1, "/s.xml", S)]),
    ("Sitemap: s.xml", [(1, "s.xml", S)]),
    ("Sitemap: //example.com/s.xml", [(1, "//example.com/s.xml", S)]),
    ("Sitemap:", [(1, "", None)]),
    ("Sitemap: ", [(1, "", None)]),
    ("\nsitemap : # none", [(2, "", None)]),
    ("Sitemap: ftp://example.com/s", [(1, "ftp://example.com/s", None)]),
    ("Sitemap: https://user@example.com/s", [(1, "https://user@example.com/s", None)]),
    # Not a Sitemap line.
    (f"# Sitemap: {S}", []),
    (f"#Sitemap: {S}", []),
    (f"Mysitemap: {S}", []),
    (f"Disallow: /Sitemap: {S}", []),
    ("Disallow: /sitemap.xml", []),
    ("sitemap", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), LINES)
def test_sitemap_lines_are_read(text: str, expected: list[tuple[int, str, str | None]]) -> None:
    assert sitemap_lines_of(text) == expected


def test_a_relative_value_is_resolved_against_the_final_url() -> None:
    row = Robots(SITE, ROBOTS, final_url="https://www.example.com/files/robots.txt")
    read_robots(Response(ROBOTS, 200, body=b"Sitemap: s.xml"), row)
    assert [line.url for line in row.sitemaps] == ["https://www.example.com/files/s.xml"]


def test_the_addresses_together_are_limited() -> None:
    """Relative values would otherwise repeat the address of the file without end."""
    each = f"{SITE}/{'d' * (2_997 - len(SITE))}/s"
    base = each.removesuffix("s") + "robots.txt"
    fitting, rest = divmod(3 * MAX_BYTES, len(each))
    assert rest == 0
    urls = [line.url for line in declared_sitemaps("Sitemap: s\n" * (fitting + 2), base)]
    assert urls == [each] * fitting + [None] * 2


# The limit (section 2.5).

HEAD = b"User-agent: *\nDisallow: /b\n"


def file_ending_at(line: bytes, position: int) -> bytes:
    """Return a robots.txt with ``line`` at its end; the last byte is at ``position``."""
    filler = position - len(HEAD) - len(line)
    return HEAD + b"#" * (filler - 1) + b"\n" + line


@pytest.mark.parametrize(
    ("line", "size", "expected"),
    [
        (b"Disallow: /a", MAX_BYTES, False),
        (b"Disallow: /a\n", MAX_BYTES, False),
        (b"Disallow: /a\n", MAX_BYTES + 1, False),
        (b"Disallow: /a\n", MAX_BYTES + len(b"Disallow: /a\n"), True),
        (b"Disallow: /a\n", 2 * MAX_BYTES, True),
        (b"Disallow: /a\n", 4 * MAX_BYTES, True),
    ],
)
def test_rules_within_the_limit_count(line: bytes, size: int, expected: bool) -> None:
    row, policy = read(file_ending_at(line, size))
    assert policy.allows(f"{SITE}/a", AGENT) is expected
    assert row.bytes == min(size, 2 * MAX_BYTES)


@pytest.mark.parametrize("excess", [1, 10, 17])
@pytest.mark.parametrize("eol", [b"\n", b"\r"])
def test_a_line_that_exceeds_the_limit_is_ignored(excess: int, eol: bytes) -> None:
    body = file_ending_at(b"Disallow: /very/long", MAX_BYTES + excess).replace(b"\n", eol)
    policy = read(body + eol)[1]
    assert policy.allows(f"{SITE}/v", AGENT) is True
    assert policy.allows(f"{SITE}/b", AGENT) is False
    body = file_ending_at(b"Sitemap: https://example.com/a.xml", MAX_BYTES + excess).replace(
        b"\n", eol
    )
    assert read(body + eol)[0].sitemaps == []


# What the response means for the host (section 2.3.1).


@pytest.mark.parametrize(
    ("status", "error", "expected"),
    [
        (200, None, Permission.RULES),
        (203, None, Permission.RULES),
        (206, None, Permission.RULES),
        (400, None, Permission.ALL),
        (401, None, Permission.ALL),
        (403, None, Permission.ALL),
        (404, None, Permission.ALL),
        (410, None, Permission.ALL),
        (451, None, Permission.ALL),
        (499, None, Permission.ALL),
        (429, None, Permission.NONE),
        (500, None, Permission.NONE),
        (503, None, Permission.NONE),
        (599, None, Permission.NONE),
        (600, None, Permission.UNREACHABLE),
        (301, Error.TOO_MANY_REDIRECTS, Permission.ALL),
        (302, Error.REDIRECT_LOOP, Permission.ALL),
        (301, Error.REDIRECT_INVALID, Permission.ALL),
        (200, Error.TRUNCATED, Permission.UNREACHABLE),
        *((None, error, Permission.ALL) for error in sorted(ELSEWHERE)),
    ],
)
def test_permission_by_status(
    status: int | None, error: Error | None, expected: Permission
) -> None:
    assert decide_permission(status, error) is expected


REDIRECT_ERRORS = {Error.TOO_MANY_REDIRECTS, Error.REDIRECT_LOOP, Error.REDIRECT_INVALID}


@pytest.mark.parametrize("status", [None, 200])
@pytest.mark.parametrize(
    "error", sorted(set(Error) - REDIRECT_ERRORS - ELSEWHERE - {Error.CHALLENGE})
)
def test_a_network_error_makes_the_host_unreachable(error: Error, status: int | None) -> None:
    row, policy = read("User-agent: *\nAllow: /", status, error)
    assert row.permission is Permission.UNREACHABLE
    assert row.error is error
    assert policy.allows(f"{SITE}/a", AGENT) is None


@pytest.mark.parametrize(
    ("status", "expected"), [(404, True), (403, True), (429, False), (500, False), (503, False)]
)
def test_an_error_page_has_no_rules(status: int, expected: bool) -> None:
    row, policy = read("User-agent: *\nAllow: /a\nDisallow: /b\nSitemap: /s", status)
    assert policy.allows(f"{SITE}/a", AGENT) is expected
    assert policy.allows(f"{SITE}/b", AGENT) is expected
    assert row.sitemaps == []
    assert (row.status, row.fetched_at) == (status, NOW)


# Bodies.

RULES = b"User-agent: *\nDisallow: /a\nSitemap: https://example.com/s\n"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(RULES)),
        ("gzip", gzip.compress(RULES) + b"junk"),
        ("br", brotli.compress(RULES)),
    ],
)
def test_a_compressed_file_is_read(encoding: str, body: bytes) -> None:
    row, policy = read(body, content_encoding=encoding)
    assert policy.allows(f"{SITE}/a", AGENT) is False
    assert [line.url for line in row.sitemaps] == ["https://example.com/s"]
    assert row.bytes == len(RULES)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(RULES)[:-3]),
        ("br", RULES),
        ("deflate", RULES),
        ("zstd", RULES),
    ],
)
def test_a_file_that_cannot_be_decoded_is_unreachable(encoding: str, body: bytes) -> None:
    row, policy = read(body, content_encoding=encoding)
    assert (row.error, row.permission) == (Error.ENCODING, Permission.UNREACHABLE)
    assert row.error_detail
    assert (row.status, row.sitemaps) == (200, [])
    assert policy.allows(f"{SITE}/b", AGENT) is None


def test_a_false_gzip_encoding_is_ignored() -> None:
    row, policy = read(RULES, content_encoding="gzip")
    assert (row.error, row.permission) == (None, Permission.RULES)
    assert policy.allows(f"{SITE}/a", AGENT) is False


def test_a_decoding_error_counts_within_the_limit_only() -> None:
    row, policy = read(gzip.compress(RULES.ljust(MAX_BYTES + 1))[:-3], content_encoding="gzip")
    assert (row.error, row.permission) == (None, Permission.RULES)
    assert policy.allows(f"{SITE}/a", AGENT) is False
    row, _ = read(gzip.compress(RULES.ljust(MAX_BYTES))[:-3], content_encoding="gzip")
    assert (row.error, row.permission) == (Error.ENCODING, Permission.UNREACHABLE)


def test_a_decompression_bomb_stops_at_the_limit() -> None:
    row, _ = read(gzip.compress(bytes(50_000_000)), content_encoding="gzip")
    assert row.bytes == 2 * MAX_BYTES


def test_a_challenge_counts_as_a_denial() -> None:
    row, policy = read(b"User-agent: *\nDisallow: /", 202, sg_captcha="challenge")
    assert (row.error, row.error_detail) == (Error.CHALLENGE, "sg-captcha: challenge")
    assert (row.permission, row.sitemaps, row.is_html) == (Permission.ALL, [], False)
    assert policy.allows(f"{SITE}/b", AGENT) is True
    # A denied one is denied by its status.
    row, _ = read(b"", 403, sg_captcha="challenge")
    assert (row.error, row.permission) == (None, Permission.ALL)


def test_a_web_page_has_no_rules() -> None:
    page = "<!doctype html>\n<html><head><title>Sitemap: all</title></head>\n<body>\n<p>Disallow: /"
    row, policy = read(page, content_type="Text/HTML; charset=utf-8")
    assert row.headers == ["content-type: Text/HTML; charset=utf-8"]
    assert policy.allows(f"{SITE}/a", AGENT) is True
    assert row.sitemaps == []
    assert row.permission is Permission.RULES
    assert row.content_type == "text/html"


def test_an_empty_file_allows_everything() -> None:
    row, policy = read(b"")
    assert policy.allows(f"{SITE}/a", AGENT) is True
    assert row.bytes == 0


# Any bytes.

KEYS = ["User-agent", "Disallow", "Allow", "Sitemap", "Crawl-delay", "Request-rate", "Visit-time"]
VALUES = ["*", "/", "/a*b$", "/%", "%zz", "$", "**", "-1", "1/0", "9/0s", "0000-2560", "nan", "//["]
ROBOTS_LINES = st.builds(
    "{}{}{}{}".format,
    st.sampled_from([*KEYS, "Host", "\ufeff", ""]),
    st.sampled_from([":", ": ", " ", "::"]),
    st.sampled_from(VALUES) | st.text(max_size=8),
    st.sampled_from(["\n", "\r", "\r\n", "#", "\u2028", ""]),
)


@given(st.binary(max_size=300) | st.lists(ROBOTS_LINES).map(lambda lines: "".join(lines).encode()))
def test_any_bytes_are_read(body: bytes) -> None:
    row, policy = read(body)
    assert policy.allows(f"{SITE}/a/b?c", AGENT) in (True, False)
    assert all(line.url is None or normalize(line.url) == line.url for line in row.sitemaps)
    delay = policy.crawl_delay(AGENT)
    assert delay is None or isinstance(delay, float)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\n#")).map(str.strip))
def test_any_value_is_kept_as_written(value: str) -> None:
    assert [line.value for line in declared_sitemaps(f"Sitemap: {value}", ROBOTS)] == [value]

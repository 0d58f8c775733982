"""page-redirect-invalid: the last answer is a redirect without a usable Location."""

import json
from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Error, Page, Role
from tests.pages.answers import SITE, URL, blocked, failed, page_of, redirect
from tests.support import build_run, listed, rule_on, severities

RULE = "page-redirect-invalid"
B = f"{SITE}/b"
STATUSES = [
    (200, []),
    (201, []),
    (300, []),
    (301, ["error"]),
    (302, ["error"]),
    (303, ["error"]),
    (304, []),
    (305, []),
    (306, []),
    (307, ["error"]),
    (308, ["error"]),
    (309, []),
    (404, []),
]
UNUSABLE = [
    "",
    "   ",
    "http://",
    "https:///",
    "http://[::1",
    "https://www.example.com:99999/",
    "https://a b.example/",
    "mailto:a@example.com",
    "javascript:alert(1)",
    "ftp://www.example.com/",
    "file:///etc/passwd",
    "data:text/html,x",
    "android-app://com.example/",
]
USABLE = [
    "/b",
    "b",
    "?x",
    "#part",
    "//other.example/",
    " https://other.example/ ",
    "HTTP://other.example",
    "/bücher",
    "/a b",
]
LOCATIONS = [(location, ["error"]) for location in UNUSABLE] + [
    (location, []) for location in USABLE
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    pages = [page_of(at=f"{SITE}/{status}", status=status) for status, _ in STATUSES]
    pages += [redirect(at(location), location) for location, _ in LOCATIONS]
    locs = [page.url for page in pages]
    return build_run(tmp_path_factory.mktemp("run"), [listed(*locs), *pages])


def at(location: str) -> str:
    return f"{SITE}/{location.encode().hex()}-"


def found_at(run: Run, url: str) -> list[str]:
    return [severity for place, severity, _ in rule_on(run, RULE) if place == url]


@pytest.mark.parametrize(("status", "expected"), STATUSES)
def test_status_without_location(run: Run, status: int, expected: list[str]) -> None:
    assert found_at(run, f"{SITE}/{status}") == expected


@pytest.mark.parametrize(("location", "expected"), LOCATIONS)
def test_location(run: Run, location: str, expected: list[str]) -> None:
    assert found_at(run, at(location)) == expected


@pytest.mark.parametrize("location", UNUSABLE)
def test_it_is_no_redirect_to_anywhere(location: str) -> None:
    page = redirect(URL, location)
    assert page.target is None
    assert severities("page-redirect-permanent", page) == []


@pytest.mark.parametrize(
    ("lines", "problem", "location"),
    [
        ([], "no Location", None),
        (["Location:"], "no Location", ""),
        (["Location: mailto:a"], "the unusable Location 'mailto:a'", "mailto:a"),
    ],
)
def test_message_and_evidence(
    tmp_path: Path, lines: list[str], problem: str, location: str | None
) -> None:
    run = build_run(tmp_path, [listed(URL), page_of("", *lines, status=302)])
    assert rule_on(run, RULE) == [(URL, "error", f"answers 302 with {problem}")]
    (evidence,) = run.findings.loc[run.findings["rule"] == RULE, "evidence"]
    assert (json.loads(evidence)["status"], json.loads(evidence)["location"]) == (302, location)


def test_at_the_end_of_redirects(tmp_path: Path) -> None:
    end = page_of(at=B, status=308, role=Role.REDIRECT)
    run = build_run(tmp_path, [listed(URL), redirect(URL, "/b"), end])
    message = f"redirects to {B}, which answers 308 with no Location"
    assert rule_on(run, RULE) == [(URL, "error", message)]


def test_each_listed_url_has_its_finding_once(tmp_path: Path) -> None:
    pages = [redirect(URL, "/b"), page_of(at=B, status=301)]
    run = build_run(tmp_path, [listed(URL, B, URL), *pages])
    assert [url for url, _, _ in rule_on(run, RULE)] == [URL, B]


@pytest.mark.parametrize(
    "page",
    [
        failed(Error.TIMEOUT),
        blocked(),
        redirect(URL, "/not-asked-for"),
        redirect(URL, URL),
        page_of("", "cf-mitigated: challenge", status=302),
    ],
)
def test_silent_where_the_end_is_not_known(tmp_path: Path, page: Page) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []


def test_only_listed_urls_are_judged(tmp_path: Path) -> None:
    other = page_of(at=B, status=301, role=Role.CANONICAL)
    assert rule_on(build_run(tmp_path, [listed(URL), page_of("x"), other]), RULE) == []

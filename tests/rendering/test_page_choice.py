"""Which pages are rendered, and the reason."""

from typing import Any

import pytest

from sitemapaudit.items import Error, Page, Role
from sitemapaudit.pages.main_text import LITTLE_TEXT_WORDS
from sitemapaudit.rendering.page_choice import MAX_PATTERNS, PageChoice
from sitemapaudit.urls.template import SAMPLED, url_template
from tests.support.rows import fetched_page

HOST = "https://www.example.com"
MANY_WORDS = 1_000


def page(path: str = "/a", **values: Any) -> Page:
    defaults = {"is_html": True, "noindex": False, "words": MANY_WORDS, "scripts": 1}
    return fetched_page(HOST + path, **(defaults | values))


@pytest.mark.parametrize(
    ("mode", "expected"), [("never", None), ("always", "always"), ("auto", "template"), (5, None)]
)
def test_the_mode_decides_which_pages_are_rendered(mode: str | int, expected: str | None) -> None:
    assert PageChoice(mode).reason(page()) == expected


def test_only_pages_of_the_sample_are_rendered() -> None:
    choice = PageChoice(1)
    choice.take_sample(frozenset({f"{HOST}/a"}))
    assert choice.reason(page("/a")) == "sample"
    assert choice.reason(page("/b")) is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"words": LITTLE_TEXT_WORDS - 1}, "little-text"),
        ({"words": LITTLE_TEXT_WORDS}, "template"),
        ({"words": 0, "scripts": 0}, None),
        ({"noindex": True}, "noindex"),
        ({"noindex": True, "scripts": 0}, None),
        ({"set_by_script": ["canonical"]}, "set-by-script"),
        ({"scripts": 0}, None),
    ],
)
def test_auto_renders_pages_that_scripts_may_change(
    values: dict[str, Any], expected: str | None
) -> None:
    assert PageChoice("auto").reason(page(**values)) == expected


@pytest.mark.parametrize(
    "values",
    [
        {"is_html": False},
        {"noindex": None},
        {"truncated": True},
        {"error": Error.ENCODING},
        {"role": Role.REDIRECT},
        {"role": Role.CANONICAL},
        {"role": Role.PROBE, "scripts": 0},
    ],
)
def test_always_renders_only_readable_html_of_listed_pages(
    values: dict[str, Any],
) -> None:
    assert PageChoice("always").reason(page(**values)) is None


@pytest.mark.parametrize(("mode", "expected"), [("auto", "comparison"), ("never", None)])
def test_auto_renders_the_probe_for_comparison(mode: str, expected: str | None) -> None:
    assert PageChoice(mode).reason(page(role=Role.PROBE)) == expected


def test_auto_renders_some_pages_of_each_url_template() -> None:
    choice = PageChoice("auto")
    shop = [choice.reason(page(f"/shop/{number}")) for number in range(SAMPLED + 1)]
    assert shop == [*["template"] * SAMPLED, None]
    assert choice.reason(page("/blog/1")) == "template"


def test_with_links_a_random_sample_of_each_template_is_rendered() -> None:
    paths = [f"/shop/{number}" for number in range(200)]
    samples = []
    for seed in (0, 1):
        chosen = []
        for order in (paths, paths[::-1]):
            choice = PageChoice("auto", links=True, seed=seed)
            chosen.append({path for path in order if choice.reason(page(path))})
        assert SAMPLED <= len(chosen[0]) < 60
        samples.append(chosen[0] & chosen[1])
    assert min(map(len, samples)) >= SAMPLED
    assert samples[0] != samples[1]


def test_with_links_other_scripts_make_another_template() -> None:
    choice = PageChoice("auto", links=True)
    for number in range(100):
        choice.reason(page(f"/shop/{number}"))
    assert choice.reason(page("/shop/more", scripts=2)) == "template"


@pytest.mark.parametrize(
    ("url", "expected"),
    [(HOST, "always"), ("https://example.com", "always"), ("https://other.example", None)],
)
def test_with_links_redirect_targets_of_the_site_are_rendered(
    url: str, expected: str | None
) -> None:
    choice = PageChoice("always", links=True, domains=["example.com"])
    moved = fetched_page(f"{url}/a", role=Role.REDIRECT, is_html=True, noindex=False, scripts=1)
    assert choice.reason(moved) == expected


def test_the_number_of_url_templates_is_limited() -> None:
    choice = PageChoice("auto")
    reasons = [choice.reason(page(f"/{number}/a")) for number in range(MAX_PATTERNS + 1)]
    assert reasons == [*["template"] * MAX_PATTERNS, None]
    assert choice.reason(page("/0/b")) == "template"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/a", "/b"),
        ("/shop/a", "/shop/b"),
        ("/shop/a/b", "/shop/c/d"),
        ("/shop/a.html", "/shop/b.html"),
        ("/list?page=1&sort=a", "/list?sort=b&page=2"),
    ],
)
def test_urls_with_the_same_pattern(one: str, other: str) -> None:
    assert url_template(HOST + one) == url_template(HOST + other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/", "/a"),
        ("/a", "/a/"),
        ("/shop/a", "/blog/a"),
        ("/shop/a", "/shop/a/b"),
        ("/shop/a.html", "/shop/a.php"),
        ("/shop/a.html", "/shop/a"),
        ("/list", "/list?page=1"),
    ],
)
def test_urls_with_different_patterns(one: str, other: str) -> None:
    assert url_template(HOST + one) != url_template(HOST + other)


def test_urls_of_different_hosts_have_different_patterns() -> None:
    assert url_template("https://a.example/x") != url_template("https://b.example/x")

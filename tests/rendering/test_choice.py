"""Which pages are opened in a browser, and why."""

from typing import Any

import pytest

from sitemapaudit.items import Error, Page, Role
from sitemapaudit.rendering.choice import (
    LITTLE_TEXT,
    MAX_TEMPLATES,
    OF_EACH_TEMPLATE,
    Choice,
    template_of,
)
from tests.support import answered

HOST = "https://www.example.com"
PLENTY = 1_000


def page(path: str = "/a", **values: Any) -> Page:
    defaults = {"html": True, "noindex": False, "words": PLENTY, "scripts": 1}
    return answered(HOST + path, **(defaults | values))


@pytest.mark.parametrize(
    ("mode", "expected"), [("never", None), ("always", "always"), ("auto", "template"), (5, None)]
)
def test_modes(mode: str | int, expected: str | None) -> None:
    assert Choice(mode).reason(page()) == expected


def test_a_sample() -> None:
    choice = Choice(1)
    choice.take_sample(frozenset({f"{HOST}/a"}))
    assert choice.reason(page("/a")) == "sample"
    assert choice.reason(page("/b")) is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"words": LITTLE_TEXT - 1}, "little-text"),
        ({"words": LITTLE_TEXT}, "template"),
        ({"words": 0, "scripts": 0}, None),
        ({"noindex": True}, "noindex"),
        ({"noindex": True, "scripts": 0}, None),
        ({"scripted": ["canonical"]}, "scripted"),
        ({"scripts": 0}, None),
    ],
)
def test_auto(values: dict[str, Any], expected: str | None) -> None:
    assert Choice("auto").reason(page(**values)) == expected


@pytest.mark.parametrize(
    "values",
    [
        {"html": False},
        {"noindex": None},
        {"cut": True},
        {"error": Error.ENCODING},
        {"role": Role.REDIRECT},
        {"role": Role.CANONICAL},
        {"role": Role.PROBE, "scripts": 0},
    ],
)
def test_what_is_never_opened(values: dict[str, Any]) -> None:
    assert Choice("always").reason(page(**values)) is None


@pytest.mark.parametrize(("mode", "expected"), [("auto", "comparison"), ("never", None)])
def test_a_random_address_is_opened_for_comparison(mode: str, expected: str | None) -> None:
    assert Choice(mode).reason(page(role=Role.PROBE)) == expected


def test_some_of_each_kind_of_address() -> None:
    choice = Choice("auto")
    shop = [choice.reason(page(f"/shop/{number}")) for number in range(OF_EACH_TEMPLATE + 1)]
    assert shop == [*["template"] * OF_EACH_TEMPLATE, None]
    assert choice.reason(page("/blog/1")) == "template"


def test_kinds_that_are_remembered_have_a_limit() -> None:
    choice = Choice("auto")
    kinds = [choice.reason(page(f"/{number}/a")) for number in range(MAX_TEMPLATES + 1)]
    assert kinds == [*["template"] * MAX_TEMPLATES, None]
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
def test_the_same_kind(one: str, other: str) -> None:
    assert template_of(HOST + one) == template_of(HOST + other)


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
def test_another_kind(one: str, other: str) -> None:
    assert template_of(HOST + one) != template_of(HOST + other)


def test_another_host_is_another_kind() -> None:
    assert template_of("https://a.example/x") != template_of("https://b.example/x")

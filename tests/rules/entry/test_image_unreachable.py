"""image-unreachable: an image that nobody can fetch, itself or after redirects."""

from typing import Any

from sitemapaudit.items import Error
from tests.rules.entry.checked_media import (
    ARGUMENTS,
    IMAGE,
    PAGE,
    TARGET,
    checked,
    entry_with,
    messages,
)
from tests.rules.tables import Item, tables_of
from tests.rules.together import check, column
from tests.support.rows import SITEMAP, fetched_page

__all__ = ["ARGUMENTS"]

RULE = "image-unreachable"


def example() -> list[Item]:
    """Return an entry with an image that is gone."""
    return [entry_with(IMAGE), checked(method="GET", status=404)]


def test_message_and_place() -> None:
    (row,) = tables_of(example(), RULE, **ARGUMENTS).rows
    assert row["message"] == f"image {IMAGE} returns 404"
    assert (row["severity"], row["subject"]) == ("error", "entry")
    assert (row["url"], row["sitemap"], row["position"]) == (PAGE, SITEMAP, 1)


def image(values: dict[str, Any]) -> list[Item]:
    """Return an entry with an image that was checked."""
    return [entry_with(IMAGE), checked(**values)]


def test_what_nobody_can_fetch() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"status": 410}, "returns 410"),
        ({"status": 503}, "returns 503"),
        (
            {"status": None, "error": Error.DNS, "error_detail": "unknown"},
            "cannot be fetched: unknown",
        ),
        (
            {"status": None, "error": Error.REFUSED, "error_detail": "the connection was refused"},
            "cannot be fetched: the connection was refused",
        ),
        (
            {"status": None, "error": Error.TLS, "error_detail": "certificate has expired"},
            "cannot be fetched: certificate has expired",
        ),
        ({"status": 302, "error": Error.REDIRECT_INVALID}, "redirects to no valid URL"),
    ]
    expected = [(values, [f"image {IMAGE} {failure}"]) for values, failure in cases]
    check(RULE, expected, image, column("message"), **ARGUMENTS)


def test_what_others_may_be_able_to_fetch() -> None:
    cases: list[dict[str, Any]] = [
        {},
        {"status": 206},
        {"status": 416},
        {"status": 400},
        {"status": 401},
        {"status": 403},
        {"status": 429},
        {"status": 503, "challenge": "cf-mitigated: challenge"},
        {"status": None, "error": Error.TIMEOUT, "error_detail": "30 seconds"},
        {"status": None, "error": Error.RESET, "error_detail": "closed"},
        {"status": None, "error": Error.PRIVATE_ADDRESS, "error_detail": "private"},
        {"status": None, "error": Error.NOT_IN_BUILD, "error_detail": "another host"},
        {"status": None, "method": None, "allowed": False, "error_detail": "disallowed"},
    ]
    check(RULE, [(values, []) for values in cases], image, column("message"), **ARGUMENTS)


def test_redirects_are_followed() -> None:
    moved = checked(status=301, target=TARGET)
    gone = checked(TARGET, via=IMAGE, status=404)
    expected = [f"image {IMAGE} redirects to {TARGET}, which returns 404"]
    assert messages(RULE, entry_with(IMAGE), moved, gone) == expected
    assert messages(RULE, entry_with(IMAGE), moved, checked(TARGET, via=IMAGE)) == []
    assert messages(RULE, entry_with(IMAGE), moved) == []


def test_loops() -> None:
    loop: list[Item] = [
        checked(status=301, target=TARGET),
        checked(TARGET, via=IMAGE, status=301, target=IMAGE),
    ]
    expected = [f"image {IMAGE} redirects in a loop, or more than 20 times"]
    assert messages(RULE, entry_with(IMAGE), *loop) == expected


def test_an_image_that_was_fetched_as_a_page() -> None:
    assert messages(RULE, entry_with(PAGE), fetched_page(PAGE, 404)) == [
        f"image {PAGE} returns 404"
    ]
    assert messages(RULE, entry_with(PAGE), fetched_page(PAGE)) == []


def test_each_entry_of_an_image_is_reported_once() -> None:
    first = entry_with(IMAGE, f" {IMAGE}\n", IMAGE.replace("https", "HTTPS"))
    second = entry_with(IMAGE, position=2)
    assert len(messages(RULE, first, second, checked(status=404))) == 2


def test_addresses_that_are_no_urls() -> None:
    assert messages(RULE, entry_with("a.jpg", "", " "), checked(status=404)) == []


def test_a_recovered_entry_may_be_damaged() -> None:
    def row(*, recovered: bool) -> list[Item]:
        entries = entry_with(IMAGE)
        entries.rows[0].recovered = recovered
        return [entries, checked(status=404)]

    assert len(messages(RULE, *row(recovered=False))) == 1
    assert messages(RULE, *row(recovered=True)) == []


def test_nothing_is_found_if_images_were_not_checked() -> None:
    assert messages(RULE, entry_with(PAGE), fetched_page(PAGE, 404), media="none") == []


def test_other_media_are_no_images() -> None:
    assert messages(RULE, entry_with(thumbnail_loc=IMAGE), checked(status=404)) == []

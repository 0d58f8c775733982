"""page-redirect-chain: at least two redirects in a row; more than ten are an error."""

from sitemapaudit.items import Page, Role
from tests.rules.tables import rule_on, tables_of
from tests.rules.together import check, severities
from tests.support.rows import fetched_page, listed

HOST = "https://www.example.com"
RULE = "page-redirect-chain"


def chain(hops: int, *, loop: bool = False) -> list[Page]:
    pages = [
        fetched_page(
            f"{HOST}/{hop}",
            301,
            role=Role.LISTED if hop == 0 else Role.REDIRECT,
            target=f"{HOST}/{hop + 1}",
        )
        for hop in range(hops)
    ]
    if loop:
        pages[-1].target = f"{HOST}/0"
        return pages
    return [*pages, fetched_page(f"{HOST}/{hops}", role=Role.REDIRECT)]


def test_hops() -> None:
    cases: list[tuple[int, list[str]]] = [
        (0, []),
        (1, []),
        (2, ["warning"]),
        (10, ["warning"]),
        (11, ["error"]),
        (20, ["error"]),
    ]
    check(RULE, cases, lambda hops: [listed(f"{HOST}/0"), *chain(hops)], severities)


def test_a_loop_is_reported_only_as_a_loop() -> None:
    tables = tables_of([listed(f"{HOST}/0"), *chain(3, loop=True)])
    assert rule_on(tables, RULE) == []
    assert len(rule_on(tables, "page-redirect-loop")) == 1


def test_message_contains_each_hop() -> None:
    tables = tables_of([listed(f"{HOST}/0"), *chain(2)], RULE)
    message = f"redirects 2 times: {HOST}/0 → {HOST}/1 → {HOST}/2"
    assert rule_on(tables, RULE) == [(f"{HOST}/0", "warning", message)]


def test_only_listed_urls_are_checked() -> None:
    tables = tables_of([listed(f"{HOST}/1"), *chain(3)], RULE)
    assert [url for url, _, _ in rule_on(tables, RULE)] == [f"{HOST}/1"]

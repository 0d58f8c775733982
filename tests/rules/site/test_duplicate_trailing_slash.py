"""duplicate-trailing-slash: two listed URLs differ only in a trailing slash, or in letter case."""

from typing import Any

from sitemapaudit.items import Canonical, Error
from tests.pages.responses import SITE, blocked, failed
from tests.rules.tables import rule_on, tables_of
from tests.rules.together import check, places
from tests.support.rows import fetched_page, listed

RULE = "duplicate-trailing-slash"
A, SLASH, UPPER = f"{SITE}/a", f"{SITE}/a/", f"{SITE}/A"


def test_listed_urls() -> None:
    cases = [
        ([A], []),
        ([A, A], []),
        ([A, SLASH], [SLASH]),
        ([A, UPPER], [A]),
        ([A, f"{SITE}/A/"], [A]),
        ([A, SLASH, UPPER], [A, SLASH]),
        ([f"{SITE}/a/B", f"{SITE}/A/b"], [f"{SITE}/a/B"]),
        ([f"{A}?b=1", f"{A}/?b=1"], [f"{A}?b=1"]),
        ([f"{A}?b=1", f"{A}?B=1"], [f"{A}?b=1"]),
        # The root always has its slash, and a slash that ends a query is not part of the path.
        ([SITE, f"{SITE}/"], []),
        ([f"{SITE}/", f"{SITE}//"], []),
        ([f"{A}?b=/", f"{A}?b="], []),
        ([f"{A}?b=c/?d", f"{A}?b=c?d"], []),
        ([f"{A}/?b=c/?d", f"{A}?b=c/?d"], [f"{A}?b=c/?d"]),
        ([A, f"{A}//"], []),
        ([A, f"{A}?"], []),
        ([A, f"{A}/b"], []),
        ([A, f"{SITE}/a.html"], []),
        ([A, "http://www.example.com/a/"], []),
        ([f"{SITE}/%C3%A9", f"{SITE}/%c3%a9"], []),
    ]
    expected = [(locs, [(url, "warning") for url in found]) for locs, found in cases]
    check(RULE, expected, lambda locs: [listed(*locs)], places)


def page(url: str, **values: Any) -> Any:
    return fetched_page(url, **({"content_hash": "1"} | values))


def test_error_if_both_are_indexable() -> None:
    cases = [
        ([page(A), page(SLASH)], (SLASH, "error")),
        ([page(A), page(SLASH, content_hash=None)], (SLASH, "error")),
        ([page(A, content_hash=None), page(SLASH, content_hash=None)], (SLASH, "error")),
        ([page(A), page(SLASH, content_hash="2")], (SLASH, "warning")),
        ([page(A)], (SLASH, "warning")),
        ([page(SLASH)], (A, "warning")),
        ([page(A, canonical=SLASH), page(SLASH)], (A, "warning")),
        ([page(A), page(SLASH, canonical=A)], (SLASH, "warning")),
        ([page(A, status=301, target=SLASH), page(SLASH)], (A, "warning")),
        ([page(A), page(SLASH, status=404)], (SLASH, "warning")),
        ([page(A), page(SLASH, noindex=True)], (SLASH, "warning")),
        ([page(A), page(SLASH, status=403)], (SLASH, "warning")),
        ([page(A), blocked(SLASH)], (SLASH, "warning")),
        ([page(A), failed(Error.TIMEOUT, at=SLASH)], (SLASH, "warning")),
    ]
    expected = [(pages, [found]) for pages, found in cases]
    check(RULE, expected, lambda pages: [listed(A, SLASH), *pages], places)


def test_message() -> None:
    canonicals = [Canonical("tag", A, A)]
    pages = [page(A, canonicals=canonicals), page(SLASH), page(UPPER, content_hash="2")]
    run = tables_of([listed(A, SLASH, UPPER), *pages], RULE)
    assert rule_on(run, RULE) == [
        (A, "warning", f"is also listed as {UPPER}"),
        (SLASH, "warning", f"is also listed as {UPPER}"),
    ]

"""Whether a listed URL with an error about its page can be indexable, answered per rule."""

from collections.abc import Iterable

import pytest

from sitemapaudit.items import Canonical, Error, Page, Rendering, Severity, Subject, Verdict
from sitemapaudit.rules.catalog import catalog
from tests.pages.responses import (
    HTML,
    SITE,
    blocked,
    canonical,
    failed,
    head,
    page_of,
    redirect,
    withheld,
)
from tests.rules.error_verdicts import ANSWERS, MAY_BE_INDEXABLE
from tests.rules.tables import Tables, tables_of
from tests.support.rows import listed, rendered


def cases() -> dict[str, list[Page | Rendering]]:
    """Return rows that break each rule, the listed page first."""

    def at(rule: str) -> str:
        return f"{SITE}/{rule}"

    def page(rule: str, *elements: str, lines: Iterable[str] = (), media: str = HTML) -> Page:
        return page_of(head(*elements), *lines, at=at(rule), media=media)

    def leading_to(rule: str, target: Page) -> list[Page | Rendering]:
        return [page(rule, canonical(target.url)), target]

    noindex, to_b = "<meta name=robots content=noindex>", canonical("/b")
    chain = [
        redirect(at("page-redirect-chain") + "?" * bool(hop) + str(hop or ""), f"?{hop + 1}")
        for hop in range(12)
    ]
    scripted = page("render-noindex-differs")
    moving = page("render-canonical-differs", canonical(at("render-canonical-differs")))
    found: dict[str, list[Page | Rendering]] = {
        "canonical-chain": leading_to(
            "canonical-chain", page_of(head(canonical(at("canonical-chain"))), at=f"{SITE}/loop")
        ),
        "canonical-elsewhere": [page("canonical-elsewhere", to_b)],
        "canonical-header-conflict": [
            page("canonical-header-conflict", to_b, lines=["Link: </c>; rel=canonical"])
        ],
        "canonical-multiple": [page("canonical-multiple", to_b, canonical("/c"))],
        "canonical-offsite": [page("canonical-offsite", canonical("http://www.example.com/b"))],
        "canonical-outside-head": [
            page_of(f"<body><p>Text.</p>{to_b}", at=at("canonical-outside-head"))
        ],
        "canonical-to-error": leading_to(
            "canonical-to-error", page_of(status=404, at=f"{SITE}/gone")
        ),
        "canonical-to-noindex": leading_to(
            "canonical-to-noindex", page_of(head(noindex), at=f"{SITE}/hidden")
        ),
        "canonical-to-redirect": leading_to(
            "canonical-to-redirect", redirect(f"{SITE}/moved", "/end")
        ),
        "noindex-agent": [page("noindex-agent", "<meta name=googlebot content=noindex>")],
        "noindex-header": [page("noindex-header", lines=["X-Robots-Tag: noindex"])],
        "noindex-meta": [page("noindex-meta", noindex)],
        "page-blocked-by-robots": [blocked(at("page-blocked-by-robots"))],
        "page-client-error": [page_of(status=418, at=at("page-client-error"))],
        "page-connection-error": [failed(Error.RESET, at=at("page-connection-error"))],
        "page-meta-refresh": [page("page-meta-refresh", lines=["Refresh: 0; url=/b"])],
        "page-not-found": [page_of(status=404, at=at("page-not-found"))],
        "page-not-html": [page("page-not-html", media="application/zip")],
        "page-redirect-chain": list(chain),
        "page-redirect-invalid": [page_of(status=301, at=at("page-redirect-invalid"))],
        "page-redirect-loop": [redirect(at("page-redirect-loop"), at("page-redirect-loop"))],
        "page-redirect-offsite": [redirect(at("page-redirect-offsite"), "http://www.example.com/")],
        "page-redirect-permanent": [redirect(at("page-redirect-permanent"), "/b")],
        "page-server-error": [page_of(status=500, at=at("page-server-error"))],
        "page-timeout": [failed(Error.TIMEOUT, at=at("page-timeout"))],
        "page-tls-error": [failed(Error.TLS, at=at("page-tls-error"))],
        "render-canonical-differs": [
            moving,
            rendered(
                moving,
                canonical=None,
                canonicals=[*moving.canonicals, Canonical("tag", "/b", f"{SITE}/b")],
            ),
        ],
        "render-noindex-differs": [scripted, rendered(scripted, Verdict.NOINDEX, noindex=True)],
        "unavailable-after-past": [
            page("unavailable-after-past", lines=["X-Robots-Tag: unavailable_after: 2026-11-20"])
        ],
    }  # fmt: skip
    return found


@pytest.fixture(scope="module")
def tables() -> Tables:
    rows = cases()
    locs = [pages[0].url for pages in rows.values()]
    return tables_of([listed(*locs), *(row for pages in rows.values() for row in pages)])


def test_each_rule_about_pages_that_reports_errors_has_an_answer() -> None:
    errors = {
        rule.id
        for rule in catalog().values()
        if rule.subject is Subject.PAGE and rule.severity is Severity.ERROR
    }
    assert errors == ANSWERS.keys() == cases().keys()


@pytest.mark.parametrize("rule", ANSWERS)
def test_a_url_with_an_error_is_indexable_only_where_the_answer_says_so(
    tables: Tables, rule: str
) -> None:
    url = f"{SITE}/{rule}"
    reported = {(row["rule"], row["severity"]) for row in tables.rows if row["url"] == url}
    assert (rule, "error") in reported
    (indexable,) = tables.urls.loc[tables.urls["url"] == url, "indexable"]
    assert (indexable is True) == (rule in MAY_BE_INDEXABLE)


def test_a_url_with_another_error_of_a_page_is_not_indexable() -> None:
    pages = [
        withheld(how, head(), at=f"{SITE}/{how[:3]}")
        for how in ("401", "broken compression with 200")
    ]
    tables = tables_of([listed(*(page.url for page in pages)), *pages])
    assert not tables.urls["indexable"].any()

"""One rule reports what a listed URL returns; no rule reports content that nobody could read.

These laws hold for every rule about pages, and a new rule cannot forget them.
"""

from collections import defaultdict

from sitemapaudit.items import Error, Page, Role, Subject
from sitemapaudit.rules.catalog import catalog
from tests.pages.responses import HTML, SITE, WITHHELD, canonical, head, page_of, redirect, withheld
from tests.rules.tables import tables_of
from tests.support.rows import NOW, listed


def statuses(first: int, last: int) -> set[str]:
    return {str(status) for status in range(first, last + 1)}


DENIED, GONE = {"401", "403", "407", "429"}, {"404", "410"}
CHALLENGES = {f"challenge with {status}" for status in (200, 202, 403, 404, 405, 418, 503)}

BROKEN = {f"broken compression with {status}" for status in (200, 203)}
INVALID = {"0", "600", "999"}
REDIRECTS = {"301", "302", "303", "307", "308"}

REPORTED: dict[str, tuple[str, set[str]]] = {
    "page-access-denied": ("warning", DENIED | CHALLENGES),
    "page-blocked-by-robots": ("error", {"blocked"}),
    "page-client-error": ("error", statuses(400, 499) - DENIED - GONE),
    "page-connection-error": ("error", {
        *BROKEN, Error.DNS, Error.ENCODING, Error.INVALID_HTTP, Error.PRIVATE_ADDRESS,
        Error.REFUSED, Error.RESET, Error.TRUNCATED,
    }),
    "page-not-found": ("error", GONE),
    "page-redirect-invalid": ("error", REDIRECTS),
    "page-server-error": ("error", statuses(500, 599)),
    "page-status-unusual": ("warning", statuses(100, 399) - {"200"} - REDIRECTS | INVALID),
    "page-timeout": ("error", {Error.TIMEOUT}),
    "page-tls-error": ("error", {Error.TLS}),
}  # fmt: skip
"""The severity of each rule about outcomes, and the outcomes that it reports."""

ERRORS = {*Error} - {Error.CHALLENGE}  # That of a page is in a column of its own.
OUTCOMES = sorted({*statuses(100, 599), *INVALID, *CHALLENGES, *BROKEN, *ERRORS, "blocked"})

OTHERS = {
    # Redirects with a target.
    "page-redirect-chain", "page-redirect-loop", "page-redirect-offsite", "page-redirect-permanent",
    "page-redirect-temporary",
    # What a target returns.
    "canonical-to-error", "canonical-to-redirect",
    # How a second response differs.
    "page-intermittent", "render-canonical-differs", "render-content-differs", "render-failed",
    "render-js-redirect", "render-noindex-differs", "render-script-error", "revalidation-untrue",
}  # fmt: skip
"""Rules about pages that need more than one response to find something."""


def meta(content: str, name: str = "robots") -> str:
    return f'<meta name="{name}" content="{content}">'


GONE_TITLE = "<title>Page not found</title>"
REFRESH = "<meta http-equiv=refresh content='0; url=/b'>"
MODIFIED = "<meta property=article:modified_time content=2026-01-01>"
VERSION = "<link rel=alternate hreflang=de href=/de>"
FAULTS: dict[str, tuple[str, list[str], str]] = {
    "several": (
        head(
            "<meta http-equiv=refresh content='5; url=/refresh'>",
            *map(canonical, ("/b", "/c", "http://other.example/", "")),
            meta("index, noindex"),
            meta("noindex", "robot"),
            meta("noindex", "googlebot"),
            meta("unavailable_after: 2026-11-20"),
            meta("unavailable_after: 2026-12-01"),
        ) + "x" * 2**21,
        ["Link: </d>; rel=canonical", "X-Robots-Tag: index, noindex", "Refresh: 5; url=/refresh"],
        HTML,
    ),
    "outside": (head(GONE_TITLE, "<div></div>", canonical("/b"), VERSION), [], HTML),
    "offsite": (head(GONE_TITLE), ["Link: <http://www.example.com/>; rel=canonical"], HTML),
    "dated": (head(GONE_TITLE, MODIFIED), [], HTML),
    "refresh": (head(REFRESH), ["Refresh: 0; url=/c"], HTML),
    "image": ("x", [], "image/png"),
}  # fmt: skip
"""Documents, headers and media types that together break every rule about the content of a page."""


RULE_OF = {outcome: rule for rule, (_, outcomes) in REPORTED.items() for outcome in outcomes}


def returning(outcome: str, fault: str = "none", role: Role = Role.LISTED) -> Page:
    """Return the row of a slow page with a fault, and with this outcome."""
    body, lines, media = FAULTS.get(fault, ("x", [], HTML))
    at = f"{SITE}/{fault}/{outcome.replace(' ', '-')}"
    page = withheld(outcome, body, *lines, at=at, media=media)
    page.elapsed, page.role = 9.0, role
    return page


def before(page: Page) -> str:
    """Return the URL of a page that names this one."""
    return page.url.replace(SITE, f"{SITE}/before")


def rules_on(pages: list[Page], *unlisted: Page) -> dict[str | None, set[str]]:
    """Return the rules that report each of these pages, and those that have it as their canonical.

    All are listed with a later date than any of theirs.
    """
    sources = [page_of(head(canonical(page.url)), at=before(page)) for page in pages]
    entries = listed(*(page.url for page in [*pages, *sources]))
    for entry in entries.rows:
        entry.lastmod, entry.lastmod_at = NOW.isoformat(), NOW
    tables = tables_of([entries, *pages, *sources, *unlisted])
    assert tables.broken == {}
    found: dict[str | None, set[str]] = defaultdict(set)
    for row in tables.rows:
        found[row["url"]].add(row["rule"])
    return found


def outcomes_of(*pages: Page) -> dict[str | None, dict[str, tuple[str, str]]]:
    """Return severity and message of the rules about outcomes, for each page that has some."""
    tables = tables_of([listed(*(page.url for page in pages)), *pages])
    found: dict[str | None, dict[str, tuple[str, str]]] = defaultdict(dict)
    for row in tables.rows:
        if row["rule"] in REPORTED:
            found[row["url"]][row["rule"]] = (row["severity"], row["message"])
    return found


def test_each_outcome_is_reported_by_its_rule_alone() -> None:
    pages = [returning(outcome) for outcome in OUTCOMES]
    assert {
        (url, rule, severity)
        for url, rules in outcomes_of(*pages).items()
        for rule, (severity, _) in rules.items()
    } == {
        (returning(outcome).url, rule, severity)
        for rule, (severity, outcomes) in REPORTED.items()
        for outcome in outcomes
    }


def test_the_outcome_of_a_redirect_is_reported_like_its_own() -> None:
    """Only a blocked URL is reported if it is listed."""
    ends = [returning(outcome) for outcome in OUTCOMES]
    starts = [redirect(before(end), end.url) for end in ends]
    found = outcomes_of(*starts, *ends)
    for start, end in zip(starts, ends, strict=True):
        expected = {
            rule: (
                severity,
                message.replace("returns", f"redirects to {end.url}, which returns", 1),
            )
            for rule, (severity, message) in found[end.url].items()
            if rule != "page-blocked-by-robots"
        }
        assert found[start.url] == expected


def test_these_documents_break_each_rule_about_content() -> None:
    """Another rule needs a document in ``FAULTS`` that breaks it."""
    found = rules_on([returning("200", fault) for fault in FAULTS])
    rules = {rule.id for rule in catalog().values() if rule.subject is Subject.PAGE}
    about_content = rules - REPORTED.keys() - OTHERS | {"lastmod-page-date"}
    assert about_content - set().union(*found.values()) == set()


def test_unread_content_is_not_reported() -> None:
    pages = {(how, fault): returning(how, fault) for how in WITHHELD for fault in FAULTS}
    found = rules_on([*pages.values()])
    assert {key: found[page.url] for key, page in pages.items()} == {
        (how, fault): {RULE_OF[how]} if how in RULE_OF else set() for how, fault in pages
    }
    on_target = {key: found[before(page)] - OTHERS for key, page in pages.items()}
    assert on_target == {key: {"canonical-elsewhere"} for key in pages}


def test_unlisted_pages_are_not_reported() -> None:
    unlisted = [
        returning(outcome, fault, Role.CANONICAL)
        for outcome in ("200", *WITHHELD)
        for fault in FAULTS
    ]
    found = rules_on([], *unlisted)
    assert found == {None: {"audit-incomplete"}}

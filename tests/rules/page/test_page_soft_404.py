"""page-soft-404: not-found words, no text, the text of a random URL, or sent to the home page."""

import json

from sitemapaudit.items import Error, Page, Role
from sitemapaudit.pages.fingerprint import BITS
from tests.pages.responses import (
    SITE,
    URL,
    blocked,
    canonical,
    failed,
    page_of,
    redirect,
)  # fmt: skip
from tests.rules.tables import Item, rule_on, tables_of
from tests.rules.together import Finding, check, check_verdicts, messages, sentences, urls
from tests.support.rows import listed

RULE = "page-soft-404"
HOME = f"{SITE}/"
PROBE = f"{SITE}/0123456789abcdef01234567"
GONE = "Page not found"
NOINDEX = '<meta name="robots" content="noindex">'


def text(words: int, title: str = "A", h1: str | None = None, more: str = "") -> str:
    """Return a document with this number of words in its main text."""
    heading = "" if h1 is None else f"<header><h1>{h1}</h1></header>"
    main = " ".join(f"w{number}" for number in range(words))
    return f"<html><head><title>{title}</title>{more}</head><body>{heading}<p>{main}</p></body>"


def site_of(*pages: Page) -> list[Item]:
    """Return a site that lists all pages except probes."""
    return [listed(*(page.url for page in pages if page.role is not Role.PROBE)), *pages]


def messages_on(*pages: Page) -> list[tuple[str | None, str]]:
    """Return URL and message of each finding if all pages except probes are listed."""
    findings = rule_on(tables_of(site_of(*pages), RULE), RULE)
    assert {severity for _, severity, _ in findings} <= {"warning"}
    return [(url, message) for url, _, message in findings]


def verdicts(*pages: Page) -> dict[str, str]:
    """Return the verdicts if all pages except probes are listed."""
    urls = tables_of(site_of(*pages), RULE).urls
    return dict(zip(urls["url"], urls["verdict"], strict=True))


def probe(body: str, status: int = 200, at: str = PROBE) -> Page:
    return page_of(body, at=at, status=status, role=Role.PROBE)


def differing(bits: int) -> str:
    """Return a fingerprint that differs from zero in this number of bits."""
    return f"{(1 << bits) - 1:0{BITS // 4}x}"


def test_not_found_words_and_empty_texts_are_reported() -> None:
    bodies = {
        text(149, GONE): f"its title says '{GONE}', and its main text has 149 words",
        text(150, GONE): None,
        text(40, h1="Error 404"): "its h1 says 'Error 404', and its main text has 40 words",
        text(40, "Seite nicht gefunden"): (
            "its title says 'Seite nicht gefunden', and its main text has 40 words"
        ),
        text(1): None,
        text(40, "Peugeot 404"): None,
        text(0): "its main text is empty",
        text(0, more="<script>fill()</script>"): None,
        text(40, GONE, more=NOINDEX): (f"its title says '{GONE}', and its main text has 40 words"),
    }
    places = [f"{SITE}/{number}" for number in range(len(bodies))]
    pages = [page_of(body, at=at) for body, at in zip(bodies, places, strict=True)]
    findings = dict(messages_on(*pages))
    assert {at: findings.get(at) for at in places} == dict(
        zip(places, bodies.values(), strict=True)
    )


def test_verdicts_of_not_found_words_and_empty_texts() -> None:
    pages = [
        page_of(text(149, GONE), at=f"{SITE}/words"),
        page_of(text(150, GONE), at=f"{SITE}/article"),
        page_of(text(0), at=f"{SITE}/empty"),
        page_of(text(0, more="<script>fill()</script>"), at=f"{SITE}/scripts"),
        page_of(text(40, GONE, more=NOINDEX), at=f"{SITE}/noindex"),
    ]
    assert verdicts(*pages) == {
        f"{SITE}/words": "soft-404",
        f"{SITE}/article": "indexable",
        f"{SITE}/empty": "soft-404",
        f"{SITE}/scripts": "indexable",
        f"{SITE}/noindex": "noindex",
    }


def test_status() -> None:
    statuses = (200, 206, 300, 304, 404, 410, 500)
    pages = [page_of(text(40, GONE), at=f"{SITE}/{each}", status=each) for each in statuses]
    assert [url for url, _ in messages_on(*pages)] == [f"{SITE}/200", f"{SITE}/206"]


def test_a_body_of_zero_bytes_is_not_reported() -> None:
    cases: list[tuple[str, list[str]]] = [("", []), (" ", [URL]), ("<p></p>", [URL])]
    check(RULE, cases, lambda body: site_of(page_of(body)), urls)


def test_a_file_that_is_not_html_is_not_reported() -> None:
    cases = ["application/pdf", "text/plain"]
    check(
        RULE,
        [(media, 0) for media in cases],
        lambda media: site_of(page_of(text(40, GONE), media=media)),
        len,
    )


def test_the_text_of_a_random_url_is_reported() -> None:
    same = page_of(text(200))
    other = page_of(text(200).replace("w", "x"), at=f"{SITE}/other")
    pages = (same, other, probe(text(200, title="Another")))
    message = f"has the same main text as the random URL {PROBE} (100.0 % similar)"
    assert messages_on(*pages) == [(URL, message)]
    assert verdicts(*pages) == {URL: "soft-404", f"{SITE}/other": "indexable"}


def test_similarity() -> None:
    cases = [(0, "100.0 %"), (1, "99.2 %"), (6, "95.3 %"), (7, None), (128, None)]

    def items(bits: int) -> list[Item]:
        page, random = page_of(text(200)), probe(text(201))
        page.fingerprint, random.fingerprint = differing(0), differing(bits)
        return site_of(page, random)

    def similarities(found: list[Finding]) -> list[str]:
        return [message.rpartition("(")[2] for message in messages(found)]

    check(
        RULE,
        [(bits, [f"{found} similar)"] if found else []) for bits, found in cases],
        items,
        similarities,
    )
    verdicts = [(bits, {URL: "soft-404" if found else "indexable"}) for bits, found in cases]
    check_verdicts(RULE, verdicts, items)


def test_texts_too_short_for_a_fingerprint_are_compared_by_hash() -> None:
    pages = [page_of(text(2)), page_of("<p>a b</p>", at=f"{SITE}/b"), probe(text(2))]
    assert [url for url, _ in messages_on(*pages)] == [URL]


def test_a_random_url_that_does_not_return_200_is_not_compared() -> None:
    cases = [206, 404, 410, 403, 500, 301]

    def items(status: int) -> list[Item]:
        return site_of(page_of(text(40)), probe(text(40), status))

    check(RULE, [(status, 0) for status in cases], items, len)
    check_verdicts(RULE, [(status, {URL: "indexable"}) for status in cases], items)


def test_a_random_url_without_a_response_is_not_compared() -> None:
    disallowed, timed_out = blocked(PROBE), failed(Error.TIMEOUT, at=f"{PROBE}0")
    disallowed.role = timed_out.role = Role.PROBE
    assert messages_on(page_of(text(40)), disallowed, timed_out) == []


def test_the_home_page_and_other_hosts_are_not_compared() -> None:
    cases = [
        HOME,
        "http://www.example.com/a",
        "https://example.com/a",
        "https://other.example/a",
        "https://www.example.com:8443/a",
    ]

    def items(at: str) -> list[Item]:
        return site_of(page_of(text(40), at=at), probe(text(40)))

    check(RULE, [(at, 0) for at in cases], items, len)
    check_verdicts(RULE, [(at, {at: "indexable"}) for at in cases], items)


def test_only_indexable_pages_are_compared() -> None:
    cases = [NOINDEX, canonical(f"{SITE}/b")]

    def items(more: str) -> list[Item]:
        return site_of(page_of(text(40, more=more)), probe(text(40)))

    check(RULE, [(more, 0) for more in cases], items, len)


def test_a_page_is_reported_once() -> None:
    """Its cause is that of pages with other numbers of words."""
    pages = (page_of(text(40, GONE)), probe(text(40, GONE)))
    (row,) = tables_of([listed(URL), *pages], RULE).rows
    message = f"its title says '{GONE}', and its main text has 40 words"
    assert (row["url"], row["message"]) == (URL, message)
    assert row["cause"] == f"are soft 404s (its title says '{GONE}')"


def test_five_redirects_to_the_home_page_are_reported() -> None:
    places = [f"{SITE}/shop/{each}" for each in range(6)]

    def items(count: int) -> list[Item]:
        pages = [redirect(at, HOME, 301 + each % 2) for each, at in enumerate(places[:count])]
        return site_of(*pages, page_of(text(200), at=HOME))

    message = "redirects to the home page, as do {} other listed URLs of the site"
    expected = [
        (
            count,
            [(at, "warning", message.format(count - 1)) for at in places[:count]] * (count >= 5),
        )
        for count in (4, 5, 6)
    ]
    check(RULE, expected, items, sentences)
    check_verdicts(
        RULE,
        [
            (count, {HOME: "indexable"} | dict.fromkeys(places[:count], "redirected"))
            for count in (4, 5, 6)
        ],
        items,
    )


def test_which_redirects_count() -> None:
    cases = [
        (f"{SITE}/shop/5", HOME, True),
        (f"{SITE}/shop/5/", HOME, True),
        (f"{SITE}/a/b/c?d", HOME, True),
        (f"{SITE}/shop/5", f"{SITE}/?from=5", False),
        (f"{SITE}/shop/5", f"{SITE}/home", False),
        (f"{SITE}/shop/5", "https://example.com/", True),
        (f"{SITE}/shop/5", "http://www.example.com/", True),
        (f"{SITE}/shop/5", "https://other.example/", False),
        (f"{SITE}/shop", HOME, False),
        (f"{SITE}/shop/", HOME, False),
        (f"{SITE}/shop?a=/b/c", HOME, False),
        ("https://other.example/shop/5", "https://other.example/", False),
    ]
    shop = [redirect(f"{SITE}/shop/{each}", HOME) for each in range(4)]
    expected = [(last, target, 5 * counts) for last, target, counts in cases]
    check(RULE, expected, lambda *last: site_of(*shop, redirect(*last)), len)


def test_the_end_of_the_redirects_counts() -> None:
    old = [redirect(f"{SITE}/old/{each}", f"{SITE}/moved") for each in range(5)]
    assert len(messages_on(*old, redirect(f"{SITE}/moved", HOME))) == 5
    new = [redirect(f"{SITE}/old/{each}", HOME) for each in range(5)]
    assert messages_on(*new, redirect(HOME, f"{SITE}/en/")) == []


def test_only_listed_urls_are_checked_and_counted() -> None:
    pages = [
        page_of(text(40, GONE), at=f"{SITE}/unlisted", role=Role.CANONICAL),
        probe(text(40, GONE)),
        *(redirect(f"{SITE}/shop/{each}", HOME) for each in range(5)),
    ]
    shop = [page.url for page in pages[2:6]]
    assert rule_on(tables_of([listed(*shop), *pages], RULE), RULE) == []


def test_evidence() -> None:
    tables = tables_of([listed(URL), page_of(text(0))], RULE)
    (evidence,) = tables.findings[tables.findings["rule"] == RULE]["evidence"]
    assert json.loads(evidence) == {"problem": "its main text is empty"}

"""duplicate-content: listed, indexable pages have the same main text, or nearly the same."""

from hashlib import blake2b
from itertools import permutations
from typing import Any

from sitemapaudit.items import Alternate, Error, Page, Role
from sitemapaudit.pages.fingerprint import fingerprint
from tests.pages.responses import SITE, blocked, failed
from tests.rules.tables import Item, rule_on, tables_of
from tests.rules.together import Finding, check, sentences, severities
from tests.support.rows import fetched_page, listed

RULE = "duplicate-content"
A, B, C = f"{SITE}/a", f"{SITE}/b", f"{SITE}/c"
TEXT = [f"word{number}" for number in range(1_000)]
OTHER = [f"other{number}" for number in range(1_000)]


def page(url: str, text: list[str], /, **values: Any) -> Page:
    """Return a page with this main text."""
    digest = blake2b(" ".join(text).encode(), digest_size=16).hexdigest()
    text_values = {
        "words": len(text),
        "content_hash": digest if text else None,
        "fingerprint": fingerprint(text),
    }
    return fetched_page(url, **(text_values | values))


def site_of(*pages: Page) -> list[Item]:
    locs = [page.url for page in pages if page.role is Role.LISTED]
    return [listed(*locs), *pages]


def found(*pages: Page) -> list[tuple[str | None, str, str]]:
    return rule_on(tables_of(site_of(*pages), RULE), RULE)


def test_texts() -> None:
    cases = [
        (TEXT[:50], TEXT[:50], ["warning", "warning"]),
        (TEXT[:49], TEXT[:49], []),
        ([], [], []),
        (TEXT, TEXT, ["warning", "warning"]),
        (TEXT, OTHER, []),
        # One word in a thousand.
        (TEXT, [*TEXT[:-1], "other"], ["notice", "notice"]),
        (TEXT, [*TEXT[:500], "other", *TEXT[501:]], ["notice", "notice"]),
        (TEXT, TEXT[:980], ["notice", "notice"]),
        (TEXT, TEXT[:500], []),
        (TEXT, TEXT[:500] + OTHER[:500], []),
        (TEXT, TEXT[::-1], []),
        # The same sequences, one of them repeated: the fingerprints are equal.
        (TEXT + TEXT, TEXT + TEXT + TEXT, ["notice", "notice"]),
        # Nearly the same, but one is too short.
        (TEXT[:49], TEXT[:50], []),
    ]
    check(RULE, cases, lambda text, other: site_of(page(A, text), page(B, other)), severities)


def test_the_words_of_the_page_count_not_those_of_the_fingerprint() -> None:
    pages = [page(A, TEXT[:60], words=49), page(B, TEXT[:60], words=49)]
    assert found(*pages) == []


def flipped(count: int, step: int) -> str:
    """Return the fingerprint of the text with ``count`` bits flipped, ``step`` bits apart."""
    whole = fingerprint(TEXT)
    assert whole
    return f"{int(whole, 16) ^ sum(1 << step * number for number in range(count)):064x}"


def test_fingerprints() -> None:
    cases = [
        (1, 1, 99.2),
        (5, 1, 96.0),
        (7, 32, 94.5),
        (12, 1, 90.6),
        # 13 of 256 bits mean less than 90 %.
        (13, 1, None),
        # They are not compared if each of the eight parts differs.
        (8, 32, None),
    ]

    def items(count: int, step: int) -> list[Item]:
        return site_of(page(A, TEXT), page(B, TEXT[:-1], fingerprint=flipped(count, step)))

    def near(similarity: float) -> list[tuple[str, str, str]]:
        start = f"has nearly the same main text (about {similarity} %) as"
        return [(A, "notice", f"{start} {B}"), (B, "notice", f"{start} {A}")]

    expected = [(*flip, near(similarity) if similarity else []) for *flip, similarity in cases]
    check(RULE, expected, items, sentences)


def test_only_listed_indexable_pages_are_compared() -> None:
    cases = [
        page(B, TEXT, canonical=A),
        page(B, TEXT, noindex=True),
        page(B, TEXT, status=404),
        page(B, TEXT, status=403),
        page(B, TEXT, status=301, target=A),
        page(B, TEXT, challenge="a challenge"),
        page(B, TEXT, role=Role.CANONICAL),
        page(B, TEXT, content_hash=None, fingerprint=None),
        page(B, TEXT, words=None),
        blocked(B),
        failed(Error.TIMEOUT, at=B),
        failed(Error.LIMIT, at=B),
    ]
    check(RULE, [(other, 0) for other in cases], lambda other: site_of(page(A, TEXT), other), len)


def test_a_self_canonical_changes_nothing() -> None:
    pages = page(A, TEXT, canonical=A), page(B, TEXT)
    assert [url for url, _, _ in found(*pages)] == [A, B]


def test_a_soft_404_is_not_a_duplicate() -> None:
    probe = page(f"{SITE}/no-such-page", TEXT, role=Role.PROBE)
    assert found(page(A, TEXT), page(B, TEXT), probe) == []


def test_a_home_page_returned_for_missing_pages_is_not_a_duplicate() -> None:
    probe = page(f"{SITE}/no-such-page", TEXT, role=Role.PROBE)
    assert found(page(f"{SITE}/", TEXT), page(B, TEXT), probe) == []


def test_message_of_two() -> None:
    assert found(page(A, TEXT), page(B, TEXT), page(C, OTHER)) == [
        (A, "warning", f"has the same main text as {B}"),
        (B, "warning", f"has the same main text as {A}"),
    ]


def test_message_of_three() -> None:
    assert found(page(A, TEXT), page(B, TEXT), page(C, TEXT)) == [
        (A, "warning", f"has the same main text as 2 other pages, such as {C}"),
        (B, "warning", f"has the same main text as 2 other pages, such as {A}"),
        (C, "warning", f"has the same main text as 2 other pages, such as {A}"),
    ]


def test_a_near_duplicate_of_a_group_is_reported_for_one_page_of_it() -> None:
    near = page(C, TEXT[:-1], fingerprint=flipped(2, 1))
    assert sorted(found(page(A, TEXT), page(B, TEXT), near)) == [
        (A, "notice", f"has nearly the same main text (about 98.4 %) as {C}"),
        (A, "warning", f"has the same main text as {B}"),
        (B, "warning", f"has the same main text as {A}"),
        (C, "notice", f"has nearly the same main text (about 98.4 %) as {A}"),
    ]


def test_message_names_the_most_similar_page() -> None:
    near = page(B, TEXT[:-1], fingerprint=flipped(4, 1))
    nearer = page(C, TEXT[:-2], fingerprint=flipped(3, 1))
    messages = [message for _, _, message in found(page(A, TEXT), near, nearer)]
    assert messages == [
        f"has nearly the same main text (about 97.6 %) as {C}",
        f"has nearly the same main text (about 99.2 %) as {C}",
        f"has nearly the same main text (about 99.2 %) as {B}",
    ]


def test_of_equally_similar_pages_the_first_is_named() -> None:
    whole = int(fingerprint(TEXT) or "", 16)
    near = [
        page(at, [*TEXT[:-1], at], fingerprint=f"{whole ^ 1 << bit:064x}")
        for bit, at in enumerate((B, C, f"{SITE}/d"))
    ]

    def named(found: list[Finding]) -> list[str]:
        return [each["message"].rpartition(" ")[2] for each in found if each["url"] == A]

    cases = [(pages, [B]) for pages in permutations([page(A, TEXT), *near])]
    check(RULE, cases, lambda pages: site_of(*pages), named)


def test_translations_are_not_nearly_the_same() -> None:
    """Untranslated ones are the same: engines choose one of them."""

    def items(text: list[str], source: str, href: str | None) -> list[Item]:
        pages = [page(A, TEXT), page(B, text)]
        for each in pages:
            if each.url == source:
                each.alternates = [Alternate("tag", "alternate", "de", href or "http://[", href)]
        return site_of(*pages)

    cases = [
        (text, source, href, number)
        for text, expected in (([*TEXT[:-1], "other"], 0), (TEXT, 2))
        for source, target in ((A, B), (B, A))
        for href, number in ((target, expected), (C, 2), (None, 2))
    ]
    check(RULE, cases, items, len)

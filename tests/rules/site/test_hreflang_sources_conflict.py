"""hreflang-sources-conflict: sitemap, tags and headers declare different URLs for a code."""

from sitemapaudit.items import Alternate, Entries, Page, Role
from tests.pages.responses import SITE
from tests.rules.tables import Item, rule_on, tables_of
from tests.rules.together import Finding, check, messages, places
from tests.support.rows import SITEMAP, fetched_page, listed

RULE = "hreflang-sources-conflict"
EN, DE, OTHER = f"{SITE}/en", f"{SITE}/de", f"{SITE}/other"

Declared = list[tuple[str, str | None]]


def links(source: str, declared: Declared) -> list[Alternate]:
    return [Alternate(source, "alternate", code, url, url) for code, url in declared]


def in_sitemap(declared: Declared, sitemap: str = SITEMAP) -> Entries:
    entries = listed(EN, sitemap=sitemap)
    entries.rows[0].alternates = links("sitemap", declared)
    return entries


def on_page(tags: Declared, header: Declared = [], role: Role = Role.LISTED) -> Page:  # noqa: B006
    return fetched_page(EN, role=role, alternates=links("tag", tags) + links("header", header))


def test_sources() -> None:
    cases = [
        ([("de", DE)], [("de", DE)], [("de", DE)], []),
        ([("de", DE)], [("de", OTHER)], [], ["de"]),
        ([("de", DE)], [], [("de", OTHER)], ["de"]),
        ([], [("de", DE)], [("de", OTHER)], ["de"]),
        ([("de", DE)], [("de", DE)], [("de", OTHER)], ["de"]),
        ([("de", DE)], [("de", f"{DE}/")], [], ["de"]),
        # A code that only one source declares is not a conflict.
        ([("de", DE)], [], [], []),
        ([("de", DE)], [("fr", OTHER)], [], []),
        ([("de", DE)], [("de-AT", OTHER)], [], []),
        ([("de", DE), ("fr", OTHER)], [("de", DE)], [], []),
        # Case and whitespace are ignored.
        ([("de-AT", DE)], [(" DE-at ", DE)], [], []),
        ([("de-AT", DE)], [(" DE-at ", OTHER)], [], ["de-at"]),
        ([("x-default", DE)], [("x-default", OTHER)], [], ["x-default"]),
        # Another rule reports one code twice in one source; all its URLs are compared.
        ([("de", DE), ("de", OTHER)], [], [], []),
        ([("de", DE), ("de", OTHER)], [("de", OTHER), ("de", DE)], [], []),
        ([("de", DE), ("de", DE)], [("de", DE)], [], []),
        ([("de", DE), ("de", OTHER)], [("de", DE)], [], ["de"]),
        # Values that are not a URL, or not a code.
        ([("de", DE)], [("de", None)], [], []),
        ([("", DE)], [("", OTHER)], [], []),
        ([("de", DE), ("fr", DE)], [("de", OTHER), ("fr", OTHER)], [], ["de", "fr"]),
    ]

    def items(sitemap: Declared, tags: Declared, header: Declared) -> list[Item]:
        return [in_sitemap(sitemap), on_page(tags, header)]

    def codes(found: list[Finding]) -> list[str]:
        assert places(found) == [(EN, "warning")] * len(found)
        texts = [message.partition(": ")[0] for message in messages(found)]
        return sorted(text.removeprefix("declares different alternates for ") for text in texts)

    expected = [(*declared, [f"`{code}`" for code in differing]) for *declared, differing in cases]
    check(RULE, expected, items, codes)


def test_all_sitemaps_are_one_source() -> None:
    files = in_sitemap([("de", DE)]), in_sitemap([("fr", OTHER)], f"{SITE}/b.xml")
    run = tables_of([*files, on_page([("de", DE), ("fr", OTHER)])], RULE)
    assert rule_on(run, RULE) == []


def test_only_listed_urls_are_checked() -> None:
    page = on_page([("de", DE)], [("de", OTHER)], role=Role.REDIRECT)
    assert rule_on(tables_of([listed(DE), page], RULE), RULE) == []


def test_message() -> None:
    page = on_page([("de", OTHER)], [("de", OTHER), ("de", DE)])
    run = tables_of([in_sitemap([("de", DE)]), page], RULE)
    message = (
        f"declares different alternates for `de`: header {DE} {OTHER}, sitemap {DE}, tag {OTHER}"
    )
    assert rule_on(run, RULE) == [(EN, "warning", message)]

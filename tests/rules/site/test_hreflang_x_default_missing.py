"""hreflang-x-default-missing: alternates for two or more codes, but no x-default."""

from tests.pages.responses import SITE, URL
from tests.rules.site.alternates import Links, each_source, in_sitemap, messages_of, on_page
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import listed

RULE = "hreflang-x-default-missing"
B, C = f"{SITE}/b", f"{SITE}/c"
CASES: list[tuple[Links, int]] = [
    ((), 0),
    ((("en", "self"),), 0),
    ((("en", "self"), ("en", B)), 0),
    ((("en", "self"), ("EN ", B)), 0),
    ((("en", "self"), ("de", B)), 2),
    ((("en", "self"), ("en-GB", B)), 2),
    ((("en", "self"), ("de", B), ("fr", C), ("DE", B)), 3),
    ((("en", "self"), ("de", "self")), 2),
    ((("en", "self"), ("de", B), ("x-default", B)), 0),
    ((("x-default", "self"), ("en", "self"), ("de", B)), 0),
    ((("en", "self"), ("de", B), (" X-Default ", B)), 0),
    ((("x-default", B),), 0),
    ((("en", "self"), ("", B)), 0),
]


@each_source
def test_alternates(source: str) -> None:
    found = messages_of(RULE, source, [links for links, _ in CASES])
    assert found == [
        [f"declares alternates for {codes} codes but not for `x-default` ({source})"]
        if codes
        else []
        for _, codes in CASES
    ]


def test_each_source_is_checked_on_its_own() -> None:
    two = (("en", "self"), ("de", B))
    page = on_page(URL, tags=(*two, ("x-default", B)), headers=two[:1])
    run = tables_of([in_sitemap({B: (), URL: two}), page], RULE)
    message = "declares alternates for 2 codes but not for `x-default` (sitemap)"
    assert rule_on(run, RULE) == [(URL, "notice", message)]
    assert list(run.findings[run.findings["rule"] == RULE]["position"]) == [2]


def test_only_listed_pages_are_checked() -> None:
    page = on_page(C, (("de", B), ("en", C)))
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []

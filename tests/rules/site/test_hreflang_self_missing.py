"""hreflang-self-missing: a source declares alternates, but not the URL itself."""

from tests.pages.responses import SITE, URL
from tests.rules.site.alternates import Links, each_source, in_sitemap, messages_of, on_page
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import listed

RULE = "hreflang-self-missing"
B, C = f"{SITE}/b", f"{SITE}/c"
CASES: list[tuple[Links, int]] = [
    ((), 0),
    ((("en", "self"),), 0),
    ((("en", "self"), ("de", B)), 0),
    ((("de", B), ("en", "self")), 0),
    ((("x-default", "self"), ("de", B)), 0),
    ((("en-UK", "self"), ("de", B)), 0),
    ((("en", "HTTPS://WWW.Example.com:443/%30%306#top"), ("de", B)), 0),
    ((("en", "self#top"), ("de", B)), 0),
    ((("de", B),), 1),
    ((("de", B), ("fr", C)), 2),
    ((("x-default", B),), 1),
    ((("xx", B),), 1),
    ((("en", "self/"), ("de", B)), 2),
    ((("en", "http://www.example.com/013"), ("de", B)), 2),
    ((("en", "ftp://www.example.com/a"),), 0),
]


@each_source
def test_alternates(source: str) -> None:
    found = messages_of(RULE, source, [links for links, _ in CASES])
    assert found == [
        [f"is not among its own alternates ({source}: {count})"] if count else []
        for _, count in CASES
    ]


def test_each_source_is_checked_on_its_own() -> None:
    both = (("en", "self"), ("de", B))
    entries = in_sitemap({URL: both[1:]})
    run = tables_of([entries, on_page(URL, tags=both, headers=both[1:])], RULE)
    assert sorted(rule_on(run, RULE)) == [
        (URL, "warning", "is not among its own alternates (header: 1)"),
        (URL, "warning", "is not among its own alternates (sitemap: 1)"),
    ]
    causes = {row["cause"] for row in run.rows if row["rule"] == RULE}
    assert causes == {
        f"are not among their own alternates ({name})" for name in ("header", "sitemap")
    }


def test_each_entry_is_checked_on_its_own() -> None:
    first, second = in_sitemap({URL: (("de", B),)}), in_sitemap({URL: (("en", URL),)})
    second.rows[0].position = 2
    run = tables_of([first, second], RULE)
    rows = run.findings[run.findings["rule"] == RULE]
    assert list(rows["position"]) == [1]


def test_only_listed_pages_are_checked() -> None:
    assert rule_on(tables_of([listed(URL), on_page(C, (("de", B),))], RULE), RULE) == []

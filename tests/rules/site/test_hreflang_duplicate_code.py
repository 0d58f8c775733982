"""hreflang-duplicate-code: a source declares two different URLs for one code."""

from tests.pages.responses import SITE, URL
from tests.rules.site.alternates import Links, each_source, in_sitemap, messages_of, on_page
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import listed

RULE = "hreflang-duplicate-code"
B, C = f"{SITE}/b", f"{SITE}/c"
CASES: list[tuple[Links, list[str]]] = [
    ((("de", B),), []),
    ((("de", B), ("fr", C)), []),
    ((("de", B), ("fr", B)), []),
    ((("de", B), ("de", B)), []),
    ((("de", B), ("de", f"{B}#top"), ("de", "HTTPS://www.example.com:443/%62")), []),
    ((("de", B), ("de-AT", C)), []),
    ((("de", B), ("de", C)), [f"2 alternates for `de` (%s): {B}, {C}"]),
    ((("de", C), ("de", B), ("de", B)), [f"2 alternates for `de` (%s): {B}, {C}"]),
    ((("de-at", B), ("DE-AT", C)), [f"2 alternates for `de-at` (%s): {B}, {C}"]),
    ((("de", B), (" de ", C)), [f"2 alternates for `de` (%s): {B}, {C}"]),
    ((("de", B), ("de", f"{B}/")), [f"2 alternates for `de` (%s): {B}, {B}/"]),
    ((("x-default", B), ("x-default", C)), [f"2 alternates for `x-default` (%s): {B}, {C}"]),
    ((("de", B), ("de", "ftp://www.example.com/b")), []),
    (
        (("fr", B), ("fr", C), ("de", B), ("de", C)),
        [f"2 alternates for `de` (%s): {B}, {C}", f"2 alternates for `fr` (%s): {B}, {C}"],
    ),
    (
        tuple(("de", f"{SITE}/{number}") for number in range(1, 7)),
        ["6 alternates for `de` (%s): " + ", ".join(f"{SITE}/{number}" for number in range(1, 6))],
    ),
]


@each_source
def test_alternates(source: str) -> None:
    found = messages_of(RULE, source, [links for links, _ in CASES])
    expected = [[f"declares {each % source}" for each in messages] for _, messages in CASES]
    assert [sorted(messages) for messages in found] == expected


def test_each_source_and_each_entry_is_checked_on_its_own() -> None:
    first, second = in_sitemap({URL: (("de", B),)}), in_sitemap({URL: (("de", C),)})
    second.rows[0].position = 2
    run = tables_of([first, second, on_page(URL, (("de", C),), (("de", B),))], RULE)
    assert rule_on(run, RULE) == []


def test_severity_and_place() -> None:
    run = tables_of([in_sitemap({B: (), URL: (("de", B), ("de", C))})], RULE)
    ((at, severity, _),) = rule_on(run, RULE)
    assert (at, severity) == (URL, "error")
    assert list(run.findings[run.findings["rule"] == RULE]["position"]) == [2]


def test_only_listed_pages_are_checked() -> None:
    page = on_page(C, (("de", B), ("de", C)))
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []


def test_a_link_for_other_media_is_no_language_version() -> None:
    entries = in_sitemap({URL: (("de", B), ("de", C))})
    entries.rows[0].alternates[1].media = "only screen and (max-width: 640px)"
    assert rule_on(tables_of([entries], RULE), RULE) == []

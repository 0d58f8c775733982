"""hreflang-code-invalid: neither x-default nor a language with an optional script and region."""

import pytest

from tests.pages.responses import SITE, URL, head, page_of
from tests.rules.site.alternates import each_source, in_sitemap, messages_of, on_page
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import SITEMAP, listed

RULE = "hreflang-code-invalid"
B = f"{SITE}/b"
REGION, SCRIPT = "not an ISO 3166-1 alpha-2 region code", "not an ISO 15924 script code"
CODES = {
    "en": None,
    "EN": None,
    "en-GB": None,
    "EN-gb": None,
    "zh-Hant": None,
    "zh-hant-tw": None,
    "x-default": None,
    "X-Default": None,
    " de ": None,
    "": None,
    "en_GB": "it has an underscore instead of a hyphen",
    "en-UK": f"'UK' is {REGION} (the United Kingdom is GB)",
    "en-EU": f"'EU' is {REGION}",
    "es-419": f"'419' is {REGION}",
    "GB": "'GB' is a region, but the language must come first",
    "xx": "'xx' is not an ISO 639-1 language code",
    "deu": "'deu' is not an ISO 639-1 language code",
    "default": "'default' is not an ISO 639-1 language code",
    "x-default-en": "'x' is not an ISO 639-1 language code",
    "en-": f"'' is {REGION}",
    "zh-Hanz": f"'Hanz' is {SCRIPT}",
    "zh-TW-Hant": "unexpected 'Hant' after the region",
}


@each_source
def test_codes(source: str) -> None:
    found = messages_of(RULE, source, [((code, B),) for code in CODES])
    expected = {
        code: [f"declares the invalid hreflang `{code}` ({source}): {problem}"] if problem else []
        for code, problem in CODES.items()
    }
    assert dict(zip(CODES, found, strict=True)) == expected


def test_each_code_is_reported_once_per_source() -> None:
    links = (("en-UK", B), ("en-UK", f"{SITE}/c"), ("xx", B), ("de", B))
    entries = in_sitemap({URL: links})
    entries.rows *= 2
    run = tables_of([entries, on_page(URL, tags=links[:1])], RULE)
    findings = sorted(rule_on(run, RULE))
    uk = f"'UK' is {REGION} (the United Kingdom is GB)"
    assert findings == [
        (URL, "error", f"declares the invalid hreflang `en-UK` (sitemap): {uk}"),
        (URL, "error", f"declares the invalid hreflang `en-UK` (tag): {uk}"),
        (
            URL,
            "error",
            "declares the invalid hreflang `xx` (sitemap): 'xx' is not an ISO 639-1 language code",
        ),
    ]


def test_each_entry_is_reported() -> None:
    run = tables_of([in_sitemap({URL: (("xx", B),), B: (("xx", B),)})], RULE)
    rows = run.findings[run.findings["rule"] == RULE]
    places = zip(rows["url"], rows["sitemap"], rows["position"], strict=True)
    assert sorted(places) == [(URL, SITEMAP, 1), (B, SITEMAP, 2)]


def test_only_listed_pages_are_checked() -> None:
    assert rule_on(tables_of([listed(URL), on_page(B, (("xx", B),))], RULE), RULE) == []


@pytest.mark.parametrize(
    "link",
    [
        '<link rel="stylesheet" hreflang="xx" href="/b">',
        '<link rel="alternate" href="/b">',
        '<a rel="alternate" hreflang="xx" href="/b">',
    ],
)
def test_links_that_are_not_alternates(link: str) -> None:
    assert rule_on(tables_of([listed(URL), page_of(head(link))], RULE), RULE) == []

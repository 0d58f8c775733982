"""hreflang-code-invalid: neither x-default nor language, script and region."""

from pathlib import Path

import pytest

from tests.pages.answers import SITE, URL, head, page_of
from tests.rules.site.alternates import each_source, in_sitemap, on_page, told
from tests.support import SITEMAP, build_run, listed, rule_on

RULE = "hreflang-code-invalid"
B = f"{SITE}/b"
REGION, SCRIPT = "no region of ISO 3166-1 alpha-2", "no script of ISO 15924"
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
    "en_GB": "it holds an underscore instead of a hyphen",
    "en-UK": f"'UK' is {REGION} (the United Kingdom is GB)",
    "en-EU": f"'EU' is {REGION}",
    "es-419": f"'419' is {REGION}",
    "GB": "'GB' is a region, and the language comes first",
    "xx": "'xx' is no language of ISO 639-1",
    "deu": "'deu' is no language of ISO 639-1",
    "default": "'default' is no language of ISO 639-1",
    "x-default-en": "'x' is no language of ISO 639-1",
    "en-": f"'' is {REGION}",
    "zh-Hanz": f"'Hanz' is {SCRIPT}",
    "zh-TW-Hant": "'Hant' follows the region",
}


@each_source
def test_code(tmp_path: Path, source: str) -> None:
    found = told(tmp_path, RULE, source, [((code, B),) for code in CODES])
    expected = {
        code: [f"hreflang {code} ({source}): {problem}"] if problem else []
        for code, problem in CODES.items()
    }
    assert dict(zip(CODES, found, strict=True)) == expected


def test_each_code_of_each_place_is_told_once(tmp_path: Path) -> None:
    links = (("en-UK", B), ("en-UK", f"{SITE}/c"), ("xx", B), ("de", B))
    entries = in_sitemap({URL: links})
    entries.rows *= 2
    run = build_run(tmp_path, [entries, on_page(URL, tags=links[:1])])
    messages = sorted(rule_on(run, RULE))
    uk = f"'UK' is {REGION} (the United Kingdom is GB)"
    assert messages == [
        (URL, "error", f"hreflang en-UK (sitemap): {uk}"),
        (URL, "error", f"hreflang en-UK (tag): {uk}"),
        (URL, "error", "hreflang xx (sitemap): 'xx' is no language of ISO 639-1"),
    ]


def test_each_entry_is_told(tmp_path: Path) -> None:
    run = build_run(tmp_path, [in_sitemap({URL: (("xx", B),), B: (("xx", B),)})])
    rows = run.findings[run.findings["rule"] == RULE]
    places = zip(rows["url"], rows["sitemap"], rows["position"], strict=True)
    assert sorted(places) == [(URL, SITEMAP, 1), (B, SITEMAP, 2)]


def test_only_listed_pages_are_judged(tmp_path: Path) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), on_page(B, (("xx", B),))]), RULE) == []


@pytest.mark.parametrize(
    "link",
    [
        '<link rel="stylesheet" hreflang="xx" href="/b">',
        '<link rel="alternate" href="/b">',
        '<a rel="alternate" hreflang="xx" href="/b">',
    ],
)
def test_what_is_no_alternate(tmp_path: Path, link: str) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), page_of(head(link))]), RULE) == []

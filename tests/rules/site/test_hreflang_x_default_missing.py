"""hreflang-x-default-missing: alternates for two codes or more, and no x-default."""

from pathlib import Path

from tests.pages.answers import SITE, URL
from tests.rules.site.alternates import Links, each_source, in_sitemap, on_page, told
from tests.support import build_run, listed, rule_on

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
def test_alternates(tmp_path: Path, source: str) -> None:
    found = told(tmp_path, RULE, source, [links for links, _ in CASES])
    assert found == [
        [f"names alternates for {codes} codes ({source}), and no x-default"] if codes else []
        for _, codes in CASES
    ]


def test_each_place_is_judged_by_itself(tmp_path: Path) -> None:
    two = (("en", "self"), ("de", B))
    page = on_page(URL, tags=(*two, ("x-default", B)), headers=two[:1])
    run = build_run(tmp_path, [in_sitemap({B: (), URL: two}), page])
    message = "names alternates for 2 codes (sitemap), and no x-default"
    assert rule_on(run, RULE) == [(URL, "notice", message)]
    assert list(run.findings[run.findings["rule"] == RULE]["position"]) == [2]


def test_only_listed_pages_are_judged(tmp_path: Path) -> None:
    page = on_page(C, (("de", B), ("en", C)))
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []

"""hreflang-self-missing: there are alternates, and none of them is the URL itself."""

from pathlib import Path

from tests.pages.answers import SITE, URL
from tests.rules.site.alternates import Links, each_source, in_sitemap, on_page, told
from tests.support import build_run, listed, rule_on

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
def test_alternates(tmp_path: Path, source: str) -> None:
    found = told(tmp_path, RULE, source, [links for links, _ in CASES])
    assert found == [
        [f"names {number} alternates ({source}), and not itself"] if number else []
        for _, number in CASES
    ]


def test_each_place_is_judged_by_itself(tmp_path: Path) -> None:
    both = (("en", "self"), ("de", B))
    entries = in_sitemap({URL: both[1:]})
    run = build_run(tmp_path, [entries, on_page(URL, tags=both, headers=both[1:])])
    assert sorted(rule_on(run, RULE)) == [
        (URL, "warning", "names 1 alternates (header), and not itself"),
        (URL, "warning", "names 1 alternates (sitemap), and not itself"),
    ]


def test_each_entry_is_judged_by_itself(tmp_path: Path) -> None:
    first, second = in_sitemap({URL: (("de", B),)}), in_sitemap({URL: (("en", URL),)})
    second.rows[0].position = 2
    run = build_run(tmp_path, [first, second])
    rows = run.findings[run.findings["rule"] == RULE]
    assert list(rows["position"]) == [1]


def test_only_listed_pages_are_judged(tmp_path: Path) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), on_page(C, (("de", B),))]), RULE) == []

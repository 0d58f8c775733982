"""hreflang-duplicate-code: two different addresses for one code."""

from pathlib import Path

from tests.pages.answers import SITE, URL
from tests.rules.site.alternates import Links, each_source, in_sitemap, on_page, told
from tests.support import build_run, listed, rule_on

RULE = "hreflang-duplicate-code"
B, C = f"{SITE}/b", f"{SITE}/c"
CASES: list[tuple[Links, list[str]]] = [
    ((("de", B),), []),
    ((("de", B), ("fr", C)), []),
    ((("de", B), ("fr", B)), []),
    ((("de", B), ("de", B)), []),
    ((("de", B), ("de", f"{B}#top"), ("de", "HTTPS://www.example.com:443/%62")), []),
    ((("de", B), ("de-AT", C)), []),
    ((("de", B), ("de", C)), [f"2 addresses for de (%s): {B}, {C}"]),
    ((("de", C), ("de", B), ("de", B)), [f"2 addresses for de (%s): {B}, {C}"]),
    ((("de-at", B), ("DE-AT", C)), [f"2 addresses for de-at (%s): {B}, {C}"]),
    ((("de", B), (" de ", C)), [f"2 addresses for de (%s): {B}, {C}"]),
    ((("de", B), ("de", f"{B}/")), [f"2 addresses for de (%s): {B}, {B}/"]),
    ((("x-default", B), ("x-default", C)), [f"2 addresses for x-default (%s): {B}, {C}"]),
    ((("de", B), ("de", "ftp://www.example.com/b")), []),
    (
        (("fr", B), ("fr", C), ("de", B), ("de", C)),
        [f"2 addresses for de (%s): {B}, {C}", f"2 addresses for fr (%s): {B}, {C}"],
    ),
    (
        tuple(("de", f"{SITE}/{number}") for number in range(1, 7)),
        ["6 addresses for de (%s): " + ", ".join(f"{SITE}/{number}" for number in range(1, 6))],
    ),
]


@each_source
def test_alternates(tmp_path: Path, source: str) -> None:
    found = told(tmp_path, RULE, source, [links for links, _ in CASES])
    expected = [[f"names {each % source}" for each in messages] for _, messages in CASES]
    assert [sorted(messages) for messages in found] == expected


def test_each_place_and_each_entry_is_judged_by_itself(tmp_path: Path) -> None:
    first, second = in_sitemap({URL: (("de", B),)}), in_sitemap({URL: (("de", C),)})
    second.rows[0].position = 2
    run = build_run(tmp_path, [first, second, on_page(URL, (("de", C),), (("de", B),))])
    assert rule_on(run, RULE) == []


def test_severity_and_place(tmp_path: Path) -> None:
    run = build_run(tmp_path, [in_sitemap({B: (), URL: (("de", B), ("de", C))})])
    ((at, severity, _),) = rule_on(run, RULE)
    assert (at, severity) == (URL, "error")
    assert list(run.findings[run.findings["rule"] == RULE]["position"]) == [2]


def test_only_listed_pages_are_judged(tmp_path: Path) -> None:
    page = on_page(C, (("de", B), ("de", C)))
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []

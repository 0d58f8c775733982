"""url-in-multiple-sitemaps: at least two files list the same normalized loc."""

import json
from typing import Any

import pytest

from sitemapaudit.items import Alternate, Entries, Image, Kind, News, Video
from tests.pages.responses import SITE, URL
from tests.rules.tables import rule_on, tables_of
from tests.rules.together import Finding, check, places
from tests.support.rows import listed

RULE = "url-in-multiple-sitemaps"
A, B, C = f"{SITE}/a.xml", f"{SITE}/b.xml", f"{SITE}/c.xml"


def test_files() -> None:
    cases: list[tuple[list[Entries], list[tuple[str, str]]]] = [
        ([listed(URL, sitemap=A)], []),
        ([listed(URL, sitemap=A), listed(URL, sitemap=B)], [(URL, "notice")]),
        ([listed(URL, URL, sitemap=A)], []),
        ([listed(URL, URL, sitemap=A), listed(URL, sitemap=B)], [(URL, "notice")]),
        (
            [listed(URL, sitemap=A), listed("HTTPS://WWW.example.com:443/%61#x", sitemap=B)],
            [(URL, "notice")],
        ),
        ([listed(URL, sitemap=A), listed(f"{URL}/", sitemap=B)], []),
        ([listed(URL, sitemap=A), listed(f"{SITE}/A", sitemap=B)], []),
        ([listed(URL, sitemap=A), listed("http://www.example.com/a", sitemap=B)], []),
        ([listed("not a url", sitemap=A), listed("not a url", sitemap=B)], []),
        ([listed(URL, sitemap=A), listed(URL, sitemap=B, kind=Kind.RSS)], [(URL, "notice")]),
        ([listed(URL, sitemap=A), listed(URL, sitemap=B, kind=Kind.TEXT)], [(URL, "notice")]),
        ([listed(C, sitemap=A, kind=Kind.SITEMAPINDEX), listed(C, sitemap=B)], []),
        ([listed(C, sitemap=A, kind=Kind.SITEMAPINDEX)] * 2, []),
    ]

    def findings(found: list[Finding]) -> list[tuple[str | None, str]]:
        assert {(each["sitemap"], each["position"]) for each in found} <= {(A, 1)}
        return places(found)

    check(RULE, cases, lambda files: files, findings)


def test_message_names_the_files() -> None:
    run = tables_of([listed(URL, sitemap=file) for file in (C, A, B)], RULE)
    assert rule_on(run, RULE) == [(URL, "notice", f"is listed in 3 sitemaps: {A}, {B}, {C}")]
    (finding,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (finding.sitemap, finding.subject) == (A, "site")
    assert json.loads(str(finding.evidence))["count"] == 3


IMAGE, VIDEO, NEWS = {"images": [Image()]}, {"videos": [Video()]}, {"news": [News()]}


def extended(sitemap: str, **values: Any) -> Entries:
    """Return a sitemap that lists two URLs, the second of them with extensions."""
    entries = listed(URL, f"{SITE}/other", sitemap=sitemap)
    for name, value in values.items():
        setattr(entries.rows[1], name, value)
    return entries


def test_message_names_special_kinds() -> None:
    cases: list[tuple[Entries, str, list[str]]] = [
        (extended(B), "", []),
        (extended(B, alternates=[Alternate("entry", None, None, None, None)]), "", []),
        (extended(B, **IMAGE), ", including an image sitemap", ["an image sitemap"]),
        (extended(B, **VIDEO), ", including a video sitemap", ["a video sitemap"]),
        (extended(B, **NEWS), ", including a news sitemap", ["a news sitemap"]),
        (
            extended(B, **IMAGE, **NEWS),
            ", including an image sitemap, a news sitemap",
            ["an image sitemap", "a news sitemap"],
        ),
        (listed(URL, sitemap=B, kind=Kind.RSS), ", including a feed", ["a feed"]),
        (listed(URL, sitemap=B, kind=Kind.ATOM), ", including a feed", ["a feed"]),
        (listed(URL, sitemap=B, kind=Kind.TEXT), "", []),
    ]

    def kinds(found: list[Finding]) -> list[tuple[str, list[str]]]:
        assert places(found) == [(URL, "notice")]
        return [(each["message"], json.loads(each["evidence"])["kinds"]) for each in found]

    expected = [
        (file, [(f"is listed in 2 sitemaps{note}: {A}, {B}", names)]) for file, note, names in cases
    ]
    check(RULE, expected, lambda file: [listed(URL, sitemap=A), file], kinds)


def test_message_names_the_kinds_of_all_files() -> None:
    files = [extended(A, **NEWS), extended(B, **NEWS), listed(URL, sitemap=C, kind=Kind.RSS)]
    ((_, _, message),) = rule_on(tables_of([*files, extended("x.xml")], RULE), RULE)[:1]
    assert message.startswith("is listed in 4 sitemaps, including a feed, a news sitemap: ")


def test_a_file_that_does_not_list_the_url_is_not_named() -> None:
    others = extended(C, **NEWS)
    others.rows = others.rows[1:]
    files = [listed(URL, sitemap=A), listed(URL, sitemap=B), others]
    assert rule_on(tables_of(files, RULE), RULE) == [
        (URL, "notice", f"is listed in 2 sitemaps: {A}, {B}")
    ]


@pytest.mark.parametrize(("count", "end"), [(5, "/5.xml"), (6, "/5.xml …")])
def test_message_names_at_most_five_files(count: int, end: str) -> None:
    names = [f"{SITE}/{number}.xml" for number in range(1, count + 1)]
    run = tables_of([listed(URL, sitemap=name) for name in names], RULE)
    ((_, _, message),) = rule_on(run, RULE)
    assert message.startswith(f"is listed in {count} sitemaps: {SITE}/1.xml, ")
    assert message.endswith(end)

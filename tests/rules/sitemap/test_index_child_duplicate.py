"""index-child-duplicate: one index lists the same normalized child at least twice."""

import json

from sitemapaudit.items import Entries
from tests.rules.sitemap.files import entries_of, index, url, urlset
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support.rows import SITEMAP

RULE = "index-child-duplicate"
A, B, C = (f"https://www.example.com/{name}.xml" for name in "abc")


def run_of(**files: str) -> Tables:
    """Return the tables of a run that read these files, named without ``.xml``."""
    addresses = {f"https://www.example.com/{name}.xml": body for name, body in files.items()}
    return tables_of([Entries(at, entries_of(body, at=at)) for at, body in addresses.items()], RULE)


def positions(run: Tables) -> list[tuple[str, int]]:
    """Return the file name and the position of each finding."""
    rows = run.findings[run.findings["rule"] == RULE]
    names = [sitemap.rpartition("/")[2].removesuffix(".xml") for sitemap in rows["sitemap"]]
    return sorted(zip(names, map(int, rows["position"]), strict=True))


def test_each_repeat_is_one_finding() -> None:
    run = run_of(
        once=index(A, B, C),
        twice=index(A, B, A),
        thrice=index(A, A, B, A),
        pairs=index(A, B, B, A),
    )
    expected = [("pairs", 3), ("pairs", 4), ("thrice", 2), ("thrice", 4), ("twice", 3)]
    assert positions(run) == expected


def test_children_are_compared_normalized() -> None:
    same = [
        "HTTPS://WWW.Example.COM/a.xml",
        f"{A}#x",
        f" {A}\n",
        "https://www.example.com:443/a.xml",
    ]
    different = [f"{A}?", f"{A}/", "https://www.example.com/A.xml", "http://www.example.com/a.xml"]
    run = run_of(same=index(A, *same), different=index(A, *different))
    assert positions(run) == [("same", position) for position in (2, 3, 4, 5)]


def test_children_that_are_not_repeats() -> None:
    run = run_of(
        first=index(A),
        second=index(A),
        invalid=index("", "", "/a.xml", "/a.xml"),
        pages=urlset(url(A), url(A)),
    )
    assert positions(run) == []


def test_message_evidence_and_place() -> None:
    run = run_of(sitemap=index(B, A, C, A))
    message = f"lists {A} again: entry 4 repeats entry 2"
    assert [finding[1:] for finding in rule_on(run, RULE)] == [("notice", message)]
    (row,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (row.sitemap, row.position) == (SITEMAP, 4)
    assert json.loads(str(row.evidence)) == {"repeat": 4, "first": 2, "child": A}

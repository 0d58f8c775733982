"""index-child-duplicate: a normalised child stands at least twice in one index."""

import json
from pathlib import Path

from sitemapaudit import Run
from sitemapaudit.items import Entries
from tests.rules.sitemap.files import entries_of, index, url, urlset
from tests.support import SITEMAP, build_run, rule_on

RULE = "index-child-duplicate"
A, B, C = (f"https://www.example.com/{name}.xml" for name in "abc")


def run_of(folder: Path, **files: str) -> Run:
    """Return a run over files whose names end in ``.xml``."""
    addresses = {f"https://www.example.com/{name}.xml": body for name, body in files.items()}
    return build_run(
        folder, [Entries(at, entries_of(body, at=at)) for at, body in addresses.items()]
    )


def positions(run: Run) -> list[tuple[str, int]]:
    """Return name and position of each finding."""
    rows = run.findings[run.findings["rule"] == RULE]
    names = [sitemap.rpartition("/")[2].removesuffix(".xml") for sitemap in rows["sitemap"]]
    return sorted(zip(names, map(int, rows["position"]), strict=True))


def test_each_repeat_has_its_position(tmp_path: Path) -> None:
    run = run_of(
        tmp_path,
        once=index(A, B, C),
        twice=index(A, B, A),
        thrice=index(A, A, B, A),
        pairs=index(A, B, B, A),
    )
    expected = [("pairs", 3), ("pairs", 4), ("thrice", 2), ("thrice", 4), ("twice", 3)]
    assert positions(run) == expected


def test_spellings(tmp_path: Path) -> None:
    same = [
        "HTTPS://WWW.Example.COM/a.xml",
        f"{A}#x",
        f" {A}\n",
        "https://www.example.com:443/a.xml",
    ]
    different = [f"{A}?", f"{A}/", "https://www.example.com/A.xml", "http://www.example.com/a.xml"]
    run = run_of(tmp_path, same=index(A, *same), different=index(A, *different))
    assert positions(run) == [("same", position) for position in (2, 3, 4, 5)]


def test_what_is_no_repeat(tmp_path: Path) -> None:
    run = run_of(
        tmp_path,
        first=index(A),
        second=index(A),
        invalid=index("", "", "/a.xml", "/a.xml"),
        pages=urlset(url(A), url(A)),
    )
    assert positions(run) == []


def test_message_evidence_and_place(tmp_path: Path) -> None:
    run = run_of(tmp_path, sitemap=index(B, A, C, A))
    message = f"lists {A} again: entry 4 repeats entry 2"
    assert [told for _, *told in rule_on(run, RULE)] == [["notice", message]]
    (row,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (row.sitemap, row.position) == (SITEMAP, 4)
    assert json.loads(str(row.evidence)) == {"repeat": 4, "first": 2, "child": A}

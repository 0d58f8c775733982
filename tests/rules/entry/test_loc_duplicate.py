"""loc-duplicate: one normalized URL twice in one sitemap; each repeated entry is reported."""

from sitemapaudit.items import Entries
from tests.rules.sitemap.files import (
    atom,
    atom_entry,
    entries_of,
    index,
    item,
    rss,
    url,
    urlset,
)
from tests.rules.tables import Tables, rule_on, tables_of
from tests.rules.together import check, column, messages
from tests.support.rows import SITEMAP

A = "https://www.example.com/a"
B = "https://www.example.com/b"
SECOND = "https://www.example.com/second.xml"
RULE = "loc-duplicate"


def audit_files(**files: str) -> Tables:
    """Return the tables of a run over sitemaps with these names, without ``.xml``."""
    bodies = {f"https://www.example.com/{name}.xml": body for name, body in files.items()}
    entries = [Entries(at, entries_of(body, at=at)) for at, body in bodies.items()]
    return tables_of(entries, RULE)


def entries_in(body: str) -> list[Entries]:
    return [Entries(SITEMAP, entries_of(body))]


def positions(tables: Tables) -> list[tuple[str, int]]:
    """Return the sitemap and position of each finding."""
    rows = tables.findings[tables.findings["rule"] == RULE]
    places = zip(rows["sitemap"], rows["position"], strict=True)
    return sorted((sitemap, int(position)) for sitemap, position in places)


def test_each_repeated_entry_is_a_finding() -> None:
    cases: list[tuple[list[str], list[int]]] = [
        ([A], []),
        ([A, B], []),
        ([A, A], [2]),
        ([A, B, A], [3]),
        ([A, A, A], [2, 3]),
        ([A, B, B, A], [3, 4]),
        ([B, A, B, A, B], [3, 4, 5]),
    ]
    expected = [(urlset(*map(url, locs)), places) for locs, places in cases]
    check(RULE, expected, entries_in, lambda found: sorted(column("position")(found)))


def test_spellings_of_one_url() -> None:
    cases = [
        f" {A}\n",
        "HTTPS://WWW.Example.COM/a",
        "https://www.example.com:443/a",
        "https://www.example.com/%61",
        "https://www.example.com/./a",
    ]
    check(
        RULE, [(urlset(url(A), url(same)), [2]) for same in cases], entries_in, column("position")
    )


def test_different_urls() -> None:
    cases = [
        (A, f"{A}/"),
        (A, "https://www.example.com/A"),
        (A, f"{A}#top"),
        (A, f"{A}#"),
        (f"{A}#b", f"{A}#c"),
        (A, "http://www.example.com/a"),
        (A, "https://example.com/a"),
        (A, "https://www.example.com:8443/a"),
        (A, f"{A}?"),
        (f"{A}?x=1&amp;y=2", f"{A}?y=2&amp;x=1"),
        ("https://www.example.com/", "https://www.example.com/index.html"),
        ("https://www.example.com/%2F", "https://www.example.com//"),
    ]
    check(RULE, [(urlset(*map(url, pair)), []) for pair in cases], entries_in, column("position"))


def test_percent_encoding_is_not_case_sensitive() -> None:
    body = urlset(url(f"{A}/%c3%a4"), url(f"{A}/%C3%A4"), url(f"{A}/ä"))
    assert positions(audit_files(sitemap=body)) == [(SITEMAP, 2), (SITEMAP, 3)]


def test_two_sitemaps_may_list_the_same_url() -> None:
    assert positions(audit_files(sitemap=urlset(url(A)), second=urlset(url(A)))) == []


def test_each_sitemap_is_checked_separately() -> None:
    tables = audit_files(
        sitemap=urlset(url(B), url(A)),
        second=urlset(url(A), url(B), url(A)),
    )
    assert positions(tables) == [(SECOND, 3)]


def test_in_every_format() -> None:
    cases = [
        f"{A}\n{A}\n",
        f"{A}\n\n\n{A}\n",
        rss(item(A), item(A)),
        atom(atom_entry(A), atom_entry(A)),
        urlset(url(f"{A}?x&y"), url(f"{A}?x&y")),
    ]
    check(RULE, [(body, [2]) for body in cases], entries_in, column("position"))


def test_children_of_an_index_and_invalid_locs_are_not_reported() -> None:
    cases = [
        index(A, A),
        urlset("<url/>", "<url/>"),
        urlset(url(""), url("")),
        urlset(url("/a"), url("/a")),
        urlset(url("ftp://a/b"), url("ftp://a/b")),
    ]
    check(RULE, [(body, []) for body in cases], entries_in, column("position"))


def test_children_of_an_index_are_not_counted() -> None:
    tables = audit_files(sitemap=urlset(url(A), url(A)), second=index(A, A))
    assert positions(tables) == [(SITEMAP, 2)]


def test_message_contains_the_first_position() -> None:
    tables = audit_files(sitemap=urlset(url(B), url(A), url(f"{A}#x"), url(A), url(f"{A}#x")))
    assert rule_on(tables, RULE) == [
        (A, "warning", "repeats entry 2 (the same loc)"),
        (A, "warning", "repeats entry 3 (the same loc)"),
    ]


def test_message_contains_what_differs() -> None:
    cases = [
        (A, A, "the same loc"),
        (A, f" {A}\n", "other white space"),
        (f"{A}#x", f"{A.replace('www', 'WWW')}#x ", "other letter case of the host"),
        ("https://example.net", "https://example.net/", "with or without the slash after the host"),
        (f"{A}%C3%A4", f"{A}ä", "other percent-encoding"),
        (A, "HTTPS://WWW.EXAMPLE.COM/a", "other letter case of the host"),
        (A, "https://www.example.com:443/a", "another spelling"),
    ]
    expected = [
        (urlset(url(first), url(second)), [f"repeats entry 1 ({difference})"])
        for first, second, difference in cases
    ]
    check(RULE, expected, entries_in, messages)

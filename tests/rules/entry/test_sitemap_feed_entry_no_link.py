"""sitemap-feed-entry-no-link: an RSS item or an Atom entry without a link."""

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.items import Entries
from tests.rules.sitemap.files import PAGE, atom, atom_entry, entries_of, item, rss, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "sitemap-feed-entry-no-link"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (item(), []),
        (item(f"\n{PAGE}\n"), []),
        (item("/a"), []),
        (item(""), ["warning"]),
        (item(" \n"), ["warning"]),
        ("<item/>", ["warning"]),
        ("<item><title>A</title></item>", ["warning"]),
        (f"<item><guid isPermaLink='true'>{PAGE}</guid></item>", ["warning"]),
        (f"<item><x:link xmlns:x='urn:x'>{PAGE}</x:link></item>", ["warning"]),
        (f"<item><source><link>{PAGE}</link></source></item>", ["warning"]),
    ],
)
def test_rss(body: str, expected: list[str]) -> None:
    (entry,) = entries_of(rss(body))
    assert severities(RULE, entry) == expected


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        (f"<link href='{PAGE}'/>", []),
        (f"<link rel='alternate' href='{PAGE}'/>", []),
        (f"<link rel='self' href='{SITEMAP}'/><link href='{PAGE}'/>", []),
        (f"<link/><link href='{PAGE}'/>", []),
        ("", ["warning"]),
        ("<link/>", ["warning"]),
        ("<link href=''/>", ["warning"]),
        ("<link href=' '/>", ["warning"]),
        (f"<link>{PAGE}</link>", ["warning"]),
        (f"<link rel='self' href='{PAGE}'/>", ["warning"]),
        (f"<link rel='enclosure' href='{PAGE}'/>", ["warning"]),
        (f"<id>{PAGE}</id>", ["warning"]),
    ],
)
def test_atom(links: str, expected: list[str]) -> None:
    (entry,) = entries_of(atom(f"<entry>{links}</entry>"))
    assert severities(RULE, entry) == expected


@pytest.mark.parametrize("body", [urlset("<url/>"), urlset(url("")), "\n#\nhttps://a.example/\n"])
def test_other_formats_are_not_checked(body: str) -> None:
    for entry in entries_of(body):
        assert severities(RULE, entry) == []


@pytest.mark.parametrize("body", [rss(item(), "<item/>"), atom(atom_entry(), "<entry/>")])
def test_a_missing_link_is_the_only_finding(body: str) -> None:
    _, entry = entries_of(body)
    (finding,) = found(RULE, entry)
    assert finding.message == "entry 2 has no link"
    assert (finding.url, finding.sitemap, finding.position) == (None, SITEMAP, 2)
    assert [finding.rule for finding in Audit().examine(Entries(SITEMAP, [entry]))] == [RULE]

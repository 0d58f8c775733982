"""lastmod-missing: entries without a lastmod are reported once per file, with their share."""

import json

from sitemapaudit.items import Entries
from tests.rules.sitemap.files import (
    NAMESPACE,
    PAGE,
    atom,
    atom_entry,
    entries_of,
    index,
    item,
    rss,
    url,
    urlset,
)
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import SITEMAP

RULE = "lastmod-missing"
DATE = "<lastmod>2026-11-21</lastmod>"


def shares(**files: str) -> dict[str, tuple[int, int]]:
    """Return the number of entries without a lastmod and of all, for each reported file."""
    addresses = {f"https://www.example.com/{name}": body for name, body in files.items()}
    run = tables_of([Entries(at, entries_of(body, at=at)) for at, body in addresses.items()], RULE)
    rows = run.findings[run.findings["rule"] == RULE]
    assert set(rows["severity"]) <= {"notice"}
    evidence = [json.loads(text) for text in rows["evidence"]]
    names = [sitemap.rpartition("/")[2] for sitemap in rows["sitemap"]]
    return {
        name: (values["missing"], values["entries"])
        for name, values in zip(names, evidence, strict=True)
    }


def test_missing() -> None:
    found = shares(
        full=urlset(url(more=DATE), url(more=DATE)),
        one=urlset(url(more=DATE), url(), url(more=DATE)),
        none=urlset(url(), url()),
        empty=urlset(url(more="<lastmod/>")),
        spaces=urlset(url(more="<lastmod>  </lastmod>")),
        lines=urlset(url(more="<lastmod>\n\t</lastmod>")),
        padded=urlset(url(more="<lastmod>\n2026-11-21\n</lastmod>")),
        invalid=urlset(url(more="<lastmod>yesterday</lastmod>")),
        foreign=urlset(url(more="<x:lastmod xmlns:x='urn:x'>2026-11-21</x:lastmod>")),
    )
    assert found == {
        "one": (1, 3),
        "none": (2, 2),
        "foreign": (1, 1),
    }


def test_every_format() -> None:
    dated = item().replace("</item>", "<pubDate>Sat, 21 Nov 2026 12:00:00 GMT</pubDate></item>")
    updated = atom_entry().replace("</entry>", "<updated>2026-11-21T12:00:00Z</updated></entry>")
    child = f"<sitemap><loc>{PAGE}</loc>{DATE}</sitemap>"
    found = shares(
        index=index(PAGE),
        dated_index=f'<sitemapindex xmlns="{NAMESPACE}">{child}</sitemapindex>',
        rss=rss(item(), dated),
        dated_rss=rss(dated),
        atom=atom(atom_entry(), updated, updated),
        dated_atom=atom(updated),
        empty_rss=rss(item().replace("</item>", "<pubDate> </pubDate></item>")),
        text=f"{PAGE}\n",
    )
    assert found == {"index": (1, 1), "rss": (1, 2), "atom": (1, 3), "empty_rss": (1, 1)}


def test_message_and_place() -> None:
    body = urlset(url(more=DATE), url(), url(more=DATE))
    run = tables_of([Entries(SITEMAP, entries_of(body))], RULE)
    message = "1 of 3 entries has no lastmod (33.3 %)"
    assert [finding[1:] for finding in rule_on(run, RULE)] == [("notice", message)]
    (row,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert row.sitemap == SITEMAP

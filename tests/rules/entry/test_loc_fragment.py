"""loc-fragment: a loc contains ``#``, even if nothing follows it; one finding for each page."""

import json

import pytest

from sitemapaudit.items import Entries
from tests.rules.sitemap.files import (
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
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support.rows import SITEMAP

RULE = "loc-fragment"


def audit(body: str) -> Tables:
    return tables_of([Entries(SITEMAP, entries_of(body))], RULE)


@pytest.mark.parametrize(
    ("loc", "fragment"),
    [
        (f"{PAGE}#top", "#top"),
        (f"{PAGE}#", "#"),
        (f"{PAGE}# ", "#"),
        (f"{PAGE}#!/route", "#!/route"),
        (f"{PAGE}?b=c#d", "#d"),
        (f"{PAGE}#d?b=c", "#d?b=c"),
        (f"{PAGE}#a#b", "#a#b"),
        ("https://www.example.com#x", "#x"),
        (f"{PAGE}&#35;x", "#x"),
    ],
)
def test_fragment(loc: str, fragment: str) -> None:
    ((_, severity, message),) = rule_on(audit(urlset(url(loc))), RULE)
    assert (severity, message) == ("warning", f"loc has a fragment: {fragment}")


@pytest.mark.parametrize("loc", [PAGE, f"{PAGE}%23top", f"{PAGE}?b=%23", f"{PAGE}&#33;"])
def test_no_fragment(loc: str) -> None:
    assert rule_on(audit(urlset(url(loc))), RULE) == []


@pytest.mark.parametrize("loc", ["", "#top", "/a#top", "ftp://a.example/#top", "https://#top"])
def test_invalid_urls_are_not_reported(loc: str) -> None:
    assert rule_on(audit(urlset(url(loc))), RULE) == []


def test_in_every_format() -> None:
    written = f"{PAGE}#top"
    for body in (index(written), f"{written}\n", rss(item(written)), atom(atom_entry(written))):
        assert len(rule_on(audit(body), RULE)) == 1


def test_the_loc_of_an_image_does_not_count() -> None:
    image = "http://www.google.com/schemas/sitemap-image/1.1"
    more = f'<i:image xmlns:i="{image}"><i:loc>{PAGE}#x</i:loc></i:image>'
    assert rule_on(audit(urlset(url(PAGE, more))), RULE) == []


def test_the_routes_of_an_application_are_one_page_and_one_finding() -> None:
    locs = [f"{PAGE}#/{name}" for name in ("potatoes", "carrots", "peas")]
    body = urlset(*map(url, (*locs, PAGE)))
    message = (
        "3 entries differ only by their fragments, and are one page for search engines:"
        " #/potatoes, #/carrots, #/peas"
    )
    assert rule_on(audit(body), RULE) == [(PAGE, "warning", message)]
    assert rule_on(tables_of([Entries(SITEMAP, entries_of(body))]), "loc-duplicate") == []


@pytest.mark.parametrize(("count", "end"), [(5, "#4"), (6, "#4 …")])
def test_at_most_five_fragments_are_named(count: int, end: str) -> None:
    ((_, _, message),) = rule_on(audit(urlset(*(url(f"{PAGE}#{n}") for n in range(count)))), RULE)
    assert message.endswith(f": #0, #1, #2, #3, {end}")


def test_evidence_and_place() -> None:
    (finding,) = audit(urlset(url(), url(f"{PAGE}#top"))).rows
    assert (finding["url"], finding["sitemap"], finding["position"]) == (PAGE, SITEMAP, 2)
    evidence = {"count": 1, "problem": "loc has a fragment", "fragments": "#top"}
    assert json.loads(finding["evidence"]) == evidence

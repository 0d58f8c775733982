"""loc-fragment: a loc contains ``#``, even if nothing follows it."""

import json

import pytest

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
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "loc-fragment"


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
    (entry,) = entries_of(urlset(url(loc)))
    (finding,) = found(RULE, entry)
    assert finding.severity == "warning"
    assert finding.message == f"loc has the fragment {fragment!r}"


@pytest.mark.parametrize("loc", [PAGE, f"{PAGE}%23top", f"{PAGE}?b=%23", f"{PAGE}&#33;"])
def test_no_fragment(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities(RULE, entry) == []


@pytest.mark.parametrize("loc", ["", "#top", "/a#top", "ftp://a.example/#top", "https://#top"])
def test_invalid_urls_are_not_reported(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities(RULE, entry) == []


def test_in_every_format() -> None:
    written = f"{PAGE}#top"
    for body in (index(written), f"{written}\n", rss(item(written)), atom(atom_entry(written))):
        (entry,) = entries_of(body)
        assert severities(RULE, entry) == ["warning"]


def test_the_loc_of_an_image_does_not_count() -> None:
    image = "http://www.google.com/schemas/sitemap-image/1.1"
    more = f'<i:image xmlns:i="{image}"><i:loc>{PAGE}#x</i:loc></i:image>'
    (entry,) = entries_of(urlset(url(PAGE, more)))
    assert severities(RULE, entry) == []


def test_evidence_and_place() -> None:
    _, entry = entries_of(urlset(url(), url(f"{PAGE}#top")))
    (finding,) = found(RULE, entry)
    assert (finding.url, finding.sitemap, finding.position) == (PAGE, SITEMAP, 2)
    assert json.loads(finding.evidence or "") == {"fragment": "#top", "loc": f"{PAGE}#top"}

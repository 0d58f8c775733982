"""No rule finds anything in a row that is not its concern."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit import urls
from sitemapaudit.items import Entry, Kind
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.concerns import is_unusual
from sitemapaudit.rules.rule import RowRule

SITEMAP = "https://www.example.com/sitemap.xml"
RULES: list[Any] = [
    rule for rule in catalog().values() if issubclass(rule, RowRule) and rule.concern is is_unusual
]
PIECES = st.sampled_from(
    ["https://", "HTTP://", "a", "/", "%", "%2", "%2f", "%41", "é", " ", ",", ";", "|", "'", '"',
     "#", "?", "=", "&", "@", ":", "\\", "[", "^", "`", "..", "\t", "https://b.example/"]
)  # fmt: skip
LOCS = st.lists(PIECES, max_size=8).map(lambda pieces: "https://a.example/" + "".join(pieces))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
@given(loc=st.one_of(LOCS, st.lists(PIECES).map("".join)), kind=st.sampled_from(list(Kind)))
def test_a_usual_loc_has_no_findings(rule: Any, loc: str, kind: Kind) -> None:
    entry = Entry(SITEMAP, 1, kind, loc, urls.normalize(loc))
    assert is_unusual(entry) or [*rule().check(entry)] == []


def test_some_locs_are_usual() -> None:
    loc = "https://www.example.com/a_b-c/d.html?page=2&x=y+z"
    assert not is_unusual(Entry(SITEMAP, 1, Kind.URLSET, loc, loc))
    assert len(RULES) == 8

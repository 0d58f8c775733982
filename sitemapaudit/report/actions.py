"""The first things to do: three to five actions, first those about what keeps pages out."""

from collections.abc import Sequence
from typing import Final

import duckdb
from msgspec import Struct

from sitemapaudit.generators.recognition import Advice, advise
from sitemapaudit.items import Severity
from sitemapaudit.numbers import count_noun
from sitemapaudit.report.action_counts import Place, count_places
from sitemapaudit.report.remedies import UNREADABLE
from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.runs.likely_cause import LikelyCause
from sitemapaudit.runs.manifest import Manifest

MAX_ACTIONS: Final = 5
_MOST: Final = 0.8
"""The share of the places of an action that a likely cause must explain."""

FEW: Final = 3
"""Notices fill up to this number of actions, but never displace errors or warnings."""

_WEIGHTS: Final = {Severity.ERROR: 100, Severity.WARNING: 10, Severity.NOTICE: 1}
"""The weight of a URL with a finding of each severity."""


class Action(Struct, frozen=True):
    """An action: a remedy, and the number of places to apply it.

    ``urls`` counts the listed URLs that it is about, ``entries`` other places, ``sitemaps`` the
    sitemaps of both. It is about what keeps pages out of the index (``first``) or not, and
    ``effect`` orders actions. ``repairs`` says whether ``sitemapaudit repair RUN`` does it.
    ``example`` is a URL or a sitemap, ``advice`` what to set in the generators of the site.
    """

    title: str
    how: str
    severity: Severity
    rules: tuple[str, ...]
    urls: int
    entries: int
    sitemaps: int
    effect: int
    repairs: bool
    example: str | None
    first: bool = False
    advice: tuple[Advice, ...] = ()


def list_actions(
    connection: duckdb.DuckDBPyConnection, rules: Catalog, manifest: Manifest
) -> list[Action]:
    """Return the actions for the tables of a run, the most important first.

    A URL that is not indexable is in the action of its verdict only. An action counts what has its
    severity, and nothing less severe. The next build would undo the repair of a build.
    """
    places = count_places(connection, rules, manifest.repairs_by_verdict)
    typical = _median_sitemap(connection) if places else 1
    return _choose([_action(place, typical, manifest) for place in places])


def _choose(actions: list[Action]) -> list[Action]:
    actions.sort(key=lambda each: (not each.first, -each.effect, each.title))
    severe = [each for each in actions if each.severity is not Severity.NOTICE]
    notices = [each for each in actions if each.severity is Severity.NOTICE]
    return [*severe[:MAX_ACTIONS], *notices[: max(0, FEW - len(severe))]]


def _median_sitemap(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the number of entries of a typical sitemap, as an estimate for unreadable ones."""
    query = "select median(entries) from sitemaps where entries > 0"
    row = connection.execute(query).fetchone()
    return int(row[0]) if row and row[0] else 1


def _action(place: Place, typical: int, manifest: Manifest) -> Action:
    remedy = place.remedy
    names = tuple(rule for rule, _ in place.rules.most_common())
    size = typical if remedy.title == UNREADABLE else 1
    where = "the list"
    if manifest.reads_sitemaps:
        where = count_noun(place.sitemaps, "sitemap") if place.sitemaps else "the sitemaps"
    what = _count_places(place)
    title, how = remedy.title.format(what=what, where=where), remedy.how
    if cause := _cause_of(place, names, manifest):
        title, how = f"Correct the one cause of {what} in {where}", cause.sentence
    return Action(
        title=title,
        how=how,
        severity=place.severity,
        rules=names,
        urls=place.urls,
        entries=place.entries,
        sitemaps=place.sitemaps,
        effect=_WEIGHTS[place.severity] * (place.urls + place.entries) * size,
        repairs=remedy.repairs and not manifest.arguments.get("folder"),
        example=place.example,
        first=remedy.first,
        advice=tuple(advise(manifest.generators, names, any_indexable=manifest.any_indexable)),
    )


def _cause_of(place: Place, rules: Sequence[str], manifest: Manifest) -> LikelyCause | None:
    """Return the likely cause of most places in a build: its next version has them, too."""
    for cause in manifest.likely_causes if manifest.build_hosts else ():
        if cause.explains({*rules}) and cause.urls >= _MOST * max(place.urls, place.entries):
            return cause
    return None


def _count_places(place: Place) -> str:
    """Return the number of places: URLs, sitemaps or other places."""
    if place.urls and place.urls >= place.entries:
        return count_noun(place.urls, place.remedy.noun)
    if place.sitemaps and place.entries <= place.sitemaps:
        return count_noun(place.sitemaps, "sitemap")
    return count_noun(place.entries, "place")

"""What to do first: one action per remedy, by the number of URLs and the severity."""

from collections.abc import Iterable, Sequence

import pytest

from sitemapaudit.datasets.database import connect
from sitemapaudit.items import Verdict
from sitemapaudit.report.actions import MAX_ACTIONS, Action, list_actions
from sitemapaudit.report.remedies import (
    REMEDIES,
    VERDICT_REMEDIES,
    VerdictRemedy,
    find_remedy,
    matches,
)
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.likely_cause import LikelyCause
from sitemapaudit.runs.repair_counts import RepairCount
from tests.rules.tables import manifest_of

Found = tuple[str, str, int]
"""A rule, its severity, and the number of URLs with a finding; 0 is a finding on a sitemap."""


VERDICTS = {
    "page-not-found": "not-found",
    "page-redirect-temporary": "redirected",
    "page-redirect-permanent": "redirected",
    "canonical-elsewhere": "canonicalized",
    "page-server-error": "server-error",
    "page-timeout": "unreachable",
    "page-soft-404": "soft-404",
    "noindex-meta": "noindex",
    "noindex-header": "noindex",
}
"""The verdict of a URL with a finding of the rule; with others it is indexable."""


def actions_of(
    found: Iterable[Found],
    repairs: Sequence[RepairCount] = (),
    merged: int = 0,
    generators: dict[str, int] | None = None,
    causes: Sequence[LikelyCause] = (),
    indexable: int = 0,
    **arguments: str,
) -> list[Action]:
    """Return the actions for these findings; no URL has two, and there are two sitemaps.

    ``merged`` findings of loc-missing are one row.
    """
    manifest = manifest_of(**arguments)
    manifest.repairs_by_verdict, manifest.generators = list(repairs), generators or {}
    manifest.likely_causes, manifest.verdicts = list(causes), {"indexable": indexable}
    with connect() as connection:
        connection.execute(
            "create table findings"
            " (rule text, severity text, url text, sitemap text, occurrences int);"
            "create table occurrences as from findings;"
            "create table sitemaps as from (values ('a', 200), ('b', 100), ('c', 0)) t(s, entries)"
        )
        for rule, severity, count in found:
            place = "null, 'c'" if count == 0 else f"'{rule}{severity}' || n, 'a'"
            connection.execute(
                f"insert into findings select '{rule}', '{severity}', {place}, 1"
                f" from range({count or 1}) t(n)"
            )
        if merged:
            connection.execute(
                f"insert into findings values ('loc-missing', 'error', null, 'a', {merged});"
                "insert into occurrences select 'loc-missing', 'error', null, 'a', 1"
                f" from range({merged}) t(n)"
            )
        connection.execute(
            "create table urls as select url, if(url like '%1', ['a', 'b'], ['a']) as sitemaps,"
            " list(rule) as rules, coalesce(verdicts[any_value(rule)], 'indexable') as verdict"
            f" from findings, (select map {VERDICTS} as verdicts) where url is not null"
            " group by url, verdicts"
        )
        return list_actions(connection, catalog(), manifest)


def test_merged_findings_count_as_many() -> None:
    (action,) = actions_of([], merged=500)
    assert action.title == "Correct the locs of 500 places"
    assert action.effect == 100 * 500


def replaced(verdict: str, urls: int, change: str = "replaced") -> RepairCount:
    rules = {rule: urls for rule, its_verdict in VERDICTS.items() if its_verdict == verdict}
    return RepairCount(verdict, change, urls, 2, "https://a.example/", rules)


def test_the_numbers_are_those_of_the_repair() -> None:
    """Other URLs lead to a page that is not indexable, or to one that was not fetched."""
    found = [("canonical-elsewhere", "error", 70), ("page-redirect-temporary", "warning", 30)]
    repairs = [
        replaced("canonicalized", 26),
        replaced("canonicalized", 40, "dropped"),
        replaced("redirected", 20),
        replaced("redirected", 8, "dropped"),
        replaced("indexable", 3, "dropped"),
    ]
    actions = actions_of(found, repairs)
    assert [(action.title, action.repairs) for action in actions] == [
        ("Remove 48 dead-end URLs from the sitemaps", True),
        ("Replace 26 canonicalized URLs in 2 sitemaps by their canonicals", True),
        ("Check the targets of 6 redirecting or canonicalized URLs", False),
        ("Replace 20 redirecting URLs in 2 sitemaps by their targets", True),
    ]
    assert sum(action.urls for action in actions) == 100


def test_an_action_names_the_rules_of_what_it_counts() -> None:
    found = [("page-redirect-permanent", "error", 3), ("page-redirect-temporary", "warning", 1)]
    address = "https://a.example/"
    repairs = [
        RepairCount("redirected", "dropped", 3, 1, address, {"page-redirect-permanent": 3}),
        RepairCount("redirected", "replaced", 1, 1, address, {"page-redirect-temporary": 1}),
    ]
    actions = actions_of(found, repairs)
    assert [(action.title, action.severity, action.rules) for action in actions] == [
        ("Remove 3 dead-end URLs from 1 sitemap", "error", ("page-redirect-permanent",)),
        (
            "Replace 1 redirecting URL in 1 sitemap by their targets",
            "warning",
            ("page-redirect-temporary",),
        ),
    ]


def test_an_action_counts_only_what_has_its_severity() -> None:
    """Three URLs with an invalid code are an error, and 253 without an x-default are a notice."""
    found = [
        ("hreflang-code-invalid", "error", 3),
        ("hreflang-no-return", "warning", 20),
        ("hreflang-x-default-missing", "notice", 253),
    ]
    assert [(action.severity, action.title) for action in actions_of(found)] == [
        ("error", "Correct the hreflang alternates of 3 URLs"),
        ("warning", "Correct the hreflang alternates of 20 URLs"),
        ("notice", "Declare an x-default for 253 URLs"),
    ]


def test_what_keeps_pages_out_of_the_index_comes_first() -> None:
    found = [("lastmod-invalid", "error", 900), ("page-soft-404", "warning", 2)]
    assert titles_of(*found) == [
        "Make 2 empty or missing pages return 404, or content",
        "Write true lastmods for 900 URLs",
    ]


def titles_of(*found: Found) -> list[str]:
    repairs = [replaced(VERDICTS[rule], number) for rule, _, number in found if "redirect" in rule]
    return [action.title for action in actions_of(found, repairs)]


def test_actions_are_ordered_by_urls_and_severity() -> None:
    assert titles_of(
        ("page-redirect-temporary", "warning", 300),
        ("page-not-found", "error", 41),
        ("page-server-error", "error", 1),
        ("lastmod-future", "warning", 12),
    ) == [
        "Remove 41 dead URLs from 2 sitemaps",
        "Replace 300 redirecting URLs in 2 sitemaps by their targets",
        "Fix the server errors of 1 URL",
        "Write true lastmods for 12 URLs",
    ]


def test_rules_with_one_remedy_are_one_action() -> None:
    (action,) = actions_of([("noindex-meta", "error", 3), ("noindex-header", "error", 4)])
    assert action.title == "Remove 7 noindex URLs from 2 sitemaps"
    assert action.rules == ("noindex-header", "noindex-meta")
    assert (action.urls, action.sitemaps, action.repairs) == (7, 2, True)


def test_an_unreadable_sitemap_counts_as_much_as_a_typical_one() -> None:
    assert titles_of(("page-not-found", "error", 149), ("sitemap-is-html", "error", 0)) == [
        "Make 1 sitemap readable",
        "Remove 149 dead URLs from 2 sitemaps",
    ]


def test_a_rule_that_no_remedy_names_is_an_action_with_its_own_remedy() -> None:
    (action,) = actions_of([("duplicate-content", "warning", 4)])
    rule = catalog()["duplicate-content"]
    assert action.title == f"{rule.title()} (4 URLs)"
    assert action.how == rule.section("Fix")


def test_a_finding_on_a_url_that_is_not_listed_is_a_place() -> None:
    with connect() as connection:
        connection.execute(
            "create table findings as select 'robots-path-not-encoded' as rule,"
            " 'error' as severity, 'https://a.example/robots.txt' as url, null::text as sitemap,"
            " 1 as occurrences;"
            "create table occurrences as from findings limit 0;"
            "create table sitemaps as select 500 as entries;"
            "create table urls (url text, sitemaps text[], rules text[], verdict text)"
        )
        (action,) = list_actions(connection, catalog(), manifest_of())
    assert action.title == f"{catalog()['robots-path-not-encoded'].title()} (1 place)"


def test_a_rule_that_is_gone_is_named() -> None:
    assert titles_of(("of-{old}", "error", 2)) == ["of-{old} (2 URLs)"]


def test_notices_only_fill_up_to_three() -> None:
    notices = [(rule, "notice", 900) for rule in ("canonical-missing", "render-failed")]
    errors = [("page-not-found", "error", 1), ("page-server-error", "error", 1)]
    found = actions_of([*notices, *errors])
    assert [action.severity for action in found] == ["error", "error", "notice"]


def test_there_are_at_most_five_and_consequences_are_none() -> None:
    rules = ["page-not-found", "page-server-error", "noindex-meta", "page-soft-404"]
    rules += ["page-timeout", "loc-duplicate", "sitemap-dirt-rate"]
    found = actions_of([(rule, "warning", 5) for rule in rules])
    assert len(found) == MAX_ACTIONS
    assert not [action for action in found if "sitemap-dirt-rate" in action.rules]


def test_without_findings_there_is_nothing_to_do() -> None:
    assert actions_of([]) == []


@pytest.mark.parametrize("remedy", REMEDIES, ids=lambda remedy: remedy.rules[0])
def test_every_remedy_is_that_of_a_rule(remedy: object) -> None:
    assert any(find_remedy(rule, catalog()) is remedy for rule in catalog())


@pytest.mark.parametrize("remedy", VERDICT_REMEDIES, ids=lambda remedy: remedy.noun)
def test_every_pattern_of_a_verdict_is_that_of_a_rule(remedy: VerdictRemedy) -> None:
    for pattern in remedy.rules:
        assert any(matches(rule, (pattern,)) for rule in catalog()), pattern


def test_every_verdict_that_is_not_indexable_has_a_remedy() -> None:
    having = {verdict for remedy in VERDICT_REMEDIES for verdict in remedy.verdicts}
    assert having == {*Verdict} - {Verdict.INDEXABLE, Verdict.UNCHECKED}


def test_the_settings_of_the_generators_of_the_site_are_advised() -> None:
    moved = [("page-redirect-permanent", "error", 3)]
    repairs = [replaced("redirected", 3)]
    generators = {"Docusaurus v3.9.2": 40, "WordPress 6.8": 7, "Hugo 0.154.0": 3, "MyCMS": 90}
    (action,) = actions_of(moved, repairs, generators=generators)
    assert [(each.generator, each.how.split()[1]) for each in action.advice] == [
        ("Docusaurus", "`trailingSlash`"),
        ("WordPress", "Permalinks:"),
    ]
    assert action.repairs
    (action,) = actions_of(moved, repairs, generators={"MyCMS": 90}, folder="_site")
    assert (action.advice, action.repairs) == ((), False)


def test_a_setting_for_the_whole_site_is_advised_if_no_url_is_indexable() -> None:
    found = [("noindex-meta", "error", 3)]
    for indexable, first in ((0, "Settings, Reading:"), (1, "with Yoast SEO:")):
        (action,) = actions_of(found, generators={"WordPress 6.8": 7}, indexable=indexable)
        assert action.advice[0].how.startswith(first)


def test_what_a_likely_cause_of_a_build_explains_is_one_action() -> None:
    cause = LikelyCause("All 9 lack the slash.", ["page-not-found"], 9)
    found: list[Found] = [("page-not-found", "error", 10)]
    (action,) = actions_of(found, causes=[cause], site="https://a.example", folder="_site")
    assert action.title == "Correct the one cause of 10 dead URLs in 2 sitemaps"
    assert action.how == cause.sentence
    for number, folder in ((9, ""), (7, "_site")):
        cause = LikelyCause("Some lack the slash.", ["page-not-found"], number)
        (action,) = actions_of(found, causes=[cause], site="https://a.example", folder=folder)
        assert action.title.startswith("Remove 10 dead URLs")

"""What to do first: one action per remedy, by the number of URLs and the severity."""

from collections.abc import Iterable

import duckdb
import pytest

from sitemapaudit.report.actions import MAX_ACTIONS, Action, list_actions
from sitemapaudit.report.remedies import REMEDIES, find_remedy
from sitemapaudit.rules.catalog import catalog

Found = tuple[str, str, int]
"""A rule, its severity, and the number of URLs with a finding; 0 is a finding on a sitemap."""


def actions_of(found: Iterable[Found]) -> list[Action]:
    """Return the actions for these findings; no URL has two, and there are two sitemaps."""
    with duckdb.connect() as connection:
        connection.execute(
            "create table findings"
            " (rule text, severity text, url text, sitemap text, occurrences int);"
            "create table urls (url text, sitemaps text[], rules text[]);"
            "create table sitemaps as from (values ('a', 200), ('b', 100), ('c', 0)) t(s, entries)"
        )
        for rule, severity, count in found:
            place = "null, 'c'" if count == 0 else f"'{rule}' || n, 'a'"
            connection.execute(
                f"insert into findings select '{rule}', '{severity}', {place}, 1"
                f" from range({count or 1}) t(n)"
            )
        connection.execute(
            "insert into urls select url, if(url like '%1', ['a', 'b'], ['a']), list(rule)"
            " from findings where url is not null group by url"
        )
        return list_actions(connection, catalog())


def merged_action(urls: int) -> Action:
    """Return the action for 500 findings that were merged into one, on so many URLs."""
    with duckdb.connect() as connection:
        connection.execute(
            "create table findings as select 'loc-missing' as rule, 'error' as severity,"
            " null::text as url, 'a' as sitemap, 500 as occurrences;"
            "create table sitemaps as select 500 as entries;"
            "create table urls as select 'u' || n as url, ['a'] as sitemaps,"
            f" ['loc-missing'] as rules from range({urls}) t(n)"
        )
        (action,) = list_actions(connection, catalog())
        return action


@pytest.mark.parametrize(("urls", "what"), [(0, "500 places"), (300, "300 URLs")])
def test_merged_findings_count_as_many(urls: int, what: str) -> None:
    action = merged_action(urls)
    assert action.title == f"Correct the locs of {what}"
    assert action.effect == 100 * (urls or 500)


def titles_of(*found: Found) -> list[str]:
    return [action.title for action in actions_of(found)]


def test_actions_are_ordered_by_urls_and_severity() -> None:
    assert titles_of(
        ("page-redirect-temporary", "warning", 300),
        ("page-not-found", "error", 41),
        ("page-server-error", "error", 1),
        ("lastmod-future", "warning", 12),
    ) == [
        "Remove 41 dead URLs from 2 sitemaps",
        "Replace 300 redirecting URLs in 2 sitemaps by their targets",
        "Write true lastmods for 12 URLs",
        "Fix the server errors of 1 URL",
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
    with duckdb.connect() as connection:
        connection.execute(
            "create table findings as select 'robots-path-not-encoded' as rule,"
            " 'error' as severity, 'https://a.example/robots.txt' as url, null as sitemap,"
            " 1 as occurrences;"
            "create table sitemaps as select 500 as entries;"
            "create table urls (url text, sitemaps text[], rules text[])"
        )
        (action,) = list_actions(connection, catalog())
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

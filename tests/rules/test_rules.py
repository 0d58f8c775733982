"""Laws that hold for every rule: each law is one test over all rules."""

import re
import sys
from dataclasses import fields
from hashlib import blake2b
from pathlib import Path
from uuid import uuid4

import pytest

from sitemapaudit import rules
from sitemapaudit.audit import Audit
from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.config.options import ConfigError
from sitemapaudit.datasets.recipe import RECIPE
from sitemapaudit.items import Page, Robots, Subject
from sitemapaudit.rules.catalog import RuleModuleError, by_rule, catalog
from sitemapaudit.rules.examples import examples
from sitemapaudit.rules.laws import broken_laws
from sitemapaudit.rules.needs import (
    BUILD,
    FOLLOWS_CANONICALS,
    FOLLOWS_HREFLANG,
    FOLLOWS_REDIRECTS,
    REQUESTED_AGENTS,
    REQUESTED_STAGING,
    Choice,
    Need,
    query_needs,
)
from sitemapaudit.rules.profiles import PROFILES, profile_rules
from sitemapaudit.rules.rule import QueryRule, RowRule, Rule
from tests.examples import NoExampleError, examples_from_tests
from tests.rules.tables import fill_tables, insert, manifest_of, tables_of, transaction
from tests.support.paths import PROJECT
from tests.support.rows import fetched_page, listed, sitemap_of

FOLDER = Path(rules.__path__[0])
FILES = sorted(
    file
    for subject in Subject
    for file in (FOLDER / subject).iterdir()
    if file.suffix == ".py" and file.stem != "__init__"
)


def test_each_rule_has_a_file_and_each_file_a_rule() -> None:
    assert sorted(catalog()) == sorted(file.stem.replace("_", "-") for file in FILES)


def test_the_file_name_is_the_id_and_the_folder_is_the_subject() -> None:
    for file in FILES:
        rule = catalog()[file.stem.replace("_", "-")]
        assert rule.__module__ == f"{rules.__name__}.{file.parent.name}.{file.stem}"
        assert rule.subject is Subject(file.parent.name)


def test_each_rule_keeps_the_laws() -> None:
    assert {name: broken_laws(rule) for name, rule in catalog().items() if broken_laws(rule)} == {}


@pytest.mark.parametrize(
    ("choice", "value", "same", "other"),
    [
        (BUILD, "dist", "public", None),
        (FOLLOWS_CANONICALS, "canonical", "canonical,redirect", "hreflang,redirect"),
        (FOLLOWS_HREFLANG, "hreflang", "hreflang,redirect", "canonical,redirect"),
        (FOLLOWS_REDIRECTS, "redirect", "canonical,redirect", "canonical,hreflang"),
        (REQUESTED_AGENTS, "Bingbot", "Bingbot", "none"),
        (REQUESTED_STAGING, "https://a.example", "https://b.example", ""),
    ],
)
def test_runs_are_comparable_if_the_part_of_an_argument_that_matters_is_the_same(
    choice: Choice, value: object, same: object, other: object
) -> None:
    assert choice.part(value) == choice.part(same)
    assert choice.part(value)
    assert not choice.part(other)


def test_findings_about_entries_have_a_cause_by_which_they_are_merged() -> None:
    """Two limits are exceeded so rarely that each finding stands alone."""
    alone = {rule.id for rule in catalog().values() if rule.cause is None}
    entry = {rule.id for rule in catalog().values() if rule.subject is Subject.ENTRY}
    assert alone & entry == {"image-too-many", "loc-too-long"}


def test_each_choice_is_an_argument_or_a_setting_and_each_need_a_table() -> None:
    options = {field.name for kind in (Arguments, AuditSettings) for field in fields(kind)}
    tables = {relation.name for relation in RECIPE}
    for rule in catalog().values():
        assert {choice.name for choice in rule.depends_on} <= options
        assert all(callable(choice.part) for choice in rule.depends_on)
        needs = rule.needs if issubclass(rule, QueryRule) else ()
        assert {need.table.rpartition(".")[2] for need in needs} <= tables


def test_findings_that_need_a_sitemap_are_about_sitemaps() -> None:
    """A list of URLs has none: then these rules are off."""
    about = (Subject.SITEMAP, Subject.ENTRY)
    rules = catalog().values()
    assert {rule.id for rule in rules if bool(rule.about_sitemaps) != (rule.subject in about)} == {
        "built-not-listed", "built-sitemap-undeclared", "canonical-target-missing-from-sitemap",
        "lastmod-disagrees", "lastmod-header-mismatch", "lastmod-identical", "lastmod-page-date",
        "loc-invalid", "loc-not-absolute", "priority-identical", "robots-blocks-sitemap",
        "robots-no-sitemap-line", "robots-sitemap-duplicate", "robots-sitemap-invalid",
        "sitemap-dirt-rate", "sitemap-not-found", "sitemap-unknown", "unlisted-canonical-target",
        "unlisted-indexable", "url-in-multiple-sitemaps",
    }  # fmt: skip


HOME = "https://www.example.com/"


def test_a_run_without_faults_meets_no_need() -> None:
    """Otherwise queries run that can find nothing."""
    of_rules = [rule.needs for rule in catalog().values() if issubclass(rule, QueryRule)]
    needs = {need for group in of_rules for need in group if "." not in need.table}
    entries = listed(HOME)
    robots = Robots(HOME[:-1], f"{HOME}robots.txt", status=200)
    with transaction() as connection:
        insert(
            connection,
            [robots, sitemap_of(entries), entries, fetched_page(HOME, noindex=False)],
            None,
        )
        fill_tables(connection, {need.table for need in needs}, manifest_of(site=HOME))
        met = {
            need: connection.execute(query_needs(need.table, [need])).fetchall() for need in needs
        }
    assert [need for need, rows in met.items() if rows == [(True,)]] == []


ABBREVIATIONS = {"DOCTYPE", "HTML", "ID", "TLS", "URL", "UTC", "UTF", "XML"}


def test_messages_have_few_abbreviations() -> None:
    every = catalog().values()
    texts = [text for rule in every for text in (rule.message, rule.cause or "")]
    queries = [rule.query for rule in every if issubclass(rule, QueryRule)]
    texts += [text for query in queries for text in re.findall(r"'([^'%]* [^'%]*)'", query)]
    assert {word for text in texts for word in re.findall(r"[A-Z]{2,}", text)} == ABBREVIATIONS


def test_every_query_runs() -> None:
    tables = tables_of([])
    assert tables.broken == {}
    assert list(tables.findings["rule"]) == ["audit-incomplete"]


def test_each_rule_has_a_test_file() -> None:
    folder = PROJECT / "tests" / "rules"
    for file in FILES:
        assert (folder / file.parent.name / f"test_{file.stem}.py").is_file()


def test_each_rule_has_an_example() -> None:
    without = ", ".join(catalog().keys() - examples().keys())
    assert not without, f"{without}: run `make examples`, which says what is missing"
    assert examples().keys() == catalog().keys()


def test_a_test_without_example_is_one_sentence() -> None:
    with pytest.raises(NoExampleError, match="demo website has no fault for loc-missing: write"):
        examples_from_tests(["loc-missing"])


class MissesEverything(QueryRule):
    """Misses everything."""

    subject = Subject.SITE
    message = "ends with {number:,}."
    cause = "end with a full stop."
    query = "select 1 as number"
    needs = Need("entries")  # type: ignore[assignment]


class TakesARow(RowRule[Page]):
    """Severity X

    When: is it a test?

    Fix: Write a rule.

    Why: A law must be able to fail.
    """

    subject = Subject.SITE
    references = ()
    depends_on = ("pages",)  # type: ignore[assignment]
    message = " {a.b} "


class HasNoKind(Rule):
    """Has no kind"""

    subject = Subject.PAGE
    message = "is of no kind"


def test_broken_laws_are_reported() -> None:
    assert broken_laws(MissesEverything) == [
        "it has no severity",
        "it has no references; PRACTICE of sitemapaudit.rules.sources is one",
        "the message of a query formats 'number'; format it in SQL",
        "its needs are not a tuple of Need",
        "the class MissesEverything does not have the name of its file",
        "the title 'Misses everything.' is not a headline without a full stop",
        "the section When is missing or is not a sentence",
        "the section Why is missing or is not a sentence",
        "the section Fix is missing or is not a sentence",
        "its sections are not When, Why, Fix in this order",
        "the message 'ends with {number:,}.' does not complete a sentence",
        "the cause 'end with a full stop.' does not complete a sentence",
    ]
    assert not [law for law in broken_laws(TakesARow) if law.startswith(("the title", "the sec"))]
    assert "a rule about the site must be a QueryRule" in broken_laws(TakesARow)
    assert "the message has a field that is not a name: 'a.b'" in broken_laws(TakesARow)
    assert "it has no method check" in broken_laws(TakesARow)
    assert "depends_on is not a tuple of Choice" in broken_laws(TakesARow)
    assert "it is neither a RowRule nor a QueryRule" in broken_laws(HasNoKind)


WHOLE = """
from sitemapaudit.items import Page, Severity, Subject
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE


class PageOwn(RowRule[Page]):
    subject = Subject.PAGE
    severity = Severity.NOTICE
    message = "is {what}"
    references = (PRACTICE,)

    def check(self, row):
        return []
"""
NO_SUBJECT = "the rule of {name}.page_own has no subject:"
CANNOT = "the rule of {name}.page_own cannot be used: "


@pytest.mark.parametrize(
    ("line", "instead", "sentence"),
    [
        ("(PRACTICE,)", "(PRACTICE,)", None),
        ("    references = (PRACTICE,)", "", f"{CANNOT}it has no references; PRACTICE of"),
        ("(PRACTICE,)", "PRACTICE,'x'", f"{CANNOT}its references are not a tuple of Reference"),
        ("Severity.NOTICE", "'notice'", f"{CANNOT}it has no severity"),
        ('"is {what}"', "7", f"{CANNOT}it has no message, or its message or cause"),
        ("{what}", "{what", f"{CANNOT}the message 'is {{{{what' cannot be filled"),
        ("def check", "def chekc", f"{CANNOT}it has no method check"),
        ("def check(self, row)", "def __init__(self)", f"{CANNOT}it has no method check"),
        (
            "Subject.PAGE",
            "'page'",
            f"{NO_SUBJECT} put its file into a folder named {', '.join(Subject)}, or",
        ),
        (
            "class",
            "class Two(RowRule[Page]): ...\nclass",
            "{name}.page_own defines 2 rules instead",
        ),
        ("(PRACTICE,)", "(PRACTICES,)", "{name}.page_own cannot be imported (NameError: name"),
        ("return []", "return [", "{name}.page_own cannot be imported (SyntaxError: "),
    ],
)
def test_a_rule_that_cannot_be_used_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, instead: str, sentence: str | None
) -> None:
    name = f"own_{uuid4().hex}"
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    (tmp_path / name / "page_own.py").write_text(WHOLE.replace(line, instead))
    monkeypatch.syspath_prepend(tmp_path)
    if sentence is None:
        audit = Audit(rules=catalog((name,)))
        source = blake2b(WHOLE.encode(), digest_size=8).hexdigest()
        assert audit.editions(["page-own", "page-slow"]) == {"page-own": source}
        return
    with pytest.raises(ConfigError) as caught:
        AuditSettings.from_scrapy({"AUDIT_RULE_MODULES": name})
    said = str(caught.value)
    assert said.startswith(f"AUDIT_RULE_MODULES: {sentence.format(name=name)}")
    assert "\n" not in said


def test_a_package_of_rules_that_cannot_be_added_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"own_{uuid4().hex}"
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    (tmp_path / name / "page_slow.py").write_text(WHOLE.replace("PageOwn", "PageSlow"))
    monkeypatch.setattr(sys, "path", [*filter(None, sys.path)])
    monkeypatch.chdir(tmp_path)  # As installed commands, which do not look for modules there.
    for modules, sentence in (
        (name, f"{name} defines the rule page-slow, which already exists"),
        ("no_rules", "no_rules cannot be imported (No module named 'no_rules')"),
        ("json.decoder", "json.decoder is a module, not a package with a file per rule"),
    ):
        with pytest.raises(RuleModuleError) as caught:
            catalog((modules,))
        assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"b-*": "off"}, {"b-one": "off", "b-two": "off"}),
        ({"*-one": "error"}, {"a-one": "error", "b-one": "error"}),
        ({"*": "off", "b-one": "error"}, {"a-one": "off", "b-one": "error", "b-two": "off"}),
        ({"b-one": "error", "b-*": "off"}, {"b-one": "error", "b-two": "off"}),
        ({"*": "off", "a-*": "notice"}, {"a-one": "notice", "b-one": "off", "b-two": "off"}),
        ({"a-*": "notice", "*": "off"}, {"a-one": "off", "b-one": "off", "b-two": "off"}),
        ({"c-*": "off"}, {}),
        ({}, {}),
    ],
)
def test_a_pattern_chooses_for_the_rules_that_it_matches(
    chosen: dict[str, str], expected: dict[str, str]
) -> None:
    assert by_rule(chosen, ["a-one", "b-one", "b-two"]) == expected


def test_the_rules_of_a_pattern_are_switched_off() -> None:
    audit = Audit({"*": "off", "hreflang-self-missing": "notice"})
    assert [rule.id for rule in audit.queries] == ["hreflang-self-missing"]


def test_each_profile_has_the_rules_whose_sources_it_publishes() -> None:
    rules = catalog()
    chosen = {name: set(profile_rules([name], rules)) for name in PROFILES}
    assert "hreflang-no-return" in chosen["google"] - chosen["protocol"]
    assert "loc-missing" in chosen["protocol"] & chosen["bing"]
    assert "lastmod-identical" in chosen["bing"]
    assert "loc-too-long" in chosen["yandex"] & chosen["protocol"]
    assert not any("loc-duplicate" in names for names in chosen.values())
    assert set(profile_rules(["google", "yandex"], rules)) == chosen["google"] | chosen["yandex"]


@pytest.mark.parametrize(
    ("chosen", "on", "off"),
    [
        ({"profile": "protocol"}, "loc-missing", "canonical-missing"),
        ({"profile": "protocol, google"}, "canonical-missing", "loc-duplicate"),
        ({"profile": "protocol", "loc-duplicate": "warning"}, "loc-duplicate", "canonical-missing"),
        ({"profile": "protocol", "loc-*": "off"}, "changefreq-invalid", "loc-missing"),
    ],
)
def test_other_rules_than_those_of_a_profile_are_off(
    chosen: dict[str, str], on: str, off: str
) -> None:
    active = Audit(chosen).active
    assert on in active
    assert off not in active

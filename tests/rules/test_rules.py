"""Laws for every rule, whatever it is about."""

import string
from pathlib import Path

import pytest

from sitemapaudit import rules
from sitemapaudit.items import Severity, Subject
from sitemapaudit.rules.catalogue import catalogue
from sitemapaudit.rules.rule import SECTIONS, Query, RowRule, Rule
from sitemapaudit.rules.sources import Reference
from tests.support import PROJECT, build_run

FOLDER = Path(rules.__path__[0])
FILES = sorted(
    file
    for subject in Subject
    for file in (FOLDER / subject).iterdir()
    if file.suffix == ".py" and file.stem != "__init__"
)

each_rule = pytest.mark.parametrize("rule", catalogue().values(), ids=catalogue())
each_query = pytest.mark.parametrize(
    "rule", [rule for rule in catalogue().values() if issubclass(rule, Query)], ids=lambda r: r.id
)


def test_there_is_a_rule_for_each_file_and_a_file_for_each_rule() -> None:
    assert sorted(catalogue()) == sorted(file.stem.replace("_", "-") for file in FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_file_name_and_folder_are_id_and_subject(file: Path) -> None:
    rule = catalogue()[file.stem.replace("_", "-")]
    assert rule.__module__ == f"{rules.__name__}.{file.parent.name}.{file.stem}"
    assert rule.subject is Subject(file.parent.name)


@each_rule
def test_id_is_lower_case_words_between_dashes(rule: type[Rule]) -> None:
    allowed = set(string.ascii_lowercase + string.digits)
    assert all(word and set(word) <= allowed for word in rule.id.split("-"))


@each_rule
def test_class_bears_the_name_of_its_file(rule: type[Rule]) -> None:
    assert rule.__name__.lower() == rule.id.replace("-", "")


@each_rule
def test_a_rule_judges_a_row_or_asks_the_tables(rule: type[Rule]) -> None:
    assert issubclass(rule, RowRule) is not issubclass(rule, Query)
    assert rule.subject is not Subject.SITE or issubclass(rule, Query)


@each_rule
def test_severity_is_one_of_three(rule: type[Rule]) -> None:
    assert isinstance(rule.severity, Severity)


@each_rule
def test_title_is_a_phrase(rule: type[Rule]) -> None:
    assert rule.title()
    assert rule.title() == rule.title().strip()
    assert rule.title()[-1] not in ".:!"


@each_rule
@pytest.mark.parametrize("section", SECTIONS)
def test_page_has_every_section(rule: type[Rule], section: str) -> None:
    text = rule.section(section)
    assert text
    assert text.endswith((".", "!"))


@each_rule
def test_sections_stand_in_order_and_once(rule: type[Rule]) -> None:
    heads = [
        paragraph.partition(":")[0].strip() for paragraph in (rule.__doc__ or "").split("\n\n")
    ]
    assert [head for head in heads if head in SECTIONS] == list(SECTIONS)


@each_rule
def test_references_are_cited_once_each(rule: type[Rule]) -> None:
    assert rule.references
    assert all(isinstance(reference, Reference) for reference in rule.references)
    assert len(set(rule.references)) == len(rule.references)


@each_rule
def test_message_is_a_template_with_names(rule: type[Rule]) -> None:
    pieces = list(string.Formatter().parse(rule.message))
    assert pieces
    assert all(name is None or name.isidentifier() for _, name, _, _ in pieces)


@each_rule
def test_message_is_the_rest_of_a_sentence(rule: type[Rule]) -> None:
    assert rule.message == rule.message.strip()
    assert not rule.message.endswith(".")


@each_query
def test_message_of_a_query_has_plain_names(rule: type[Query]) -> None:
    for _, name, specification, conversion in string.Formatter().parse(rule.message):
        assert name is None or (specification, conversion) == ("", None)


def test_every_query_runs(tmp_path: Path) -> None:
    assert build_run(tmp_path, []).manifest.broken_rules == {}


@each_rule
def test_there_is_a_test_file(rule: type[Rule]) -> None:
    name = rule.__module__.rpartition(".")[2]
    assert (PROJECT / "tests" / "rules" / rule.subject / f"test_{name}.py").is_file()

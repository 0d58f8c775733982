"""The cases have the format that the README describes, and say in plain words what they test."""

import json
import tomllib
from itertools import permutations

import jsonschema
import pytest

from tests.conformance.cases import HERE, Case, read_cases, read_suite
from tests.conformance.facts import COUNTED, PAGE_FACTS, SITEMAP_FACTS, differences
from tests.conformance.page import PAGE
from tests.words.idioms import find_idioms

SUITE = read_suite()
SCHEMA = json.loads((HERE / "schema.json").read_text("utf-8"))
SITE = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [case for topic in SUITE.topics for case in read_cases(topic)]


@pytest.mark.parametrize("topic", SUITE.topics)
def test_a_topic_follows_the_schema(topic: str) -> None:
    read = tomllib.loads((HERE / "cases" / f"{topic}.toml").read_text("utf-8"))
    jsonschema.Draft202012Validator(SCHEMA).validate(read)
    assert read["topic"] == topic


def test_each_file_is_a_topic() -> None:
    assert {file.stem for file in (HERE / "cases").iterdir()} == set(SUITE.topics)


def test_ids_are_unique_and_begin_with_the_topic(cases: list[Case]) -> None:
    ids = [case.id for case in cases]
    assert len(set(ids)) == len(ids)
    assert [case.id for case in cases if not case.id.startswith(f"{case.topic}-")] == []


def test_each_start_is_a_file_of_its_case(cases: list[Case]) -> None:
    starts = {case.id: "/robots.txt" if case.kind == "site" else case.start for case in cases}
    assert [case.id for case in cases if starts[case.id] not in case.files] == []


def test_facts_belong_to_the_kind_of_the_case(cases: list[Case]) -> None:
    for case in cases:
        known = PAGE_FACTS if case.kind == "page" else (*SITEMAP_FACTS, *COUNTED)
        for facts in case.acceptable(SITE):
            assert set(facts) <= set(known), case.id


def test_what_a_section_requires_is_said_in_plain_words(cases: list[Case]) -> None:
    assert [
        (case.id, *find_idioms(case.says)) for case in cases if any(find_idioms(case.says))
    ] == []


def test_no_two_cases_are_equal(cases: list[Case]) -> None:
    seen = [(case.kind, case.start, case.files, case.long) for case in cases]
    repeated = [case.id for case, made in zip(cases, seen, strict=True) if seen.count(made) > 1]
    assert repeated == []


def test_acceptable_results_differ(cases: list[Case]) -> None:
    """A program that finds any of them does not find the others, too."""
    for case in cases:
        for one, other in permutations(case.acceptable(SITE), 2):
            assert differences(one, other, other) != [], case.id


def test_the_documentation_shows_this_version(cases: list[Case]) -> None:
    assert f"Version {SUITE.version}, {len(cases)} cases:" in PAGE.read_text("utf-8")

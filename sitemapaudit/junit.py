"""JUnit XML, which most CI systems display."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, ElementTree, SubElement

from msgspec import Struct

from sitemapaudit.schema_version import SCHEMA_VERSION
from sitemapaudit.sitemaps.xml_syntax import forbidden

SUITE: Final = "sitemapaudit"


class Case(Struct, frozen=True):
    """A test case. It fails if ``failure`` says why; ``details`` are the lines below that."""

    classname: str
    name: str
    failure: str = ""
    details: Iterable[str] = ()
    failure_type: str = ""


def write_junit(cases: Iterable[Case], file: Path, **counts: int) -> None:
    """Write a test suite; ``counts`` are additional attributes of it. Raises OSError."""
    suite = Element("testsuite", name=SUITE)
    properties = SubElement(suite, "properties")
    SubElement(properties, "property", name="schema_version", value=str(SCHEMA_VERSION))
    for case in cases:
        element = SubElement(suite, "testcase", classname=case.classname, name=case.name)
        if case.failure:
            failure = SubElement(element, "failure", message=_clean(case.failure))
            if case.failure_type:
                failure.set("type", case.failure_type)
            failure.text = _clean("\n".join(case.details))
    tests, failures = len(suite) - 1, len(suite.findall("testcase/failure"))
    for name, value in {"tests": tests, "failures": failures, **counts}.items():
        suite.set(name, str(value))
    ElementTree(suite).write(file, encoding="utf-8", xml_declaration=True)


def _clean(text: str) -> str:
    return forbidden().sub("\N{REPLACEMENT CHARACTER}", text)

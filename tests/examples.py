"""Makes the example of each rule: its first finding on the demo website, or in its own test.

If the demo website has no fault for a rule, the test of the rule has a function ``example``, which
returns items that break it (of a rule that compares runs, those of both runs), and ``ARGUMENTS`` if
the audit needs any. ``python -m tests.examples`` writes the examples into the package.
"""

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
from msgspec.structs import asdict

from sitemapaudit import Run
from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import TABLE, compare
from sitemapaudit.datasets.database import connect
from sitemapaudit.demo.shop_files import HUGE_INDEX
from sitemapaudit.demo.website import Demo
from sitemapaudit.demo.week_later import PRODUCTS_FILE
from sitemapaudit.report.embedding import shorten
from sitemapaudit.rules import examples as stored
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.examples import Example
from sitemapaudit.rules.rule import ComparisonRule
from tests.rules.tables import tables_of
from tests.rules.two_runs import compared_tables
from tests.support.audits import Audited, audit_demo, crawl
from tests.support.paths import PROJECT
from tests.support.week import Week

MAX_PLACE, MAX_MESSAGE = 100, 300
"""Longer places and messages are truncated."""

PORT = r"(?<=[^/:]):\d+"
MEMORY = 256


class NoExampleError(Exception):
    """A rule has no example; the message says what to write."""


def audit_huge_index(folder: Path) -> Audited:
    """Audit the index of too many sitemaps."""
    with Demo() as website:
        return crawl(folder, {"sitemap": website.origins.shop + HUGE_INDEX})


def audit_with_limit(folder: Path) -> Audited:
    """Audit more pages than the limit allows."""
    with Demo() as website:
        sitemap = website.origins.shop + PRODUCTS_FILE
        return crawl(folder, {"sitemap": sitemap}, {"AUDIT_MAX_URLS": "20"})


def audit_in_browser(folder: Path) -> Audited:
    """Audit the demo website, and render the pages with scripts."""
    return audit_demo(folder, "-a", "render=auto")


def examples_in(run: Run) -> dict[str, Example]:
    """Return the first finding of each rule in a run."""
    return _first_findings(run.findings)


def examples_between(old: Run, new: Run) -> dict[str, Example]:
    """Return the first new finding of each rule that compares runs."""
    compare(old.path, new.path, MEMORY, Audit())
    with connect() as connection:
        table = str(new.path / f"{TABLE}.parquet")
        rules = [rule.id for rule in Audit().comparisons]
        query = "from read_parquet($table) where list_contains($rules, rule)"
        return _first_findings(connection.execute(query, {"table": table, "rules": rules}).df())


def examples_from_tests(rules: Iterable[str]) -> dict[str, Example]:
    """Return the examples that the tests of these rules define. Raises NoExampleError."""
    return {rule: _example_from_test(rule) for rule in sorted(rules)}


def _example_from_test(rule: str) -> Example:
    name = f"{catalog()[rule].subject}/test_{rule.replace('-', '_')}"
    if not (PROJECT / "tests" / "rules" / f"{name}.py").exists():
        raise NoExampleError(f"{rule} has no test: write tests/rules/{name}.py")
    module = import_module(f"tests.rules.{name.replace('/', '.')}")
    if not hasattr(module, "example"):
        raise NoExampleError(
            f"the demo website has no fault for {rule}: write a function example() in"
            f" tests/rules/{name}.py that returns items with such a fault"
        )
    if example := _first_findings(_findings_of_test(rule, module)).get(rule):
        return example
    raise NoExampleError(f"example() in tests/rules/{name}.py has no fault that {rule} finds")


def _findings_of_test(rule: str, module: Any) -> pd.DataFrame:
    if issubclass(catalog()[rule], ComparisonRule):
        before, after = module.example()
        return pd.DataFrame(compared_tables(before, after, rule))
    return tables_of(module.example(), rule, **getattr(module, "ARGUMENTS", {})).findings


def _first_findings(findings: pd.DataFrame) -> dict[str, Example]:
    places = findings["url"].fillna(findings["sitemap"]).fillna("the audit")
    frame = findings.assign(place=places)
    # The ports differ between runs.
    frame["order"] = frame["place"].str.replace(PORT, "", regex=True)
    first = frame.sort_values(["rule", "order", "message"]).drop_duplicates("rule")
    rows = zip(first["rule"], first["place"], first["message"], strict=True)
    return {
        rule: Example(shorten(place, MAX_PLACE), shorten(message, MAX_MESSAGE))
        for rule, place, message in rows
    }


def _demo_examples(folder: Path) -> Iterator[dict[str, Example]]:
    """Yield examples of demo audits; later ones replace earlier ones."""
    yield examples_in(audit_huge_index(folder / "index").run)
    yield examples_in(audit_with_limit(folder / "limited").run)
    yield examples_in(audit_in_browser(folder / "rendered").run)
    with Demo() as website:
        week = Week(website, folder)
        yield examples_in(week.earlier.run)
        yield examples_between(week.earlier.run, week.later.run)


def main() -> None:
    """Write the examples into the package."""
    found: dict[str, Example] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for examples in _demo_examples(Path(scratch)):
            found |= examples
        found |= examples_from_tests(catalog().keys() - found.keys())
    rows = {rule: asdict(found[rule]) for rule in sorted(found)}
    file = Path(stored.__file__).with_name(stored.FILE)
    file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except NoExampleError as error:
        sys.exit(str(error))

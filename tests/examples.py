"""Makes the example of each rule: its first finding on the demo website, or in its own test.

A test of a rule that has a function ``example`` decides: it returns items that break the rule (of a
rule that compares runs, those of both runs), and ``ARGUMENTS`` are those of the audit. All other
rules find something on the demo website. ``python -m tests.examples`` writes the examples into the
package.
"""

import json
import re
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
from msgspec.structs import asdict, replace

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import TABLE
from sitemapaudit.datasets.database import connect
from sitemapaudit.demo.planted_pages import Origins
from sitemapaudit.demo.shop_files import HUGE_INDEX
from sitemapaudit.demo.website import Demo
from sitemapaudit.demo.week_later import PRODUCTS_FILE
from sitemapaudit.report.embedding import shorten
from sitemapaudit.rules import examples as stored
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.examples import Example
from sitemapaudit.rules.rule import ComparisonRule
from sitemapaudit.urls import origin
from tests.rules.tables import tables_of
from tests.rules.two_runs import compared_tables
from tests.support.audits import Audited, audit_demo, crawl
from tests.support.paths import PROJECT
from tests.support.week import Week

MAX_PLACE, MAX_MESSAGE = 100, 300
"""Longer places and messages are truncated."""

PUBLIC = Origins(
    shop="www.example.com",
    alias="shop.example.com",
    blog="blog.example.com",
    bare="new.example.com",
    down="down.example.com",
    dead="old.example.com",
    tls="login.example.com",
    maze="maze.example.com",
)
"""The hosts that examples show in place of those of the demo."""

_LOOPBACK = re.compile(r"https?://((?:127\.0\.0\.1|localhost):\d+)")
_HOSTS = {"127.0.0.1": PUBLIC.shop, "localhost": PUBLIC.alias}


class NoExampleError(Exception):
    """A rule has no example; the message says what to write."""


def publish(text: str, origins: Origins) -> str:
    """Return a text about the demo as one about a public website."""
    names = Origins.__struct_fields__
    hosts = {getattr(origins, name).partition("//")[2]: getattr(PUBLIC, name) for name in names}
    text = _LOOPBACK.sub(lambda found: f"https://{hosts[found[1]]}", text)
    for host, public in _HOSTS.items():
        text = text.replace(host, public)
    return text


@dataclass(frozen=True)
class Planted:
    """Audits of the demo website that together break nearly every rule, each made on first use."""

    website: Demo
    folder: Path

    @cached_property
    def huge_index(self) -> Audited:
        """The audit of an index of too many sitemaps."""
        sitemap = self.website.origins.shop + HUGE_INDEX
        return crawl(self.folder / "index", {"sitemap": sitemap})

    @cached_property
    def limited(self) -> Audited:
        """The audit of more pages than the limit allows."""
        sitemap = self.website.origins.shop + PRODUCTS_FILE
        return crawl(self.folder / "limited", {"sitemap": sitemap}, {"AUDIT_MAX_URLS": "20"})

    @cached_property
    def rendered(self) -> Audited:
        """The audit of ``site=demo`` with a browser, at other addresses: it serves the website."""
        return audit_demo(self.folder / "rendered", "-a", "render=auto")

    def examples(self) -> dict[str, Example]:
        """Return the first finding of each rule in one of these audits."""
        findings = self.rendered.run.findings
        of_browser = findings[findings["rule"].str.startswith("render-")]
        shop = origin(str(of_browser["url"].iloc[0]))
        found = first_findings([of_browser], replace(self.website.origins, shop=shop))
        frames = [each.run.findings for each in (self.limited, self.huge_index)]
        return found | first_findings(frames, self.website.origins)


def make_examples(planted: Planted, week: Week) -> dict[str, Example]:
    """Return the example of each rule. Raises NoExampleError."""
    of_week = first_findings([_new_findings(week), week.earlier.run.findings], week.origins)
    found = planted.examples() | of_week
    tested = {rule for rule in catalog() if rule not in found or _has_example(rule)}
    return found | examples_from_tests(tested)


def _new_findings(week: Week) -> pd.DataFrame:
    """Return the findings of the rules that compare runs."""
    assert week.comparison.returncode == 0
    with connect() as connection:
        table = str(week.later.run.path / f"{TABLE}.parquet")
        rules = [rule.id for rule in Audit().comparisons]
        query = "from read_parquet($table) where list_contains($rules, rule)"
        return connection.execute(query, {"table": table, "rules": rules}).df()


def examples_from_tests(rules: Iterable[str]) -> dict[str, Example]:
    """Return the examples that the tests of these rules define. Raises NoExampleError."""
    return {rule: _example_from_test(rule) for rule in sorted(rules)}


def _example_from_test(rule: str) -> Example:
    file = _test_of(rule)
    name = file.relative_to(PROJECT).as_posix()
    if not file.exists():
        raise NoExampleError(f"{rule} has no test: write {name}")
    if not _has_example(rule):
        raise NoExampleError(
            f"the demo website has no fault for {rule}: write a function example() in"
            f" {name} that returns items with such a fault"
        )
    if example := first_findings([_findings_of_test(rule)]).get(rule):
        return example
    raise NoExampleError(f"example() in {name} has no fault that {rule} finds")


def _test_of(rule: str) -> Path:
    folder = PROJECT / "tests" / "rules" / catalog()[rule].subject
    return folder / f"test_{rule.replace('-', '_')}.py"


def _has_example(rule: str) -> bool:
    return _test_of(rule).exists() and hasattr(_module_of(rule), "example")


def _module_of(rule: str) -> Any:
    name = ".".join(_test_of(rule).relative_to(PROJECT).with_suffix("").parts)
    return import_module(name)


def _findings_of_test(rule: str) -> pd.DataFrame:
    module = _module_of(rule)
    if issubclass(catalog()[rule], ComparisonRule):
        before, after = module.example()
        findings = pd.DataFrame(compared_tables(before, after, rule))
    else:
        findings = tables_of(module.example(), rule, **getattr(module, "ARGUMENTS", {})).findings
    return findings[findings["rule"] == rule]


def first_findings(
    tables: list[pd.DataFrame], origins: Origins | None = None
) -> dict[str, Example]:
    """Return the first finding of each rule; the first table that has one decides."""
    found: dict[str, Example] = {}
    for table in tables:
        places = table["url"].fillna(table["sitemap"]).fillna("the audit")
        frame = table.assign(place=places)[["rule", "place", "message"]]
        if origins is not None:
            # The addresses of the demo differ between runs, and so would their order.
            frame[["place", "message"]] = frame[["place", "message"]].map(
                lambda text: publish(text, origins)
            )
        first = frame.sort_values(["rule", "place", "message"]).drop_duplicates("rule")
        for rule, place, message in first.itertuples(index=False):
            found.setdefault(
                rule, Example(shorten(place, MAX_PLACE), shorten(message, MAX_MESSAGE))
            )
    return found


def main() -> None:
    """Write the examples into the package."""
    with tempfile.TemporaryDirectory() as folder, Demo() as website:
        planted = Planted(website, Path(folder))
        found = make_examples(planted, Week(website, Path(folder)))
    rows = {rule: asdict(found[rule]) for rule in sorted(found)}
    file = Path(stored.__file__).with_name(stored.FILE)
    file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except NoExampleError as error:
        sys.exit(str(error))

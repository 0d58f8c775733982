"""Runs programs on the cases, and prints the table of who passes what.

``python -m tests.conformance [--npm FOLDER] [--record] [--explain] [PROGRAM, TOPIC or CASE …]``
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.conformance.cases import Case, Suite, read_cases, read_suite
from tests.conformance.page import record
from tests.conformance.programs import (
    ADAPTERS,
    Introduction,
    NotInstalledError,
    Outcome,
    judge,
    start,
)
from tests.conformance.table import render_table, render_versions

NPM = Path(sys.prefix) / "conformance"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make conformance", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="a program, a topic or a case")
    parser.add_argument("--npm", type=Path, default=NPM, help="keep packages of npm in this folder")
    parser.add_argument("--record", action="store_true", help="write the page of the documentation")
    parser.add_argument("--explain", action="store_true", help="print why cases fail")
    options = parser.parse_args(words)
    suite = read_suite()
    cases = _choose(suite, options.words)
    results: dict[str, list[Outcome]] = {}
    versions: list[Introduction] = []
    missing: list[str] = []
    for name in [word for word in options.words if word in ADAPTERS] or [*ADAPTERS]:
        try:
            versions.append(_run(name, options.npm, cases, results))
        except NotInstalledError as error:
            missing.append(name)
            print(f"Not compared: {error}", flush=True)
    if options.explain:
        _explain(results)
    print(render_table(suite, results), f"\nVersion {suite.version}: {render_versions(versions)}")
    if options.record:
        record(suite, results, versions, missing)
    return 0


def _choose(suite: Suite, words: Iterable[str]) -> list[Case]:
    """Return the cases of the named topics, and the named cases; all without such a name."""
    chosen = {word for word in words if word not in ADAPTERS}
    cases = [case for topic in suite.topics for case in read_cases(topic)]
    return [case for case in cases if not chosen or not chosen.isdisjoint((case.topic, case.id))]


def _run(
    name: str, npm: Path, cases: Iterable[Case], results: dict[str, list[Outcome]]
) -> Introduction:
    adapter = start(name, npm.resolve())
    try:
        results[name] = [judge(adapter, case) for case in cases]
    finally:
        adapter.stop()
    return adapter.introduction


def _explain(results: dict[str, list[Outcome]]) -> None:
    for name, outcomes in results.items():
        for outcome in outcomes:
            if outcome.passed is False:
                print(f"{name} fails {outcome.case.id} ({outcome.case.level}): {outcome.reason}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Writes the results of all programs into the documentation."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from tests.conformance.cases import Suite
from tests.conformance.programs import Introduction, Outcome
from tests.conformance.table import render_table, render_versions
from tests.support.paths import PROJECT

PAGE: Final = PROJECT / "docs" / "reference" / "conformance.md"
_RECORDED: Final = re.compile(r"(?<=<!-- recorded -->\n).*?(?=<!-- end -->)", re.DOTALL)


def record(
    suite: Suite,
    results: Mapping[str, list[Outcome]],
    versions: Iterable[Introduction],
    missing: Iterable[str],
) -> None:
    """Replace the recorded part of the page."""
    number = max(map(len, results.values()))
    absent = "".join(f" {name} could not be installed." for name in missing)
    lines = (
        f"Version {suite.version}, {number} cases: {render_versions(versions)}.{absent}",
        render_table(suite, results),
    )
    recorded = "\n" + "\n\n".join(lines) + "\n\n"
    page = PAGE.read_text("utf-8")
    PAGE.write_text(_RECORDED.sub(lambda _: recorded, page), "utf-8")

"""A finding of each rule on the demo website, for the pages of the rules.

``python -m sitemapaudit.demo.examples`` audits the demo, and writes them anew;
a test compares.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files as resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import TABLE, compare
from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.run import Run, open_run
from sitemapaudit.demo.files import HUGE_INDEX
from sitemapaudit.demo.website import EXCLUDE, SETTINGS, Demo
from sitemapaudit.report.embedding import cut

if TYPE_CHECKING:
    import pandas as pd

_NAME: Final = "examples.json"
_PLACE, _MESSAGE = 100, 300
_MEMORY: Final = 256
_PORT: Final = r"(?<=[^/:]):\d+"


@dataclass(slots=True, frozen=True)
class Example:
    """A finding: where it is, and what it says."""

    place: str
    message: str


@cache
def examples() -> Mapping[str, Example]:
    """Return a finding of each rule, by its id."""
    # The package may be an egg, in which there are no files.
    file = resources("sitemapaudit.demo") / _NAME
    stored = json.loads(file.read_text(encoding="utf-8"))
    return {rule: Example(**example) for rule, example in stored.items()}


def found_in(run: Run) -> dict[str, Example]:
    """Return the first finding of each rule in a run."""
    return _firsts(run.findings)


def found_between(old: Run, new: Run) -> dict[str, Example]:
    """Return the first new finding of each rule that it takes both runs to find."""
    compare(old.path, new.path, _MEMORY)
    with connect() as connection:
        table = str(new.path / f"{TABLE}.parquet")
        both = [rule.id for rule in Audit().comparisons]
        query = "from read_parquet($table) where list_contains($both, rule)"
        return _firsts(connection.execute(query, {"table": table, "both": both}).df())


def _firsts(findings: pd.DataFrame) -> dict[str, Example]:
    places = findings["url"].fillna(findings["sitemap"]).fillna("the audit")
    frame = findings.assign(place=places)
    # The ports differ from run to run.
    frame["order"] = frame["place"].str.replace(_PORT, "", regex=True)
    firsts = frame.sort_values(["rule", "order", "message"]).drop_duplicates("rule")
    rows = zip(firsts["rule"], firsts["place"], firsts["message"], strict=True)
    return {
        rule: Example(cut(place, _PLACE), cut(message, _MESSAGE)) for rule, place, message in rows
    }


def demo_runs(folder: Path) -> list[Run]:
    """Audit the demo: up to a limit, its index of too many sitemaps, with a browser, as it is.

    The last one is of the demo a week later, at the same addresses as the one before it.
    """
    with Demo() as demo:
        huge = f"sitemap={demo.origins.shop}{HUGE_INDEX}"
        by_itself = _audit(folder / "index", "-a", huge, "-s", "AUDIT_MAX_SITEMAPS=1")
        words = [f"site={','.join(demo.sites)}", f"exclude={EXCLUDE}"]
        settings = SETTINGS | {"AUDIT_PRIVATE_HOSTS": ",".join(demo.private_hosts)}
        served = [part for word in words for part in ("-a", word)]
        served += [part for pair in settings.items() for part in ("-s", "{}={}".format(*pair))]
        whole = _audit(folder / "whole", *served)
        demo.let_a_week_pass()
        later = _audit(folder / "later", *served)
    limited = _audit(folder / "limited", "-a", "site=demo", "-s", "AUDIT_MAX_URLS=20")
    rendered = _audit(folder / "rendered", "-a", "site=demo", "-a", "render=auto")
    return [limited, by_itself, rendered, whole, later]


def _audit(folder: Path, *words: str) -> Run:
    command = [sys.executable, "-m", "scrapy", "crawl", "sitemap", *words]
    settings = ["-s", f"AUDIT_DIR={folder}", "-s", "AUDIT_SPEED=full"]
    subprocess.run([*command, *settings], check=False, capture_output=True)  # noqa: S603 - our own
    return open_run(folder)


def main() -> None:
    """Write the examples anew."""
    found: dict[str, Example] = {}
    with tempfile.TemporaryDirectory() as folder:
        *runs, whole, later = demo_runs(Path(folder))
        for run in (*runs, whole):
            found |= found_in(run)
        found |= found_between(whole, later)
    stored = {rule: asdict(found[rule]) for rule in sorted(found)}
    file = Path(__file__).with_name(_NAME)
    file.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

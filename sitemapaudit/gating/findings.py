"""The findings of a run, each with a key that survives another order, other lines and hosts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sitemapaudit.datasets.database import connect, parquet_rows
from sitemapaudit.datasets.run import open_run
from sitemapaudit.items import Severity
from sitemapaudit.runs.folders import table_file

_QUERY: Final = """
    select rule, finding.severity, finding.url, finding.sitemap, line, message, occurrences,
        file,
        regexp_replace(coalesce(finding.url, finding.sitemap, ''), '^https?://[^/]*', '')
            || if(finding.url is null,
                ' ' || regexp_replace(
                    regexp_replace(coalesce(cause, message), 'https?://[^/\\s]*', '', 'g'),
                    '[0-9][0-9.,:]*', '#', 'g'
                ), '') as place
    from {findings} as finding
    left join {files} as files on files.url = finding.url
    order by severity_order(finding.severity), rule, place
"""


@dataclass(slots=True, frozen=True)
class GateFinding:
    """A finding: ``rule`` and ``place`` are the key by which a baseline knows it.

    ``place`` is the path of the URL or the sitemap, without its host: the same finding on staging
    and live. ``file`` is the file of a build that it is about.
    """

    rule: str
    severity: Severity
    place: str
    message: str
    url: str | None = None
    sitemap: str | None = None
    line: int | None = None
    file: str | None = None
    number: int = 1

    @property
    def key(self) -> tuple[str, str]:
        """What a baseline knows of it."""
        return self.rule, self.place

    @property
    def where(self) -> str:
        """The URL or sitemap, for people."""
        return self.url or self.sitemap or "the site"


def read_findings(run: Path) -> list[GateFinding]:
    """Return the findings of a run, the most severe first."""
    pages = table_file(run, "pages")
    with connect() as connection:
        described = connection.execute(f"describe from {parquet_rows(pages)}").fetchall()
        # Earlier versions audited no builds.
        file = "file" if "file" in {name for name, *_ in described} else "null"
        rows = connection.execute(
            _QUERY.format(
                findings=parquet_rows(table_file(run, "findings")),
                files=f"(select url, {file} as file from {parquet_rows(pages)})",  # noqa: S608
            )
        ).fetchall()
    return [
        GateFinding(rule, Severity(severity), place, message, url, sitemap, line, file, number)
        for rule, severity, url, sitemap, line, message, number, file, place in rows
    ]


def find_run_folder(name: str) -> Path:
    """Return the run folder, or the newest below a folder; raises FileNotFoundError."""
    return open_run(name).path

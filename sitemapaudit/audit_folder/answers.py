"""Bounded answers about a run, as values of JSON: its summary, its findings, its URLs."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from sitemapaudit import urls
from sitemapaudit.audit_folder.comparing import ComparedRuns
from sitemapaudit.audit_folder.folder import AuditFolder, status_now
from sitemapaudit.datasets.database import connect, create_table_views, load_tables
from sitemapaudit.report.embedding import bounded, shorten, within
from sitemapaudit.report.finding_groups import COLUMNS, finding_row
from sitemapaudit.report.overview import list_verdicts, site_of
from sitemapaudit.report.url_facts import read_url
from sitemapaudit.report.wording import describe_share, describe_share_change
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.remarks import remarks

MAX_BYTES: Final = 40_000
"""Limit for the rows of an answer, in bytes."""

MAX_ENTRIES: Final = 20

Answer = dict[str, Any]

_URL_COLUMNS: Final = "url, verdict, status, error, title, final_url, canonical, skip_reason, rules"


def list_runs(folder: AuditFolder, site: str, offset: int, limit: int) -> Answer:
    """Return the runs of a folder, or of one site, the newest first."""
    runs = folder.runs(site)
    rows = (describe_run(folder, run) for run in runs[offset : offset + limit])
    return _page(rows, len(runs), offset)


def describe_run(folder: AuditFolder, run: Path) -> Answer:
    """Return one row about a run; ``error`` if it cannot be read."""
    name = folder.name(run)
    try:
        manifest = Manifest.read(run)
    except (OSError, ValueError) as error:
        return {"run": name, "error": shorten(str(error))}
    return {
        "run": name,
        "site": shorten(site_of(manifest)),
        "started": manifest.started,
        "status": status_now(run, manifest),
        "complete": manifest.complete,
        "listed_urls": manifest.rows.get("urls", 0),
        "indexable": describe_share(manifest.share),
        "findings": dict(manifest.severities),
    }


def summarize(folder: AuditFolder, run: Path) -> Answer:
    """Return the summary of a run. Raises OSError, or ValueError with a sentence."""
    manifest = Manifest.read(run)
    return describe_run(folder, run) | {
        "finished": manifest.finished,
        "incomplete_because": manifest.reason and shorten(manifest.reason),
        "remedy": manifest.remedy and shorten(manifest.remedy),
        "arguments": bounded_values(manifest.given),
        "verdicts": {row.verdict: [row.count, row.meaning] for row in list_verdicts(manifest)},
        "rules": within(_count_rules(manifest), MAX_BYTES),
        "likely_causes": [shorten(cause.sentence) for cause in manifest.likely_causes],
        "remarks": [shorten(text) for text in remarks(manifest)],
        "compared_with": manifest.compared_with,
        "changes": manifest.changes,
    }


def _count_rules(manifest: Manifest) -> list[Answer]:
    """Return the rules with findings, the most severe and most frequent first."""
    known = catalog()
    counts = manifest.rules.items()
    rows = [
        (known[name].severity.rank, number, name, known[name].severity, known[name].title())
        if name in known
        else (-1, number, shorten(name), None, "")
        for name, number in counts
    ]
    return [
        {"rule": name, "severity": severity, "title": title, "findings": number}
        for _, number, name, severity, title in sorted(rows, key=lambda row: (-row[0], -row[1]))
    ]


def list_findings(run: Path, given: Mapping[str, str], offset: int, limit: int) -> Answer:
    """Return findings, the most severe first; ``given`` can name a rule, a severity and a URL."""
    conditions = [f"{name} = ${name}" for name in given]
    names = f"{COLUMNS}, occurrences".split(", ")
    rows, total = _select(run, "findings", names, conditions, given, offset, limit)
    return _page((finding_row(row) | _merged(row) for row in rows), total, offset)


def list_urls(run: Path, verdict: str, containing: str, offset: int, limit: int) -> Answer:
    """Return listed URLs with a verdict, or with any, and those that contain a text."""
    conditions = ["contains(url, $containing)", *(["verdict = $verdict"] if verdict else [])]
    given = {"containing": containing} | ({"verdict": verdict} if verdict else {})
    names = _URL_COLUMNS.split(", ")
    rows, total = _select(run, "urls", names, conditions, given, offset, limit)
    return _page(map(bounded_values, rows), total, offset)


def describe_url(run: Path, url: str) -> Answer | None:
    """Return all that is known about a listed URL; None if no sitemap lists it."""
    address = urls.normalize(url) or url
    with connect() as connection:
        load_tables(connection, run)
        found = read_url(connection, address)
        cursor = connection.execute(
            f"select * exclude (url) from entries where url = $url limit {MAX_ENTRIES}",
            {"url": address},
        )
        columns = [name for name, *_ in cursor.description or ()]
        entries = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    if found is None:
        return None
    return found | {
        "facts": dict(within(found["facts"].items(), MAX_BYTES)),
        "findings": within(found["findings"], MAX_BYTES),
        "entries": within(map(bounded_values, entries), MAX_BYTES),
    }


def describe_comparison(compared: ComparedRuns, limit: int) -> Answer:
    """Return what changed between two runs: the counts, and the most severe changes."""
    changes = compared.changes
    comparison = changes.comparison
    share = comparison.share_change
    return {
        "earlier": {
            "started": changes.started,
            "indexable": describe_share(changes.previous.counts),
        },
        "later": {
            "started": compared.manifest.started,
            "indexable": describe_share(compared.manifest.share),
        },
        "share": describe_share_change(share) if share else None,
        "different_arguments": [shorten(text) for text in changes.arguments],
        "counts": comparison.changes,
        "verdicts": [
            {"before": before, "after": after, "urls": number}
            for (before, after), number in comparison.verdicts.items()
        ],
        "rules": [
            {"rule": row.name, "before": row.before, "after": row.after, "note": row.note}
            for row in changes.rules
        ],
        **_page(compared.rows[:limit], changes.count, 0),
    }


def bounded_values(row: Mapping[str, Any]) -> Answer:
    """Return a row with limited texts and lists, and without empty values."""
    values = {name: bounded(value) for name, value in row.items()}
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def _merged(row: Mapping[str, Any]) -> Answer:
    return {"occurrences": row["occurrences"]} if row["occurrences"] > 1 else {}


def _select(
    run: Path,
    table: str,
    names: Iterable[str],
    conditions: Iterable[str],
    given: Mapping[str, Any],
    offset: int,
    limit: int,
) -> tuple[list[Answer], int]:
    """Return some rows of a table, and the number of all that meet the conditions."""
    columns = list(names)
    where = " and ".join(("true", *conditions))
    with connect() as connection:
        create_table_views(connection, run, [table])
        source = f"from {table} where {where}"
        (total,) = connection.execute(f"select count(*) {source}", given).fetchone() or (0,)
        rows = connection.execute(
            f"select {', '.join(columns)} {source} limit $limit offset $offset",
            {**given, "limit": limit, "offset": offset},
        ).fetchall()
    return [dict(zip(columns, row, strict=True)) for row in rows], total


def _page(rows: Iterable[Answer], total: int, offset: int) -> Answer:
    """Return as many rows as fit into an answer, and where the next ones begin."""
    kept = within(msgspec.to_builtins(list(rows), enc_hook=str), MAX_BYTES)
    end = offset + len(kept)
    return {"total": total, "rows": kept, "next_offset": end if end < total else None}

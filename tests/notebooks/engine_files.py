"""Exports and a log about a run, with planted facts."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from sitemapaudit import Run
from sitemapaudit.urls import origin, request_target
from tests.evidence.samples import (
    OUT_OF_RANGE,
    indexing_files,
    log_line,
    performance_files,
    write_folder,
    write_log,
    write_ranges,
    write_zip,
)

CRAWLED: Final = "Crawled - currently not indexed"
DISCOVERED: Final = "Discovered - currently not indexed"
NOT_FOUND: Final = "Not found (404)"

_START: Final = datetime(2026, 11, 1, tzinfo=UTC)


def write_files(run: Run, folder: Path) -> dict[str, str]:
    """Write exports and a log, and return the variables that name them.

    Four indexable pages are not indexed, one of them was never crawled, and one is indexed. A page
    that is not found and one that is not listed have impressions. Of the site with the most pages,
    the crawler fetched the indexed page twice, three of the others, a dead page, and twice one
    that is not listed; an impostor fetched a sixth page.
    """
    frame = run.urls
    site = frame["url"].map(origin).mode()[0]
    own = frame[frame["url"].str.startswith(f"{site}/")]
    first, second, third, fourth, fifth, sixth = own.loc[own["indexable"].eq(True), "url"].head(6)
    dead = own.loc[own["verdict"] == "not-found", "url"].iloc[0]
    exports, unlisted = folder / "exports", f"{site}/unlisted"
    day = "2026-11-01"
    write_zip(exports / "a.zip", indexing_files([(first, day), (second, day)], CRAWLED))
    write_zip(exports / "b.zip", indexing_files([(third, "1969-12-31")], DISCOVERED))
    write_folder(exports / "c", indexing_files([(fifth, day)], None))
    write_zip(exports / "d.zip", indexing_files([(fourth, day), (dead, day)], NOT_FOUND))
    rows = [(dead, 1, 90, "1.11%", "4"), (unlisted, 0, 5, "0%", "60"), (first, 2, 9, "22%", "1")]
    write_zip(exports / "performance.zip", performance_files(rows))
    logs = folder / "logs"
    logs.mkdir()
    fetched = [first, second, fourth, fifth, fifth]
    lines = [_line(url, 200, at) for at, url in enumerate(fetched)]
    lines += [_line(unlisted, 200, 9), _line(unlisted, 410, 11), "no log line"]
    write_log(logs / "access.log.1.gz", lines)
    impostor = log_line(f"GET {request_target(sixth)} HTTP/1.1", address=OUT_OF_RANGE)
    write_log(logs / "access.log", [_line(dead, 404, 12), impostor])
    return {
        "SITEMAPAUDIT_EXPORTS": str(exports),
        "SITEMAPAUDIT_LOGS": str(logs),
        "SITEMAPAUDIT_RANGES": str(write_ranges(folder / "googlebot.json")),
    }


def _line(url: str, status: int, hours: int) -> str:
    return log_line(
        f"GET {request_target(url)} HTTP/1.1", status, at=_START + timedelta(hours=hours)
    )

"""The earlier run to reuse, and its pages."""

import hashlib
import logging
from pathlib import Path
from typing import Any, Final

import msgspec
from scrapy.settings import BaseSettings

from sitemapaudit.config import LATEST, Config
from sitemapaudit.crawling.revalidation import Reuse
from sitemapaudit.runs.audit_run import AuditRun
from sitemapaudit.runs.file_kinds import RunFileError
from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.runs.folders import has_tables, previous_run
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.reused_run import ReusedRun

logger = logging.getLogger(__name__)

_FILE: Final = "earlier-pages.sqlite"
_READERS: Final = ("sitemapaudit", "selectolax")
"""The packages that determine how pages are read."""


def request_digest(settings: BaseSettings) -> str:
    """Return a digest of the headers of every request.

    It is too short to guess a password in a header.
    """
    headers = {**settings.getdict("DEFAULT_REQUEST_HEADERS"), "User-Agent": settings["USER_AGENT"]}
    values = sorted((name.lower(), str(value)) for name, value in headers.items())
    secret = (*values, settings.get("HTTPAUTH_USER"))
    return hashlib.blake2b(msgspec.json.encode(secret), digest_size=4).hexdigest()


def prepare_reuse(config: Config, run_of_crawl: AuditRun) -> Reuse | None:
    """Return the reusable pages of an earlier run; None if there are none.

    Records in the manifest which run it is, or why nothing is reused. Raises OSError if this run
    cannot be written.
    """
    wanted, run = config.arguments.reuse, run_of_crawl.folder
    if wanted is None:
        return None
    earlier = previous_run(run, of_any_list=True) if wanted == LATEST else Path(wanted)
    run = run.resolve()  # Workers may have another working directory.
    file = run / FOLDER / _FILE
    reason, pages = _obstacle(earlier, run), 0
    if reason is None and earlier is not None:
        reason, pages = _write_pages(earlier, file, config.settings.memory)
    name = earlier.name if earlier else None
    run_of_crawl.manifest.reused = ReusedRun(name, reason, pages)
    if reason is not None:
        level = logging.WARNING if earlier else logging.INFO
        logger.log(level, "Every page is fetched in full, without %s: %s", wanted, reason)
        file.unlink(missing_ok=True)
        if not config.arguments.resume:
            return None
    settings = config.settings
    seed = f"{settings.seed} {run.name}"
    return Reuse(None if reason else file, name or "", settings.control_share, seed)


def _write_pages(earlier: Path, file: Path, memory: int) -> tuple[str | None, int]:
    """Write the pages of a run that can be revalidated; return why none can, or their number."""
    # No other run needs DuckDB here.
    from sitemapaudit.datasets.earlier_pages import (  # noqa: PLC0415
        MissingColumnsError,
        UnreadablePagesError,
        write_earlier_pages,
    )

    try:
        pages = write_earlier_pages(earlier, file, memory)
    except MissingColumnsError:
        return _OTHER_VERSION, 0
    except UnreadablePagesError as error:
        return f"its pages cannot be read ({error})", 0
    return None if pages else "none of its pages can be revalidated", pages


_OTHER_VERSION: Final = "another version made it"


def _obstacle(earlier: Path | None, run: Path) -> str | None:
    """Return why nothing of an earlier run can be reused; None if it can."""
    if earlier is None:
        return "there is no earlier run"
    if not earlier.exists():
        return "there is no such run"
    try:
        before, now = Manifest.read(earlier), Manifest.read(run)
    except RunFileError as error:
        return str(error)
    except (OSError, ValueError):
        return "its run.json cannot be read"
    if not has_tables(earlier):
        return "it has no tables"
    if any(before.versions.get(name) != now.versions.get(name) for name in _READERS):
        return _OTHER_VERSION
    return _other_requests(before.arguments, now.arguments) or (
        None if before.request_digest == now.request_digest else "its requests had other headers"
    )


def _other_requests(before: dict[str, Any], now: dict[str, Any]) -> str | None:
    for name in ("agent", "agents", "staging", "folder"):
        values = before.get(name) or "", now.get(name) or ""
        if values[0] != values[1]:
            return f"its {name} was {values[0] or 'none'}"
    return None

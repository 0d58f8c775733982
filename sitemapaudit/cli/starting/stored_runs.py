"""Runs in the store of AUDIT_UPLOAD that an audit continues."""

from pathlib import Path

from scrapy.settings import BaseSettings

from sitemapaudit.cli.command import INCOMPLETE
from sitemapaudit.cli.starting.not_started import NotStartedError
from sitemapaudit.config import AuditSettings, Config
from sitemapaudit.config.recorded import WITH_RESUME
from sitemapaudit.runs.uploads.copies import find_unfinished, place_copy


def find_stored_run(config: Config) -> str | None:
    """Return the address of an audit in its store, if it was begun there and has not finished.

    Raises NotStartedError if there is no such bucket, or the store cannot be read.
    """
    place = config.settings.upload
    if not place:
        return None
    try:
        return find_unfinished(place, config.site_name(), config.recorded_values()[0], WITH_RESUME)
    except FileNotFoundError as error:
        raise NotStartedError(f"AUDIT_UPLOAD: {error}") from error
    except OSError as error:
        raise NotStartedError(f"AUDIT_UPLOAD: {error}", INCOMPLETE) from error


def copy_of_stored_run(address: str, settings: BaseSettings) -> Path:
    """Return the folder on this machine for a run in a store.

    Raises ConfigError, and NotStartedError if there is no such run or the store cannot be read.
    """
    audits = AuditSettings.read({"AUDIT_DIR": settings.get("AUDIT_DIR", "audits")}).dir
    try:
        return place_copy(address, audits)
    except FileNotFoundError as error:
        raise NotStartedError(f"resume: {error}") from error
    except OSError as error:
        raise NotStartedError(f"resume: {error}", INCOMPLETE) from error

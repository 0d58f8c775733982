"""The folder in which an audit writes its run."""

from contextlib import suppress
from pathlib import Path

from sitemapaudit.cli.command import INCOMPLETE
from sitemapaudit.cli.starting.not_started import NotStartedError
from sitemapaudit.config import Config
from sitemapaudit.hosts.names import UnknownHostError, find_first_addresses
from sitemapaudit.runs.folder_names import folder_name
from sitemapaudit.runs.folders import check_writable


class AuditPlace:
    """The folder in which an audit writes its run. Its methods raise NotStartedError."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._created: list[Path] = []
        """Folders that were created to check that they can be written, the innermost first."""

    def check_writable(self) -> None:
        """Check that the run can be written, and create its folder."""
        resume, audits = self._config.arguments.resume, self._config.settings.dir
        folder = resume or audits / folder_name(self._config.site_name())
        self._created = [path for path in (folder, *folder.parents) if not path.exists()]
        try:
            check_writable(folder)
        except OSError as error:
            what = f"resume: {resume}" if resume else f"AUDIT_DIR: {audits}"
            raise NotStartedError(f"{what} cannot be written: {error.strerror}.") from error

    def find_first_addresses(self) -> dict[str, list[str]]:
        """Return the addresses of a site that was never audited: its name can be misspelled.

        Without an address, the folder is removed. A job of Scrapyd continues: its outcome is
        expected in its manifest.
        """
        config = self._config
        is_new = any(folder.name == folder_name(config.site_name()) for folder in self._created)
        origins = config.requested_origins
        if config.job is not None or not is_new or not origins:
            return {}
        try:
            return find_first_addresses(origins)
        except UnknownHostError as error:
            for folder in self._created:
                with suppress(OSError):
                    folder.rmdir()
            raise NotStartedError(f"{error}: check the spelling", INCOMPLETE) from error

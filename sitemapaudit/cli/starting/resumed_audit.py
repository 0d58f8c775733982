"""The run that an audit resumes."""

from filelock import BaseFileLock

from sitemapaudit.cli.command import INCOMPLETE, USAGE_ERROR
from sitemapaudit.cli.starting.not_started import NotStartedError
from sitemapaudit.config import Config
from sitemapaudit.config.layers import COMMAND_LINE
from sitemapaudit.runs.folders import lock_run
from sitemapaudit.runs.manifest import TABLES, Manifest, Status
from sitemapaudit.runs.uploads.copies import complete_upload, lacks_upload, take_over
from sitemapaudit.runs.uploads.links import Link


class ResumedAudit:
    """The run that an audit resumes. No other process has it until this object is gone.

    Its methods raise NotStartedError.
    """

    def __init__(self, config: Config) -> None:
        assert config.arguments.resume is not None
        self._run = config.arguments.resume
        self._config = config
        self._lock: BaseFileLock | None = None

    def check(self) -> None:
        """Check that there is something to resume."""
        self._check_place()
        manifest = Manifest.read(self._run)
        if manifest.shards:
            raise NotStartedError(f"resume: {self._run} was merged from shards; resume the shards.")
        if self._is_finished(manifest):
            if lacks_upload(self._run):
                if self._lock is None:
                    return
                self._complete_upload()
            settings = self._config.settings
            status = manifest.exit_status(settings.fail_on, zero=settings.exit_zero)
            raise NotStartedError(f"{self._run} is finished: there is nothing to resume.", status)

    def take(self) -> None:
        """Lock the run on all machines; check again what another process can have finished."""
        try:
            self._lock = lock_run(self._run)
        except OSError as error:
            raise _refusal(error, USAGE_ERROR) from error
        try:
            take_over(self._run)
        except OSError as error:
            raise _refusal(error, INCOMPLETE) from error
        self.check()

    def _check_place(self) -> None:
        """Check that the run is not to be uploaded to another place."""
        place, link = self._config.settings.upload, Link.read(self._run)
        is_typed = self._config.set_by.get("AUDIT_UPLOAD") == COMMAND_LINE
        if link and is_typed and not link.address.startswith(f"{place}/"):
            raise NotStartedError(
                f"AUDIT_UPLOAD: {self._run} is uploaded to {link.address}; remove it"
            )

    def _is_finished(self, manifest: Manifest) -> bool:
        built = TABLES not in manifest.failed_formats
        whole = built and not manifest.damage and not self._config.arguments.found
        return manifest.status is Status.FINISHED and whole

    def _complete_upload(self) -> None:
        if fault := complete_upload(self._run):
            raise NotStartedError(f"{self._run} is finished, but not uploaded: {fault}", INCOMPLETE)


def _refusal(error: OSError, status: int) -> NotStartedError:
    return NotStartedError(f"resume: {error}", getattr(error, "exit_status", status))

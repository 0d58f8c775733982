"""Tools that start and stop audits, if the user allows them."""

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field

from sitemapaudit.audit_folder.folder import AuditFolder
from sitemapaudit.audit_folder.started_audits import SITE, StartedAudit, StartedAudits
from sitemapaudit.report.embedding import shorten

_Answer = dict[str, Any]


class AuditTools:
    """The tools that start audits; their docstrings are for assistants."""

    def __init__(self, folder: AuditFolder, audits: StartedAudits) -> None:
        self._folder, self._audits = folder, audits

    def tools(self) -> list[Callable[..., _Answer]]:
        """Return them."""
        return [self.start_audit, self.list_audits, self.stop_audit]

    def start_audit(
        self,
        site: Annotated[str, Field(description="a host name or an origin")],
        pages: Annotated[
            str, Field(description="`all`, `none`, a number (a sample), or a margin such as `±1%`")
        ] = "100",
        links: Annotated[str, Field(description="`none`, `record` or `crawl`")] = "none",
        render: Annotated[
            str, Field(description="`never`, `auto`, `always` or a number")
        ] = "never",
        speed: Annotated[str, Field(description="`full` only for a site of the user")] = "polite",
    ) -> _Answer:
        """Start an audit, which requests pages of the site. list_audits shows its progress."""
        given = {SITE: site, "pages": pages, "links": links, "render": render, "speed": speed}
        return self._describe(self._audits.start(given))

    def list_audits(self) -> _Answer:
        """List the audits that were started here, with their progress or their end."""
        return {"rows": [self._describe(each) for each in self._audits.list()]}

    def stop_audit(self, number: int) -> _Answer:
        """Stop an audit that was started here; it can be resumed later."""
        audit = self._audits.find(number)
        if audit is None:
            raise LookupError(f"No audit with the number {number} was started here")
        audit.child.ask_to_stop()
        return self._describe(audit)

    def _describe(self, audit: StartedAudit) -> _Answer:
        progress, status = audit.progress, audit.child.status
        return {
            "number": audit.number,
            "site": audit.site,
            "run": audit.run and self._folder.name(audit.run),
            "running": status is None,
            "exit_status": status,
            "fetched_urls": progress.done,
            "listed_urls_so_far": progress.listed,
            "findings_so_far": progress.findings,
            "last_words": None if status in (None, 0, 1) else shorten(audit.child.last_words()),
        }

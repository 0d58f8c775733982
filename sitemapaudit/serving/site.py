"""The pages of the server, and what its forms do."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import duckdb
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from sitemapaudit.audit_folder.comparing import compare_runs
from sitemapaudit.audit_folder.folder import AuditFolder, UnknownRunError
from sitemapaudit.audit_folder.started_audits import StartedAudits
from sitemapaudit.config.options import ConfigError
from sitemapaudit.report.report_page import NAME as REPORT
from sitemapaudit.serving.guard import Access
from sitemapaudit.serving.pages import Pages
from sitemapaudit.serving.rows import DOWNLOADS

REPORT_POLICY: Final = (
    "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads;"
    " default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline';"
    " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""A report is made from texts of a site, or by others. Its origin is opaque: it has no cookie."""

_REPORT_HEADERS: Final = {
    "Content-Security-Policy": REPORT_POLICY,
    # Browsers show no page that has both a sandbox and this policy.
    "Cross-Origin-Opener-Policy": "unsafe-none",
}

_FAULTS: Final = (UnknownRunError, OSError, ValueError, duckdb.Error)

_PAGE_HEADERS: Final = {"Content-Security-Policy": "frame-ancestors 'none'"}
"""The page itself has the rest of its policy."""

_SHOW_STARTED: Final = RedirectResponse("/#started", 303)

_Work = Callable[[Request], Response]


class Site:
    """The website of a folder of audits."""

    def __init__(self, folder: AuditFolder, audits: StartedAudits, access: Access) -> None:
        self._folder, self._audits = folder, audits
        self._pages = Pages(folder, audits, access.form_token)
        # One request reads at a time: a run is locked to find out if it is running.
        self._one = CapacityLimiter(1)

    def app(self) -> Starlette:
        """Return the application, which must be guarded."""
        reads = {
            "/": self.show_fleet,
            "/started": self.show_started,
            "/runs": self.show_runs,
            "/compare": self.compare,
            "/report": self.send_report,
            "/download": self.send_download,
        }
        changes = {"/start": self.start, "/resume": self.resume, "/stop": self.stop}
        return Starlette(
            routes=[
                *(Route(path, self._endpoint(work)) for path, work in reads.items()),
                *(
                    Route(path, self._endpoint(work), methods=["POST"])
                    for path, work in changes.items()
                ),
            ]
        )

    def show_fleet(self, _: Request) -> Response:
        """Show all sites, the audits that were started here, and the form of a new one."""
        return _page(self._pages.fleet())

    def show_started(self, _: Request) -> Response:
        """Show only the audits that were started here, for the script that watches them."""
        return _page(self._pages.started())

    def show_runs(self, request: Request) -> Response:
        """Show the runs of a site, or all runs."""
        return _page(self._pages.runs(request.query_params.get("site", "")))

    def compare(self, request: Request) -> Response:
        """Show what changed between two runs."""
        given = request.query_params
        later = self._folder.find_built(given.get("later", ""))
        earlier = self._folder.find_earlier(later, given.get("earlier", ""))
        if later.name < earlier.name:
            earlier, later = later, earlier
        return _page(self._pages.comparison(earlier, later, compare_runs(earlier, later)))

    def send_report(self, request: Request) -> Response:
        """Send the report of a run, whose scripts cannot act here."""
        return FileResponse(self._file(request, REPORT), headers=_REPORT_HEADERS)

    def send_download(self, request: Request) -> Response:
        """Send a table of a run."""
        name = request.query_params.get("name", "")
        if name not in DOWNLOADS:
            raise UnknownRunError(f"{name!r} is not one of {', '.join(DOWNLOADS)}")
        return FileResponse(self._file(request, name), filename=name)

    def start(self, request: Request) -> Response:
        """Start an audit."""
        given: dict[str, str] = request.state.form
        try:
            self._audits.start(given)
        except ConfigError as error:
            return _page(self._pages.fleet(given, str(error)), 400)
        return _SHOW_STARTED

    def resume(self, request: Request) -> Response:
        """Continue a run that was interrupted."""
        self._audits.resume(self._folder.find(request.state.form.get("run", "")))
        return _SHOW_STARTED

    def stop(self, request: Request) -> Response:
        """Stop an audit that was started here."""
        number = request.state.form.get("number", "")
        audit = self._audits.find(int(number) if number.isdecimal() else 0)
        if audit is None:
            raise UnknownRunError(f"No audit with the number {number!r} was started here")
        audit.child.ask_to_stop()
        return _SHOW_STARTED

    def _file(self, request: Request, name: str) -> Path:
        run = self._folder.find(request.query_params.get("run", ""))
        if not (run / name).is_file():
            raise UnknownRunError(f"{self._folder.name(run)} has no {name}")
        return run / name

    def _endpoint(self, work: _Work) -> Callable[[Request], Awaitable[Response]]:
        def answer(request: Request) -> Response:
            try:
                return work(request)
            except _FAULTS as error:
                status = 404 if isinstance(error, UnknownRunError) else 400
                return _page(self._pages.fault(str(error).partition("\n")[0]), status)

        async def respond(request: Request) -> Response:
            return await to_thread.run_sync(answer, request, limiter=self._one)

        return respond


def _page(text: str, status: int = 200) -> Response:
    return HTMLResponse(text.encode(errors="replace"), status, _PAGE_HEADERS)

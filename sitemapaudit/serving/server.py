"""The server: on loopback, until Ctrl+C."""

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import uvicorn

from sitemapaudit.audit_folder.folder import AuditFolder
from sitemapaudit.audit_folder.started_audits import StartedAudits
from sitemapaudit.serving.guard import Access, Guard
from sitemapaudit.serving.site import Site

LOOPBACK: Final = "127.0.0.1"

_GRACE: Final = 5
"""Seconds that open requests have when the server ends."""


def serve(folder: AuditFolder, port: int, announce: Callable[[str], None]) -> None:
    """Serve a folder until the process is asked to end; port 0 is any free one.

    ``announce`` gets its address as soon as the server listens. Audits that were started here end
    with the server. Raises OSError.
    """
    with socket.create_server((LOOPBACK, port)) as listening, StartedAudits(folder.path) as audits:
        access = Access(listening.getsockname()[1])
        app = Guard(Site(folder, audits, access).app(), access)
        config = uvicorn.Config(
            app,
            log_level="error",
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE,
        )
        # Both signals end the server, and then the audits; the default of SIGTERM would not wait.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        announce(access.address)
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])

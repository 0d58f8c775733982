"""A real web server: nginx on a loopback port, which serves a folder."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.commands import TIMEOUT
from tests.support.programs import find_program

_CONFIGURATION = """
daemon off;
master_process off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    types {{ text/html html; text/xml xml; text/plain txt; }}
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    gzip on;
    gzip_vary on;
    gzip_min_length 0;
    {http}
    server {{
        listen 127.0.0.1:{port};
        root {root};
        {server}
    }}
}}
"""


@contextmanager
def serving(
    root: Path, folder: Path, port: int, *, http: str = "", server: str = ""
) -> Iterator[None]:
    """Serve the files of a folder; ``folder`` is for files of nginx itself.

    ``http`` and ``server`` are more lines of its configuration.
    """
    folder.mkdir()
    configuration = folder / "nginx.conf"
    lines = {"http": http, "server": server}
    configuration.write_text(_CONFIGURATION.format(folder=folder, root=root, port=port, **lines))
    command = [
        *(find_program("nginx"), "-p", str(folder)),
        "-c",
        str(configuration),
        "-e",
        f"{folder}/error.log",
    ]
    process = subprocess.Popen(command)
    try:
        _wait_for(port, process)
        yield
    finally:
        process.terminate()
        process.wait(TIMEOUT)


def free_port() -> int:
    """Return a port of loopback that nothing listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.01)
        else:
            return
    raise RuntimeError("nginx ended")

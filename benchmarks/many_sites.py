"""Compares audits of many small sites in one process with a process for each.

``python benchmarks/many_sites.py --sites 200 --alone 10``

Each site has ten URLs, and an address of the loopback network for its host. The CPU time of one
site is that of ``--sites`` divided by the number of sites, and the mean of ``--alone`` audits: half
of them run before the others, and half after.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean

from measuring import audit_command, measure, record

PORT = 8766
URLS = 10
LINES = 250
"""Hosts in the last part of an address."""

SERVER = """
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = "<!doctype html><html lang=en><title>Page {path}</title><h1>Hi</h1><p>" + "Some words. " * 80
URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        origin = "http://" + self.headers["Host"]
        if self.path == "/robots.txt":
            kind, text = "text/plain", f"Sitemap: {origin}/sitemap.xml"
        elif self.path == "/sitemap.xml":
            numbers = range(int(sys.argv[2]))
            entries = "".join(f"<url><loc>{origin}/{number}</loc></url>" for number in numbers)
            kind, text = "application/xml", URLSET.format(entries=entries)
        elif self.path[1:].isdigit():
            kind, text = "text/html; charset=utf-8", PAGE.format(path=self.path)
        else:
            kind, text = "text/html", "<title>Not here</title>"
        body = text.encode()
        self.send_response(404 if "Not here" in text else 200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

class Server(ThreadingHTTPServer):
    request_queue_size = 512

Server(("0.0.0.0", int(sys.argv[1])), Handler).serve_forever()
"""


@contextmanager
def sites() -> Iterator[None]:
    """Serve all sites."""
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(PORT), str(URLS)])
    time.sleep(1)
    try:
        yield
    finally:
        server.kill()
        server.wait()


def origins(number: int) -> list[str]:
    """Return the origins of this number of sites."""
    return [f"http://127.1.{n // LINES}.{n % LINES + 1}:{PORT}" for n in range(number)]


def main() -> None:
    """Measure both; print the CPU time of a site, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=200)
    parser.add_argument("--alone", type=int, default=10)
    options = parser.parse_args()
    with sites(), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = [audit_command(each, folder) for each in origins(options.alone)]
        half = len(commands) // 2
        alone = list(map(measure, commands[:half]))
        listed = folder / "sites.txt"
        listed.write_text("\n".join(origins(options.sites)), encoding="utf-8")
        command = audit_command("--sites", folder / "all")
        command.insert(command.index("--sites") + 1, str(listed))
        together = measure(command)
        alone += map(measure, commands[half:])
    own = together.cpu_seconds / options.sites
    other = mean(each.cpu_seconds for each in alone)
    print(f"{options.sites} sites of {URLS} URLs: {together.seconds:.0f} s")
    record("one of many sites, CPU", f"{own:.2f} s")
    record("one site in a process, CPU", f"{other:.2f} s")
    record(
        "one of many sites, against a process for each", f"{own / other:.3f} times", "0.25 times"
    )
    record("many sites, peak memory", f"{together.megabytes:.0f} MB")


if __name__ == "__main__":
    main()

"""A website in a network of its own, which it can take away."""

import ctypes
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sitemapaudit.demo.documents import TEXT, entry, page, prose, urlset, xml
from sitemapaudit.demo.server import LOOPBACK, Reply, Server, ServerRequest

PORT = 8080
ORIGIN = f"http://localhost:{PORT}"

_MOUNTS = 0x20000
"""CLONE_NEWNS of Linux."""

_NAMESPACES = 0x40000000 | _MOUNTS
"""CLONE_NEWNET too."""

_FILES = {
    "nsswitch.conf": "hosts: files dns\n",
    "resolv.conf": "nameserver {address}\noptions timeout:1 attempts:1\n",
    "hosts": f"{LOOPBACK} localhost\n",
}


@dataclass(frozen=True)
class IsolatedSite:
    """Moves the process of an audit into a network without routes, where no resolver answers.

    The website in that network lists ``pages`` pages, and the URLs in ``others``. With the request
    for page ``last`` the network is gone.
    """

    folder: Path
    pages: int = 0
    others: tuple[str, ...] = ()
    last: int | None = None

    def __call__(self) -> None:
        isolate(self.folder)
        Server(self._reply, PORT).start()

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(f"Sitemap: {ORIGIN}/sitemap.xml\n", headers=[TEXT])
        if request.path == "/sitemap.xml":
            own = (f"{ORIGIN}/{number}" for number in range(self.pages))
            return xml(urlset(map(entry, (*self.others, *own))))
        if request.path == f"/{self.last}":
            run("ip", "address", "flush", "dev", "lo")
        return page("Fine", canonical=ORIGIN + request.path, body=prose(request.path))


def isolate(folder: Path) -> None:
    """Move this process into a network without routes, whose resolver is on loopback."""
    use_resolver(folder, LOOPBACK, _NAMESPACES)
    run("ip", "link", "set", "lo", "up")


def use_resolver(folder: Path, address: str, namespaces: int = _MOUNTS) -> None:
    """Let this process ask the resolver with an address; ``folder`` keeps the configuration."""
    if ctypes.CDLL(None, use_errno=True).unshare(namespaces):
        raise OSError(ctypes.get_errno(), "unshare")
    run("mount", "--make-rprivate", "/")
    for name, text in _FILES.items():
        file = folder / name
        file.write_text(text.format(address=address))
        run("mount", "--bind", str(file), os.path.realpath(f"/etc/{name}"))


def can_isolate() -> bool:
    """Return whether this user may create networks; in CI that must be possible."""
    if "CI" in os.environ:
        return True
    command = ["unshare", "--net", "--mount", "ip", "link", "set", "lo", "up"]
    try:
        return not subprocess.run(command, capture_output=True, check=False).returncode
    except FileNotFoundError:
        return False


def run(*command: str) -> None:
    """Run a command."""
    subprocess.run(command, check=True)

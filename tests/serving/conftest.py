"""One server of a folder of audits for all tests of this package."""

import http.client
import re
import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser

from sitemapaudit.serving.guard import FORM_TOKEN
from tests.gating.runs import make_run
from tests.plugins.interpreters.commands import Command, own_environment
from tests.report.browser import launch
from tests.report.fleet import make_hostile_fleet

RUN, EARLIER = (f"www.example.com/2026-11-{day}T00-00-00Z" for day in (21, 20))


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: str


class Server:
    """A running server, and a browser that was let in."""

    def __init__(self, folder: Path, command: Command, address: str) -> None:
        self.folder, self.command, self.address = folder, command, address
        self.origin = address.partition("/?")[0]
        self.host = self.origin.removeprefix("http://")
        self.cookie = self.ask("/?" + address.partition("?")[2], cookie="").headers["set-cookie"]
        page = self.ask("/").body
        (self.form_token,) = {*re.findall(f'name="{FORM_TOKEN}" value="([^"]+)"', page)}

    def ask(
        self,
        path: str,
        form: Mapping[str, str] | None = None,
        *,
        method: str = "",
        cookie: str | None = None,
        hosts: tuple[str, ...] | None = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Reply:
        """Send a request as the browser does; with a form, as a POST of our page."""
        connection = http.client.HTTPConnection(self.host)
        connection.putrequest(method or ("GET" if form is None else "POST"), path, skip_host=True)
        given = {"Cookie": self.cookie.partition(";")[0] if cookie is None else cookie}
        body = b""
        if form is not None:
            body = urlencode({FORM_TOKEN: self.form_token, **form}).encode()
            given |= {"Origin": self.origin, "Content-Type": "application/x-www-form-urlencoded"}
            given |= {"Content-Length": str(len(body))}
        for host in (self.host,) if hosts is None else hosts:
            connection.putheader("Host", host)
        for name, value in (given | dict(headers)).items():
            if value:
                connection.putheader(name, value)
        connection.endheaders(body or None)
        response = connection.getresponse()
        found = {name.lower(): value for name, value in response.getheaders()}
        reply = Reply(response.status, found, response.read().decode(errors="replace"))
        connection.close()
        return reply


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("audits")
    make_run(folder, EARLIER.partition("/")[2], a=200, b=404)
    run = make_run(folder, RUN.partition("/")[2], a=404, b=404, c=200)
    (run / "report.html").write_text(REPORT, encoding="utf-8")
    make_hostile_fleet(folder)
    words = ["serve", str(folder)]
    command = Command(words, module="sitemapaudit", environment=own_environment())
    deadline = time.monotonic() + 60
    while not command.output.endswith("\n"):
        assert command.poll() is None, command.log
        assert time.monotonic() < deadline, command.log
        time.sleep(0.05)
    yield Server(folder, command, command.output.strip())
    command.signal(signal.SIGINT)
    assert command.wait(60) == 0
    assert command.log == "Ctrl+C ends the server, and the audits that it started.\n"


REPORT = """<!doctype html><title>A report</title><script>
window.tries = Promise.allSettled([
  fetch("/runs", {credentials: "include"}).then(answer => answer.text()),
  new Promise(() => document.cookie),
  new Promise(() => localStorage.length),
]).then(results => results.map(each => each.status));
const form = document.createElement("form");
form.action = "/stop"; form.method = "post";
document.documentElement.append(form); form.submit();
</script>"""
"""A report by others, whose script tries what a page of the server can do."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launch() as browser:
        yield browser

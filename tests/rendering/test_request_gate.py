"""Whatever a page does, only requests that robots.txt and the limits allow leave the browser."""

import asyncio
import json
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.async_api import CDPSession

from sitemapaudit.demo.documents import TEXT
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.rendering.request_gate import RequestGate
from tests.rendering.low_limits import MAX_REQUESTS
from tests.rendering.site import HTML, scripted
from tests.support.audits import Audited, crawl
from tests.support.settings import QUICK

pytestmark = pytest.mark.xdist_group("request-gate")

SCRIPT = ("Content-Type", "text/javascript")
WORK = (
    "for (let n = 0; n < 5; n++) fetch(self.origin + '/private/worker' + n).catch(() => 0);"
    "const ws = self.origin.replace('http', 'ws') + '/private/socket';"
    "new WebSocket(ws); new WebSocketStream(ws)"
)
REPORTS = [
    ("Content-Security-Policy", "connect-src 'self'; report-uri /private/csp; report-to g"),
    ("Reporting-Endpoints", 'g="/private/reports", default="/private/reports"'),
    ("Link", "</private/early>; rel=preload; as=script, </private/next>; rel=prefetch"),
]
RULES = json.dumps(
    {
        what: [{"eagerness": "immediate", "urls": [f"/private/{what}", f"/unlisted?{what}"]}]
        for what in ("prefetch", "prerender")
    }
)
LINKS = "".join(
    f"<link rel='{kind}' as=script href='/private/{kind}'>"
    for kind in ("prefetch", "preload", "modulepreload", "icon", "manifest", "prerender")
)


def pages(port: int) -> dict[str, Reply]:
    """Return pages that use every way to a disallowed URL; a UDP socket listens at the port."""
    stun = (
        f"const a = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{port}'}}]}});"
        "const b = new RTCPeerConnection(); a.createDataChannel('c');"
        "a.createOffer().then(o => a.setLocalDescription(o)).then(async () => {"
        "await b.setRemoteDescription(a.localDescription);"
        "await b.setLocalDescription(await b.createAnswer());"
        "await a.setRemoteDescription(b.localDescription);"
        "await a.addIceCandidate({sdpMLineIndex: 0,"
        f" candidate: 'candidate:1 1 udp 2122260223 127.0.0.1 {port} typ host'}}) }})"
    )
    texts = {
        "/redirects": scripted(
            "for (const kind of ['fetch', 'keep', 'events', 'beacon']) {"
            "const url = '/to?' + kind; if (kind == 'beacon') navigator.sendBeacon(url);"
            "else if (kind == 'events') { const e = new EventSource(url); e.onerror = () => "
            "e.close() } else fetch(url, {keepalive: kind == 'keep'}).catch(() => 0) }",
            "<link rel=stylesheet href=/to?css><style>@import url(/to?import)</style>",
            "<script src=/to?script></script><iframe src=/to?frame></iframe>"
            "<object data=/to?object></object><embed src=/to?embed>",
        ),
        "/navigation": scripted("location = '/to?navigation'"),
        "/speculation": scripted("", f"<script type=speculationrules>{RULES}</script>"),
        "/workers": scripted(
            "const blob = URL.createObjectURL(new Blob([work.textContent]));"
            "for (const url of ['/work.js', blob]) { new Worker(url); new SharedWorker(url) }"
            "new AudioContext().audioWorklet.addModule('/private/worklet').catch(() => 0);"
            "navigator.serviceWorker.register('/work.js').catch(() => 0)",
            f"<script id=work type=text/plain>{WORK}</script>",
        ),
        "/later": scripted(
            f"{WORK}; fetchLater('/private/later', {{activateAfter: 10}});"
            "addEventListener('pagehide', () => { navigator.sendBeacon('/private/hidden');"
            "fetch('/private/kept', {keepalive: true}) })",
        ),
        "/webrtc": scripted(stun, LINKS),
        "/many-redirects": scripted(
            "for (let n = 0; n < 10; n++) fetch('/round?' + n).catch(() => 0)"
        ),
    }
    headers = {"/later": REPORTS}
    return {
        path: Reply(text, headers=[HTML, *headers.get(path, [])]) for path, text in texts.items()
    }


@dataclass(frozen=True)
class Outcome:
    """An audit of these pages: the requests that the site got, and the packets at the port."""

    audited: Audited
    requests: list[str]
    packets: list[bytes]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    requests: list[str] = []
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.setblocking(False)
        known = pages(listener.getsockname()[1])

        def reply(request: ServerRequest) -> Reply:
            path, _, query = request.path.partition("?")
            requests.append(request.path)
            robots = f"User-agent: *\nDisallow: /private/\nSitemap: http://{request.host}/map.txt"
            match path:
                case "/robots.txt":
                    return Reply(robots, headers=[TEXT])
                case "/map.txt":
                    locs = (f"http://{request.host}{page}" for page in known)
                    return Reply("\n".join(locs), headers=[TEXT])
                case "/to":
                    return Reply("", 302, [("Location", f"/private/{query}")])
                case "/round":
                    return Reply("", 302, [("Location", f"/round?{query}x")])
                case "/work.js":
                    return Reply(WORK, headers=[SCRIPT])
            return known.get(path, Reply("nothing", 404, [HTML]))

        with Server(reply) as site:
            arguments = {"site": site.origin, "render": "always", "follow": "none"}
            folder: Path = tmp_path_factory.mktemp("audits")
            # What the user sets for Playwright does not open another way.
            launch = json.dumps({"args": ["--proxy-server=direct://"]})
            # The browser with windows, which can do more than the one without.
            browser = {"AUDIT_BROWSER": shutil.which("chromium") or ""}
            settings = {"AUDIT_RENDER_IDLE": "0.7", "PLAYWRIGHT_LAUNCH_OPTIONS": launch, **browser}
            audited = crawl(
                folder, arguments, {**QUICK, **settings}, module="tests.rendering.low_limits"
            )
        packets = []
        while True:
            try:
                packets.append(listener.recv(2_000))
            except BlockingIOError:
                break
        yield Outcome(audited, requests, packets)


def test_no_request_passes_robots_txt(outcome: Outcome) -> None:
    assert outcome.audited.status == 0, outcome.audited.log
    assert outcome.audited.run.manifest.failed_renderings == 0
    assert [path for path in outcome.requests if path.startswith("/private/")] == []
    assert [path for path in outcome.requests if path.startswith("/unlisted")] == []
    kinds = {path.partition("?")[2] for path in outcome.requests if path.startswith("/to?")}
    tried = {"fetch", "keep", "events", "css", "import", "script", "frame", "object", "embed"}
    assert kinds >= {*tried, "navigation"}
    assert outcome.requests.count("/work.js") >= 2


def test_redirects_are_requests(outcome: Outcome) -> None:
    rows = outcome.audited.run.pages.set_index("url")
    row = rows[rows.index.str.endswith("/many-redirects")].iloc[0]
    rounds = sum(path.startswith("/round") for path in outcome.requests)
    # 10 fetches, each of which redirects: how many follow depends on the time that a visit has.
    assert row["rendered_requests"] >= rounds > 10
    assert rounds <= MAX_REQUESTS
    row = rows[rows.index.str.endswith("/redirects")].iloc[0]
    assert row["rendered_blocked_requests"] >= 8


def test_no_packet_leaves_the_browser(outcome: Outcome) -> None:
    assert outcome.packets == []


class Session:
    """What a gate sends to a browser, and the requests that the browser announces."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []
        self.announce: Callable[[dict[str, Any]], None]

    def on(self, _: str, receiver: Callable[[dict[str, Any]], None]) -> None:
        self.announce = receiver

    async def send(self, method: str, values: dict[str, Any]) -> None:
        self.sent.append((method, values.get("requestId", "")))

    def request(self, name: str, redirected: str | None = None) -> None:
        event = {"requestId": name, "request": {"url": f"http://a.example/{name}"}}
        more = {"redirectedRequestId": redirected} if redirected else {}
        self.announce({**event, **more, "resourceType": "Script"})


@pytest.mark.parametrize(("ends", "answer"), [(False, "continue"), (True, "fail")])
def test_a_redirect_is_refused_if_its_visit_ended_during_the_check(ends: bool, answer: str) -> None:
    async def run() -> list[tuple[str, str]]:
        session, visit, checked = Session(), object(), asyncio.Event()

        async def check(_: str) -> bool:
            await checked.wait()
            return True

        gate = RequestGate(cast("CDPSession", session))
        await gate.open()
        gate.allow("http://a.example/1", visit, check)
        session.request("1")
        await asyncio.sleep(0)
        session.request("2", redirected="1")
        await asyncio.sleep(0)
        if ends:
            gate.end(visit)
        checked.set()
        await asyncio.sleep(0.01)
        return session.sent

    *_, last = asyncio.run(run())
    assert last == (f"Fetch.{answer}Request", "2")

"""Time in which the audit itself was busy is not the response time of a page."""

from pathlib import Path

import pandas as pd

from sitemapaudit.demo.server import Reply, Server, ServerRequest
from tests.engine.stalling_settings import SECONDS
from tests.hostile.attacks import urlset
from tests.support.audits import crawl

HTML = [("Content-Type", "text/html")]
BODY = "<!doctype html><title>Page</title><main>Text of the page.</main>"
DELAYS = {"/hold": 0.0, "/stalled": 0.2, "/slow": 2.5 * SECONDS}


class Website(Server):
    def __init__(self) -> None:
        super().__init__(self._reply)

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(
                f"Sitemap: {self.origin}/sitemap.xml", headers=[("Content-Type", "text/plain")]
            )
        if request.path == "/sitemap.xml":
            locs = (self.origin + path for path in DELAYS)
            return Reply(urlset(locs), headers=[("Content-Type", "application/xml")])
        return Reply(BODY, headers=HTML, delay=DELAYS[request.path])


def test_a_response_that_we_read_late_has_no_time(tmp_path: Path) -> None:
    with Website() as website:
        audited = crawl(
            tmp_path,
            {"site": website.origin},
            {"AUDIT_SLOW_SECONDS": str(SECONDS / 2)},
            {"SCRAPY_SETTINGS_MODULE": "tests.engine.stalling_settings"},
        )
        elapsed = audited.run.pages.set_index("url")["elapsed"]
        assert pd.isna(elapsed[f"{website.origin}/stalled"])
        assert elapsed[f"{website.origin}/slow"] > DELAYS["/slow"]
        findings = audited.run.findings.query("rule == 'page-slow'")
        assert [*findings["url"]] == [f"{website.origin}/slow"]

"""A site on which settings matter, and what they are set to in its audits."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Final

from sitemapaudit import open_run
from sitemapaudit.config import AuditSettings
from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest

LOGO: Final = '<svg xmlns="http://www.w3.org/2000/svg"/>'

CHOSEN: Final[dict[str, str]] = {
    "dir": "audits",
    "upload": "file:///nowhere",
    "fail_on": "error",
    "exit_zero": "true",
    "results": "later",
    "rules": '{"duplicate-trailing-slash": "off"}',
    "rule_modules": "tests.config.house_rules",
    "session_params": "ticket",
    "loc_notice_length": "50",
    "slow_seconds": "0.1",
    "deep_clicks": "1",
    "speed": "full",
    "staging_host": "site",
    "staging_headers": '{"Cookie": "preview=1"}',
    "max_urls": "1000",
    "max_sitemaps": "1000",
    "max_depth": "9",
    "max_linked": "1000",
    "max_similar": "100",
    "max_hosts": "10",
    "recheck": "false",
    "sitemap_timeout": "60",
    "max_delay": "0",
    "compare_agents": "false",
    "control_share": "50",
    "private_hosts": "127.0.0.1:9",
    "seed": "7",
    "guarded_browser": "true",
    "browser": "chromium",
    "render_concurrency": "2",
    "render_idle": "1",
    "memory": "128MB",
    "formats": "jsonl",
    "columns": '{"heading": "css:h1"}',
    "report_title": "An agency",
    "report_logo": "logo.svg",
    "notify": "json://127.0.0.1:9/",
    "report_color": "#7a1f5c",
    "alert_errors": "5",
    "alert_indexable": "0.5",
    "alert_rules": "page-not-found",
}
"""A value for each setting that is not its default."""

REBUILT: Final = frozenset(
    {"rules", "rule_modules", "deep_clicks", "formats", "report_title", "report_logo"}
)
"""The settings that change the results of a run when these are built from its ledger."""

MERGED: Final = REBUILT | {"session_params", "loc_notice_length", "slow_seconds"}
"""Those that change the results of shards when these are merged: each row is checked again."""

FINDING: Final = {
    "rules": "duplicate-trailing-slash",
    "rule_modules": "site-small",
    "session_params": "loc-session-id",
    "loc_notice_length": "loc-too-long",
    "slow_seconds": "page-slow",
    "deep_clicks": "listed-deep",
}
"""The rule whose finding depends on a setting."""

NAMES: Final = tuple(field.name for field in fields(AuditSettings))


class Site(Server):
    """A page that is slow, one that is two clicks away, and addresses for rules with options."""

    def __init__(self) -> None:
        super().__init__(self._reply)

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(f"Sitemap: {self.origin}/sitemap.xml\n", headers=[TEXT])
        if request.path == "/sitemap.xml":
            long = "/" + "long-" * 10
            paths = ("/", "/near", "/far", "/far/", "/slow", "/cart?ticket=1", long)
            return xml(urlset(entry(self.origin + path) for path in paths))
        links = {"/": "/near", "/near": "/far"}.get(request.path, "/")
        reply = page(request.path, body=f'<a href="{links}">Next</a>')
        reply.delay = 0.3 if request.path == "/slow" else 0.0
        return reply


def setting(name: str) -> str:
    """Return the public name of a setting."""
    return AuditSettings.public_name(name)


def default_of(name: str) -> str:
    """Return the default of a setting, as a user writes it."""
    defaults = {option.name: option.default for option in AuditSettings.describe()}
    return defaults[setting(name)]


def results(run: Path) -> dict[str, bytes]:
    """Return the content of every file of a run folder, except its ledger and its log."""
    files = (file for file in run.rglob("*") if file.is_file())
    return {
        str(file.relative_to(run)): file.read_bytes()
        for file in files
        if file.parent.name != "log" and file.name != "crawl.log"
    }


def differing(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    """Return the names of the files that differ."""
    return {name for name in before | after if before.get(name) != after.get(name)}


def effect(run: Path, name: str) -> bool:
    """Return whether the results of a run show one effect of a setting."""
    if rule := FINDING.get(name):
        return rule in set(open_run(run).findings["rule"])
    if name == "formats":
        return (run / "urls.jsonl").exists()
    sign = {"report_title": CHOSEN[name], "report_logo": "data:image/svg"}[name]
    return sign in (run / "report.html").read_text(encoding="utf-8")


def recorded(run: Path, name: str) -> object:
    """Return what run.json records for a setting."""
    settings = json.loads((run / "run.json").read_bytes())["settings"]
    return settings[setting(name)]

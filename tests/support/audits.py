"""Audits that run in a process of their own."""

from dataclasses import dataclass
from pathlib import Path

from sitemapaudit import Run, open_run
from tests.support.commands import scrapy
from tests.support.settings import UNTIMED


@dataclass(frozen=True)
class Audited:
    """An audit that ran in a process of its own: its status, its output and its run."""

    status: int
    output: str
    log: str
    audits: Path

    @property
    def run(self) -> Run:
        return open_run(self.audits)

    def findings(self) -> list[tuple[str, str]]:
        """Return the rule and the place of every finding; the place is empty for a whole site."""
        frame = self.run.findings
        places = frame["url"].fillna(frame["sitemap"]).fillna("")
        return sorted(zip(frame["rule"], places, strict=True))


def crawl(
    audits: Path,
    arguments: dict[str, str],
    settings: dict[str, str] | None = None,
    environment: dict[str, str] | None = None,
    module: str = "scrapy",
) -> Audited:
    """Audit a website on loopback, at full speed."""
    words = [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
    chosen = {"AUDIT_DIR": str(audits), "AUDIT_SPEED": "full", "LOG_LEVEL": "INFO"}
    chosen |= UNTIMED | (settings or {})
    words += [word for name, value in chosen.items() for word in ("-s", f"{name}={value}")]
    done = scrapy("crawl", "sitemap", *words, environment=environment, module=module)
    return Audited(done.returncode, done.stdout, done.stderr, audits)


def audit_demo(audits: Path, *words: str, site: str = "demo") -> Audited:
    """Audit the demo website."""
    settings = [f"AUDIT_DIR={audits}", *(f"{name}={value}" for name, value in UNTIMED.items())]
    given = [word for setting in settings for word in ("-s", setting)]
    done = scrapy("crawl", "sitemap", "-a", f"site={site}", *given, *words)
    return Audited(done.returncode, done.stdout, done.stderr, audits)

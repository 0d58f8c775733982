"""What is seen while a page is open in the browser: counts, and the first examples of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from sitemapaudit.items import Navigation
from sitemapaudit.rendering.resources import NEEDED, Decision

MAX_NAVIGATIONS: Final = 10
"""Times that a page may go on to another address by itself."""

MAX_BLOCKED, MAX_FAILED, MAX_CONSOLE = 20, 5, 5
"""Examples that are kept."""

_MAX_NOTE: Final = 300


@dataclass(slots=True)
class Observed:
    """What was seen during a visit; ``status`` and ``headers`` are those of the last document."""

    status: int
    headers: dict[str, list[str]] | None = None
    final_url: str | None = None
    navigations: list[Navigation] = field(default_factory=list)
    html: str | None = None
    loaded: bool = False
    settled: bool = False
    requests: int = 0
    blocked_requests: int = 0
    blocked: list[str] = field(default_factory=list)
    failed_requests: int = 0
    failed: list[str] = field(default_factory=list)
    console_errors: int = 0
    console: list[str] = field(default_factory=list)
    elapsed: float | None = None

    @property
    def goes_round(self) -> bool:
        """Whether the page has gone on as often as it may."""
        return len(self.navigations) >= MAX_NAVIGATIONS

    def goes_on(self, by: str, address: str) -> bool:
        """Note where the page goes; False if it has gone on too often."""
        if self.goes_round:
            return False
        self.navigations.append(Navigation(by, address))
        return True

    def note_refused(self, decision: Decision, kind: str, url: str) -> None:
        """Note a request that is not let through, unless it is for what only shows."""
        if decision is Decision.BLOCKED:
            self.blocked_requests += 1
            if kind in NEEDED and len(self.blocked) < MAX_BLOCKED:
                self.blocked.append(url[:_MAX_NOTE])
        elif decision is Decision.REFUSED:
            self.note_failed(url, "not a host that may be asked")

    def note_failed(self, url: str, why: str) -> None:
        """Note a request that got no answer, or a bad one."""
        self.failed_requests += 1
        if len(self.failed) < MAX_FAILED:
            self.failed.append(f"{url[:_MAX_NOTE]} ({why})")

    def note_console(self, text: str) -> None:
        """Note an error of a script."""
        self.console_errors += 1
        if len(self.console) < MAX_CONSOLE:
            self.console.append(text.partition("\n")[0][:_MAX_NOTE])

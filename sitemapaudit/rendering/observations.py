"""Observations while a page is open in the browser: counts, and the first examples."""

from typing import Final

from msgspec import Struct, field

from sitemapaudit import urls
from sitemapaudit.items import Navigation
from sitemapaudit.rendering.resources import NEEDED, Decision

DOCUMENT: Final = "document"
"""The kind of a navigation that loads another document."""

MAX_NAVIGATIONS: Final = 10
"""The number of times a page can go to another URL by itself."""

MAX_BLOCKED, MAX_FAILED, MAX_CONSOLE = 20, 5, 5
"""The number of examples that are kept."""

_WITHOUT_VISUAL: Final = ("The source image cannot be decoded.", "A network error occurred.")
"""The exceptions of Chromium for images and fonts that were not loaded."""

_MAX_LENGTH: Final = 300
MAX_URL: Final = 8_192
"""The limit for the URL of a navigation; a browser allows two million characters."""


def first_line(text: str) -> str:
    """Return the beginning of a text from the browser.

    A string of JavaScript can contain half a surrogate pair, which UTF-8 cannot encode.
    """
    return text[:_MAX_LENGTH].partition("\n")[0].encode(errors="replace").decode()


class Observations(Struct):
    """The observations of a visit; ``status`` and ``headers`` are the last document's.

    ``lacks_visual`` says that an image, a font or a video was not loaded. ``left_for`` is the last
    URL to which the page went, and whose host may not be contacted, ``disallowed`` the same for
    robots.txt.
    """

    status: int
    headers: dict[str, list[str]] | None = None
    final_url: str | None = None
    navigations: list[Navigation] = field(default_factory=list)
    html: str | None = None
    loaded: bool = False
    idle: bool = False
    requests: int = 0
    blocked_requests: int = 0
    blocked: list[str] = field(default_factory=list)
    failed_requests: int = 0
    failed: list[str] = field(default_factory=list)
    console_errors: int = 0
    console: list[str] = field(default_factory=list)
    script_errors: int = 0
    script_error: str | None = None
    lacks_visual: bool = False
    left_for: str | None = None
    disallowed: str | None = None
    elapsed: float | None = None

    @property
    def navigates_endlessly(self) -> bool:
        """True if the page has navigated as often as it may."""
        return len(self.navigations) >= MAX_NAVIGATIONS

    def leaves(self, url: str) -> bool:
        """Return whether the page goes from a URL to another one by itself."""
        return any(
            navigation.by == DOCUMENT and urls.normalize(navigation.url) != url
            for navigation in self.navigations
        )

    def note_navigation(self, by: str, url: str) -> bool:
        """Record a navigation; return False if the page has navigated too often."""
        if self.navigates_endlessly:
            return False
        self.navigations.append(Navigation(by, url[:MAX_URL]))
        return True

    def note_refused(self, decision: Decision, kind: str, url: str) -> None:
        """Record a refused request, unless it is for a purely visual resource."""
        if decision is Decision.BLOCKED:
            self.blocked_requests += 1
            if kind in NEEDED and len(self.blocked) < MAX_BLOCKED:
                self.blocked.append(first_line(url))
        elif decision is Decision.REFUSED:
            self.note_failed(url, "the host may not be contacted")
        elif decision is Decision.VISUAL:
            self.lacks_visual = True

    def note_failed(self, url: str, reason: str) -> None:
        """Record a request without a response, or with an error status."""
        self.failed_requests += 1
        if len(self.failed) < MAX_FAILED:
            self.failed.append(f"{first_line(url)} ({first_line(reason)})")

    def note_exception(self, text: str) -> None:
        """Record an exception that nothing caught, unless we are its cause."""
        if self.lacks_visual and any(words in text for words in _WITHOUT_VISUAL):
            return
        self.script_errors += 1
        self.script_error = self.script_error or first_line(text)
        self.note_console(text)

    def note_console(self, text: str) -> None:
        """Record an error in the console."""
        self.console_errors += 1
        if len(self.console) < MAX_CONSOLE:
            self.console.append(first_line(text))

"""What a page says, as it was sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.alternates import Alternate
from sitemapaudit.items.words import Error, Reason, Role, Verdict


@dataclass(slots=True)
class Canonical:
    """A declared canonical: where it stands, what it says, and why it does not count."""

    source: str
    href: str
    url: str | None
    fault: str | None = None


@dataclass(slots=True)
class Statement:
    """One robots directive as stated: a token of a meta tag or of an X-Robots-Tag line."""

    source: str
    agent: str | None
    token: str
    until: datetime | None = None
    holds: bool = False


@dataclass(slots=True)
class Refresh:
    """A meta refresh or a ``Refresh`` header: ``href`` is the address as written, if any."""

    source: str
    delay: float
    href: str | None
    url: str | None


@dataclass(slots=True)
class Page:
    """A row for each URL asked for, with its own answer: redirects are not followed."""

    url: Annotated[str, "the URL"]
    role: Annotated[
        Role,
        "`listed`, or why else it was asked for: `redirect`, `canonical`, `hreflang`, "
        "`probe` (a random address that cannot exist)",
    ] = Role.LISTED
    via: Annotated[str | None, "the page that led here, if not listed"] = None
    verdict: Annotated[Verdict, "what its own answer says of it"] = Verdict.UNCHECKED
    status: Annotated[int | None, "HTTP status"] = None
    location: Annotated[str | None, "`Location` as sent"] = None
    target: Annotated[str | None, "where a redirect points, normalised"] = None
    error: Annotated[
        Error | None,
        "`dns`, `refused`, `reset`, `timeout`, `tls`, `truncated`, `invalid-http` …",
    ] = None
    error_detail: Annotated[str | None, "the same in the words of the network"] = None
    allowed: Annotated[bool | None, "by robots.txt for `agent`; null if not known"] = None
    challenge: Annotated[str | None, "a bot challenge stood in for the page"] = None
    content_type: Annotated[str | None, "media type as sent"] = None
    html: Annotated[bool, "it was read as HTML"] = False
    bytes: Annotated[
        int | None,
        "size of the body: decoded if it was read, as sent if not (a status other than 2xx), "
        "as announced if it was not downloaded (no HTML)",
    ] = None
    cut: Annotated[bool, "reading stopped at the cap on the size, or at hostile nesting"] = False
    elapsed: Annotated[float | None, "seconds until the answer was there"] = None
    retries: Annotated[int, "times that it was asked for again"] = 0
    fetched_at: Annotated[datetime | None, "when the answer came"] = None
    last_modified: Annotated[datetime | None, "the header, parsed"] = None
    date: Annotated[datetime | None, "the `Date` header, parsed"] = None
    sets_cookie: Annotated[bool, "the answer sets a cookie"] = False
    directives: Annotated[list[str], "robots directives that hold for `agent`, lower case"] = field(
        default_factory=list
    )
    statements: Annotated[
        list[Statement], "each directive as stated: source, agent, token, date"
    ] = field(default_factory=list)
    noindex: Annotated[bool | None, "`noindex`, `none` or a past date; null if no answer"] = None
    canonical: Annotated[str | None, "the usable canonical, if there is just one"] = None
    canonical_source: Annotated[str | None, "`tag`, `header` or `both`"] = None
    canonicals: Annotated[list[Canonical], "each as stated: source, href, URL, fault"] = field(
        default_factory=list
    )
    title: Annotated[str | None, "first title"] = None
    description: Annotated[str | None, "meta description"] = None
    h1: Annotated[str | None, "first h1"] = None
    lang: Annotated[str | None, "`lang` of the html element"] = None
    words: Annotated[int | None, "words of the main text"] = None
    content_hash: Annotated[str | None, "hash of the main text"] = None
    fingerprint: Annotated[str | None, "MinHash of the main text, 256 bits"] = None
    scripts: Annotated[int | None, "script elements that are run"] = None
    scripted: Annotated[
        list[str],
        "`canonical` and `robots`, where a script of the page itself writes such an element",
    ] = field(default_factory=list)
    soft_404: Annotated[str | None, "why it looks like a page that is not there"] = None
    alternates: Annotated[list[Alternate], "hreflang of tags and headers"] = field(
        default_factory=list
    )
    refresh: Annotated[list[Refresh], "meta refresh and `Refresh` header"] = field(
        default_factory=list
    )
    render: Annotated[Reason | None, "why a browser was to open it too"] = None

    @property
    def was_read(self) -> bool:
        """Whether the answer was read for what it says: 2xx, whole, and no bot challenge."""
        return self.noindex is not None

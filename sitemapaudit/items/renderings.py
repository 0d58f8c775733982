"""What a page says once a browser has shown it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.alternates import Alternate
from sitemapaudit.items.pages import Canonical
from sitemapaudit.items.words import Error, Reason, Verdict


@dataclass(slots=True)
class Navigation:
    """A change of the page's address: by a new ``document``, or by ``history`` alone."""

    by: str
    url: str


@dataclass(slots=True)
class Rendering:
    """A row for each page that a browser opened: what its scripts made of the same bytes."""

    url: Annotated[str, "the URL"]
    reason: Annotated[
        Reason,
        "why it was chosen: `always`, `sample`, `little-text` (beside scripts), `noindex` (beside "
        "scripts), `scripted` (a script writes a canonical or robots element), `template` (one of "
        "the first of its kind of address), `comparison` (a random address)",
    ]
    error: Annotated[Error | None, "why it is not known: `timeout`, `crashed`, `browser` …"] = None
    error_detail: Annotated[str | None, "the same in the words of the browser"] = None
    status: Annotated[int | None, "HTTP status of the document that stood there at the end"] = None
    final_url: Annotated[str | None, "the address at the end, without fragment"] = None
    navigations: Annotated[
        list[Navigation], "where the page went by itself, by a `document` or by `history`"
    ] = field(default_factory=list)
    settled: Annotated[bool | None, "it came to rest in the time that it was given"] = None
    verdict: Annotated[Verdict | None, "what the page says of itself after its scripts ran"] = None
    directives: Annotated[list[str], "robots directives that hold, those of headers too"] = field(
        default_factory=list
    )
    noindex: Annotated[bool | None, "`noindex`, `none` or a past date"] = None
    canonical: Annotated[str | None, "the usable canonical, if there is just one"] = None
    canonical_source: Annotated[str | None, "`tag`, `header` or `both`"] = None
    canonicals: Annotated[list[Canonical], "each as stated: source, href, URL, fault"] = field(
        default_factory=list
    )
    title: Annotated[str | None, "first title"] = None
    description: Annotated[str | None, "meta description"] = None
    h1: Annotated[str | None, "first h1"] = None
    lang: Annotated[str | None, "`lang` of the html element"] = None
    words: Annotated[int | None, "words of the main text, shadow trees included"] = None
    content_hash: Annotated[str | None, "hash of the main text"] = None
    fingerprint: Annotated[str | None, "MinHash of the main text, 256 bits"] = None
    soft_404: Annotated[str | None, "why it looks like a page that is not there"] = None
    alternates: Annotated[list[Alternate], "hreflang of tags and headers"] = field(
        default_factory=list
    )
    links: Annotated[int | None, "internal addresses that it links to"] = None
    links_added: Annotated[int | None, "those that the HTML as sent does not link to"] = None
    links_removed: Annotated[int | None, "those that only the HTML as sent links to"] = None
    requests: Annotated[int, "requests for what the page loads, refused ones too"] = 0
    blocked_requests: Annotated[int, "those that robots.txt forbids to `agent`"] = 0
    blocked: Annotated[list[str], "the first scripts and data among them; 20 at most"] = field(
        default_factory=list
    )
    failed_requests: Annotated[int, "those that got no answer, or a status from 400 on"] = 0
    failed: Annotated[list[str], "the first of them, and why; 5 at most"] = field(
        default_factory=list
    )
    console_errors: Annotated[int, "errors of scripts"] = 0
    console: Annotated[list[str], "the first of them; 5 at most"] = field(default_factory=list)
    elapsed: Annotated[float | None, "seconds in the browser"] = None
    retries: Annotated[int, "times that it was opened again, since the browser failed"] = 0
    ended_at: Annotated[datetime | None, "when the browser was done"] = None

"""The pages that were fetched."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Final

from sitemapaudit.items.result import Finding
from sitemapaudit.items.signals import Signals, Statement
from sitemapaudit.items.vocabulary import (
    Error,
    RecheckResult,
    RedirectKind,
    RenderReason,
    Revalidation,
    Role,
    Verdict,
)

SCRIPT: Final = "script"


@dataclass(slots=True)
class Refresh:
    """A redirect that is not HTTP's; ``delay`` is in seconds, ``href`` as written.

    ``source`` is ``meta``, ``header``, or ``script``: a meta refresh in noscript, with a target
    that a script of the page names, too.
    """

    source: str
    delay: float
    href: str | None
    url: str | None


@dataclass(slots=True)
class Page(Signals):
    """A row per fetched URL, with its own response: redirects are not followed."""

    role: Annotated[
        Role,
        "`listed`, or why else it was fetched: `redirect`, `canonical`, `hreflang`, "
        "`probe` (a random URL that cannot exist), `built` (an HTML file of the build)",
    ] = Role.LISTED
    via: Annotated[str | None, "the page that led here; null for listed pages and probes"] = None
    verdict: Annotated[Verdict, "the verdict of the URL's own response"] = Verdict.UNCHECKED
    status: Annotated[int | None, "HTTP status"] = None
    file: Annotated[
        str | None,
        "with `folder`, the file of the build that is served, or the folder that denies access",
    ] = None
    redirect_kind: Annotated[
        RedirectKind | None,
        "`http` (status 3xx) or `refresh` (a meta refresh or `Refresh` header without a delay)",
    ] = None
    location: Annotated[str | None, "`Location` as sent"] = None
    target: Annotated[str | None, "where a redirect points, normalized"] = None
    error: Annotated[
        Error | None,
        "`dns`, `refused`, `reset`, `timeout`, `tls`, `truncated`, `invalid-http` …",
    ] = None
    error_detail: Annotated[str | None, "the error as reported by the network"] = None
    allowed: Annotated[bool | None, "by robots.txt for `agent`; null if unknown"] = None
    challenge: Annotated[str | None, "the bot challenge that was served instead"] = None
    content_type: Annotated[str | None, "media type as sent"] = None
    is_html: Annotated[bool, "it was read as HTML"] = False
    bytes: Annotated[
        int | None,
        "size of the body: decoded if it was read; as sent if the status is not 2xx; "
        "as announced if it was not downloaded (not HTML)",
    ] = None
    truncated: Annotated[bool, "reading stopped at the size limit, or at hostile nesting"] = False
    elapsed: Annotated[
        float | None, "seconds until the response; null if the audit was too busy to measure them"
    ] = None
    retries: Annotated[int, "how often it was fetched again"] = 0
    recheck: Annotated[
        RecheckResult | None,
        "the result of fetching it again at the end of the run: `confirmed` (it failed in the "
        "same way), `intermittent` (it failed in another way), `recovered`, `refetched` (its 304 "
        "was not credible, or the server sent more responses than there were requests); null if "
        "it was not fetched again. The other columns are those of the last response",
    ] = None
    first_verdict: Annotated[Verdict | None, "the verdict before it was fetched again"] = None
    first_status: Annotated[int | None, "the status before it was fetched again"] = None
    first_error: Annotated[Error | None, "the error before it was fetched again"] = None
    fetched_at: Annotated[datetime | None, "when the response arrived"] = None
    last_modified: Annotated[datetime | None, "the `Last-Modified` header, parsed"] = None
    etag: Annotated[str | None, "the `ETag` header as sent"] = None
    vary: Annotated[str | None, "the `Vary` header as sent, its lines joined by commas"] = None
    generator: Annotated[
        str | None,
        "the program that made the page, as its meta element `generator` says, or the name of a "
        "known generator that its headers, the addresses of its scripts or its comments show",
    ] = None
    alternates_outside_head: Annotated[
        int | None, "the number of hreflang links outside the head, which do not count, if any"
    ] = None
    revalidation: Annotated[
        Revalidation | None,
        "with `reuse`, the result of requesting it with If-None-Match or If-Modified-Since: "
        "`not-modified` (304), `same` (200 with the same content), `changed` (200 with other "
        "content), `confirmed` (304, and without conditions the same content), `untrue` (304, and "
        "without conditions other content), `failed` (304, and without conditions an error); null "
        "if it was requested without conditions",
    ] = None
    carried_from: Annotated[
        str | None,
        "the run that downloaded the content of the row, if it was not modified since; null if "
        "this run downloaded it",
    ] = None
    hidden_changes: Annotated[
        list[str], "if `revalidation` is `untrue`, the columns that differ, `verdict` first"
    ] = field(default_factory=list)
    date: Annotated[datetime | None, "the `Date` header, parsed"] = None
    date_modified: Annotated[
        str | None,
        "when it was last modified, according to itself: `dateModified` of JSON-LD, or "
        "`article:modified_time`; null if it states dates that are more than a day apart",
    ] = None
    date_modified_at: Annotated[datetime | None, "`date_modified` in UTC"] = None
    sets_cookie: Annotated[bool, "the response sets a cookie"] = False
    headers: Annotated[
        list[str],
        "headers of the response as `name: value`, without the values of cookies and other "
        "secrets: of ten pages of each rule, and of each verdict and status that is not "
        "`indexable`, by the lowest hashes of their URLs; empty for other pages, and for those of "
        "a build",
    ] = field(default_factory=list)
    body_start: Annotated[
        str | None,
        "the first characters of the body, if `headers` are recorded and it is that of an error, "
        "of a soft 404 or of a bot challenge; at most 300",
    ] = None
    statements: Annotated[
        list[Statement], "each robots directive as stated: source, agent, token, until, applies"
    ] = field(default_factory=list)
    scripts: Annotated[int | None, "script elements that a browser runs"] = None
    set_by_script: Annotated[
        list[str], "`canonical` and `robots`, if a script of the page writes such an element"
    ] = field(default_factory=list)
    refreshes: Annotated[
        list[Refresh],
        "meta refresh, `Refresh` header, and `script`: a meta refresh in noscript, with a target "
        "that a script names, too",
    ] = field(default_factory=list)
    render_reason: Annotated[
        RenderReason | None,
        "why the browser opened it: `always`, `sample`, `little-text` (and scripts), `noindex` "
        "(and scripts), `set-by-script`, `template` (one of a few of its URL pattern), "
        "`comparison` (a probe)",
    ] = None

    @property
    def was_read(self) -> bool:
        """True if the response counts as a page: 2xx, complete, and not a bot challenge."""
        return self.noindex is not None

    @property
    def may_redirect(self) -> bool:
        """True if a script probably redirects, so that the source says little about the page."""
        return any(refresh.source == SCRIPT for refresh in self.refreshes)

    @property
    def redirecting_refreshes(self) -> list[Refresh]:
        """The refreshes to other URLs by delay: each target once, with its shortest one.

        Google treats one without a delay as a permanent redirect, any other as a temporary one.
        """
        others: dict[str | None, Refresh] = {}
        for refresh in sorted(self.refreshes, key=lambda refresh: refresh.delay):
            if refresh.url not in (None, self.url):
                others.setdefault(refresh.url, refresh)
        return list(others.values())


@dataclass(slots=True)
class RecheckedPage(Page):
    """The second response of a page that failed, with the findings on it.

    It replaces the row of the first one, and these findings replace those of the first one. They
    are a part of the row, so that a killed run has either all of them or none.
    """

    findings: Annotated[list[Finding], "the findings of row rules"] = field(default_factory=list)


@dataclass(slots=True)
class AgentPage(Page):
    """A page that another one of ``agents`` may fetch, but ``agent`` may not.

    It is not a row of ``pages``: for ``agent``, the page was not fetched.
    """

"""The pages that were rendered in the browser."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.signals import Signals
from sitemapaudit.items.vocabulary import Error, RenderReason, Verdict


@dataclass(slots=True)
class Navigation:
    """A change of the page's URL: ``by`` a new ``document``, or by ``history`` alone."""

    by: str
    url: str


@dataclass(slots=True)
class Rendering(Signals):
    """A row per rendered page: its signals after its scripts ran."""

    render_reason: Annotated[RenderReason, "why the browser opened it"]
    error: Annotated[Error | None, "why rendering failed: `timeout`, `crashed`, `browser` …"] = None
    error_detail: Annotated[str | None, "the error as reported by the browser"] = None
    status: Annotated[int | None, "HTTP status of the document at the end"] = None
    final_url: Annotated[str | None, "the URL at the end, without fragment"] = None
    navigations: Annotated[
        list[Navigation],
        "changes of URL after loading: `by` a `document` or by `history`, and `url`",
    ] = field(default_factory=list)
    idle: Annotated[bool | None, "the page became idle in the given time"] = None
    verdict: Annotated[Verdict | None, "the verdict after its scripts ran"] = None
    links: Annotated[int | None, "internal URLs that it links to"] = None
    links_added: Annotated[int | None, "those that the HTML source does not link to"] = None
    links_removed: Annotated[int | None, "URLs that only the HTML source links to"] = None
    requests: Annotated[int, "requests that the page made, refused ones included"] = 0
    blocked_requests: Annotated[int, "those that robots.txt disallows for `agent`"] = 0
    blocked: Annotated[list[str], "the first blocked scripts and data; at most 20"] = field(
        default_factory=list
    )
    failed_requests: Annotated[int, "requests without a response, or with a status from 400"] = 0
    failed: Annotated[list[str], "the first of them with the reason; at most 5"] = field(
        default_factory=list
    )
    console_errors: Annotated[
        int, "errors in the console: exceptions that nothing caught, and what scripts log as errors"
    ] = 0
    console: Annotated[list[str], "the first of them; at most 5"] = field(default_factory=list)
    script_errors: Annotated[int, "exceptions that nothing caught"] = 0
    script_error: Annotated[str | None, "the first of them"] = None
    elapsed: Annotated[float | None, "seconds in the browser"] = None
    retries: Annotated[int, "how often it was opened again because the browser failed"] = 0
    ended_at: Annotated[datetime | None, "when the browser was done"] = None

"""Findings as texts to send to whoever runs the site, in the form of a compiler's diagnostics.

Each has the place, what is wrong, the response that shows it, and a command that repeats the
request.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import duckdb
from msgspec import Struct

from sitemapaudit.items import Subject
from sitemapaudit.report.embedding import shorten
from sitemapaudit.report.markdown import one_line
from sitemapaudit.urls import origin

MAX_FINDINGS: Final = 3
"""Findings of a rule that are shown with their responses."""

MAX_HEADERS: Final = 20
MAX_LINE: Final = 200
"""Headers of a response, and characters of a line."""

MAX_VALUES: Final = 6
"""Values behind a message."""

_OF_ROBOTS: Final = "robots.txt: "
"""The beginning of the error of a page whose robots.txt failed."""

COLUMNS: Final = "rule, severity, subject, url, sitemap, position, line, message, evidence"

_RECORDED: Final = f"""
    with recorded as (select url from pages where len(headers) > 0), found as (
        select {COLUMNS} from findings where occurrences = 1
        union all select {COLUMNS} from occurrences
    )
    select {COLUMNS} from found semi join recorded using (url)
    where subject in ('{Subject.PAGE}', '{Subject.SITE}')
    qualify row_number() over (
        partition by rule order by severity_order(severity), url, sitemap, position, message
    ) <= {MAX_FINDINGS}
    order by rule, severity_order(severity), url, sitemap, position, message
"""
"""The first findings on pages whose responses were recorded."""

_KNOWN: Final = """list_filter(
    ['content-type: ' || content_type, 'location: ' || location], lambda each: each is not null
)"""
"""The headers of a page that are known of every page."""

_RESPONSES: Final[Mapping[Subject, str]] = {
    Subject.PAGE: f"""
        select url, status, if(error is null, null, coalesce(error_detail, error)) as error,
            if(len(headers) > 0, headers, {_KNOWN}) as headers, body_start
        from pages where url in (select unnest($places))
    """,
    Subject.SITEMAP: """
        select sitemap, status, if(error is null, null, coalesce(error_detail, error)) as error,
            headers, body_start
        from sitemaps where sitemap in (select unnest($places))
    """,
    Subject.ROBOTS: f"""
        select url, status, if(error is null, null, coalesce(error_detail, error)) as error,
            headers, left(text, {MAX_LINE}) as body_start
        from robots where url in (select unnest($places))
    """,
}
"""The responses of pages, sitemaps and robots.txt files."""

_PLACES: Final = {Subject.PAGE: "url", Subject.SITEMAP: "sitemap", Subject.ROBOTS: "url"}


class Response(Struct, frozen=True):
    """The response of a URL: a status with headers and the beginning of a body, or an error."""

    status: int | None
    error: str | None
    headers: Sequence[str]
    body_start: str | None


class Diagnostic(Struct, frozen=True):
    """A finding, and the response that shows it, if there is one."""

    finding: Mapping[str, Any]
    response: Response | None = None

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text."""
        finding = self.finding
        place = finding.get("url") or finding.get("sitemap")
        yield f"{finding['severity']}[{finding['rule']}]: {_line(finding['message'], 2 * MAX_LINE)}"
        if place:
            yield f"  --> {one_line(place)}{'' if finding.get('url') else _place(finding)}"
        if finding.get("url") and finding.get("sitemap"):
            yield f"   in {one_line(finding['sitemap'])}{_place(finding)}"
        requested = self._requested(place or "")
        if self.response is not None:
            yield from _exchange(self.response, requested)
        yield from _evidence(finding)
        if self.response is not None:
            yield f"   = check: curl -sSi {shlex.quote(requested)}"

    def _requested(self, url: str) -> str:
        """Return the URL that was requested: not the page, if its robots.txt failed."""
        error = (self.response and self.response.error) or ""
        return one_line(f"{origin(url)}/robots.txt" if error.startswith(_OF_ROBOTS) else url)


def render_diagnostics(
    diagnostics: Iterable[Diagnostic], notes: Iterable[tuple[str, str]] = ()
) -> str:
    """Return diagnostics as text, with ``notes`` such as why it matters; empty without any."""
    texts = ["\n".join(each.lines()) for each in diagnostics]
    ending = "".join(f"\n   = {name.lower()}: {text}" for name, text in notes if text)
    return "\n\n".join(texts) + ending if texts else ""


def read_recorded(connection: duckdb.DuckDBPyConnection) -> dict[str, list[dict[str, Any]]]:
    """Return the first findings of each rule on pages whose responses were recorded."""
    found: dict[str, list[dict[str, Any]]] = {}
    names = COLUMNS.split(", ")
    for row in connection.execute(_RECORDED).fetchall():
        finding = dict(zip(names, row, strict=True))
        found.setdefault(finding["rule"], []).append(finding)
    return found


def read_diagnostics(
    connection: duckdb.DuckDBPyConnection, findings: Mapping[str, tuple[Subject, list[Any]]]
) -> dict[str, list[Diagnostic]]:
    """Return the diagnostics of findings by rule; a rule's subject says whose response it is."""
    responses = {kind: _read_responses(connection, kind, findings) for kind in _RESPONSES}
    return {
        rule: [_diagnose(each, subject, responses) for each in rows]
        for rule, (subject, rows) in findings.items()
    }


def _diagnose(
    finding: Mapping[str, Any],
    subject: Subject,
    responses: Mapping[Subject, Mapping[str, Response]],
) -> Diagnostic:
    kind = _kind(subject)
    place = None if kind is None else finding.get(_PLACES[kind])
    return Diagnostic(finding, None if kind is None else responses[kind].get(place or ""))


def _kind(subject: Subject) -> Subject | None:
    """Return whose responses show the findings of a subject; None for entries."""
    if subject is Subject.ENTRY:
        return None
    return Subject.PAGE if subject is Subject.SITE else subject


def _read_responses(
    connection: duckdb.DuckDBPyConnection,
    kind: Subject,
    findings: Mapping[str, tuple[Subject, list[Any]]],
) -> dict[str, Response]:
    places = {
        row.get(_PLACES[kind])
        for subject, rows in findings.values()
        for row in rows
        if _kind(subject) is kind
    } - {None}
    if not places:
        return {}
    rows = connection.execute(_RESPONSES[kind], {"places": sorted(places)}).fetchall()
    return {
        place: Response(status, error, headers or (), body)
        for place, status, error, headers, body in rows
        if status is not None or error
    }


def _place(finding: Mapping[str, Any]) -> str:
    """Return the line of a finding as compilers write it, and the entry there."""
    line, position = finding.get("line"), finding.get("position")
    return (f":{line}" if line else "") + (f" (entry {position:,})" if position else "")


def _exchange(response: Response, url: str) -> Iterator[str]:
    yield "   |"
    yield f"   | GET {url}"
    if response.status is None:
        yield f"   | no response: {_line((response.error or '').removeprefix(_OF_ROBOTS))}"
    else:
        yield f"   | {response.status}"
        yield from (f"   | {_line(each)}" for each in response.headers[:MAX_HEADERS])
    if response.body_start:
        yield "   |"
        yield from (f"   | {_line(each)}" for each in response.body_start.splitlines())
    yield "   |"


def _evidence(finding: Mapping[str, Any]) -> Iterator[str]:
    """Yield the first values of the evidence of a finding that its message does not contain."""
    values = [each for each in finding.get("evidence") or () if each[1] not in finding["message"]]
    for name, value in values[:MAX_VALUES]:
        yield f"   = {name}: {_line(value)}"


def _line(text: str, width: int = MAX_LINE) -> str:
    return shorten(one_line(text), width)

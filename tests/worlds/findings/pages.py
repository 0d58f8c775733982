"""Predictions of the rules about listed pages."""

from collections.abc import Callable, Iterator

from sitemapaudit.items import Error, Severity, Verdict
from tests.worlds.faults import ATTEMPTS
from tests.worlds.findings.seen import Found, Seen
from tests.worlds.pages import OUTSIDE, Kind, WorldPage

_PERMANENT = (301, 308)


def canonical_chain(seen: Seen) -> Iterator[Found]:
    for page in _canonicalized(seen):
        chain = _canonicals(seen, page)
        if len(chain) > 1:
            returns = chain[-1] == page.path
            yield seen.on_page(page.path, Severity.ERROR if returns else Severity.WARNING)


def canonical_elsewhere(seen: Seen) -> Iterator[Found]:
    for path, end in seen.ends:
        if end.kind is Kind.COPY and not end.fails:
            yield seen.on_page(path, Severity.ERROR)


def canonical_missing(seen: Seen) -> Iterator[Found]:
    return _of(seen, Severity.NOTICE, _has_no_canonical)


def canonical_offsite(seen: Seen) -> Iterator[Found]:
    return _of(seen, Severity.WARNING, lambda page: (page.canonical or "").startswith(OUTSIDE))


def canonical_relative(seen: Seen) -> Iterator[Found]:
    return _of(seen, Severity.NOTICE, lambda page: page.is_relative)


def canonical_to_error(seen: Seen) -> Iterator[Found]:
    errors = (Verdict.UNREACHABLE, Verdict.SERVER_ERROR, Verdict.NOT_FOUND, Verdict.CLIENT_ERROR)
    return _canonicalized_to(seen, *errors)


def canonical_to_noindex(seen: Seen) -> Iterator[Found]:
    return _canonicalized_to(seen, Verdict.NOINDEX)


def canonical_to_redirect(seen: Seen) -> Iterator[Found]:
    return _canonicalized_to(seen, Verdict.REDIRECTED)


def noindex_agent(seen: Seen) -> Iterator[Found]:
    yield from _of(seen, Severity.ERROR, lambda page: page.variant == "googlebot")
    yield from _of(seen, Severity.NOTICE, lambda page: page.variant == "bingbot")


def noindex_header(seen: Seen) -> Iterator[Found]:
    return _hidden(seen, "header")


def noindex_meta(seen: Seen) -> Iterator[Found]:
    return _hidden(seen, "", "none")


def page_access_denied(seen: Seen) -> Iterator[Found]:
    return _ending(seen, Severity.WARNING, Kind.DENIED)


def page_blocked_by_robots(seen: Seen) -> Iterator[Found]:
    for path in sorted(seen.checked):
        if seen.verdict(path) == Verdict.BLOCKED:
            yield seen.on_page(path, Severity.ERROR)


def page_client_error(seen: Seen) -> Iterator[Found]:
    return _ending(seen, Severity.ERROR, Kind.ODD)


def page_connection_error(seen: Seen) -> Iterator[Found]:
    for path, end in seen.ends:
        if end.error not in (None, Error.TIMEOUT):
            yield seen.on_page(path, Severity.ERROR)


def page_intermittent(seen: Seen) -> Iterator[Found]:
    return _of(seen, Severity.WARNING, _is_intermittent)


def page_meta_refresh(seen: Seen) -> Iterator[Found]:
    yield from _of(seen, Severity.ERROR, lambda page: page.variant == "refresh")
    yield from _of(seen, Severity.WARNING, lambda page: page.variant == "later")


def page_not_found(seen: Seen) -> Iterator[Found]:
    return _ending(seen, Severity.ERROR, Kind.GONE)


def page_not_html(seen: Seen) -> Iterator[Found]:
    yield from _of(seen, Severity.ERROR, lambda page: page.kind is Kind.ARCHIVE)
    yield from _of(seen, Severity.WARNING, lambda page: page.variant == "image")
    yield from _of(seen, Severity.NOTICE, lambda page: page.variant in ("pdf", "untyped"))


def page_redirect_chain(seen: Seen) -> Iterator[Found]:
    for path in sorted(seen.checked):
        hops = seen.hops(path)
        if hops > 1 and not seen.is_loop(path):
            yield seen.on_page(path, Severity.ERROR if hops > 10 else Severity.WARNING)


def page_redirect_invalid(seen: Seen) -> Iterator[Found]:
    for path, end in seen.ends:
        if end.variant == "nowhere" and not end.fails:
            yield seen.on_page(path, Severity.ERROR)


def page_redirect_loop(seen: Seen) -> Iterator[Found]:
    for path in sorted(seen.checked):
        if seen.is_loop(path):
            yield seen.on_page(path, Severity.ERROR)


def page_redirect_offsite(seen: Seen) -> Iterator[Found]:
    for path in sorted(seen.checked):
        last = seen.world.redirects(path)[-1]
        if last.startswith(OUTSIDE) and last != path:
            yield seen.on_page(path, Severity.WARNING)


def page_redirect_permanent(seen: Seen) -> Iterator[Found]:
    return _redirected(seen, Severity.ERROR, permanent=True)


def page_redirect_temporary(seen: Seen) -> Iterator[Found]:
    return _redirected(seen, Severity.WARNING, permanent=False)


def page_server_error(seen: Seen) -> Iterator[Found]:
    return _ending(seen, Severity.ERROR, Kind.BROKEN)


def page_soft_404(seen: Seen) -> Iterator[Found]:
    return _of(seen, Severity.WARNING, lambda page: page.variant == "title")


def page_status_unusual(seen: Seen) -> Iterator[Found]:
    for path, end in seen.ends:
        if end.kind is Kind.EMPTY and not end.variant and not end.fails:
            yield seen.on_page(path, Severity.WARNING)


def page_timeout(seen: Seen) -> Iterator[Found]:
    for path, end in seen.ends:
        if end.error is Error.TIMEOUT:
            yield seen.on_page(path, Severity.ERROR)


def _of(seen: Seen, severity: Severity, holds: Callable[[WorldPage], bool]) -> Iterator[Found]:
    """Yield a finding on each listed page whose own response is so."""
    return (seen.on_page(page.path, severity) for page in seen.pages if holds(page))


def _ending(seen: Seen, severity: Severity, kind: Kind) -> Iterator[Found]:
    """Yield a finding on each listed page that is, or redirects to, a page of a kind."""
    for path, end in seen.ends:
        if end.kind is kind and not end.fails:
            yield seen.on_page(path, severity)


def _hidden(seen: Seen, *variants: str) -> Iterator[Found]:
    return _of(
        seen, Severity.ERROR, lambda page: page.kind is Kind.HIDDEN and page.variant in variants
    )


def _redirected(seen: Seen, severity: Severity, *, permanent: bool) -> Iterator[Found]:
    for page in seen.pages:
        is_http = page.status // 100 == 3 and page.target is not None
        if is_http and (page.status in _PERMANENT) is permanent and not seen.is_loop(page.path):
            yield seen.on_page(page.path, severity)


def _canonicalized(seen: Seen) -> Iterator[WorldPage]:
    return (page for page in seen.pages if page.kind is Kind.COPY)


def _canonicalized_to(seen: Seen, *verdicts: Verdict) -> Iterator[Found]:
    """Yield an error for each listed page whose canonical has one of these verdicts."""
    for page in _canonicalized(seen):
        if seen.verdict(page.canonical or "") in verdicts:
            yield seen.on_page(page.path, Severity.ERROR)


def _canonicals(seen: Seen, page: WorldPage) -> list[str]:
    """Return the canonicals that follow each other, until one repeats."""
    start, chain = page.path, list[str]()
    while page.kind is Kind.COPY and seen.responds(page.path) and page.canonical:
        chain.append(page.canonical)
        if chain[-1] in (start, *chain[:-1]):
            break
        page = seen.world.pages[page.canonical]
    return chain


def _has_no_canonical(page: WorldPage) -> bool:
    """Return whether a page that does not redirect is HTML without a canonical."""
    return page.variant == "title" or (page.is_read and page.is_html and page.canonical is None)


def _is_intermittent(page: WorldPage) -> bool:
    """Return whether a page fails at first, and does something else at the end of the audit.

    Of the requests for a page, the last one is at the end of the audit.
    """
    if page.fault is None or page.fault.times is None or page.fault.how == "garbage":
        return False
    return page.fault.how == "silence" or page.fault.times == ATTEMPTS - 1

"""The verdict law: how each listed URL gets exactly one verdict.

1. The page's own response decides first (``LAW``, by ``decide_verdict``).
2. Where a browser rendered the page, the rendering can change that verdict
   (``decide_rendered_verdict``, and ``effective_verdict`` in SQL).
3. A page with the text that its host serves for a random URL is a soft 404
   (``sitemapaudit.datasets.url_table``, which compares the texts).
4. A listed URL without a page is unchecked.
5. Other agents get the verdict of the first one, unless robots.txt or a directive treats them
   differently (``AGENT_VERDICT`` in SQL).

A sitemap has no verdict: it is known what it lists, or it is unread (``IS_UNREAD`` in SQL).

"indexable" is null if the verdict does not determine it (``INDEXABLE`` in SQL).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from sitemapaudit.http.indexable_types import UNINDEXED_TYPE, is_indexable_type
from sitemapaudit.http.redirects import REDIRECT_STATUSES
from sitemapaudit.items import ELSEWHERE, Error, Page, Rendering, Verdict

DENIED: Final = frozenset({401, 403, 407, 429})
GONE: Final = frozenset({404, 410})
NO_CONTENT: Final = 204
"""The 2xx status whose body is always empty."""

NOT_MODIFIED: Final = 304
"""A status without meaning where nothing was asked to be revalidated."""

MEANINGS: Final[Mapping[Verdict, str]] = {
    Verdict.UNCHECKED: "selected, but not fetched",
    Verdict.BLOCKED: "disallowed by robots.txt",
    Verdict.UNREACHABLE: "no usable response: DNS, TLS, connection, timeout, or an invalid status",
    Verdict.DENIED: "status 401, 403, 407 or 429: others may see a different response",
    Verdict.SERVER_ERROR: "server error (status 5xx)",
    Verdict.NOT_FOUND: "status 404 or 410",
    Verdict.CLIENT_ERROR: "other client error (status 4xx)",
    Verdict.REDIRECTED: "redirects to another URL",
    Verdict.UNSUPPORTED_TYPE: "without content, or a file of a type that Google does not index",
    Verdict.NOINDEX: "has a noindex directive",
    Verdict.CANONICALIZED: "has another URL as its canonical",
    Verdict.SOFT_404: "no error status, but looks like an error page or has no content",
    Verdict.INDEXABLE: "status 2xx, and nothing prevents indexing",
}

_OURS: Final = frozenset(
    {
        *ELSEWHERE, Error.ADDRESS_REFUSED, Error.IGNORED, Error.INTERNAL, Error.LIMIT,
    }
)  # fmt: skip
"""Errors of requests that this program did not send, or failed at itself."""


def _sql_list(values: Iterable[str | int]) -> str:
    """Return values as SQL, separated by commas; texts are names of verdicts and errors."""
    texts = (f"'{value}'" if isinstance(value, str) else f"{value}" for value in values)
    return ", ".join(sorted(texts))


UNKNOWN: Final = _sql_list(verdict for verdict in Verdict if verdict.indexable is None)
"""SQL: the verdicts that do not determine whether a URL is indexable."""

NOT_INDEXABLE: Final = _sql_list(verdict for verdict in Verdict if verdict.indexable is False)
"""SQL: the verdicts of URLs that are known not to be indexable."""

INDEXABLE: Final = f"if(verdict in ({UNKNOWN}), null, verdict = '{Verdict.INDEXABLE}')"
"""SQL: whether a URL is indexable, by the column ``verdict``; null if it is unknown."""


class Case(NamedTuple):
    """A row of the law: a verdict, and the condition for it in Python and in SQL.

    The SQL is about a row of ``pages``; null counts as false.
    """

    verdict: Verdict
    holds: Callable[[Page], object]
    sql: str


def _status(page: Page) -> int:
    """Return the status of a response; 0 without one."""
    return page.status or 0


def _has_unindexed_type(page: Page) -> bool:
    if page.is_html or page.bytes == 0 or not 200 <= _status(page) < 300:
        return False
    return is_indexable_type(page.content_type, page.url) is False


def _has_no_usable_status(page: Page) -> bool:
    """Return whether a status is invalid (RFC 9110 section 15), or not that of a page."""
    return not 200 <= _status(page) < 600 or page.status == NOT_MODIFIED


_NO_USABLE_STATUS: Final = f"status not between 200 and 599 or status = {NOT_MODIFIED}"

LAW: Final = (
    Case(
        Verdict.UNCHECKED,
        lambda page: page.error in _OURS,
        f"error in ({_sql_list(_OURS)})",
    ),
    Case(Verdict.BLOCKED, lambda page: page.allowed is False, "allowed = false"),
    Case(Verdict.UNREACHABLE, lambda page: page.error is not None, "error is not null"),
    Case(Verdict.UNCHECKED, lambda page: page.status is None, "status is null"),
    # The files of a build deny access to everybody: that is a client error.
    Case(
        Verdict.DENIED,
        lambda page: (page.status in DENIED and page.file is None) or page.challenge,
        f"status in ({_sql_list(DENIED)}) and file is null or challenge <> ''",
    ),
    Case(Verdict.UNREACHABLE, _has_no_usable_status, _NO_USABLE_STATUS),
    Case(
        Verdict.SERVER_ERROR,
        lambda page: _status(page) >= 500,
        "status >= 500",
    ),
    Case(Verdict.NOT_FOUND, lambda page: page.status in GONE, f"status in ({_sql_list(GONE)})"),
    Case(Verdict.CLIENT_ERROR, lambda page: _status(page) >= 400, "status >= 400"),
    Case(
        Verdict.REDIRECTED,
        lambda page: page.status in REDIRECT_STATUSES or page.redirect_kind is not None,
        f"status in ({_sql_list(REDIRECT_STATUSES)}) or redirect_kind is not null",
    ),
    Case(
        Verdict.UNSUPPORTED_TYPE,
        _has_unindexed_type,
        "status between 200 and 299 and not is_html and bytes is distinct from 0"
        f" and {UNINDEXED_TYPE}",
    ),
    Case(Verdict.NOINDEX, lambda page: page.noindex, "noindex"),
    Case(
        Verdict.CANONICALIZED,
        lambda page: page.canonical not in (None, page.url),
        "canonical <> url",
    ),
    Case(
        Verdict.UNSUPPORTED_TYPE,
        lambda page: page.status == NO_CONTENT,
        f"status = {NO_CONTENT}",
    ),
    # An unknown 3xx counts as 300 (RFC 9110 section 15).
    Case(
        Verdict.SOFT_404,
        lambda page: not 200 <= _status(page) < 300,
        "status not between 200 and 299",
    ),
    # A component stopped the download before the body: what it would be is unknown.
    Case(
        Verdict.UNCHECKED,
        lambda page: page.bytes == 0 and page.truncated,
        "bytes = 0 and truncated",
    ),
    Case(Verdict.SOFT_404, lambda page: page.bytes == 0, "bytes = 0"),
    # Scripts can fill a page without text: then its source proves nothing.
    Case(
        Verdict.SOFT_404,
        lambda page: page.soft_404 and not (page.words == 0 and page.scripts),
        "soft_404 <> '' and not coalesce(words = 0 and scripts > 0, false)",
    ),
    Case(Verdict.INDEXABLE, lambda _: True, "true"),
)
"""The verdict of a page's own response is that of the first row that applies."""


def sql_case(cases: Iterable[Case]) -> str:
    """Return the verdict of the first of these rows that applies, as SQL."""
    rows = (f"when {case.sql} then '{case.verdict}'" for case in cases)
    return f"case {' '.join(rows)} end"


_NOINDEX: Final = next(at for at, case in enumerate(LAW) if case.verdict is Verdict.NOINDEX)

AGENT_VERDICT: Final = f"""
    case
        when skip_reason is not null then '{Verdict.UNCHECKED}'
        when permitted = false and robots is null then null
        when permitted = false and robots then '{Verdict.BLOCKED}'
        when verdict = '{Verdict.BLOCKED}' then '{Verdict.UNCHECKED}'
        when verdict not in ({_sql_list({case.verdict for case in LAW[_NOINDEX:]})}) then verdict
        when forbidden then '{Verdict.NOINDEX}'
        when doubtful then null
        when verdict <> '{Verdict.NOINDEX}' then verdict
        else {sql_case(LAW[_NOINDEX + 1 :])}
    end
"""
"""SQL: the verdict for an agent other than the first; null if it is unknown.

``verdict`` is that for the first agent. ``permitted`` says whether robots.txt allows the page to
the other agent, and ``robots`` whether that agent obeys robots.txt. ``forbidden`` says whether a
directive forbids it to index the page, ``doubtful`` whether that is unknown. Where a directive
forbids indexing only to the first agent, the rest of the law decides.
"""


# Scripts can fill a page and can spoil it. They cannot undo a noindex or a canonical of the
# source, because a search engine may obey it before it renders.
_CHANGED_BY_SCRIPTS: Final = f"""
    case
        when rendered is null then verdict
        when verdict in ('{Verdict.SOFT_404}', '{Verdict.INDEXABLE}') then rendered
        when verdict = '{Verdict.CANONICALIZED}'
            and rendered in ('{Verdict.REDIRECTED}', '{Verdict.NOINDEX}') then rendered
        else verdict
    end
"""

_ANSWERED: Final = frozenset(
    {
        Error.ENCODING,
        Error.REDIRECT_INVALID,
        Error.REDIRECT_LOOP,
        Error.TOO_MANY_REDIRECTS,
    }
)
"""The errors of a sitemap whose server answered: everybody gets the same."""

GONE_STATUSES: Final = _sql_list(GONE)
"""SQL: the statuses of what is gone."""

IS_UNREAD: Final = f"""(
    truncated or not complete or coalesce(error not in ({_sql_list(_ANSWERED)}), false)
    or (error is null and status not between 200 and 399 and status not in ({GONE_STATUSES}))
    or (error is null and status = {NOT_MODIFIED})
)"""
"""SQL: true if a sitemap can list URLs that are not known, by a row of ``sitemaps``.

What was answered is known: a file that is missing, empty, malformed or no sitemap lists nothing
more. What failed on the way, was denied, or was cut off by a limit can list anything.
"""

IS_READ_WHOLE: Final = """(
    error is null and complete and not truncated and xml_error is null and gzip_error is null
    and kind not in ('html', 'unknown') and coalesce(status, 200) between 200 and 299
)"""
"""SQL: true if every entry of a sitemap was read, by a row of ``sitemaps``."""

MACROS: Final = f"""
    create or replace macro effective_verdict(verdict, rendered) as {_CHANGED_BY_SCRIPTS};
"""
"""SQL: ``effective_verdict(verdict, rendered_verdict)`` of a page."""

PAGE_VERDICTS: Final = """
    create table page_verdicts as
    select url, coalesce(urls.verdict, effective_verdict(pages.verdict, rendered_verdict))
        as verdict
    from pages left join urls using (url)
"""
"""SQL: the final verdict of every page, listed or not, from the tables of a run."""


def decide_verdict(page: Page) -> Verdict:
    """Return the verdict of a page's own response."""
    return next(case.verdict for case in LAW if case.holds(page))


def decide_rendered_verdict(rendering: Rendering, page: Page) -> Verdict:
    """Return the verdict after scripts ran; ``page`` is what was read from the rendered HTML."""
    moved = any(navigation.by == "document" for navigation in rendering.navigations)
    if moved and rendering.final_url != rendering.url:
        return Verdict.REDIRECTED
    return decide_verdict(page)

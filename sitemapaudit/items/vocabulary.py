"""The values that columns of the datasets can have."""

from enum import StrEnum
from typing import Final


class Severity(StrEnum):
    """The severity of a finding.

    error: a search engine rejects or drops the file or the entry. warning: the signal is
    contradictory, wasteful or partly ignored. notice: advice.
    """

    NOTICE = "notice"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """0 for a notice, 1 for a warning, 2 for an error."""
        return list(Severity).index(self)


class Subject(StrEnum):
    """The subject of a finding, and the folder of its rule."""

    ROBOTS = "robots"
    SITEMAP = "sitemap"
    ENTRY = "entry"
    PAGE = "page"
    SITE = "site"


class Verdict(StrEnum):
    """The one verdict of a listed URL: the first of these that applies."""

    UNCHECKED = "unchecked"
    BLOCKED = "blocked"
    UNREACHABLE = "unreachable"
    DENIED = "denied"
    SERVER_ERROR = "server-error"
    NOT_FOUND = "not-found"
    CLIENT_ERROR = "client-error"
    REDIRECTED = "redirected"
    UNSUPPORTED_TYPE = "unsupported-type"
    NOINDEX = "noindex"
    CANONICALIZED = "canonicalized"
    SOFT_404 = "soft-404"
    INDEXABLE = "indexable"

    @property
    def indexable(self) -> bool | None:
        """True if the URL is indexable, None if this could not be determined."""
        if self in _UNKNOWN:
            return None
        return self is Verdict.INDEXABLE


_UNKNOWN = frozenset({Verdict.UNCHECKED, Verdict.BLOCKED, Verdict.UNREACHABLE, Verdict.DENIED})


class RedirectKind(StrEnum):
    """The way a URL redirects."""

    HTTP = "http"
    REFRESH = "refresh"
    SCRIPT = "script"


class Error(StrEnum):
    """The reason why there is no usable response."""

    DNS = "dns"
    REFUSED = "refused"
    RESET = "reset"
    TIMEOUT = "timeout"
    TLS = "tls"
    TRUNCATED = "truncated"
    INVALID_HTTP = "invalid-http"
    ENCODING = "encoding"
    CHALLENGE = "challenge"
    PRIVATE_ADDRESS = "private-address"
    ADDRESS_REFUSED = "address-refused"
    BLOCKED = "blocked"
    REDIRECT_INVALID = "redirect-invalid"
    REDIRECT_LOOP = "redirect-loop"
    TOO_MANY_REDIRECTS = "too-many-redirects"
    LIMIT = "limit"
    CRASHED = "crashed"
    BROWSER = "browser"
    NOT_IN_BUILD = "not-in-build"
    NOT_ON_STAGING = "not-on-staging"
    IGNORED = "ignored"
    INTERNAL = "internal"


ELSEWHERE: Final = frozenset({Error.NOT_IN_BUILD, Error.NOT_ON_STAGING})
"""The errors of URLs that are not requested because a build or staging does not have them."""


class Kind(StrEnum):
    """The format of a sitemap; ``list`` is a list of URLs that the user gave."""

    URLSET = "urlset"
    SITEMAPINDEX = "sitemapindex"
    TEXT = "text"
    RSS = "rss"
    ATOM = "atom"
    LIST = "list"
    HTML = "html"
    UNKNOWN = "unknown"


class SitemapSource(StrEnum):
    """The way a sitemap was discovered."""

    ROBOTS = "robots"
    INDEX = "index"
    GIVEN = "given"
    WELL_KNOWN = "well-known"


class MediaKind(StrEnum):
    """The use of an image or video in the entry that lists it."""

    IMAGE = "image"
    THUMBNAIL = "thumbnail"
    CONTENT = "content"
    PLAYER = "player"


class Role(StrEnum):
    """The reason why a page was fetched."""

    LISTED = "listed"
    REDIRECT = "redirect"
    CANONICAL = "canonical"
    HREFLANG = "hreflang"
    LINK = "link"
    PROBE = "probe"
    BUILT = "built"


class Region(StrEnum):
    """The part of a page that contains a link, the most prominent first.

    ``other`` is outside all these elements; a ``header`` or ``footer`` inside ``main``, ``nav`` or
    ``aside`` is part of that. ``frame`` and ``refresh`` need no click: the page shows the target
    within itself, or goes there after some seconds.
    """

    MAIN = "main"
    OTHER = "other"
    NAV = "nav"
    HEADER = "header"
    ASIDE = "aside"
    FOOTER = "footer"
    FRAME = "frame"
    REFRESH = "refresh"


class OrphanKind(StrEnum):
    """The reason why a listed page is an orphan.

    no-inlinks: no page of the site links to it. unreachable: only pages that cannot be reached from
    a home page link to it.
    """

    NO_INLINKS = "no-inlinks"
    UNREACHABLE = "unreachable"


class RenderReason(StrEnum):
    """The reason why a page was opened in the browser."""

    ALWAYS = "always"
    SAMPLE = "sample"
    LITTLE_TEXT = "little-text"
    NOINDEX = "noindex"
    SET_BY_SCRIPT = "set-by-script"
    TEMPLATE = "template"
    COMPARISON = "comparison"


class RecheckResult(StrEnum):
    """The result of fetching a failed page again at the end of the run.

    confirmed: it failed in the same way. intermittent: it failed in another way. recovered: it did
    not fail. refetched: the server had said that it was unchanged, which was not credible, or had
    sent more responses than it got requests.
    """

    CONFIRMED = "confirmed"
    INTERMITTENT = "intermittent"
    RECOVERED = "recovered"
    REFETCHED = "refetched"


class Revalidation(StrEnum):
    """The result of a conditional request for a page of an earlier run (RFC 9110 section 13).

    not-modified: the server said so (304), and the content is that of the earlier run. same: it
    sent the content again, and it is the same. changed: it sent other content. confirmed: it said
    not modified, and its content without conditions is the same. untrue: it said not modified, and
    its content without conditions differs. failed: it said not modified, and sent no content
    without conditions.
    """

    NOT_MODIFIED = "not-modified"
    SAME = "same"
    CHANGED = "changed"
    CONFIRMED = "confirmed"
    UNTRUE = "untrue"
    FAILED = "failed"


class EstimateKind(StrEnum):
    """The kind of share that a sample estimates."""

    VERDICT = "verdict"
    RULE = "rule"


class EstimateScope(StrEnum):
    """The URLs that a share is a part of."""

    ALL = "all"
    SITEMAP = "sitemap"
    TEMPLATE = "template"


class SkipReason(StrEnum):
    """The reason why a listed URL was skipped, decided before any request for it."""

    PAGES = "pages"
    SAMPLE = "sample"
    INCLUDE = "include"
    EXCLUDE = "exclude"
    SINCE = "since"
    SHARD = "shard"
    LIMIT = "limit"
    HOSTS = "hosts"


class Permission(StrEnum):
    """The meaning of the response for robots.txt (RFC 9309 section 2.3.1)."""

    RULES = "rules"
    ALL = "all"
    NONE = "none"
    UNREACHABLE = "unreachable"

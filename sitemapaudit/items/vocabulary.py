"""The values that columns of the datasets can have."""

from enum import StrEnum


class Severity(StrEnum):
    """How severe a finding is.

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
    """What a finding is about, and the folder of its rule."""

    ROBOTS = "robots"
    SITEMAP = "sitemap"
    ENTRY = "entry"
    PAGE = "page"
    SITE = "site"


class Verdict(StrEnum):
    """The one verdict of a listed URL: the first of these that holds."""

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
        """Whether the URL is indexable; None if this could not be determined."""
        if self in _UNKNOWN:
            return None
        return self is Verdict.INDEXABLE


_UNKNOWN = frozenset({Verdict.UNCHECKED, Verdict.BLOCKED, Verdict.UNREACHABLE, Verdict.DENIED})


class RedirectKind(StrEnum):
    """How a URL redirects."""

    HTTP = "http"
    REFRESH = "refresh"
    SCRIPT = "script"


class Error(StrEnum):
    """Why there is no usable response."""

    DNS = "dns"
    REFUSED = "refused"
    RESET = "reset"
    TIMEOUT = "timeout"
    TLS = "tls"
    TRUNCATED = "truncated"
    INVALID_HTTP = "invalid-http"
    ENCODING = "encoding"
    PRIVATE_ADDRESS = "private-address"
    BLOCKED = "blocked"
    REDIRECT_INVALID = "redirect-invalid"
    REDIRECT_LOOP = "redirect-loop"
    TOO_MANY_REDIRECTS = "too-many-redirects"
    LIMIT = "limit"
    CRASHED = "crashed"
    BROWSER = "browser"
    NOT_IN_BUILD = "not-in-build"
    INTERNAL = "internal"


class Kind(StrEnum):
    """The format of a sitemap."""

    URLSET = "urlset"
    SITEMAPINDEX = "sitemapindex"
    TEXT = "text"
    RSS = "rss"
    ATOM = "atom"
    HTML = "html"
    UNKNOWN = "unknown"


class SitemapSource(StrEnum):
    """How a sitemap was discovered."""

    ROBOTS = "robots"
    INDEX = "index"
    GIVEN = "given"
    WELL_KNOWN = "well-known"


class MediaKind(StrEnum):
    """What an entry lists an image or video as."""

    IMAGE = "image"
    THUMBNAIL = "thumbnail"
    CONTENT = "content"
    PLAYER = "player"


class Role(StrEnum):
    """Why a page was fetched."""

    LISTED = "listed"
    REDIRECT = "redirect"
    CANONICAL = "canonical"
    HREFLANG = "hreflang"
    LINK = "link"
    PROBE = "probe"
    BUILT = "built"


class Region(StrEnum):
    """Where a link stands on its page, the most prominent first.

    ``other`` is outside of all these elements; a ``header`` or ``footer`` inside of ``main``,
    ``nav`` or ``aside`` is a part of that.
    """

    MAIN = "main"
    OTHER = "other"
    NAV = "nav"
    HEADER = "header"
    ASIDE = "aside"
    FOOTER = "footer"


class OrphanKind(StrEnum):
    """Why a listed page is an orphan.

    no-inlinks: no page of the site links to it. unreachable: only pages link to it that cannot be
    reached from a home page.
    """

    NO_INLINKS = "no-inlinks"
    UNREACHABLE = "unreachable"


class RenderReason(StrEnum):
    """Why a page was opened in the browser."""

    ALWAYS = "always"
    SAMPLE = "sample"
    LITTLE_TEXT = "little-text"
    NOINDEX = "noindex"
    SET_BY_SCRIPT = "set-by-script"
    TEMPLATE = "template"
    COMPARISON = "comparison"


class RecheckResult(StrEnum):
    """What fetching a failed page once more at the end of the run showed.

    confirmed: it failed in the same way. intermittent: it failed in another way. recovered: it did
    not fail. refetched: the server had said that it was unchanged, and was not to be believed.
    """

    CONFIRMED = "confirmed"
    INTERMITTENT = "intermittent"
    RECOVERED = "recovered"
    REFETCHED = "refetched"


class Revalidation(StrEnum):
    """What asking for a page only if it changed since an earlier run showed (RFC 9110 section 13).

    not-modified: the server said so (304), and the content is that of the earlier run. same: it
    sent the content again, and it is the same. changed: it sent another content. confirmed: it said
    not modified, and what it sends without conditions is the same. untrue: it said not modified,
    and what it sends without conditions differs.
    """

    NOT_MODIFIED = "not-modified"
    SAME = "same"
    CHANGED = "changed"
    CONFIRMED = "confirmed"
    UNTRUE = "untrue"


class EstimateKind(StrEnum):
    """What the share is that a sample tells about."""

    VERDICT = "verdict"
    RULE = "rule"


class EstimateScope(StrEnum):
    """Which URLs a share is a part of."""

    ALL = "all"
    SITEMAP = "sitemap"
    TEMPLATE = "template"


class SkipReason(StrEnum):
    """Why a listed URL was skipped: decided before any request for it."""

    PAGES = "pages"
    SAMPLE = "sample"
    INCLUDE = "include"
    EXCLUDE = "exclude"
    SINCE = "since"
    SHARD = "shard"
    LIMIT = "limit"
    HOSTS = "hosts"


class Permission(StrEnum):
    """What the response for robots.txt means for its host (RFC 9309 section 2.3.1)."""

    RULES = "rules"
    ALL = "all"
    NONE = "none"
    UNREACHABLE = "unreachable"

"""The vocabulary: what the readers establish, the rules judge and the datasets hold.

An item is a row, and a field is a column of the dataset that bears the name of
the item; the text beside a field is its documentation, here and in the README.
Times are UTC. A column that is null says that the thing was not there, or
could not be known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Annotated


class Severity(StrEnum):
    """How grave a finding is.

    error: an engine rejects or drops the file or the entry. warning: a signal
    that is contradictory, wasteful or partly ignored. notice: advice.
    """

    NOTICE = "notice"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """0 for a notice, 2 for an error."""
        return list(Severity).index(self)


class Subject(StrEnum):
    """What a finding is about; also the folder of its rule."""

    ROBOTS = "robots"
    SITEMAP = "sitemap"
    ENTRY = "entry"
    PAGE = "page"
    SITE = "site"


class Verdict(StrEnum):
    """The one thing said of a listed URL: the first of these that holds."""

    UNCHECKED = "unchecked"
    BLOCKED = "blocked"
    UNREACHABLE = "unreachable"
    DENIED = "denied"
    SERVER_ERROR = "server-error"
    NOT_FOUND = "not-found"
    CLIENT_ERROR = "client-error"
    REDIRECTED = "redirected"
    NOINDEX = "noindex"
    CANONICALIZED = "canonicalized"
    SOFT_404 = "soft-404"
    INDEXABLE = "indexable"

    @property
    def indexable(self) -> bool | None:
        """True, False, or None where it could not be known."""
        if self in _UNKNOWN:
            return None
        return self is Verdict.INDEXABLE


_UNKNOWN = frozenset({Verdict.UNCHECKED, Verdict.BLOCKED, Verdict.UNREACHABLE, Verdict.DENIED})


class Error(StrEnum):
    """Why there is no usable answer: one word for each way to fail."""

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


class Source(StrEnum):
    """How a sitemap was found."""

    ROBOTS = "robots"
    INDEX = "index"
    GIVEN = "given"
    WELL_KNOWN = "well-known"


class Role(StrEnum):
    """Why a page was asked for."""

    LISTED = "listed"
    REDIRECT = "redirect"
    CANONICAL = "canonical"
    HREFLANG = "hreflang"
    PROBE = "probe"


class Reason(StrEnum):
    """Why a page was opened in a browser."""

    ALWAYS = "always"
    SAMPLE = "sample"
    LITTLE_TEXT = "little-text"
    NOINDEX = "noindex"
    SCRIPTED = "scripted"
    TEMPLATE = "template"
    COMPARISON = "comparison"


class LeftOut(StrEnum):
    """Why a listed URL was not asked for, where that was decided beforehand."""

    PAGES = "pages"
    SAMPLE = "sample"
    INCLUDE = "include"
    EXCLUDE = "exclude"
    SINCE = "since"
    SHARD = "shard"
    LIMIT = "limit"
    HOSTS = "hosts"


class Permission(StrEnum):
    """What the answer for robots.txt means for the rest of its host (RFC 9309 section 2.3.1)."""

    RULES = "rules"
    ALL = "all"
    NONE = "none"
    UNREACHABLE = "unreachable"


@dataclass(slots=True)
class Declared:
    """A ``Sitemap:`` line of robots.txt."""

    line: int
    value: str
    url: str | None


@dataclass(slots=True)
class Stranger:
    """An element that the schema of sitemaps does not know at its place."""

    line: int
    name: str


@dataclass(slots=True)
class Binding:
    """An address that is bound to a prefix; null for elements without one."""

    prefix: str | None
    namespace: str


@dataclass(slots=True)
class Alternate:
    """An alternate, from an entry, a tag or a header; ``fault`` says why its code is none."""

    source: str
    rel: str | None
    hreflang: str | None
    href: str | None
    url: str | None
    fault: str | None = None
    media: str | None = None


@dataclass(slots=True)
class Image:
    """An ``image:image`` of an entry."""

    loc: str | None = None
    title: str | None = None
    caption: str | None = None
    geo_location: str | None = None
    license: str | None = None


@dataclass(slots=True)
class Video:
    """A ``video:video`` of an entry."""

    thumbnail_loc: str | None = None
    title: str | None = None
    description: str | None = None
    content_loc: str | None = None
    player_loc: str | None = None
    duration: str | None = None
    expiration_date: str | None = None
    rating: str | None = None
    view_count: str | None = None
    publication_date: str | None = None
    family_friendly: str | None = None
    restriction: str | None = None
    restriction_relationship: str | None = None
    platform: str | None = None
    platform_relationship: str | None = None
    price: str | None = None
    price_currency: str | None = None
    requires_subscription: str | None = None
    uploader: str | None = None
    uploader_info: str | None = None
    live: str | None = None
    tag: list[str] = field(default_factory=list)
    category: str | None = None
    gallery_loc: str | None = None
    tvshow: str | None = None
    published_at: datetime | None = None
    expires_at: datetime | None = None


@dataclass(slots=True)
class News:
    """A ``news:news`` of an entry."""

    name: str | None = None
    language: str | None = None
    publication_date: str | None = None
    title: str | None = None
    access: str | None = None
    genres: str | None = None
    keywords: str | None = None
    stock_tickers: str | None = None
    published_at: datetime | None = None


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
class Navigation:
    """A change of the page's address: by a new ``document``, or by ``history`` alone."""

    by: str
    url: str


@dataclass(slots=True)
class Robots:
    """A row for each robots.txt asked for."""

    site: Annotated[str, "the origin that it speaks for"]
    url: Annotated[str, "the address of the robots.txt"]
    judged: Annotated[bool, "an audited site, or the host of a declared sitemap"] = True
    status: Annotated[int | None, "HTTP status after redirects"] = None
    final_url: Annotated[str | None, "the address that answered"] = None
    hops: Annotated[int, "redirects before the answer"] = 0
    permission: Annotated[
        Permission,
        "`rules` (as the file says), `all`, `none` (5xx, 429), `unreachable`",
    ] = Permission.ALL
    error: Annotated[Error | None, "why there is no usable answer"] = None
    error_detail: Annotated[str | None, "the same in the words of the network"] = None
    content_type: Annotated[str | None, "media type as sent"] = None
    html: Annotated[bool, "the body is a web page"] = False
    bytes: Annotated[int | None, "size, decoded"] = None
    sitemaps: Annotated[list[Declared], "the `Sitemap:` lines: line number, value, URL"] = field(
        default_factory=list
    )
    text: Annotated[
        str | None, "the file as far as it is read (500 KiB), where it says what is allowed"
    ] = None
    tried: Annotated[
        list[str] | None, "well-known addresses that were tried, where none is declared"
    ] = None
    found: Annotated[int | None, "how many of those are a sitemap"] = None
    fetched_at: Annotated[datetime | None, "when the answer came"] = None


@dataclass(slots=True)
class Sitemap:
    """A row for each sitemap file, read or not."""

    sitemap: Annotated[str, "the address asked for"]
    parent: Annotated[str | None, "the index that lists it"] = None
    source: Annotated[Source, "`robots`, `index`, `given` or `well-known`"] = Source.GIVEN
    depth: Annotated[int, "levels below the file that discovery found"] = 0
    status: Annotated[int | None, "HTTP status after redirects"] = None
    final_url: Annotated[str | None, "the address that answered"] = None
    hops: Annotated[int, "redirects before the answer"] = 0
    content_type: Annotated[str | None, "media type as sent"] = None
    content_encoding: Annotated[str | None, "as sent"] = None
    kind: Annotated[
        Kind,
        "`urlset`, `sitemapindex`, `text`, `rss`, `atom`, `html` or `unknown`",
    ] = Kind.UNKNOWN
    form: Annotated[
        str | None, "told by the first bytes: `xml`, `text`, `html`, `empty`, `zip` …"
    ] = None
    leading: Annotated[int, "characters before the XML declaration"] = 0
    encoding: Annotated[
        str | None, "told by byte order mark, XML declaration or Content-Type, the first of these"
    ] = None
    not_utf8: Annotated[str | None, "why it is not UTF-8; null if it is, or is no sitemap"] = None
    doctype: Annotated[bool, "a DOCTYPE or ENTITY declaration precedes the root element"] = False
    version: Annotated[str | None, "version of a feed: `2.0`, `1.0`, `0.3` …"] = None
    namespace: Annotated[str | None, "namespace of the root element"] = None
    namespaces: Annotated[list[str], "all that the root element declares"] = field(
        default_factory=list
    )
    wrong_namespaces: Annotated[
        list[Binding], "wrong forms of an extension's namespace that an entry uses; 20 at most"
    ] = field(default_factory=list)
    strangers: Annotated[
        list[Stranger],
        "children of the root in the namespace of sitemaps that are no entries, up to the first "
        "fault: line and name; 20 at most",
    ] = field(default_factory=list)
    bytes: Annotated[int | None, "size, decoded"] = None
    gzip: Annotated[int, "gzip layers of the file itself"] = 0
    gzip_fault: Annotated[str | None, "why decoding failed"] = None
    cut: Annotated[bool, "reading stopped at the cap on bytes or on entries"] = False
    entries: Annotated[int, "entries read"] = 0
    recovered: Annotated[int, "entries saved behind the first fault"] = 0
    fault: Annotated[str | None, "the first fault of a strict parse"] = None
    fault_line: Annotated[int | None, "its line"] = None
    fault_column: Annotated[int | None, "its column"] = None
    cycles: Annotated[list[str], "children that are the file itself or above it"] = field(
        default_factory=list
    )
    error: Annotated[Error | None, "why there is no usable answer"] = None
    error_detail: Annotated[str | None, "the same in the words of the network"] = None
    last_modified: Annotated[datetime | None, "the header, parsed"] = None
    elapsed: Annotated[float | None, "seconds until the answer was there"] = None
    retries: Annotated[int, "times that it was asked for again"] = 0
    fetched_at: Annotated[datetime | None, "when the answer came"] = None
    complete: Annotated[bool, "it was read to its end, as far as it can be read"] = True


@dataclass(slots=True)
class Entry:
    """A row for each occurrence: an entry of a sitemap, exactly as it stands there."""

    sitemap: Annotated[str, "the file that lists it"]
    position: Annotated[int, "its ordinal in the file, from 1"]
    kind: Annotated[Kind, "`kind` of the file; the entries of a `sitemapindex` are files"]
    loc: Annotated[str | None, "exactly as written, entities decoded"] = None
    url: Annotated[
        str | None, "normalised; null if `loc` is no http(s) URL that can be asked for"
    ] = None
    lastmod: Annotated[str | None, "as written"] = None
    changefreq: Annotated[str | None, "as written"] = None
    priority: Annotated[str | None, "as written"] = None
    lastmod_at: Annotated[datetime | None, "`lastmod` in UTC, null if not valid"] = None
    images: Annotated[list[Image], "image extension"] = field(default_factory=list)
    videos: Annotated[list[Video], "video extension"] = field(default_factory=list)
    news: Annotated[list[News], "news extension"] = field(default_factory=list)
    alternates: Annotated[list[Alternate], "`xhtml:link` elements"] = field(default_factory=list)
    unknown: Annotated[
        list[str],
        "elements in the namespace of sitemaps that the schema does not know at their place, "
        "each once, as a path such as `image:image/loc`; 20 at most",
    ] = field(default_factory=list)
    repeated: Annotated[
        list[str], "which of loc, lastmod, changefreq, priority stand more than once"
    ] = field(default_factory=list)
    disordered: Annotated[
        bool, "its children are not in the order loc, lastmod, changefreq, priority, extensions"
    ] = False
    line: Annotated[int | None, "line of the file where it begins"] = None
    recovered: Annotated[bool, "saved behind the first fault of the file"] = False
    left_out: Annotated[
        LeftOut | None,
        "why it was not to be asked for: `pages`, `include`, `exclude`, `since`, "
        "`shard` (chosen), `limit` (AUDIT_MAX_URLS), `hosts` (AUDIT_MAX_HOSTS)",
    ] = None


@dataclass(slots=True)
class Entries:
    """Neighbouring entries of one sitemap, which travel together for speed."""

    sitemap: str
    rows: list[Entry]


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


@dataclass(slots=True)
class Url:
    """A row for each listed URL."""

    url: Annotated[str, "normalised"]
    verdict: Annotated[Verdict, "exactly one"]
    indexable: Annotated[bool | None, "null where it could not be known"]
    left_out: Annotated[LeftOut | None, "why it was not to be asked for"]
    status: Annotated[int | None, "HTTP status of its own answer"]
    error: Annotated[Error | None, "why there is no usable answer"]
    hops: Annotated[int, "redirects until the last address known"]
    chain: Annotated[list[str], "the addresses on the way, its own first"]
    loop: Annotated[bool, "the redirects meet themselves"]
    final_url: Annotated[str | None, "the last address known"]
    final_status: Annotated[int | None, "HTTP status of that"]
    final_error: Annotated[Error | None, "why that gave no usable answer"]
    noindex: Annotated[bool | None, "of its own answer"]
    canonical: Annotated[str | None, "of its own answer"]
    sitemaps: Annotated[list[str], "the files that list it"]
    entries: Annotated[int, "how often it is listed"]
    lastmod: Annotated[datetime | None, "the latest valid one"]
    rules: Annotated[list[str], "ids of the rules found on it"]


@dataclass(slots=True)
class Finding:
    """A row for each finding: one sentence about one place."""

    rule: Annotated[str, "id of the rule"]
    severity: Annotated[Severity, "`error`, `warning` or `notice`"]
    subject: Annotated[Subject, "`robots`, `sitemap`, `entry`, `page` or `site`"]
    url: Annotated[str | None, "the URL concerned"]
    sitemap: Annotated[str | None, "the file concerned, or that lists the URL"]
    position: Annotated[int | None, "the entry concerned"]
    message: Annotated[str, "the sentence"]
    evidence: Annotated[str | None, "the values behind it, as JSON"]

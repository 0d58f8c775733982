"""The messages of Google Search Console, and the rules and verdicts that mean the same.

A message that no crawl of a site can confirm has neither.
"""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

from msgspec import Struct

from sitemapaudit.items import Verdict

_HELP: Final = "https://support.google.com/webmasters/answer"

REPORTS: Final[Mapping[str, str]] = {
    "Page indexing": f"{_HELP}/7440203",
    "Sitemaps": f"{_HELP}/7451001",
    "International targeting (retired)": f"{_HELP}/12474899",
    "Video indexing": f"{_HELP}/9495631",
}
"""The reports, and the pages of Google that explain their messages."""

_INDEXING, _SITEMAPS, _HREFLANG, _VIDEOS = REPORTS


class Message(Struct, frozen=True):
    """A message of a report, and the patterns of rules and the verdicts that mean the same."""

    report: str
    text: str
    patterns: Sequence[str] = ()
    verdicts: Sequence[Verdict] = ()

    def rules(self, catalog: Iterable[str]) -> list[str]:
        """Return the rules of a catalog that mean the same."""
        return [rule for rule in catalog if any(fnmatchcase(rule, each) for each in self.patterns)]


def _messages(report: str, rules: Mapping[str, Sequence[str | Verdict]]) -> list[Message]:
    return [
        Message(
            report,
            text,
            [name for name in meanings if not isinstance(name, Verdict)],
            [verdict for verdict in meanings if isinstance(verdict, Verdict)],
        )
        for text, meanings in rules.items()
    ]


MESSAGES: Final = (
    *_messages(
        _INDEXING,
        {
            "Server error (5xx)": [Verdict.SERVER_ERROR, "page-server-error"],
            "Redirect error": [
                *("page-redirect-loop", "page-redirect-chain", "page-redirect-invalid"),
            ],
            "Blocked by robots.txt": [Verdict.BLOCKED, "page-blocked-by-robots"],
            "Excluded by 'noindex' tag": [Verdict.NOINDEX, "noindex-*"],
            "Soft 404": [Verdict.SOFT_404, "page-soft-404"],
            "Blocked due to unauthorized request (401)": [Verdict.DENIED, "page-access-denied"],
            "Not found (404)": [Verdict.NOT_FOUND, "page-not-found"],
            "Blocked due to access forbidden (403)": [Verdict.DENIED, "page-access-denied"],
            "Blocked due to other 4xx issue": [Verdict.CLIENT_ERROR, "page-client-error"],
            "Blocked by page removal tool": [],
            "Crawled - currently not indexed": [],
            "Discovered - currently not indexed": [],
            "Alternate page with proper canonical tag": [
                *(Verdict.CANONICALIZED, "canonical-elsewhere"),
            ],
            "Duplicate without user-selected canonical": ["canonical-missing", "duplicate-*"],
            "Duplicate, Google chose different canonical than user": [
                *("canonical-to-*", "canonical-multiple", "canonical-header-conflict"),
                *("canonical-invalid", "canonical-outside-head", "duplicate-*"),
            ],
            "Page with redirect": [
                *(Verdict.REDIRECTED, "page-redirect-permanent", "page-redirect-temporary"),
                *("page-redirect-offsite", "page-meta-refresh", "render-js-redirect"),
            ],
            "Indexed, though blocked by robots.txt": [Verdict.BLOCKED, "page-blocked-by-robots"],
            "Page indexed without content": ["page-not-html", "render-content-differs"],
        },
    ),
    *_messages(
        _SITEMAPS,
        {
            "Couldn't fetch": [
                *("sitemap-unreachable", "sitemap-not-found", "sitemap-http-error"),
                *("sitemap-access-denied", "robots-blocks-sitemap"),
            ],
            "HTTP error": ["sitemap-http-error", "sitemap-not-found", "sitemap-access-denied"],
            "URLs not accessible": [
                *("page-not-found", "page-client-error", "page-server-error", "page-timeout"),
                *("page-connection-error", "page-tls-error", "page-access-denied"),
            ],
            "URLs not followed": ["page-redirect-*"],
            "URL not allowed": ["loc-above-directory", "loc-host-mismatch", "loc-scheme-mismatch"],
            "Compression error": ["sitemap-gzip-invalid", "sitemap-archive-unsupported"],
            "Empty sitemap": ["sitemap-no-entries", "sitemap-body-empty"],
            "Sitemap file size error": ["sitemap-too-large"],
            "Invalid attribute value": ["sitemap-element-invalid", "video-value-invalid"],
            "Invalid date": ["lastmod-invalid", "lastmod-no-timezone", "news-value-invalid"],
            "Invalid tag value": [
                *("sitemap-element-invalid", "changefreq-invalid", "priority-invalid"),
                *("video-value-invalid", "news-value-invalid", "image-invalid"),
            ],
            "Invalid URL": ["loc-invalid", "loc-not-escaped", "loc-whitespace", "loc-too-long"],
            "Invalid URL in sitemap index file: incomplete URL": ["loc-not-absolute"],
            "Invalid XML: too many tags": ["sitemap-element-invalid"],
            "Missing XML attribute": ["sitemap-element-invalid", "video-required-missing"],
            "Missing XML tag": ["loc-missing", "news-required-missing", "video-required-missing"],
            "Missing thumbnail URL": ["video-required-missing"],
            "Missing video title": ["video-required-missing"],
            "Incorrect sitemap index format: nested sitemap indexes": ["index-nested"],
            "Parsing error": ["sitemap-xml-malformed", "sitemap-not-utf8"],
            "Temporary error": [],
            "Too many sitemaps in index file": ["index-too-many-sitemaps"],
            "Too many URLs": ["sitemap-too-many-urls"],
            "Unsupported file format": ["sitemap-format-unknown", "sitemap-is-html"],
            "Thumbnail too large": [],
            "Thumbnail too small": [],
            "Path mismatch: missing www": ["loc-host-mismatch"],
            "Path mismatch: includes www": ["loc-host-mismatch"],
            "Incorrect namespace": ["sitemap-namespace", "extension-namespace"],
            "Leading whitespace": ["sitemap-leading-content"],
            "Video location and play page location are the same": ["video-location-is-page"],
            "Video location URL appears to be a play page URL": [
                *("video-location-is-page", "video-not-video"),
            ],
            "Too many News URLs": ["news-too-many"],
            "Missing <publication> tag": ["news-required-missing"],
            "Sitemap contains URLs which are blocked by robots.txt": ["page-blocked-by-robots"],
        },
    ),
    *_messages(
        _HREFLANG,
        {
            "No return tags": ["hreflang-no-return"],
            "Unknown language code": ["hreflang-code-invalid"],
        },
    ),
    *_messages(
        _VIDEOS,
        {
            "Invalid video URL": ["video-unreachable", "video-value-invalid"],
            "Unsupported video format": ["video-not-video"],
            "Unknown video format": ["video-not-video"],
            "No thumbnail URL provided": ["video-required-missing"],
            "Invalid thumbnail URL": ["video-thumbnail-unreachable"],
            "Thumbnail could not be reached": ["video-thumbnail-unreachable"],
            "Thumbnail blocked by robots.txt": ["media-blocked-by-robots"],
            "Video is blocked by robots.txt": ["media-blocked-by-robots"],
            "Video is not on a watch page": [],
        },
    ),
)

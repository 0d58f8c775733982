"""The sources that rules cite: specifications and documentation."""

from typing import Final

from msgspec import Struct


class Reference(Struct, frozen=True):
    """A source of a rule; ``url`` is None for good practice that no published source requires."""

    name: str
    url: str | None = None

    def __str__(self) -> str:
        return f"{self.name} <{self.url}>" if self.url else self.name


_GOOGLE: Final = "https://developers.google.com/search/docs/crawling-indexing"
_GOOGLE_CRAWLING: Final = "https://developers.google.com/crawling/docs"
_RFC: Final = "https://www.rfc-editor.org/rfc"

PROTOCOL: Final = Reference("sitemaps.org protocol 0.9", "https://www.sitemaps.org/protocol.html")
PROTOCOL_FAQ: Final = Reference("sitemaps.org FAQ", "https://www.sitemaps.org/faq.html")
XSD: Final = Reference(
    "sitemaps.org schema", "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd"
)
W3C_DATETIME: Final = Reference("W3C Date and Time Formats", "https://www.w3.org/TR/NOTE-datetime")
GOOGLE_BUILD: Final = Reference(
    "Google, Build and submit a sitemap", f"{_GOOGLE}/sitemaps/build-sitemap"
)
GOOGLE_INDEX: Final = Reference(
    "Google, Manage your sitemaps with index files", f"{_GOOGLE}/sitemaps/large-sitemaps"
)
GOOGLE_OVERVIEW: Final = Reference("Google, Learn about sitemaps", f"{_GOOGLE}/sitemaps/overview")
GOOGLE_NEWS: Final = Reference("Google, News sitemaps", f"{_GOOGLE}/sitemaps/news-sitemap")
GOOGLE_IMAGE: Final = Reference("Google, Image sitemaps", f"{_GOOGLE}/sitemaps/image-sitemaps")
GOOGLE_VIDEO: Final = Reference("Google, Video sitemaps", f"{_GOOGLE}/sitemaps/video-sitemaps")
GOOGLE_EXTENSIONS: Final = Reference(
    "Google, Combine sitemap extensions", f"{_GOOGLE}/sitemaps/combine-sitemap-extensions"
)
GOOGLE_HREFLANG: Final = Reference(
    "Google, Localized versions of your pages",
    "https://developers.google.com/search/docs/specialty/international/localized-versions",
)
GOOGLE_ROBOTS: Final = Reference(
    "Google, How Google interprets robots.txt", f"{_GOOGLE_CRAWLING}/robots-txt/robots-txt-spec"
)
GOOGLE_META: Final = Reference(
    "Google, Robots meta tag, data-nosnippet and X-Robots-Tag", f"{_GOOGLE}/robots-meta-tag"
)
GOOGLE_CANONICAL: Final = Reference(
    "Google, Consolidate duplicate URLs", f"{_GOOGLE}/consolidate-duplicate-urls"
)
GOOGLE_REDIRECTS: Final = Reference(
    "Google, Redirects and Google Search", f"{_GOOGLE}/301-redirects"
)
GOOGLE_CRAWL_BUDGET: Final = Reference(
    "Google, Large site owner's guide to managing your crawl budget",
    f"{_GOOGLE}/large-site-managing-crawl-budget",
)
GOOGLE_CACHING: Final = Reference(
    "Google, Crawling December: HTTP caching",
    "https://developers.google.com/search/blog/2024/12/crawling-december-caching",
)
GOOGLE_HTTP: Final = Reference(
    "Google, How HTTP status codes affect Google's crawlers",
    f"{_GOOGLE_CRAWLING}/troubleshooting/http-status-codes",
)
GOOGLE_LINKS: Final = Reference("Google, SEO link best practices", f"{_GOOGLE}/links-crawlable")
GOOGLE_QUALIFY: Final = Reference(
    "Google, Qualify your outbound links to Google", f"{_GOOGLE}/qualify-outbound-links"
)
GOOGLE_NETWORK: Final = Reference(
    "Google, DNS and network errors", f"{_GOOGLE_CRAWLING}/troubleshooting/dns-network-errors"
)
GOOGLEBOT: Final = Reference("Google, Googlebot", f"{_GOOGLE}/googlebot")
GOOGLE_FILE_TYPES: Final = Reference(
    "Google, File types indexable by Google", f"{_GOOGLE}/indexable-file-types"
)
GOOGLE_JAVASCRIPT: Final = Reference(
    "Google, JavaScript SEO basics", f"{_GOOGLE}/javascript/javascript-seo-basics"
)
GOOGLE_URLS: Final = Reference("Google, URL structure best practices", f"{_GOOGLE}/url-structure")
SEARCH_CONSOLE: Final = Reference(
    "Search Console, Sitemaps report", "https://support.google.com/webmasters/answer/7451001"
)
BING: Final = Reference(
    "Bing, Keeping content discoverable with sitemaps",
    "https://blogs.bing.com/webmaster/July-2025/"
    "Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
)
YANDEX: Final = Reference(
    "Yandex, Sitemap errors",
    "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
)
WEB_DEV_TTFB: Final = Reference(
    "web.dev, Time to First Byte (TTFB)", "https://web.dev/articles/ttfb"
)
XML: Final = Reference("XML 1.0", "https://www.w3.org/TR/xml/")
RFC_3986: Final = Reference("RFC 3986, URI generic syntax", f"{_RFC}/rfc3986")
RFC_6596: Final = Reference("RFC 6596, The canonical link relation", f"{_RFC}/rfc6596")
RFC_8288: Final = Reference("RFC 8288, Web linking", f"{_RFC}/rfc8288")
RFC_9110: Final = Reference("RFC 9110, HTTP semantics", f"{_RFC}/rfc9110")
RFC_9309: Final = Reference("RFC 9309, Robots exclusion protocol", f"{_RFC}/rfc9309")
CONTENT_SIGNALS: Final = Reference("Content Signals", "https://contentsignals.org/")
CONTENT_USAGE: Final = Reference(
    "IETF draft, Associating AI usage preferences with content in HTTP",
    "https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/",
)
PRACTICE: Final = Reference("Good practice; no specification or search engine requires it")

"""The results of an audit: a verdict per listed URL, and findings."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.vocabulary import (
    Error,
    EstimateKind,
    EstimateScope,
    OrphanKind,
    RedirectKind,
    Region,
    Severity,
    SkipReason,
    Subject,
    Verdict,
)


@dataclass(slots=True)
class Url:
    """A row per listed URL."""

    url: Annotated[str, "normalized"]
    verdict: Annotated[Verdict, "exactly one"]
    title: Annotated[str | None, "the first title of the page as it was sent"]
    status: Annotated[int | None, "HTTP status of the URL's own response"]
    response_seconds: Annotated[
        float | None,
        "seconds until its own response; null if the audit was too busy to measure them",
    ]
    bytes: Annotated[int | None, "size of the body of the URL's own response, as in `pages`"]
    words: Annotated[int | None, "words in the main text of the page as it was sent"]
    canonical: Annotated[str | None, "of the URL's own response"]
    decoded_url: Annotated[
        str,
        "the URL with the letters of all alphabets, such as `https://bücher.example/straße` for "
        "`https://xn--bcher-kva.example/stra%C3%9Fe`; on most sites it is `url`",
    ]
    indexable: Annotated[bool | None, "null if it could not be determined"]
    skip_reason: Annotated[SkipReason | None, "why it was not fetched"]
    error: Annotated[Error | None, "why there is no usable response"]
    redirect_kind: Annotated[
        RedirectKind | None,
        "how it redirects: `http` (status 3xx), `refresh` (a meta refresh or `Refresh` header "
        "without a delay), `script` (in the browser)",
    ]
    hops: Annotated[int, "redirects to the last known URL"]
    redirect_chain: Annotated[list[str], "the URLs on the way, its own first"]
    redirect_loop: Annotated[bool, "the redirects lead back to an earlier URL"]
    final_url: Annotated[str | None, "the last known URL"]
    final_status: Annotated[int | None, "HTTP status of the last known URL"]
    final_error: Annotated[Error | None, "why the last known URL gave no usable response"]
    noindex: Annotated[bool | None, "of the URL's own response"]
    sitemaps: Annotated[list[str], "the sitemaps that list it"]
    listings: Annotated[int, "how often it is listed"]
    lastmod: Annotated[datetime | None, "the latest valid lastmod"]
    inlinks: Annotated[
        int | None,
        "pages that link to it, themselves or through redirects; null unless links were recorded",
    ]
    inlinks_follow: Annotated[
        int | None,
        "those of them with a link that crawlers may follow: not nofollow, ugc, sponsored",
    ]
    clicks: Annotated[
        int | None,
        "links on the shortest path from the home page; null if there is none, or links were not "
        "recorded",
    ]
    linked_only_from_orphans: Annotated[
        bool | None,
        "pages link to it, but all are unreachable from a home page, and it is not a home page; "
        "null unless links were recorded and a home page was read",
    ]
    rules: Annotated[list[str], "ids of the rules with a finding on it"]


@dataclass(slots=True)
class Link:
    """A row per page and internal URL that it links to."""

    source: Annotated[str, "the page"]
    target: Annotated[str, "the URL that it links to, normalized"]
    nofollow: Annotated[
        bool,
        "it is nofollow wherever it occurs on the page, or the whole page is",
    ]
    region: Annotated[
        Region,
        "the most prominent place where it occurs: `main`, `other`, `nav`, `header`, `aside`, "
        "`footer`; or `frame`, if the page shows the target within itself, or `refresh`, if it "
        "goes there after some seconds",
    ]
    rendered: Annotated[bool, "only scripts add it: it is not in the source of the page"]


@dataclass(slots=True)
class Orphan:
    """A row per listed, indexable page that visitors cannot find by links."""

    url: Annotated[str, "normalized"]
    kind: Annotated[
        OrphanKind,
        "`no-inlinks`: no page of the site links to it; `unreachable`: only pages that cannot be "
        "reached from the home page",
    ]
    certain: Annotated[
        bool, "every link of the site is known; otherwise there may be links that were not seen"
    ]
    section: Annotated[str, "the site, and the first segment of the path"]
    suggestions: Annotated[
        list[str],
        "pages that could link to it, the best first: a page above it, then those in the same "
        "folder, in the one above and in the same section, by the similarity of their texts; at "
        "most 3, and none for orphans after the first 10,000",
    ]


@dataclass(slots=True)
class UnlistedPage:
    """A row per page that is indexable, that other pages link to, and that no sitemap lists."""

    url: Annotated[str, "normalized"]
    certain: Annotated[bool, "the sitemaps of its host were all read; otherwise one may list it"]
    inlinks: Annotated[int, "pages that link to it, themselves or through redirects"]
    inlinks_follow: Annotated[int, "those of them with a link that crawlers may follow"]
    clicks: Annotated[
        int | None, "links on the shortest path from the home page; null if there is none"
    ]
    section: Annotated[str, "the site, and the first segment of the path"]


@dataclass(slots=True)
class Estimate:
    """A row per share that a sample estimates."""

    name: Annotated[str, "the verdict, or the id of the rule"]
    kind: Annotated[
        EstimateKind,
        "`verdict`, or `rule`: a rule about single pages, without those about rendered ones",
    ]
    scope: Annotated[
        EstimateScope,
        "what the share is a part of: `all` URLs that could be drawn, those of a `sitemap` (a URL "
        "in several belongs to the first by name), or those of a `template` of URLs",
    ]
    place: Annotated[
        str | None, "the sitemap, or the template such as `www.example.com/shop/*.html?page`"
    ]
    share: Annotated[
        float | None, "the best estimate, from 0 to 1; null if all drawn URLs are unknown"
    ]
    low: Annotated[float, "the lowest share that fits: unknown pages count as outside"]
    high: Annotated[float, "the highest share that fits: unknown pages count as inside"]
    found: Annotated[int, "drawn URLs with the verdict, or with a finding of the rule"]
    unknown: Annotated[int, "drawn URLs for which that is unknown"]
    sampled: Annotated[int, "drawn URLs"]
    population: Annotated[int, "URLs that could be drawn"]


@dataclass(slots=True)
class Finding:
    """A row per finding: one message about one place."""

    rule: Annotated[str, "id of the rule"]
    severity: Annotated[Severity, "`error`, `warning` or `notice`"]
    subject: Annotated[Subject, "`robots`, `sitemap`, `entry`, `page` or `site`"]
    url: Annotated[str | None, "the affected URL; the origin, without a slash, for a whole site"]
    sitemap: Annotated[str | None, "the affected sitemap, or the sitemap that lists the URL"]
    position: Annotated[
        int | None, "position in the sitemap of the affected entry, or of the first with the URL"
    ]
    line: Annotated[int | None, "line of the sitemap where that entry begins"]
    message: Annotated[str, "what is wrong, with its values"]
    evidence: Annotated[str | None, "the values behind the message, as JSON"]
    cause: Annotated[
        str | None,
        "the fault that a template may repeat: findings of one cause on more than 100 entries or "
        "pages of a sitemap are merged into one, and so are those on more than 100 in all other "
        "sitemaps of an origin; null if each finding concerns a single URL",
    ] = None
    occurrences: Annotated[int, "how many findings were merged into this one; otherwise 1"] = 1


@dataclass(slots=True)
class Occurrence(Finding):
    """A row per finding that was merged with others of the same cause into one."""

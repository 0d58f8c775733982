"""What an audit says: a verdict for each listed URL, and findings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.words import Error, LeftOut, Severity, Subject, Verdict


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

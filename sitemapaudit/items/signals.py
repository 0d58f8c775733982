"""The signals of an HTML document to search engines, in its source or after rendering."""

from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.alternate import Alternate


@dataclass(slots=True)
class Canonical:
    """A declared canonical; ``ignore_reason`` says why it is unusable."""

    source: str
    href: str
    url: str | None
    ignore_reason: str | None = None


@dataclass(slots=True)
class Statement:
    """One robots directive as stated: a token of a meta tag or of an X-Robots-Tag line."""

    source: str
    agent: str | None
    token: str
    until: datetime | None = None
    applies: bool = False


@dataclass(slots=True)
class OwnValue:
    """The value of an own column (AUDIT_COLUMNS)."""

    name: str
    value: str


@dataclass(slots=True)
class Signals:
    """The signals of one URL: a page has them from its source, a rendering from the browser."""

    url: Annotated[str, "the URL"]
    _: KW_ONLY
    directives: Annotated[
        list[str], "robots directives that apply to `agent`, lower case; headers included"
    ] = field(default_factory=list)
    noindex: Annotated[
        bool | None,
        "`noindex`, `none` or a past `unavailable_after`; null without a response, and if it is a "
        "redirect",
    ] = None
    canonical: Annotated[str | None, "the usable canonical; null if there are several"] = None
    canonical_source: Annotated[str | None, "`tag`, `header` or `both`"] = None
    canonicals: Annotated[
        list[Canonical], "each declared canonical: source, href, url, ignore_reason"
    ] = field(default_factory=list)
    title: Annotated[str | None, "the first title"] = None
    description: Annotated[str | None, "the meta description"] = None
    h1: Annotated[str | None, "the first h1"] = None
    lang: Annotated[str | None, "`lang` of the html element"] = None
    words: Annotated[int | None, "words of the main text"] = None
    content_hash: Annotated[str | None, "hash of the main text"] = None
    fingerprint: Annotated[str | None, "MinHash of the main text, 256 bits"] = None
    soft_404: Annotated[str | None, "why it looks like an error page"] = None
    alternates: Annotated[list[Alternate], "hreflang alternates of tags and headers"] = field(
        default_factory=list
    )
    own_values: Annotated[
        list[OwnValue], "the values of own columns (AUDIT_COLUMNS), in the ledger only"
    ] = field(default_factory=list)
    truncated_columns: Annotated[
        list[str],
        "columns that contain only a part of what was sent, because it was too long; `base` if the "
        "base element is too long, so that relative URLs are unknown",
    ] = field(default_factory=list)

"""The real changes of a site between two runs, URL by URL, as SQL over both."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

import duckdb

from sitemapaudit.comparison.contents import create_differing_contents, create_moved
from sitemapaudit.items import Verdict

MIN_CHANGE: Final = 0.05
"""The minimum share of differing three-word sequences for content to count as changed.

Fingerprints estimate it with a standard error of 0.02, so a date or a counter in a page of 300
words stays below it.
"""


class Change(StrEnum):
    """A change of a URL between two runs; if several apply, the first one counts."""

    NEW = "new"
    MOVED = "moved"
    GONE = "gone"
    REDIRECTED = "redirected"
    CONTENT_CHANGED = "content-changed"
    VERDICT_CHANGED = "verdict-changed"
    REMOVED = "removed"


MEANINGS: Final = {
    Change.NEW: "listed for the first time",
    Change.MOVED: "listed for the first time, with the main text of another URL",
    Change.GONE: "now returns 404 or 410",
    Change.REDIRECTED: "now redirects",
    Change.CONTENT_CHANGED: "has a different main text",
    Change.VERDICT_CHANGED: "has a different verdict",
    Change.REMOVED: "no longer listed; the page may still exist",
}


@dataclass(slots=True)
class ChangedUrl:
    """A row per URL that changed between two runs."""

    change: Annotated[
        Change, ", ".join(f"`{change}` ({meaning})" for change, meaning in MEANINGS.items())
    ]
    url: Annotated[str, "normalized"]
    previous_url: Annotated[str | None, "for `moved`: the URL in the earlier run"]
    final_url: Annotated[str | None, "for `redirected`: the last known URL"]
    before: Annotated[Verdict | None, "the verdict in the earlier run; null if it was not listed"]
    after: Annotated[Verdict | None, "the verdict in the later run; null if it is not listed"]
    similarity: Annotated[
        float | None,
        "for different main texts: the estimated share of three-word sequences in common",
    ]
    sitemap: Annotated[str | None, "a sitemap that lists or listed it"]
    submit: Annotated[bool, "search engines should learn about it: it is in the IndexNow batches"]


_PAGES_WITH_VERDICT: Final = """
    create view {run}_verdicts as
    select url, target, pages.verdict as source_verdict,
        coalesce(urls.verdict, effective_verdict(pages.verdict, rendered_verdict)) as verdict,
        rendered_ended_at is not null and rendered_error is null as rendered
    from {run}.pages as pages left join {run}.urls as urls using (url)
"""

_PAIRS: Final = """
    create table url_pairs as
    select url, before.url is null as is_added, after.url is null as is_removed,
        -- A difference that only one run's browser could see is not a change.
        old_page.rendered = new_page.rendered as comparable,
        if(comparable, old_page.verdict, old_page.source_verdict) as old_verdict,
        if(comparable, new_page.verdict, new_page.source_verdict) as new_verdict,
        coalesce(old_page.verdict, before.verdict) as before,
        coalesce(new_page.verdict, after.verdict) as after,
        coalesce(after.final_url, new_page.target) as final_url,
        coalesce(after.sitemaps[1], before.sitemaps[1]) as sitemap
    from old.urls as before full join new.urls as after using (url)
    left join old_verdicts as old_page using (url)
    left join new_verdicts as new_page using (url)
"""
"""The URLs that either run lists; the verdict of an unlisted URL is that of its page."""

_KNOWN: Final = f"not in ('{Verdict.UNCHECKED}', '{Verdict.UNREACHABLE}', '{Verdict.DENIED}')"

_CLASSIFIED: Final = f"""
    create table classified_urls as
    select *, case
            when previous_url is not null then '{Change.MOVED}'
            when is_added and url in (from old_unlisted) and old_verdict is null then '{Change.NEW}'
            when new_verdict = '{Verdict.NOT_FOUND}' and old_verdict <> new_verdict
                and old_verdict {_KNOWN} then '{Change.GONE}'
            when new_verdict = '{Verdict.REDIRECTED}' and old_verdict <> new_verdict
                and old_verdict {_KNOWN} then '{Change.REDIRECTED}'
            when similarity <= 1 - $min_change then '{Change.CONTENT_CHANGED}'
            when old_verdict <> new_verdict
                and '{Verdict.UNCHECKED}' not in (old_verdict, new_verdict)
                then '{Change.VERDICT_CHANGED}'
            when is_removed and url in (from new_unlisted)
                and url not in (select previous_url from moved) then '{Change.REMOVED}'
        end as change,
        '{Verdict.UNCHECKED}' in (
            coalesce(old_verdict, '{Verdict.UNCHECKED}'),
            coalesce(new_verdict, '{Verdict.UNCHECKED}')
        ) and url not in (select previous_url from moved) as unknown
    from url_pairs left join moved using (url) left join differing_contents using (url)
"""

_DECIDED: Final = ", ".join(
    f"'{verdict}'"
    for verdict in (
        Verdict.NOT_FOUND,
        Verdict.REDIRECTED,
        Verdict.NOINDEX,
        Verdict.CANONICALIZED,
        Verdict.SOFT_404,
    )
)
"""Verdicts that a page itself causes: a server error, a denial or a block may end at any time."""

_CHANGED: Final = f"""
    create table changed_urls as
    select change, url, previous_url,
        if(change = '{Change.REDIRECTED}', final_url, null) as final_url, before, after, similarity,
        sitemap, coalesce(case
            when after = '{Verdict.INDEXABLE}'
                then change in ('{Change.NEW}', '{Change.MOVED}', '{Change.CONTENT_CHANGED}')
                    or (change = '{Change.VERDICT_CHANGED}' and before in ({_DECIDED}))
            when before = '{Verdict.INDEXABLE}' then after in ({_DECIDED})
        end, false) as submit
    from classified_urls
    where change is not null
    order by list_position([{", ".join(f"'{change}'" for change in Change)}], change), url
"""


def create_changed_urls(connection: duckdb.DuckDBPyConnection, min_change: float) -> None:
    """Create ``changed_urls`` with the columns of ``ChangedUrl``, from two attached runs."""
    create_moved(connection)
    create_differing_contents(connection)
    for run in ("old", "new"):
        connection.execute(_PAGES_WITH_VERDICT.format(run=run))
    connection.execute(_PAIRS)
    connection.execute(_CLASSIFIED, {"min_change": min_change})
    connection.execute(_CHANGED)


COUNT_UNKNOWN: Final = "select count(*) from classified_urls where change is null and unknown"
"""The number of URLs that one of the runs did not fetch: whether they changed is unknown."""

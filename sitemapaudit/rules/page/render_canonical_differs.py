from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, GOOGLE_JAVASCRIPT


class RenderCanonicalDiffers(Query):
    """Scripts change the canonical of a listed page

    When: the page was opened in a browser, and the usable canonicals of its HTML and headers are
    not those that stand there once its scripts ran. If both have some: error; if only one of the
    two has any: warning. Nothing is said of a page whose scripts went on to another address, nor
    where the rendering is not conclusive.

    Why: Which canonical engines see depends on whether they rendered the page; of two that
    disagree they may pick either.

    Fix: Put the canonical into the HTML, and let scripts leave it alone.
    """

    severity = Severity.ERROR
    message = "its canonical is {raw} in HTML, and {rendered} once scripts ran"
    references = (
        GOOGLE_CANONICAL,
        GOOGLE_JAVASCRIPT,
    )

    query = """
        with usable as (
            select url,
                list_sort(list_distinct(list_transform(
                    list_filter(canonicals, lambda stated: stated.fault is null),
                    lambda stated: stated.url
                ))) as raw,
                list_sort(list_distinct(list_transform(
                    list_filter(rendered_canonicals, lambda stated: stated.fault is null),
                    lambda stated: stated.url
                ))) as rendered
            from pages
            where rendered_verdict <> 'redirected'
        )
        select url, coalesce(nullif(array_to_string(raw, ' and '), ''), 'none') as raw,
            coalesce(nullif(array_to_string(rendered, ' and '), ''), 'none') as rendered,
            if(len(raw) > 0 and len(rendered) > 0, 'error', 'warning') as severity
        from usable
        where raw <> rendered
    """

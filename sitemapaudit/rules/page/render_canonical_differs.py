from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import RENDERED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, GOOGLE_JAVASCRIPT


class RenderCanonicalDiffers(QueryRule):
    """JavaScript changes the canonical of a listed page

    When: the page was rendered in the browser, and its usable canonicals after its scripts ran
    are not those of its HTML and headers. If there are some before and after: error. If scripts
    remove it, or add several: warning. If scripts add one where the HTML has none: notice. Nothing
    is reported if its scripts loaded another document, or if the rendering was inconclusive.

    Why: Which canonical engines see depends on whether they rendered the page. If the two
    disagree, engines may choose either. Google allows a script to add the only canonical, but other
    engines may not run it.

    Fix: Put the canonical into the HTML, and do not change it with scripts.
    """

    severity = Severity.ERROR
    message = "its canonical is {raw} in the HTML and {rendered} after rendering"
    references = (
        GOOGLE_CANONICAL,
        GOOGLE_JAVASCRIPT,
    )

    needs = (RENDERED,)
    query = """
        with usable as (
            select url,
                list_sort(list_distinct(list_transform(
                    list_filter(canonicals, lambda declared: declared.ignore_reason is null),
                    lambda declared: declared.url
                ))) as raw,
                list_sort(list_distinct(list_transform(
                    list_filter(
                        rendered_canonicals, lambda declared: declared.ignore_reason is null
                    ),
                    lambda declared: declared.url
                ))) as rendered
            from pages
            where rendered_verdict <> 'redirected'
        )
        select url, coalesce(nullif(array_to_string(raw, ' and '), ''), 'missing') as raw,
            coalesce(nullif(array_to_string(rendered, ' and '), ''), 'missing') as rendered,
            case
                when len(raw) > 0 and len(rendered) > 0 then 'error'
                when len(rendered) = 1 then 'notice'
                else 'warning'
            end as severity
        from usable
        where raw <> rendered
    """

from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import RENDERED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_JAVASCRIPT, GOOGLE_META


class RenderNoindexDiffers(QueryRule):
    """JavaScript adds or removes noindex on a listed page

    When: the page was rendered in the browser, and is noindex for the agent in its HTML and
    headers but not after its scripts ran, or the other way around. A noindex that scripts
    remove still counts, because engines need not render a page that says noindex. Nothing is
    reported if its scripts loaded another document, or if the rendering was inconclusive.

    Why: Whether engines index the page depends on whether they rendered it.

    Fix: State it on the server, in the HTML or a header.
    """

    severity = Severity.ERROR
    message = "{change}"
    references = (
        GOOGLE_JAVASCRIPT,
        GOOGLE_META,
    )

    needs = (RENDERED,)
    query = """
        select url, directives, rendered_directives,
            if(
                noindex,
                'its scripts remove noindex (' || array_to_string(directives, ', ')
                    || '), but it still counts',
                'its scripts add noindex (' || array_to_string(rendered_directives, ', ') || ')'
            ) as change
        from pages
        where rendered_verdict <> 'redirected' and noindex <> rendered_noindex
    """

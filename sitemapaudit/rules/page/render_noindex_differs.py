from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_JAVASCRIPT, GOOGLE_META


class RenderNoindexDiffers(Query):
    """Scripts change whether a listed page may be indexed

    When: the page was opened in a browser, and is noindex for the agent in its HTML and headers
    but not once its scripts ran, or the other way round. A noindex that scripts take away still
    counts: engines need not render a page that says noindex. Nothing is said of a page whose
    scripts went on to another address, nor where the rendering is not conclusive.

    Why: What engines do depends on whether they rendered the page.

    Fix: State it on the server, in the HTML or a header.
    """

    severity = Severity.ERROR
    message = "{change}"
    references = (
        GOOGLE_JAVASCRIPT,
        GOOGLE_META,
    )

    query = """
        select url, directives, rendered_directives,
            if(
                noindex,
                'is noindex (' || array_to_string(directives, ', ')
                    || '), and its scripts take that away, which does not help',
                'is made noindex by its scripts (' || array_to_string(rendered_directives, ', ')
                    || ')'
            ) as change
        from pages
        where rendered_verdict <> 'redirected' and noindex <> rendered_noindex
    """

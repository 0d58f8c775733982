from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_JAVASCRIPT, PRACTICE


class RenderContentDiffers(Query):
    """Scripts change the content of a listed page

    When: the page was opened in a browser, and once its scripts ran its title or its first h1 is
    another one; or its main text has at least twice as many words, and at least 50 more; or of
    the internal addresses that the HTML links to at least a fifth, and at least five, are gone,
    or as many have come. Nothing is said of a page whose scripts went on to another address, nor
    where the rendering is not conclusive.

    Why: Engines that do not render, or not yet, see another page; some never render.

    Fix: Render on the server what matters.
    """

    severity = Severity.NOTICE
    message = "scripts change {changes}"
    references = (
        GOOGLE_JAVASCRIPT,
        PRACTICE,
    )

    query = """
        with compared as (
            select *, rendered_links - rendered_links_added + rendered_links_removed as links
            from pages
            where rendered_verdict <> 'redirected'
        ), changed as (
            select url, array_to_string(list_filter([
                if(
                    title is distinct from rendered_title,
                    'its title from ' || coalesce('"' || title || '"', 'none') || ' to '
                        || coalesce('"' || rendered_title || '"', 'none'),
                    null
                ),
                if(
                    h1 is distinct from rendered_h1,
                    'its h1 from ' || coalesce('"' || h1 || '"', 'none') || ' to '
                        || coalesce('"' || rendered_h1 || '"', 'none'),
                    null
                ),
                if(
                    rendered_words >= 2 * words and rendered_words >= words + 50,
                    'its main text from ' || words || ' to ' || rendered_words || ' words', null
                ),
                if(
                    greatest(rendered_links_added, rendered_links_removed) >= 5
                        and greatest(rendered_links_added, rendered_links_removed) >= 0.2 * links,
                    'its ' || links || ' internal links by ' || rendered_links_added
                        || ' more and ' || rendered_links_removed || ' fewer', null
                )
            ], lambda change: change is not null), '; ') as changes
            from compared
        )
        from changed where changes <> ''
    """

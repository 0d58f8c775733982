from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import RENDERED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_JAVASCRIPT, PRACTICE


class RenderContentDiffers(QueryRule):
    """JavaScript changes the content of a listed page

    When: the page was rendered in the browser, and after its scripts ran its title or first h1
    is different; or its main text has at least twice as many words, and at least 50 more; or
    scripts added, or removed, at least five internal links and at least a fifth of those in the
    HTML. Nothing is reported if its scripts loaded another document, or if the rendering was
    inconclusive.

    Why: Engines see other content until they render the page, and some never render.

    Fix: Render the important content on the server.
    """

    severity = Severity.NOTICE
    message = "scripts change {changes}"
    references = (
        GOOGLE_JAVASCRIPT,
        PRACTICE,
    )

    needs = (RENDERED,)
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
                    'its ' || links || ' internal links (' || rendered_links_added
                        || ' added, ' || rendered_links_removed || ' removed)', null
                )
            ], lambda change: change is not null), '; ') as changes
            from compared
        )
        from changed where changes <> ''
    """

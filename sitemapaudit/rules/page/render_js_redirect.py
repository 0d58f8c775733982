from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import RENDERED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_JAVASCRIPT, GOOGLE_REDIRECTS


class RenderJsRedirect(QueryRule):
    """Listed page redirects with JavaScript

    When: the page was rendered in the browser, and its URL at the end, without the fragment, is
    not its own: its scripts loaded another document, or used `history`. If they loaded another
    document, the verdict is redirected, also if robots.txt disallows that: then it is not
    fetched. A meta refresh or a Refresh header is reported by page-meta-refresh only.

    Why: Engines notice it only after rendering the page, if ever. Other crawlers never do.

    Fix: Return 301, and list the target.
    """

    severity = Severity.WARNING
    message = "redirects to {target} with JavaScript ({method}, {result})"
    references = (
        GOOGLE_REDIRECTS,
        GOOGLE_JAVASCRIPT,
    )

    needs = (RENDERED,)
    query = """
        select url, rendered_final_url as target, rendered_status as status,
            coalesce('status ' || rendered_status, 'disallowed by robots.txt') as result,
            if(
                list_contains(
                    list_transform(rendered_navigations, lambda navigation: navigation.by),
                    'document'
                ),
                'another document', 'history'
            ) as method
        from pages
        where rendered_error is null and rendered_final_url <> url
            and not list_contains(
                list_transform(refreshes, lambda refresh: refresh.url), rendered_final_url
            )
    """

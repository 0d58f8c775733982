from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import RENDERED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_JAVASCRIPT


class RenderFailed(QueryRule):
    """Listed page could not be fully rendered

    When: the browser crashed or failed, also on a second attempt; or the page did not load in
    time, stayed busy until the time limit, navigated endlessly, or returned another status when
    its scripts reloaded it; or robots.txt blocks, for the agent, a script or data on the page's
    own host. What engines see is then unknown, and the other rules about rendering report
    nothing on the page. What robots.txt blocks on other hosts is listed in `rendered_blocked`
    only.

    Why: Engines may fail at the same point, and see less than visitors do.

    Fix: Allow what the page needs in robots.txt, and check its scripts in a browser.
    """

    severity = Severity.NOTICE
    message = "{problem}"
    references = (GOOGLE_JAVASCRIPT,)

    needs = (RENDERED,)
    query = """
        with rendered as (
            select url, rendered_error as error, rendered_error_detail as detail,
                list_filter(
                    rendered_blocked, lambda resource: host_of(resource) = host_of(url)
                ) as blocked
            from pages
            where render_reason is not null
        )
        select url, error, blocked,
            if(
                error is null,
                'needs resources that robots.txt blocks: ' || array_to_string(blocked, ', '),
                'could not be rendered: ' || coalesce(detail, error)
            ) as problem
        from rendered
        where error is not null or len(blocked) > 0
    """

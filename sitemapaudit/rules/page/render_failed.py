from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_JAVASCRIPT


class RenderFailed(Query):
    """What scripts make of a listed page is not known

    When: the browser that was to render the page crashed or failed, also when it was tried
    again; or the page did not load in its time, never let go, went on from address to address
    without end, or answered another status when its scripts had it loaded again; or robots.txt
    forbids to the agent a script or data of the page's own host. What engines see is then not
    known, and the other rules about rendering say nothing of it; what other hosts forbid is in
    `rendered_blocked`.

    Why: Engines may fail at the same place, and see less than visitors do.

    Fix: Allow in robots.txt what the page needs; look at its scripts in a browser.
    """

    severity = Severity.NOTICE
    message = "{problem}"
    references = (GOOGLE_JAVASCRIPT,)

    query = """
        with needed as (
            select url, rendered_error as error, rendered_error_detail as detail,
                list_filter(
                    rendered_blocked, lambda address: host_of(address) = host_of(url)
                ) as blocked
            from pages
            where rendered_reason is not null
        )
        select url, error, blocked,
            if(
                error is null,
                'needs what robots.txt forbids: ' || array_to_string(blocked, ', '),
                'could not be rendered: ' || coalesce(detail, error)
            ) as problem
        from needed
        where error is not null or len(blocked) > 0
    """

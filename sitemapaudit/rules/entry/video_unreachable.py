from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import MEDIA, REQUESTED_MEDIA
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HTTP, GOOGLE_VIDEO


class VideoUnreachable(QueryRule):
    """Video or player cannot be fetched

    When: images and videos were checked (``media=check``), and a video:content_loc or
    video:player_loc cannot be fetched: the status is 404 or 410, or 5xx even after a retry, the
    host name cannot be resolved, the connection is refused, the TLS handshake fails, or a redirect
    is invalid or loops. Redirects are followed. Timeouts, closed connections, other statuses and
    bot challenges prove nothing, and are not reported.

    Why: Search engines cannot fetch the video or its player either, and do not show the video.

    Fix: Write the current URL in content_loc or player_loc, or remove the video:video element.
    """

    severity = Severity.ERROR
    message = "{name} {media} {failure}"
    cause = "have a video or a player that cannot be fetched"
    references = (
        GOOGLE_VIDEO,
        GOOGLE_HTTP,
    )

    depends_on = (REQUESTED_MEDIA,)
    needs = (MEDIA,)
    query = """
        select url, sitemap, position, name, media, failure
        from listed_media
        where kind in ('content', 'player') and failure is not null
    """

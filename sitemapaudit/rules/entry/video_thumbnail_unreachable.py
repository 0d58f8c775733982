from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import MEDIA, REQUESTED_MEDIA
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HTTP, GOOGLE_VIDEO


class VideoThumbnailUnreachable(QueryRule):
    """Thumbnail of a video cannot be fetched

    When: images and videos were checked (``media=check``), and a
    video:thumbnail_loc cannot be fetched: the status is 404 or 410, or 5xx even after a retry, the
    host name cannot be resolved, the connection is refused, the TLS handshake fails, or a redirect
    is invalid or loops. Redirects are followed. Timeouts, closed connections, other statuses and
    bot challenges prove nothing, and are not reported.

    Why: A video needs a thumbnail. Search engines cannot fetch this one, and do not show the video.

    Fix: Write the current URL of the thumbnail.
    """

    severity = Severity.ERROR
    message = "{name} {media} {failure}"
    cause = "have a thumbnail that cannot be fetched"
    references = (
        GOOGLE_VIDEO,
        GOOGLE_HTTP,
    )

    depends_on = (REQUESTED_MEDIA,)
    needs = (MEDIA,)
    query = """
        select url, sitemap, position, name, media, failure
        from listed_media
        where kind = 'thumbnail' and failure is not null
    """

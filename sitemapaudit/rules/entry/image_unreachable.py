from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import MEDIA, REQUESTED_MEDIA
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HTTP, GOOGLE_IMAGE


class ImageUnreachable(QueryRule):
    """Image cannot be fetched

    When: images and videos were checked (``media=check``), and an image:loc cannot be
    fetched: the status is 404 or 410, or 5xx even after a retry, the host name cannot be resolved,
    the connection is refused, the TLS handshake fails, or a redirect is invalid or loops. Redirects
    are followed. Timeouts, closed connections, other statuses and bot challenges prove nothing, and
    are not reported.

    Why: Search engines cannot fetch the image either, and do not show it.

    Fix: Write the current URL of the image, or remove the image:image element.
    """

    severity = Severity.ERROR
    message = "{name} {media} {failure}"
    cause = "have an image that cannot be fetched"
    references = (
        GOOGLE_IMAGE,
        GOOGLE_HTTP,
    )

    depends_on = (REQUESTED_MEDIA,)
    needs = (MEDIA,)
    query = """
        select url, sitemap, position, name, media, failure
        from listed_media
        where kind = 'image' and failure is not null
    """

from sitemapaudit.http.indexable_types import UNKNOWN_TYPES
from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import MEDIA, REQUESTED_MEDIA
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_FILE_TYPES, GOOGLE_IMAGE


class ImageNotImage(QueryRule):
    """Image is not served as an image

    When: images and videos were checked (``media=check``), and an image:loc or video:thumbnail_loc
    returns a status 2xx with a media type that is not `image/…`. Redirects are followed. A type
    that says nothing, such as `application/octet-stream`, is not reported, nor is a response
    without one.

    Why: Search engines find no image at that URL, often an error page or a web page around the
    image, and do not show it.

    Fix: Write the URL of the image file, or make the server send its media type.
    """

    severity = Severity.WARNING
    message = "{name} {media} is sent as {content_type}"
    cause = "have an image that is sent as {content_type}"
    references = (GOOGLE_IMAGE, GOOGLE_FILE_TYPES)

    depends_on = (REQUESTED_MEDIA,)
    needs = (MEDIA,)
    query = f"""
        select url, sitemap, position, name, media, content_type
        from listed_media
        where kind in ('image', 'thumbnail') and status between 200 and 299
            and not starts_with(content_type, 'image/')
            and not regexp_full_match(content_type, '{UNKNOWN_TYPES}')
    """

from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import MEDIA, REQUESTED_MEDIA
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_IMAGE, GOOGLE_ROBOTS, GOOGLE_VIDEO


class MediaBlockedByRobots(QueryRule):
    """Image or video is blocked by robots.txt

    When: images and videos were checked (``media=check``), and the robots.txt of its host disallows
    an image, a thumbnail, a video or a player for the `agent`, or a URL that it redirects to. Such
    a URL is not requested.

    Why: Search engines must not fetch the file. They do not show the image or the video.

    Fix: Allow the URL in robots.txt, or remove it from the sitemap.
    """

    severity = Severity.WARNING
    message = "{name} {media} is blocked: {reason}"
    cause = "have an image or a video that robots.txt disallows"
    references = (GOOGLE_IMAGE, GOOGLE_VIDEO, GOOGLE_ROBOTS)

    depends_on = (REQUESTED_MEDIA,)
    needs = (MEDIA,)
    query = """
        select url, sitemap, position, name, media, error_detail as reason
        from listed_media
        where not allowed
    """

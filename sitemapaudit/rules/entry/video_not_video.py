from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import MEDIA
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_VIDEO


class VideoNotVideo(QueryRule):
    """Video is not served as a video

    When: images and videos were checked (``media=check``), and a video:content_loc returns a status
    2xx with the media type of a web page or of an image. Redirects are followed. Other types are
    not reported: playlists and videos have many. video-location-is-page reports the URL of the page
    itself.

    Why: Search engines expect the video file at that URL. They find a web page, often the page of a
    video host on which the video can be watched, and do not show the video.

    Fix: Write the URL of the video file in content_loc. Write the URL of a player that can be
    embedded in player_loc.
    """

    severity = Severity.ERROR
    message = "{name} {media} is sent as {content_type}"
    cause = "have a video that is sent as {content_type}"
    references = (GOOGLE_VIDEO,)

    needs = (MEDIA,)
    query = """
        select url, sitemap, position, name, media, content_type
        from listed_media
        where kind = 'content' and status between 200 and 299 and media <> url
            and regexp_full_match(content_type, 'text/html|application/xhtml\\+xml|image/.*')
    """

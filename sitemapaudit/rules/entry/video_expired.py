from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import VIDEOS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_VIDEO


class VideoExpired(QueryRule):
    """Video has expired

    When: the expiration_date of a video is earlier than the fetch of the file. For a date without
    a time, that day must have ended in every time zone before the fetch; UTC-12 is the last.
    video-value-invalid reports a date without a day, and a time without a time zone.

    Why: Search engines no longer show the video.

    Fix: Remove the video, or the entry.
    """

    severity = Severity.NOTICE
    message = "video {ordinal} expired on {expiration_date}"
    cause = "have an expired video"
    references = (GOOGLE_VIDEO,)

    needs = (VIDEOS,)
    query = """
        with videos as (
            select url, sitemap, position, unnest(videos) as video,
                unnest(range(1, len(videos) + 1)) as ordinal
            from entries
            where len(videos) > 0
        ), dated as (
            select url, sitemap, position, ordinal, video.expires_at as expires_at,
                regexp_extract(video.expiration_date, '[0-9][^[:space:]]*') as expiration_date
            from videos
            where video.expires_at is not null
        )
        select dated.url, dated.sitemap, dated.position, dated.ordinal, dated.expiration_date
        from dated join sitemaps using (sitemap)
        where regexp_matches(dated.expiration_date, '-[0-9]{2}-[0-9]{2}($|T.*[Z+-])')
            and sitemaps.fetched_at > dated.expires_at
                + if(contains(dated.expiration_date, 'T'), interval 0 hours, interval 36 hours)
    """

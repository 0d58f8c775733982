from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_VIDEO


class VideoExpired(Query):
    """A video has expired

    When: the expiration_date of a video is earlier than the fetch of the file; a date without
    a time, if that day ended before the fetch everywhere (UTC-12). A date without a day, or a
    time without a zone, is video-value-invalid.

    Why: Engines no longer show the video.

    Fix: Remove it, or the entry.
    """

    severity = Severity.NOTICE
    message = "video {ordinal} expired on {expiration_date}"
    references = (GOOGLE_VIDEO,)

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
        select dated.url, dated.sitemap, position, ordinal, expiration_date
        from dated join sitemaps using (sitemap)
        where regexp_matches(expiration_date, '-[0-9]{2}-[0-9]{2}($|T.*[Z+-])')
            and fetched_at > expires_at
                + if(contains(expiration_date, 'T'), interval 0 hours, interval 36 hours)
    """

from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_NEWS


class NewsStale(Query):
    """A news article is too old, or not yet there

    When: the publication_date is more than 48 hours before the fetch of the file; a date
    without a time, if that day ended more than 48 hours ago everywhere (UTC-12). Or it is more
    than an hour after the fetch; a date without a time, later than the date in UTC+14. A date
    without a day, or a time without a zone, is news-value-invalid.

    Why: A news sitemap is for the articles of the last two days; Google passes over others.

    Fix: Remove the news element, or the entry; correct a date that is to come.
    """

    severity = Severity.WARNING
    message = "was published on {publication_date}, {problem}"
    references = (GOOGLE_NEWS,)

    query = """
        with articles as (
            select url, sitemap, position, unnest(news) as article
            from entries
            where len(news) > 0
        ), dated as (
            select url, sitemap, position, article.published_at as published_at,
                regexp_extract(article.publication_date, '[0-9][^[:space:]]*') as publication_date,
                not contains(publication_date, 'T') as daily
            from articles
            where article.published_at is not null
        ), judged as (
            select dated.*,
                fetched_at - published_at > if(daily, interval 84 hours, interval 48 hours) as old,
                published_at > if(
                    daily, date_trunc('day', fetched_at + interval 14 hours),
                    fetched_at + interval 1 hour
                ) as early
            from dated join sitemaps using (sitemap)
            where regexp_matches(publication_date, '-[0-9]{2}-[0-9]{2}($|T.*[Z+-])')
        )
        select url, sitemap, position, publication_date,
            if(old, 'more than two days before the fetch', 'after the fetch') as problem
        from judged
        where old or early
    """

from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import NEWS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_NEWS


class NewsStale(QueryRule):
    """News article is too old or dated in the future

    When: the publication_date is more than 48 hours before the fetch of the file. For a date
    without a time, that day must have ended more than 48 hours ago in every time zone; UTC-12 is
    the last. Or the publication_date is more than one hour after the fetch. A date without a time
    must be later than the date of the fetch in UTC+14. news-value-invalid reports a date without a
    day, and a time without a time zone.

    Why: A news sitemap is for the articles of the last two days. Google ignores all others.

    Fix: Remove the news element, or the entry. Correct a date in the future.
    """

    severity = Severity.WARNING
    message = "publication_date {publication_date} is {problem}"
    cause = "have a publication_date that is {problem}"
    references = (GOOGLE_NEWS,)

    needs = (NEWS,)
    query = """
        with articles as (
            select url, sitemap, position, unnest(news) as article
            from entries
            where len(news) > 0
        ), dated as (
            select url, sitemap, position, article.published_at as published_at,
                regexp_extract(article.publication_date, '[0-9][^[:space:]]*') as publication_date,
                not contains(publication_date, 'T') as date_only
            from articles
            where article.published_at is not null
        ), compared as (
            select dated.*,
                fetched_at - published_at
                    > if(date_only, interval 84 hours, interval 48 hours) as too_old,
                published_at > if(
                    date_only, date_trunc('day', fetched_at + interval 14 hours),
                    fetched_at + interval 1 hour
                ) as in_future
            from dated join sitemaps using (sitemap)
            where regexp_matches(publication_date, '-[0-9]{2}-[0-9]{2}($|T.*[Z+-])')
        )
        select url, sitemap, position, publication_date,
            if(too_old, 'more than two days before the fetch', 'later than the fetch') as problem
        from compared
        where too_old or in_future
    """

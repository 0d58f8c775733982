from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PRACTICE


class UrlInMultipleSitemaps(Query):
    """A URL is listed in several sitemaps

    When: the same normalised loc stands in at least two sitemap files; an index is none. If
    one of them is a feed, or has image, video or news elements in any of its entries, the
    message says so: such a file may repeat what a plain sitemap lists on purpose.

    Why: It is harmless by itself, yet makes every count of the files wrong, and their
    lastmods can disagree.

    Fix: Keep one.
    """

    severity = Severity.NOTICE
    message = "is listed in {count} sitemaps{note}: {sitemaps}"
    references = (PRACTICE,)

    query = """
        with repeats as (
            select url, unnest(sitemaps) as sitemap from urls where len(sitemaps) > 1
        ), files as (
            select sitemap, any_value(kind) in ('rss', 'atom') as feed,
                bool_or(len(images) > 0) as image, bool_or(len(videos) > 0) as video,
                bool_or(len(news) > 0) as news
            from entries semi join repeats using (sitemap)
            group by sitemap
        ), kinds as (
            select url, bool_or(feed) as feed, bool_or(image) as image,
                bool_or(video) as video, bool_or(news) as news
            from repeats join files using (sitemap)
            group by url
        ), told as (
            select url, list_filter([
                if(feed, 'a feed', null), if(image, 'an image sitemap', null),
                if(video, 'a video sitemap', null), if(news, 'a news sitemap', null)
            ], lambda kind: kind is not null) as kinds
            from kinds
        )
        select url, sitemaps[1] as sitemap, len(sitemaps) as count, kinds,
            if(len(kinds) > 0, ', among them ' || array_to_string(kinds, ', '), '') as note,
            array_to_string(sitemaps[1:5], ', ') || if(len(sitemaps) > 5, ' …', '') as sitemaps
        from urls join told using (url)
    """

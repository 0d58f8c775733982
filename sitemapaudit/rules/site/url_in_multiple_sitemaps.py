from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import REPEATED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class UrlInMultipleSitemaps(QueryRule):
    """URL is in multiple sitemaps

    When: at least two sitemap files list the same normalized loc. Indexes do not count. If one of
    the files is a feed, or has image, video or news elements in any of its entries, the message
    says so: such a file may repeat the URLs of a plain sitemap on purpose.

    Why: It is harmless on its own, but it makes the counts of the files wrong, and their lastmods
    can disagree.

    Fix: List the URL in one sitemap only.
    """

    severity = Severity.NOTICE
    message = "is listed in {count} sitemaps{note}: {sitemaps}"
    cause = "are listed in {count} sitemaps: {sitemaps}"
    about_sitemaps = True
    references = (PRACTICE,)

    needs = (REPEATED,)

    query = """
        with repeated as (
            select url, unnest(sitemaps) as sitemap from urls where len(sitemaps) > 1
        ), sitemap_kinds as (
            select sitemap, any_value(kind) in ('rss', 'atom') as is_feed,
                bool_or(len(images) > 0) as has_images, bool_or(len(videos) > 0) as has_videos,
                bool_or(len(news) > 0) as has_news
            from entries semi join repeated using (sitemap)
            group by sitemap
        ), url_kinds as (
            select url, bool_or(is_feed) as is_feed, bool_or(has_images) as has_images,
                bool_or(has_videos) as has_videos, bool_or(has_news) as has_news
            from repeated join sitemap_kinds using (sitemap)
            group by url
        ), kind_names as (
            select url, list_filter([
                if(is_feed, 'a feed', null), if(has_images, 'an image sitemap', null),
                if(has_videos, 'a video sitemap', null), if(has_news, 'a news sitemap', null)
            ], lambda kind: kind is not null) as kinds
            from url_kinds
        )
        select url, sitemaps[1] as sitemap, len(sitemaps) as count, kinds,
            if(len(kinds) > 0, ', including ' || array_to_string(kinds, ', '), '') as note,
            array_to_string(sitemaps[1:5], ', ') || if(len(sitemaps) > 5, ' …', '') as sitemaps
        from (select url, urls.sitemaps, kind_names.kinds from urls join kind_names using (url))
    """

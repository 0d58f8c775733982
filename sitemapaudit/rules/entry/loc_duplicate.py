from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import REPEATED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class LocDuplicate(QueryRule):
    """URL is listed more than once in a sitemap

    When: the same normalized URL occurs at least twice in one sitemap, with the same fragment or
    without one. Each repeated entry is one finding, which says how its loc differs from that of the
    first entry: by nothing, white space, the slash after the host, percent-encoding, or letter
    case. loc-fragment reports entries that differ by their fragments.

    Why: A repeated entry adds nothing and makes the file larger. It suggests a bug in the
    generator.

    Fix: Keep one entry.
    """

    severity = Severity.WARNING
    message = "repeats entry {first_position} ({difference})"
    cause = "repeat another ({difference})"
    references = (PRACTICE,)

    needs = (REPEATED,)

    query = """
        with repeated as (
            select url, sitemap, position, line, loc,
                min(position) over alike as first_position,
                arg_min(loc, position) over alike as first_loc
            from entries
            where kind <> 'sitemapindex'
                and url in (select url from urls where listings > len(sitemaps))
            window alike as (
                partition by sitemap, url, regexp_extract(trimmed(loc), '(?s)#.*')
            )
        ), compared as (
            select *, trimmed(loc) as this, trimmed(first_loc) as first,
                split_part(this, '#', 1) as page, split_part(first, '#', 1) as first_page
            from repeated
            where position > first_position
        )
        select url, sitemap, position, line, first_position, loc,
            case
                when loc = first_loc then 'the same loc'
                when this = first then 'other white space'
                when rtrim(page, '/') = rtrim(first_page, '/')
                    then 'with or without the slash after the host'
                when url_decode(page) = url_decode(first_page) then 'other percent-encoding'
                when lower(page) = lower(first_page) then 'other letter case of the host'
                else 'another spelling'
            end as difference
        from compared
    """

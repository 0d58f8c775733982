from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import UNFINISHED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class AuditIncomplete(QueryRule):
    """Audit is incomplete

    When: a limit, a stop or a failure left listed URLs unchecked or sitemaps unread, a limit
    skipped linked URLs, or the run was stopped before all of them were known. What the user chose
    to skip (pages, include, exclude, since, shard) is not reported.

    Why: What was not checked is neither good nor bad. All counts cover only a part of the site.

    Fix: Do what the reason names: raise the limit, let the sitemap be read, or run the audit to its
    end.
    """

    severity = Severity.NOTICE
    message = "{outcome}: {reason}"
    references = (PRACTICE,)

    needs = (UNFINISHED,)
    query = """
        select unchecked_urls, unread_sitemaps, reason,
            case
                -- The reason itself counts them.
                when regexp_matches(reason, '^[0-9,]+ (listed URL|sitemap)s? [a-z]')
                    then 'is incomplete'
                when unchecked_urls + unread_sitemaps = 0 then 'ended early'
                else 'left ' || array_to_string([
                    count_noun(nullif(unchecked_urls, 0), 'listed URL') || ' unchecked',
                    count_noun(nullif(unread_sitemaps, 0), 'sitemap') || ' unread'
                ], ' and ')
            end as outcome
        from run
        where reason is not null
    """

from sitemapaudit.items import Severity, Verdict
from sitemapaudit.robots.agents import Purpose
from sitemapaudit.rules.needs import REQUESTED_AGENTS, SEVERAL_AGENTS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_META, RFC_9309


class AgentsDisagree(QueryRule):
    """Crawlers get different verdicts

    When: several crawlers were given (`agents`), and listed URLs are indexable for some of them and
    have another verdict for others, such as blocked. URLs with the same difference are one finding.
    A warning if search engines differ, otherwise a notice. Unknown verdicts do not count as
    different.

    Why: A page that is meant for search is missing in one search engine, or a rule for one crawler
    also applies to another. Blocking crawlers that train AI models can be a choice: then the notice
    confirms it.

    Fix: Compare the groups of robots.txt, and look for robots meta tags and X-Robots-Tag headers
    that name one crawler. A crawler with its own group does not obey the group `*`.
    """

    severity = Severity.NOTICE
    message = "{urls}: {difference}, such as {example}"
    references = (
        RFC_9309,
        GOOGLE_META,
    )

    depends_on = (REQUESTED_AGENTS,)
    needs = (SEVERAL_AGENTS,)
    query = f"""
        with known as (
            select url, verdict, agents.agent, agents.position, agents.purpose
            from verdicts join agents using (agent)
            where verdict <> '{Verdict.UNCHECKED}'
        ), by_verdict as (
            select url, verdict, min(position) as first_one,
                count(*) filter (purpose = '{Purpose.SEARCH}') as searching,
                verdict || ' for ' || string_agg(agent, ', ' order by position) as named
            from known group by url, verdict
        ), differing as (
            select url, string_agg(named, '; ' order by first_one) as difference,
                count(*) filter (searching > 0) > 1 as in_search
            from by_verdict group by url
            having count(*) > 1 and bool_or(verdict = '{Verdict.INDEXABLE}')
        )
        select if(in_search, '{Severity.WARNING}', '{Severity.NOTICE}') as severity,
            count_noun(count(*), 'listed URL') as urls,
            difference, min(url) as example
        from differing group by difference, in_search
    """

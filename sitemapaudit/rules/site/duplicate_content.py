from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import EXTENT, TEXTS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, PRACTICE


class DuplicateContent(QueryRule):
    """Listed pages have duplicate content

    When: two or more listed, indexable pages have the same main text of at least 50 words: warning.
    Nearly the same main text, with an estimated 90 % or more of the three-word sequences in common:
    notice, reported for one page of each distinct text. Only pages that share one of the eight
    parts of their fingerprints are compared for this, and no page with an alternate that it
    declares or that declares it.

    Why: Engines choose one of the pages as the canonical, and drop the others.

    Fix: Merge the pages, declare one of them as the canonical of all, or give each its own text.
    """

    severity = Severity.WARNING
    message = "{relation} {example}"
    cause = "have the same main text as {example}"
    references = (
        GOOGLE_CANONICAL,
        PRACTICE,
    )

    depends_on = EXTENT
    needs = (TEXTS,)
    query = """
        with texts as not materialized (
            from listed_texts where url not in (select url from urls where verdict = 'soft-404')
        ), same as (
            select url, count(*) over alike - 1 as others,
                min(url) over alike as first, max(url) over alike as last
            from texts semi join repeated_texts using (text)
            window alike as (partition by text)
        ), translations as (
            select url, target from alternates where target is not null
        ), examples as (
            select text, min(url) as url, unhex(any_value(fingerprint))::bit as bits
            from texts semi join similar_texts using (text)
            group by text
        ), alike as (
            select one.url, two.url as example,
                1 - 2 * bit_count(xor(one.bits, two.bits)) / 256 as similarity
            from similar_texts as pairs
            join examples as one using (text)
            join examples as two on two.text = other
        )
        select url, others, null as similarity, if(url = first, last, first) as example,
            'warning' as severity,
            'has the same main text as'
                || if(others = 1, '', format(' {:,} other pages, such as', others)) as relation
        from same
        where others > 0
        union all
        select url, null, round(max(similarity), 2), arg_min(example, (-similarity, example)),
            'notice',
            'has nearly the same main text (about ' || percent(max(similarity)) || ') as'
        from alike
        where similarity >= 0.9 and (url, example) not in (from translations)
            and (example, url) not in (from translations)
        group by url
    """

from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangCodeInvalid(Query):
    """An hreflang is no code that engines know

    When: an alternate of a listed URL (in the sitemap, in HTML or in a header) has a code that
    is neither x-default nor a language of ISO 639-1, a script of ISO 15924 behind it or not,
    and then a region of ISO 3166-1 alpha-2 or not. Letter case does not count; an underscore,
    a region alone and codes of three letters are not allowed.

    Why: Engines pass over the alternate.

    Fix: Write the language first: en-GB, not en-UK, en_GB or GB.
    """

    severity = Severity.ERROR
    message = "hreflang {hreflang} ({source}): {problem}"
    references = (GOOGLE_HREFLANG,)

    query = """
        select url, sitemap, position, hreflang, source, fault as problem,
            min(href) as href
        from alternates semi join urls using (url)
        where fault is not null
        group by all
    """

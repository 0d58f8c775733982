from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import ALTERNATES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangCodeInvalid(QueryRule):
    """hreflang code is invalid

    When: an alternate of a listed URL (in the sitemap, the HTML or a header) has a code that is
    neither x-default nor a language of ISO 639-1, optionally followed by a script of ISO 15924,
    then optionally by a region of ISO 3166-1 alpha-2. Letter case is ignored. Underscores, a region
    alone and three-letter codes are not allowed.

    Why: Engines ignore the alternate.

    Fix: Write the language first: en-GB, not en-UK, en_GB or GB.
    """

    severity = Severity.ERROR
    message = "declares the invalid hreflang `{hreflang}` ({source}): {problem}"
    cause = "declare an invalid hreflang ({source}): {problem}"
    references = (GOOGLE_HREFLANG,)

    needs = ALTERNATES
    query = """
        select url, sitemap, position, hreflang, source, code_error as problem,
            min(href) as href
        from alternates semi join urls using (url)
        where code_error is not null
        group by all
    """

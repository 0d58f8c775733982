from typing import Final

from sitemapaudit.items import Role, Severity
from sitemapaudit.rules.needs import BUILD, BUILT_FILES, Choice
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL

_PATH: Final = "substr({0}.url, len(origin_of({0}.url)) + 1)"
"""SQL: the path of a URL with its query."""


class BuiltSitemapUndeclared(QueryRule):
    """Sitemap of the build is declared nowhere

    When: a build folder is audited (``folder=``), and an XML sitemap in it was not read, because
    neither robots.txt nor an index names it, on any host, and it is not at a usual place.

    Why: Search engines do not find it, unless you submit it to each of them. Generators write a
    sitemap for each language, such as `/de/sitemap.xml`, and declare none of them.

    Fix: Declare it in robots.txt, or list it in a sitemap index.
    """

    version = 2
    severity = Severity.WARNING
    message = "{file} is a sitemap that neither robots.txt nor an index declares"
    about_sitemaps = True
    references = (PROTOCOL, GOOGLE_BUILD)

    depends_on = (BUILD, Choice("site"))
    needs = (BUILT_FILES,)
    query = f"""
        with known as (
            select sitemap as url from sitemaps
            union select final_url from sitemaps
            union select sitemap from declared_sitemaps
            union select url from entries where kind = 'sitemapindex'
        )
        select url, file
        from pages
        where role = '{Role.BUILT}' and not is_html and ends_with(lower(file), '.xml')
            and (select searched from run)
            and not exists (from known where {_PATH.format("known")} = {_PATH.format("pages")})
        order by url
    """

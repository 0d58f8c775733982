from sitemapaudit.builds.file_rules import FileRules, NotFoundPage
from sitemapaudit.builds.hosting import Hosting


class Caddy(Hosting):
    """Caddy with `root` and `file_server`: files, `index.html`, a slash after folders.

    `/page` does not give `page.html`. A folder redirects to its slash with 308, and gives 404 if
    it has neither `index.html` nor `index.txt`. A missing URL has no page of the site. A
    `Caddyfile` is not read, so its other directives, such as `try_files`, have no effect here.

    Unconfirmed: the redirect keeps the query, which version 2.6.2 drops; a `Caddyfile` in the build
    is not served.

    Sources:

    - <https://caddyserver.com/docs/caddyfile/directives/file_server>
    """

    file_rules = FileRules(
        html_for_file=False,
        slash_status=308,
        not_found=NotFoundPage.NONE,
        resolves_decoded=True,
        index_names=("index.html", "index.txt"),
        hidden=frozenset({"Caddyfile"}),
    )

from sitemapaudit.builds.file_rules import FileRules, NotFoundPage
from sitemapaudit.builds.hosting import Hosting


class Plain(Hosting):
    """A web server without configuration: files, `index.html`, a slash after folders.

    nginx and Apache as they are installed. `/page` does not give `page.html`, a folder redirects
    to its slash with 301, and a missing URL has no page of the site.

    Unconfirmed: a folder without `index.html` gives 404 here. A server may also answer 403, or
    list the files. A folder with only an `index.htm` is unknown: some servers serve it.

    Sources:

    - <https://nginx.org/en/docs/http/ngx_http_index_module.html>
    - <https://httpd.apache.org/docs/2.4/mod/mod_dir.html#directoryslash>
    """

    file_rules = FileRules(
        html_for_file=False,
        not_found=NotFoundPage.NONE,
        folder_needs_index=False,
        charset=False,
        resolves_decoded=True,
        other_index="index.htm",
    )

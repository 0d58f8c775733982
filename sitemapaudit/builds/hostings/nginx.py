from sitemapaudit.builds.file_rules import FileRules
from sitemapaudit.builds.hosting import Hosting


class Nginx(Hosting):
    """nginx with `try_files $uri $uri.html $uri/ =404` and `error_page 404 /404.html`.

    The usual configuration of nginx for a static site. `/page` gives `page.html`, even if there
    is a folder of that name. Other folders redirect to their slash with 301, and give 403 if they
    have no `index.html`. With only an `index.htm`, which some configurations name in `index`, the
    reply is unknown.

    Sources:

    - <https://nextjs.org/docs/app/guides/static-exports#deploying>
    - <https://nginx.org/en/docs/http/ngx_http_core_module.html#try_files>
    - <https://nginx.org/en/docs/http/ngx_http_core_module.html#merge_slashes>
    - <https://qask.org/server/2023/06/20/what-is-the-difference-beween-uri-and-uri-in-the-try_files-directive>
      (301 for any folder, then 403)
    """

    file_rules = FileRules(
        folder_needs_index=False,
        listing_status=403,
        charset=False,
        resolves_decoded=True,
        other_index="index.htm",
    )

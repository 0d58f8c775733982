from msgspec.structs import replace

from sitemapaudit.builds import cloudflare_headers, cloudflare_redirects
from sitemapaudit.builds.cloudflare_redirects import MAX_LINE
from sitemapaudit.builds.file_rules import FileRules, NotFoundPage, Served
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.hosting import Hosting
from sitemapaudit.builds.hostings.cloudflare.functions import edge_paths
from sitemapaudit.builds.redirect_rules import RedirectHabits
from sitemapaudit.builds.replies import HostedReply
from sitemapaudit.builds.requests import HostedRequest
from sitemapaudit.builds.rule_file import RuleFile


class Cloudflare(Hosting):
    """Cloudflare Pages: URLs without `.html`, `404.html`, `_redirects`, `_headers`, functions.

    `/page` gives `page.html`. `/page.html`, `/page/` and `/folder/index.html` redirect to `/page`
    and `/folder/`, and `/folder` to `/folder/`, with 308. A missing URL gives the nearest
    `404.html`; without any, it gives the home page, with 200.

    Redirects win over files. Hosts such as `branch.project.pages.dev` are previews, whose pages
    have `X-Robots-Tag: noindex`. The paths of `functions` and of `_worker.js` are unknown;
    `_routes.json` limits them.

    Sources:

    - <https://github.com/slorber/trailing-slash-guide>
    - <https://developers.cloudflare.com/pages/configuration/serving-pages/>
    - <https://developers.cloudflare.com/pages/configuration/redirects/>
    - <https://developers.cloudflare.com/pages/configuration/headers/>
    - <https://developers.cloudflare.com/pages/functions/routing/>
    - <https://github.com/cloudflare/workers-sdk> (`handler.ts` of `packages/pages-shared`,
      `validate.ts` of `packages/wrangler`, `packages/workers-shared`)
    """

    file_rules = FileRules(
        html_for_slash=Served.BY_REDIRECT,
        extension=Served.BY_REDIRECT,
        index_name=Served.BY_REDIRECT,
        slash_status=308,
        not_found=NotFoundPage.NEAREST,
        single_page=True,
        hidden=frozenset({"_redirects", "_headers", "_routes.json", "_worker.js", "functions"}),
        hidden_anywhere=frozenset({".git", ".DS_Store", "node_modules"}),
    )
    redirect_habits = RedirectHabits(files_win=False, follows_slashes=False)
    joins_headers = True

    def __init__(self, folder: Folder) -> None:
        files = [RuleFile(folder, name, max_line=MAX_LINE) for name in ("_redirects", "_headers")]
        super().__init__(
            folder,
            redirects=cloudflare_redirects.read_file(files[0]),
            headers=cloudflare_headers.read_file(files[1]),
            edge=edge_paths(folder.root),
            rule_files=files,
        )

    def serve(self, request: HostedRequest) -> HostedReply:
        """Add noindex to the pages of previews."""
        reply = super().serve(request)
        is_preview = request.host.endswith(".pages.dev") and request.host.count(".") > 2
        if not is_preview or reply.status != 200:
            return reply
        return replace(reply, headers=(*reply.headers, ("X-Robots-Tag", "noindex")))

import re
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from sitemapaudit.builds import cloudflare_headers, cloudflare_redirects
from sitemapaudit.builds.cloudflare_redirects import MAX_LINE
from sitemapaudit.builds.edge import find_reason, own_paths
from sitemapaudit.builds.file_rules import FileRules, NotFoundPage
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.hosting import Hosting
from sitemapaudit.builds.hostings.workers.config import find_config, read_config, read_hidden
from sitemapaudit.builds.hostings.workers.files import AssetServer
from sitemapaudit.builds.patterns import expand
from sitemapaudit.builds.redirect_rules import RedirectHabits
from sitemapaudit.builds.replies import HostedReply, unknown
from sitemapaudit.builds.requests import ABSOLUTE, HostedRequest
from sitemapaudit.builds.rule_file import RuleFile

_NOT_FOUND: Final = {
    "none": FileRules(not_found=NotFoundPage.NONE),
    "404-page": FileRules(not_found=NotFoundPage.NEAREST),
    "single-page-application": FileRules(not_found=NotFoundPage.NONE, single_page=True),
}


def _fill_in(to: str, values: Mapping[str, str]) -> str:
    """Replace placeholders, and merge the slashes of a path that has any."""
    filled = expand(to, values)
    return filled if ABSOLUTE.match(filled) or not values else re.sub("/+", "/", filled)


class Workers(Hosting):
    """Cloudflare Workers, static assets: `html_handling`, `404.html`, `_redirects`, `_headers`.

    The settings are those of `wrangler.json`, `wrangler.jsonc` or `wrangler.toml`, in the build or
    in a folder above it, up to the root of its repository; environments (`env`) are not read. An
    error in it fails a deployment, and the audit is then incomplete. With
    `html_handling`, a page has one URL, and others redirect to it with 307:

    - `auto-trailing-slash`, the default: `/page` for `page.html`, `/folder/` for
      `folder/index.html`.
    - `force-trailing-slash`: `/page/` and `/folder/`.
    - `drop-trailing-slash`: `/page` and `/folder`.
    - `none`: `/page.html` and `/folder/index.html`. Nothing redirects, and `/` gives 404.

    With `not_found_handling`, a missing URL gives the nearest `404.html` (`404-page`) or the home
    page with 200 (`single-page-application`). By default it gives 404 without a page.

    Redirects of the site win over files. A URL that is not percent-encoded as usual, such as
    `/[page]`, redirects to its usual form. With a script (`main`), missing URLs are unknown, and so
    are the paths of `run_worker_first`. Lines of `.assetsignore` are read if they are names.

    Sources:

    - <https://developers.cloudflare.com/workers/static-assets/routing/advanced/html-handling/>
    - <https://developers.cloudflare.com/workers/static-assets/routing/static-site-generation/>
    - <https://developers.cloudflare.com/workers/static-assets/binding/>
    - <https://developers.cloudflare.com/workers/static-assets/redirects/>
    - <https://developers.cloudflare.com/workers/static-assets/headers/>
    - <https://www.npmjs.com/package/wrangler> (the replies of `wrangler dev`)
    """

    file_rules = _NOT_FOUND["none"]
    redirect_habits = RedirectHabits(files_win=False, follows_slashes=False, fill_in=_fill_in)
    joins_headers = True

    def __init__(self, folder: Folder) -> None:
        settings, ignored = find_config(folder), RuleFile(folder, ".assetsignore")
        redirect_file, header_file = (
            RuleFile(folder, name, max_line=MAX_LINE) for name in ("_redirects", "_headers")
        )
        config = read_config(settings)
        assets = config.assets
        hidden, anywhere = read_hidden(ignored)
        rules = replace(
            _NOT_FOUND[assets.not_found_handling], hidden=hidden, hidden_anywhere=anywhere
        )
        self._after_files = config.after_files
        super().__init__(
            folder,
            files=AssetServer(folder, rules, assets.html_handling),
            redirects=cloudflare_redirects.read_file(
                redirect_file,
                strips_index=assets.html_handling != "none",
                merges_slashes=True,
            ),
            headers=cloudflare_headers.read_file(header_file),
            edge=(own_paths("/cdn-cgi/.*", "Cloudflare"), config.before_files),
            rule_files=(settings, ignored, redirect_file, header_file),
        )

    def serve(self, request: HostedRequest) -> HostedReply:
        """Leave what is missing to the script, if there is one."""
        found = self._files.find(request)
        reply = self._redirects.reply(request, found) or found
        if reply is not None:
            return reply
        reason = find_reason(request, (self._after_files,))
        return self._files.not_found(request) if reason is None else unknown(reason)

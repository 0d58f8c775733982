import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from sitemapaudit.builds.edge import EVERYTHING, EdgePaths, own_paths, scripts
from sitemapaudit.builds.file_rules import FileRules, Served
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.headers_file import read_headers
from sitemapaudit.builds.hosting import Hosting
from sitemapaudit.builds.hostings.netlify.config import read_block, read_config
from sitemapaudit.builds.hostings.netlify.patterns import fill_in, repeats_itself
from sitemapaudit.builds.hostings.netlify.redirects import read_redirect
from sitemapaudit.builds.patterns import compile_parts
from sitemapaudit.builds.redirect_rules import RedirectHabits
from sitemapaudit.builds.redirects_file import read_redirects
from sitemapaudit.builds.requests import encode
from sitemapaudit.builds.rule_file import IgnoredError, RuleFile


class Netlify(Hosting):
    """Netlify: pretty URLs, `404.html`, `_redirects`, `_headers`, `netlify.toml`.

    `/page` and `/page.html` give `page.html`, `/page/` redirects to `/page`, and `/folder` to
    `/folder/`, with 301. Without pretty URLs, `/page/` and `/folder` give their files.

    The rules of `_redirects` and `_headers` come before those of `netlify.toml`, which may be in
    a folder above the build, up to the root of its repository. If that file is not TOML, a
    deployment fails, and the audit is then incomplete. A file wins over a redirect without
    `!`. A redirect whose target it would match again stops the search for others. Redirects with
    conditions on the visitor and the paths of edge functions are unknown; an edge function that
    `netlify.toml` does not declare has its paths in its code, so it makes every path unknown.

    Unconfirmed: `_redirects` and `_headers` are not served, and a folder without `index.html`
    gives 404, without a redirect to its slash. Of two blocks with one header, the later one wins,
    as in `netlify dev`. Without pretty URLs, `/both/` gives the file of the folder.

    Sources:

    - <https://github.com/slorber/trailing-slash-guide> (200 for `/page.html`; others report a
      redirect)
    - <https://github.com/dillonkearns/elm-pages/issues/340> (301 to `/folder/`)
    - <https://github.com/opennextjs/opennextjs-netlify/issues/256> (301 to `/page`)
    - <https://docs.netlify.com/routing/redirects/redirect-options/>
    - <https://docs.netlify.com/routing/headers/>
    - <https://docs.netlify.com/build/configure-builds/file-based-configuration/>
    - <https://docs.netlify.com/edge-functions/declarations/>
    - <https://github.com/netlify/build> (`packages/redirect-parser`, `packages/headers-parser`)
    - <https://www.npmjs.com/package/netlify-redirector>
    """

    file_rules = FileRules(
        html_for_slash=Served.BY_REDIRECT,
        slash_prefers_file=True,
        hidden=frozenset({"_redirects", "_headers"}),
    )
    redirect_habits = RedirectHabits(
        functions=re.compile(r"/\.netlify/"), fill_in=fill_in, repeats_itself=repeats_itself
    )

    def __init__(self, folder: Folder) -> None:
        redirects, headers = RuleFile(folder, "_redirects"), RuleFile(folder, "_headers")
        file = RuleFile(folder, "netlify.toml", in_project=True)
        config = read_config(file)
        rules = self.file_rules
        if not config.pretty_urls:
            rules = replace(
                rules,
                folder=Served.DIRECTLY,
                html_for_slash=Served.DIRECTLY,
                slash_prefers_file=False,
            )
        super().__init__(
            folder,
            file_rules=rules,
            redirects=[*read_redirects(redirects, read_redirect), *config.redirects],
            headers=[*read_headers(headers, read_block), *config.headers],
            edge=(
                own_paths(r"/\.netlify/.*", "Netlify"),
                _edge_functions(file.project, config.edge_functions),
            ),
            rule_files=(redirects, headers, file),
        )


def _edge_functions(project: Path, declared: list[tuple[Any, Any]]) -> EdgePaths:
    names = {file.stem for file in scripts(project / "netlify" / "edge-functions")}
    paths = [path for _, path in declared]
    included = [EVERYTHING]
    if names <= {name for name, _ in declared} and all(isinstance(path, str) for path in paths):
        with suppress(IgnoredError):
            included = [compile_parts(encode(path)) for path in paths if path]
    return EdgePaths(tuple(included), "may be served by an edge function")

from collections.abc import Mapping

from msgspec.structs import replace

from sitemapaudit.builds.edge import FUNCTION, EdgePaths, own_paths
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.header_rules import add_headers
from sitemapaudit.builds.hosting import Hosting
from sitemapaudit.builds.hostings.azure.config import Route, make_block, read_config
from sitemapaudit.builds.hostings.azure.files import RULES, AzureFiles
from sitemapaudit.builds.replies import HostedReply, redirect, unknown
from sitemapaudit.builds.requests import HostedRequest, encode, path_of, stay_on_host
from sitemapaudit.builds.rule_file import RuleFile
from sitemapaudit.regexes import compile_linear


class Azure(Hosting):
    """Azure Static Web Apps: URLs without `.html`, `404.html`, `staticwebapp.config.json`.

    `/page` and `/page.html` give `page.html`, `/page/` redirects to `/page`, and `/folder` and
    `/folder/` give its `index.html`. With `trailingSlash`, a page has one URL, and others redirect
    to it with 301: `/page/` and `/folder/` (`always`), `/page` and `/folder` (`never`), or `/page`
    and `/folder/` (`auto`).

    `staticwebapp.config.json` may be in a folder above the build, up to the root of its repository.
    Its first route that matches counts, before files: its redirect, rewrite, status, headers, or
    401 if it needs a role. A missing URL gives the page of `navigationFallback`; without one, that
    of `responseOverrides` or `404.html`. The paths of `/api` and `/.auth` are unknown, and every
    path if the file limits addresses or requires headers.

    Unconfirmed: an error in the file fails a deployment, and the audit is then incomplete. The
    guide and the documentation are the sources of the replies, and only routes are compared with
    the emulator. A route such as `/folder/*` matches `/folder` by the emulator, and does not by the
    documentation: that is unknown here. A redirect of a route drops the query. With `trailingSlash`
    `always` or `never`, `/both` gives the file of the folder.

    Sources:

    - <https://github.com/slorber/trailing-slash-guide>
    - <https://learn.microsoft.com/en-us/azure/static-web-apps/configuration>
    - <https://www.npmjs.com/package/@azure/static-web-apps-cli>
    """

    file_rules = RULES

    def __init__(self, folder: Folder) -> None:
        file = RuleFile(folder, "staticwebapp.config.json", in_project=True, is_strict=True)
        self._config = read_config(file)
        self._found = AzureFiles(folder, self._config)
        super().__init__(
            folder,
            files=self._found,
            edge=(_API, own_paths(r"/\.auth/.*", "Azure")),
            rule_files=(file,),
        )

    def respond(self, request: HostedRequest) -> HostedReply:
        """Apply the first route that matches, then find the file."""
        condition = self._config.condition
        if condition is not None:
            return unknown(f"depends on {condition}")
        for number, route in enumerate(self._config.routes, start=1):
            matches = route.matches(request.path)
            name = f"staticwebapp.config.json: routes {number}"
            if matches is None:
                return unknown(f"depends on whether the route {route.route} includes it", name)
            if matches:
                reply = self._apply(route, request)
                return self._with_headers(replace(reply, rule=name), route.headers)
        return self._with_headers(self._find(request), {})

    def _apply(self, route: Route, request: HostedRequest) -> HostedReply:
        if route.needs_login:
            return self._error(401, request)
        if route.status_code in (401, 403, 404):
            return self._error(route.status_code, request)
        if route.redirect is not None:
            status = 301 if route.status_code == 301 else 302
            return redirect(status, stay_on_host(encode(route.redirect)))
        reply = self._find(request) if route.rewrite is None else self._rewrite(route, request)
        if route.status_code is None or reply.status != 200:
            return reply
        return replace(reply, status=route.status_code)

    def _rewrite(self, route: Route, request: HostedRequest) -> HostedReply:
        target = "/" + path_of(route.rewrite or "").lstrip("/")
        if _API.matches(request.with_path(target)) or target.startswith("/.auth/"):
            return unknown(FUNCTION)
        return self._found.find_name(target) or self._missing(request)

    def _find(self, request: HostedRequest) -> HostedReply:
        return self._files.find(request) or self._missing(request)

    def _missing(self, request: HostedRequest) -> HostedReply:
        fallback = self._config.navigation_fallback
        page = None if fallback is None else self._found.find_name(path_of(fallback.rewrite))
        covers = False if fallback is None or page is None else fallback.covers(request.path)
        if covers is None:
            return unknown("depends on what navigationFallback excludes")
        return page if covers and page is not None else self._error(404, request)

    def _error(self, status: int, request: HostedRequest) -> HostedReply:
        """Return the reply for an error, as the site overrides it."""
        override = self._config.response_overrides.get(str(status))
        if override is None:
            page = self._files.not_found(request) if status == 404 else None
            return page or HostedReply(status)
        if override.redirect is not None:
            code = 301 if override.status_code == 301 else 302
            return redirect(code, stay_on_host(encode(override.redirect)))
        page = self._found.find_name(override.rewrite) if override.rewrite else None
        code = override.status_code or status
        return HostedReply(code) if page is None else replace(page, status=code)

    def _with_headers(self, reply: HostedReply, headers: Mapping[str, str]) -> HostedReply:
        if reply.unknown is not None or 300 <= reply.status < 400:
            return reply
        blocks = (make_block(self._config.global_headers), make_block(dict(headers)))
        return add_headers(reply, blocks, joins=False)


_API = EdgePaths((compile_linear("/api(?:/.*)?"),), FUNCTION)

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from sitemapaudit.builds import edge
from sitemapaudit.builds.file_rules import FileRules, Served
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.hosting import Hosting
from sitemapaudit.builds.hostings.vercel.conditions import Unknowable
from sitemapaudit.builds.hostings.vercel.config import read_config
from sitemapaudit.builds.hostings.vercel.presets import find_preset
from sitemapaudit.builds.hostings.vercel.sources import fill_in
from sitemapaudit.builds.replies import HostedReply, redirect, unknown
from sitemapaudit.builds.requests import HostedRequest, add_query, encode, path_of, stay_on_host
from sitemapaudit.builds.rule_file import RuleFile
from sitemapaudit.regexes import SlowRegexError, compile_linear

_INDEX: Final = re.compile(r"/(?:(.+)/)?index(?:\.html)?/?")
_HTML: Final = re.compile(r"/(.*)\.html/?")
_ANY_NAME: Final = re.compile(r"/(?!\.well-known(?:/|$))(?:[^/]+/)*[^/.]+")
_FILE_WITH_SLASH: Final = re.compile(r"/(?:[^/]+/)*[^/]+\.\w+/")
_API: Final = re.compile(r"/api(?:/|$)")


class Vercel(Hosting):
    """Vercel: `404.html`, `vercel.json` with `cleanUrls`, `trailingSlash` and the rules of a site.

    `/page` gives 404 and `/page.html` the file, unless `cleanUrls` is true: then `/page.html`
    redirects to `/page`. `/folder` gives its `index.html`, unless `trailingSlash` is set. These
    redirects have the status 308 and come first; redirects, headers, files and rewrites follow.

    A folder with `_next/static` is a static export of Next.js: `/page` gives `page.html`, and
    `/page.html` and `/404` give 404. `/page/` redirects to `/page`, or `/page` to `/page/` if
    there is a `404/index.html`, which Next.js writes with `trailingSlash`.

    `vercel.json` may be in a folder above the build, up to the root of its repository. An error in
    it fails a deployment, and the audit is then incomplete. Rules with conditions on headers
    and cookies, the paths of `api`, and every path with a middleware are unknown. With `routes`,
    the older form of the rules, every path is.

    Unconfirmed: `vercel.json` is not served, and a folder without `index.html` gives 404. With
    `cleanUrls`, `/both/` gives `both.html`.

    Sources:

    - <https://github.com/slorber/trailing-slash-guide>
    - <https://vercel.com/docs/project-configuration/vercel-json>
    - <https://vercel.com/docs/routing-middleware>
    - <https://vercel.com/docs/functions>
    - <https://github.com/vercel/vercel/blob/main/packages/routing-utils/src/superstatic.ts>
    - <https://github.com/vercel/vercel/blob/main/packages/next/src/index.ts> (of a static export)
    """

    file_rules = FileRules(
        html_for_file=False,
        folder=Served.DIRECTLY,
        hidden=frozenset({"vercel.json"}),
    )

    def __init__(self, folder: Folder) -> None:
        file = RuleFile(folder, "vercel.json", in_project=True, is_strict=True)
        self._config = read_config(file)
        rules = self.file_rules
        if self._config.clean_urls:
            rules = replace(
                rules, html_for_file=True, html_for_slash=Served.DIRECTLY, slash_prefers_file=True
            )
        self._preset = find_preset(folder)
        if self._preset is not None:
            rules = self._preset.adapt(rules)
        super().__init__(
            folder,
            file_rules=rules,
            headers=tuple(self._config.headers.values()),
            edge=tuple(_edge_paths(folder.root, file.project)),
            rule_files=(file,),
        )

    @property
    def preset(self) -> str | None:
        """The framework whose preset applies."""
        return None if self._preset is None else self._preset.name

    def respond(self, request: HostedRequest) -> HostedReply:
        """Redirect first: redirects have none of the headers."""
        if self._config.has_routes:
            return unknown("vercel.json has routes, which are not read")
        try:
            return self._redirect(request) or super().respond(request)
        except Unknowable as condition:
            return unknown(f"depends on the visitor: {condition}")
        except SlowRegexError as error:
            return unknown(f"has a rule that takes too long to match: {error}")

    def serve(self, request: HostedRequest) -> HostedReply:
        """Serve the file, or what a rewrite finds: one without a file leaves it to the next."""
        if self._preset is not None and self._preset.missing.fullmatch(request.path):
            return self._files.not_found(request)
        found = self._files.find(request) or next(self._rewritten(request), None)
        return found or self._files.not_found(request)

    def _redirect(self, request: HostedRequest) -> HostedReply | None:
        path = self._preferred_path(request.path)
        if path is not None:
            location = add_query(stay_on_host(path), request.query)
            return redirect(308, location, "vercel.json")
        for name, rule in self._config.redirects.items():
            values = rule.values(request)
            if values is not None:
                location = stay_on_host(encode(fill_in(rule.destination, values)))
                return redirect(rule.status, add_query(location, request.query), name)
        return None

    def _preferred_path(self, path: str) -> str | None:
        """Return the path that ``cleanUrls`` and ``trailingSlash`` want instead."""
        slash = self._config.trailing_slash
        if slash is None and self._preset is not None:
            slash = self._preset.trailing_slash
        if self._config.clean_urls:
            match = _INDEX.fullmatch(path) or _HTML.fullmatch(path)
            if match is not None:
                return f"/{match[1] or ''}{'/' if slash else ''}"
        if slash is False and path.endswith("/") and path != "/":
            return path[:-1]
        if slash and _ANY_NAME.fullmatch(path):
            return path + "/"
        return path[:-1] if slash and _FILE_WITH_SLASH.fullmatch(path) else None

    def _rewritten(self, request: HostedRequest) -> Iterator[HostedReply]:
        for name, rule in self._config.rewrites.items():
            values = rule.values(request)
            if values is None:
                continue
            target = fill_in(rule.destination, values)
            forwarded = edge.forward(target, _API, name)
            found = forwarded or self._files.find(request.with_path(path_of(target)))
            if found is not None:
                yield replace(found, rule=name)


def _edge_paths(root: Path, project: Path) -> Iterator[edge.EdgePaths]:
    """Yield the paths of ``middleware``, whose code has them, and of ``api``."""
    yield edge.own_paths("/_vercel/.*", "Vercel")
    for folder in dict.fromkeys((root, project)):
        if any((folder / f"middleware{suffix}").is_file() for suffix in edge.SCRIPT_SUFFIXES):
            yield edge.EdgePaths((edge.EVERYTHING,), "may be served by a middleware")
        if (folder / "api").is_dir():
            yield edge.EdgePaths((compile_linear(r"/api(?:/.*)?"),), edge.FUNCTION)

"""Paths that only the host can answer: functions, middleware, and what hosts do by themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from sitemapaudit.builds.netlify_config import NetlifyConfig
from sitemapaudit.builds.patterns import compile_parts
from sitemapaudit.builds.requests import HostRequest, encode

_SCRIPTS: Final = (".js", ".ts", ".mjs", ".mts", ".jsx", ".tsx")
_EVERYTHING: Final = re.compile(r"/.*", re.DOTALL)


class EdgePaths(Struct, frozen=True):
    """Paths that code answers, but for those that are excluded, and why they are unknown."""

    included: tuple[re.Pattern[str], ...]
    reason: str
    excluded: tuple[re.Pattern[str], ...] = ()

    def matches(self, request: HostRequest) -> bool:
        """Return whether code answers the request."""
        return any(pattern.fullmatch(request.path) for pattern in self.included) and not any(
            pattern.fullmatch(request.path) for pattern in self.excluded
        )


def find_reason(request: HostRequest, edge: Iterable[EdgePaths]) -> str | None:
    """Return why the folder cannot tell what the request gives, or None if it can."""
    return next((paths.reason for paths in edge if paths.matches(request)), None)


def cloudflare_edge(root: Path) -> Sequence[EdgePaths]:
    """Return the paths of ``_worker.js``, or of ``functions`` in or beside the build.

    ``_routes.json`` may name them
    (https://developers.cloudflare.com/pages/functions/routing/#create-a-_routesjson-file).
    """
    own = EdgePaths((re.compile(r"/cdn-cgi/.*"),), "is made by Cloudflare")
    folders = (root.parent / "functions", root / "functions")
    routes = [route for folder in folders for route in sorted(_function_routes(folder))]
    if (root / "_worker.js").exists():
        routes = ["/*"]
    if not routes:
        return (own,)
    include, exclude = _read_routes(root / "_routes.json")
    included = tuple(_compile_route(route, is_wide=True) for route in include or routes)
    excluded = tuple(_compile_route(route, is_wide=False) for route in exclude)
    return (own, EdgePaths(included, "is made by a function", excluded))


def netlify_edge(root: Path, config: NetlifyConfig) -> Sequence[EdgePaths]:
    """Return the paths of edge functions (https://docs.netlify.com/edge-functions/declarations/).

    A function that netlify.toml does not declare has its paths in its code.
    """
    own = EdgePaths((re.compile(r"/\.netlify/.*"),), "is made by Netlify")
    names = {file.stem for file in _scripts(root.parent / "netlify" / "edge-functions")}
    declared = [path for _, path in config.edge_functions]
    included = [compile_parts(encode(path), named=False) for path in declared if path]
    if None in declared or names - {name for name, _ in config.edge_functions}:
        included = [_EVERYTHING]
    return (own, EdgePaths(tuple(included), "may be made by an edge function"))


def vercel_edge(root: Path) -> Sequence[EdgePaths]:
    """Return the paths of ``middleware`` and ``api``, in or beside the build.

    Which paths a middleware is for stands in its code
    (https://vercel.com/docs/routing-middleware, https://vercel.com/docs/functions).
    """
    edge = [EdgePaths((re.compile(r"/_vercel/.*"),), "is made by Vercel")]
    for folder in (root, root.parent):
        if any((folder / f"middleware{suffix}").is_file() for suffix in _SCRIPTS):
            edge.append(EdgePaths((_EVERYTHING,), "may be made by a middleware"))
        if (folder / "api").is_dir():
            edge.append(EdgePaths((re.compile(r"/api(?:/.*)?"),), "is made by a function"))
    return edge


def github_edge(root: Path) -> Sequence[EdgePaths]:
    """Return the paths that Jekyll leaves out, if the site is published by it.

    Source: https://github.blog/news-insights/bypassing-jekyll-on-github-pages/. A site that is
    published by a workflow keeps them, and the folder does not say which one it is.
    """
    if (root / ".nojekyll").exists():
        return ()
    reason = "is only published by a workflow, or with a file .nojekyll"
    return (EdgePaths((re.compile(r"(?:/.*)?/[_.].*"),), reason),)


def gitlab_edge() -> Sequence[EdgePaths]:
    """Return the path of GitLab's own report about ``_redirects``."""
    return (EdgePaths((re.compile(r"/_redirects"),), "is made by GitLab"),)


def _function_routes(folder: Path) -> Iterator[str]:
    for file in _scripts(folder):
        parts = file.relative_to(folder).with_suffix("").parts
        path = ""
        for number, part in enumerate(parts, start=1):
            is_last = number == len(parts)
            if part.startswith("[") or (is_last and part == "_middleware"):
                path += "/*"
                break
            path += "" if is_last and part == "index" else f"/{part}"
        yield path or "/"


def _scripts(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.suffix in _SCRIPTS and file.is_file())


def _read_routes(file: Path) -> tuple[list[str], list[str]]:
    try:
        document = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return [], []
    if not isinstance(document, dict):
        return [], []
    include, exclude = (document.get(key) or [] for key in ("include", "exclude"))
    return list(map(str, include)), list(map(str, exclude))


def _compile_route(route: str, *, is_wide: bool) -> re.Pattern[str]:
    """Compile a route; ``is_wide``: ``/a/*`` may also mean ``/a``, which no source says."""
    if is_wide and route.endswith("/*"):
        return re.compile(".*".join(map(re.escape, route[:-2].split("*"))) + "(?:/.*)?")
    return re.compile(".*".join(map(re.escape, route.split("*"))))

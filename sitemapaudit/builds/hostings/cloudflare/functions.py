"""The paths of the functions of a site on Cloudflare Pages."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from sitemapaudit.builds.edge import FUNCTION, EdgePaths, own_paths, scripts
from sitemapaudit.builds.rule_file import MAX_BYTES
from sitemapaudit.given_files import read_bytes
from sitemapaudit.regexes import Regex, compile_linear


def edge_paths(root: Path) -> tuple[EdgePaths, ...]:
    """Return the paths of ``_worker.js``, or of ``functions`` in the build or next to it.

    ``_routes.json`` may name them.
    """
    own = own_paths("/cdn-cgi/.*", "Cloudflare")
    folders = (root.parent / "functions", root / "functions")
    routes = [route for folder in folders for route in sorted(_function_routes(folder))]
    if (root / "_worker.js").exists():
        routes = ["/*"]
    if not routes:
        return (own,)
    include, exclude = _read_routes(root / "_routes.json")
    included = tuple(_compile_route(route, is_wide=True) for route in include or routes)
    excluded = tuple(_compile_route(route, is_wide=False) for route in exclude)
    return (own, EdgePaths(included, FUNCTION, excluded))


def _function_routes(folder: Path) -> Iterator[str]:
    for file in scripts(folder):
        parts = file.relative_to(folder).with_suffix("").parts
        path = ""
        for number, part in enumerate(parts, start=1):
            is_last = number == len(parts)
            if part.startswith("[") or (is_last and part == "_middleware"):
                path += "/*"
                break
            path += "" if is_last and part == "index" else f"/{part}"
        yield path or "/"


def _read_routes(file: Path) -> tuple[list[str], list[str]]:
    try:
        document = json.loads(read_bytes(file, MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return [], []
    if not isinstance(document, dict):
        return [], []
    include, exclude = (document.get(key) for key in ("include", "exclude"))
    return _routes(include), _routes(exclude)


def _routes(value: object) -> list[str]:
    return [str(route) for route in value] if isinstance(value, list) else []


def _compile_route(route: str, *, is_wide: bool) -> Regex:
    """Compile a route; ``is_wide``: ``/a/*`` may also mean ``/a``, which no source says."""
    if is_wide and route.endswith("/*"):
        return compile_linear(".*".join(map(re.escape, route[:-2].split("*"))) + "(?:/.*)?")
    return compile_linear(".*".join(map(re.escape, route.split("*"))))

"""Reads the rules of a site for its host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.builds.cloudflare_redirects import read_cloudflare
from sitemapaudit.builds.edge import (
    EdgePaths,
    cloudflare_edge,
    github_edge,
    gitlab_edge,
    netlify_edge,
    vercel_edge,
)
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.gitlab_redirects import read_gitlab
from sitemapaudit.builds.header_rules import HeaderRule, add_headers
from sitemapaudit.builds.headers_file import read_headers
from sitemapaudit.builds.netlify_config import NetlifyConfig, read_netlify_config
from sitemapaudit.builds.netlify_redirects import read_netlify
from sitemapaudit.builds.redirect_rules import RedirectHabits, Redirects
from sitemapaudit.builds.replies import HostedReply, Problem
from sitemapaudit.builds.requests import HostRequest
from sitemapaudit.builds.serving import FileServer
from sitemapaudit.builds.table import (
    HOSTS,
    NETLIFY_WITHOUT_PRETTY_URLS,
    VERCEL_CLEAN_URLS,
    HostRules,
)
from sitemapaudit.builds.vercel_config import VercelConfig, read_vercel_config
from sitemapaudit.builds.vercel_site import VercelSite

Respond = Callable[[HostRequest], HostedReply]


class Site(Struct, frozen=True):
    """How a host answers, which paths it answers by code, and what it ignores."""

    respond: Respond
    edge: Sequence[EdgePaths] = ()
    problems: Sequence[Problem] = ()


def open_site(folder: Folder, hosting: str) -> Site:
    """Read the rules of a site, and return how the host answers."""
    return _OPENERS[hosting](folder, HOSTS[hosting])


def _open_plain(folder: Folder, rules: HostRules) -> Site:
    return Site(_respond_with(FileServer(folder, rules)))


def _open_github(folder: Folder, rules: HostRules) -> Site:
    return replace(_open_plain(folder, rules), edge=github_edge(folder.root))


def _open_gitlab(folder: Folder, rules: HostRules) -> Site:
    files = FileServer(folder, rules)
    # Files come first, and only the path of a location is sent: tryRedirects in reader.go.
    habits = RedirectHabits(
        files_win=rules.files_win, keeps_query=False, decodes_path=True, missing_value=""
    )
    redirects, problems = read_gitlab(*_read(folder, "_redirects"))
    return Site(_respond_with(files, Redirects(redirects, habits, files)), gitlab_edge(), problems)


def _open_netlify(folder: Folder, rules: HostRules) -> Site:
    redirects, problems = read_netlify(*_read(folder, "_redirects"))
    headers, ignored = read_headers(*_read(folder, "_headers"), is_cloudflare=False)
    file = _find_config(folder, "netlify.toml")
    config = read_netlify_config(file, _read_text(file)) if file else NetlifyConfig()
    files = FileServer(folder, rules if config.pretty_urls else NETLIFY_WITHOUT_PRETTY_URLS)
    habits = RedirectHabits(files_win=rules.files_win)
    found = Redirects([*redirects, *config.redirects], habits, files)
    respond = _respond_with(files, found)
    # No source says what becomes of a header in two blocks; the last one is the one of
    # `netlify dev`.
    return Site(
        _with_headers(respond, [*headers, *config.headers], joins=False),
        netlify_edge(folder.root, config),
        [*problems, *ignored, *config.problems],
    )


def _open_cloudflare(folder: Folder, rules: HostRules) -> Site:
    redirects, problems = read_cloudflare(*_read(folder, "_redirects"))
    headers, ignored = read_headers(*_read(folder, "_headers"), is_cloudflare=True)
    files = FileServer(folder, rules)
    habits = RedirectHabits(files_win=rules.files_win, follows_slashes=False)
    respond = _respond_with(files, Redirects(redirects, habits, files))
    return Site(
        _with_headers(_hide_previews(respond), headers, joins=True),
        cloudflare_edge(folder.root),
        [*problems, *ignored],
    )


def _open_vercel(folder: Folder, rules: HostRules) -> Site:
    file = _find_config(folder, "vercel.json")
    config = read_vercel_config(file, _read_text(file)) if file else VercelConfig()
    files = FileServer(folder, VERCEL_CLEAN_URLS if config.clean_urls else rules)
    return Site(VercelSite(config, files).reply, vercel_edge(folder.root), config.problems)


_OPENERS: Final[dict[str, Callable[[Folder, HostRules], Site]]] = {
    "plain": _open_plain,
    "nginx": _open_plain,
    "github": _open_github,
    "gitlab": _open_gitlab,
    "netlify": _open_netlify,
    "cloudflare": _open_cloudflare,
    "vercel": _open_vercel,
}


def _respond_with(files: FileServer, redirects: Redirects | None = None) -> Respond:
    def respond(request: HostRequest) -> HostedReply:
        found = files.find(request)
        reply = redirects.reply(request, found) if redirects else None
        return reply or found or files.not_found(request)

    return respond


def _with_headers(respond: Respond, rules: Sequence[HeaderRule], *, joins: bool) -> Respond:
    def respond_with_headers(request: HostRequest) -> HostedReply:
        reply = respond(request)
        return reply if reply.unknown else add_headers(reply, request, rules, joins=joins)

    return respond_with_headers


def _hide_previews(respond: Respond) -> Respond:
    """Add noindex where Cloudflare does: hosts such as ``branch.project.pages.dev``."""

    def respond_hidden(request: HostRequest) -> HostedReply:
        reply = respond(request)
        is_preview = request.host.endswith(".pages.dev") and request.host.count(".") > 2
        if not is_preview or reply.status != 200:
            return reply
        return replace(reply, headers=(*reply.headers, ("X-Robots-Tag", "noindex")))

    return respond_hidden


def _read(folder: Folder, name: str) -> tuple[Path, str]:
    file = folder.file(f"/{name}")
    return folder.root / name, _read_text(file) if file else ""


def _find_config(folder: Folder, name: str) -> Path | None:
    """Return a file of the build, or beside it: a build is a folder of its project."""
    beside = folder.root.parent / name
    return folder.file(f"/{name}") or (beside if beside.is_file() else None)


def _read_text(file: Path) -> str:
    return file.read_bytes().decode("utf-8", errors="replace")

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from sitemapaudit.builds.edge import EdgePaths, find_reason
from sitemapaudit.builds.file_rules import FileRules, NotFoundPage
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.hosting import Hosting
from sitemapaudit.builds.hostings.apache.htaccess import REDIRECTS, Rule, read_rules
from sitemapaudit.builds.replies import HostedReply, redirect, unknown
from sitemapaudit.builds.requests import ABSOLUTE, HostedRequest, add_query, encode, location_of
from sitemapaudit.builds.rule_file import RuleFile
from sitemapaudit.regexes import Match, SlowRegexError, compile_linear

_MOST_REWRITES: Final = 10


class Apache(Hosting):
    """Apache with `.htaccess`: redirects, rewrites without conditions, error pages, index files.

    A folder redirects to its slash with 301, and gives 403 if it has no index file; `/page` does
    not give `page.html`. A missing URL has no page of the site, unless there is an `ErrorDocument`.

    Of `.htaccess` in the root of the build, these directives are read: `Redirect`, `RedirectMatch`,
    `RedirectPermanent`, `RedirectTemp`, `RewriteRule`, `ErrorDocument`, `DirectoryIndex` and
    `DirectorySlash`. URLs that match a `RewriteRule` with a condition or with an unread flag or
    variable are unknown. So is every URL if there is another directive that may change replies, or
    one of these in a section for files or for a module that a server may lack, and every URL of a
    folder with its own `.htaccess`. A `Redirect` of a URL wins over an internal rewrite. The rules
    of `/folder/index.html` apply to `/folder/` too, except each `RewriteRule` with the flag `R`.

    Unconfirmed: a folder without an index file gives 403 here. A server with `Options Indexes`
    lists its files. A folder with only an `index.htm` is unknown without `DirectoryIndex`.

    Sources:

    - <https://httpd.apache.org/docs/2.4/mod/mod_alias.html>
    - <https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html>
    - <https://httpd.apache.org/docs/2.4/mod/mod_dir.html>
    - <https://httpd.apache.org/docs/2.4/mod/core.html#errordocument>
    """

    file_rules = FileRules(
        html_for_file=False,
        not_found=NotFoundPage.NONE,
        folder_needs_index=False,
        charset=False,
        resolves_decoded=True,
    )

    def __init__(self, folder: Folder) -> None:
        file = RuleFile(folder, ".htaccess")
        self._folder = folder
        self._rules = read_rules(file)
        super().__init__(folder, edge=tuple(_inner_folders(folder)), rule_files=(file,))

    def respond(self, request: HostedRequest) -> HostedReply:
        """Apply the rules, then find the file."""
        if self._rules.unread is not None:
            return unknown(self._rules.unread)
        if "%2F" in request.path:
            return HostedReply(404)
        try:
            reply = self._respond(request, _MOST_REWRITES)
            return self._with_error_page(request, reply)
        except SlowRegexError as error:
            return unknown(f"has a rule that takes too long to match: {error}")

    def _respond(self, request: HostedRequest, rewrites: int) -> HostedReply:
        path = _path(request)
        reason = find_reason(request, self._edge)
        if reason is not None:
            return unknown(reason)
        if "/.ht" in path:
            return HostedReply(403)
        decided = self._apply(path, request.query)
        if isinstance(decided, str) and decided != path:
            if not rewrites:
                return HostedReply(500)
            if self._lacks_slash(path):
                return redirect(301, location_of(path + "/", request.query))
            return self._respond(request.with_path(quote(decided)), rewrites - 1)
        return self._find(path, request) if isinstance(decided, str) else decided

    def _find(self, path: str, request: HostedRequest) -> HostedReply:
        file = self._folder.file(path)
        if file is not None:
            return self._files.serve(file)
        if not self._folder.has_folder(path.rstrip("/")):
            return HostedReply(404)
        if path.endswith("/"):
            return self._find_index(path, request)
        if not self._rules.adds_slash:
            return unknown("depends on DirectorySlash in .htaccess")
        return redirect(301, location_of(path + "/", request.query))

    def _lacks_slash(self, path: str) -> bool:
        return self._rules.adds_slash and not path.endswith("/") and self._folder.has_folder(path)

    def _find_index(self, path: str, request: HostedRequest) -> HostedReply:
        for name in self._rules.index or ["index.html"]:
            index = path + name
            file = self._folder.file(index)
            decided = self._apply(index, request.query, is_index=True)
            if decided != index and (file is None or isinstance(decided, str)):
                return unknown("depends on a rule for an index file")
            if not isinstance(decided, str):
                return decided
            if file is not None:
                return self._files.serve(file)
        if not self._rules.index and self._folder.file(f"{path}index.htm"):
            return unknown("depends on DirectoryIndex of the server: whether it has index.htm")
        return HostedReply(403)

    def _with_error_page(self, request: HostedRequest, reply: HostedReply) -> HostedReply:
        page = self._rules.error_documents.get(str(reply.status))
        if page is None or reply.file is not None:
            return reply
        if ABSOLUTE.match(page):
            return redirect(302, page)
        if not page.startswith("/"):
            return reply
        if self._apply(page, request.query) != page:
            return unknown("depends on a rule for the error page")
        file = self._folder.file(page)
        return reply if file is None else self._files.serve(file, reply.status)

    def _apply(self, path: str, query: str, *, is_index: bool = False) -> HostedReply | str:
        """Return the reply that the rules give, or the path that they leave.

        ``is_index``: the request was for its folder, so no flag ``R`` applies.
        """
        rewrites = self._rules.rewrites if self._rules.rewrites_apply else []
        if is_index:
            rewrites = [rule for rule in rewrites if rule.status not in REDIRECTS]
        rewritten = self._rewrite(rewrites, path, query)
        if not isinstance(rewritten, str):
            return rewritten
        for rule in self._rules.redirects:
            match = rule.pattern.search(path)
            if match is not None:
                return self._redirect(rule, match, query)
        return rewritten

    def _redirect(self, rule: Rule, match: Match, query: str) -> HostedReply:
        if rule.unread is not None:
            return unknown(rule.unread, rule.name)
        if rule.target is None or rule.status is None:
            return HostedReply(rule.status or 500, rule=rule.name)
        target = _fill(rule.target, match)
        if rule.adds_rest:
            target = rule.target + match[1]
        return redirect(rule.status, _location(target, query), rule.name)

    def _rewrite(self, rules: list[Rule], path: str, query: str) -> HostedReply | str:
        inside = path.removeprefix(f"{self._folder.mount}/")
        for rule in rules:
            match = rule.pattern.search(inside)
            if match is None:
                continue
            if rule.unread is not None:
                return unknown(rule.unread, rule.name)
            if rule.status is not None and rule.status >= 400:
                return HostedReply(rule.status, rule=rule.name)
            if rule.target == "-":
                if rule.is_last:
                    break
                continue
            if not rule.is_last and rule is not rules[-1]:
                return unknown("is changed by several rules of .htaccess", rule.name)
            rewritten = self._rewritten(rule, match, query)
            if rewritten == path and path.endswith("/"):
                return unknown("depends on a rewrite of a folder to itself", rule.name)
            return rewritten
        return path

    def _rewritten(self, rule: Rule, match: Match, query: str) -> HostedReply | str:
        target = _fill(rule.target or "", match)
        is_absolute = ABSOLUTE.match(target) is not None
        if is_absolute or rule.status is not None:
            if not is_absolute and not target.startswith("/"):
                if not self._rules.has_base:
                    return unknown("depends on the folder of the server, without RewriteBase")
                target = f"/{target}"
            return redirect(rule.status or 302, _location(target, query), rule.name)
        target = target.partition("?")[0]
        return target if target.startswith("/") else f"{self._folder.mount}/{target}"


def _path(request: HostedRequest) -> str:
    return re.sub("/+", "/", request.decoded)


def _fill(target: str, match: Match) -> str:
    groups = (match[0], *match.groups())

    def value(reference: re.Match[str]) -> str:
        number = int(reference[1])
        return (groups[number] or "") if number < len(groups) else ""

    return re.sub(r"\$(\d)", value, target)


def _location(target: str, query: str) -> str:
    path, question_mark, own_query = target.partition("?")
    location = encode(path) if ABSOLUTE.match(path) else location_of(path)
    if question_mark:
        return f"{location}?{encode(own_query)}" if own_query else location
    return add_query(location, query)


def _inner_folders(folder: Folder) -> Iterator[EdgePaths]:
    """Yield the paths of folders below the root that have their own ``.htaccess``."""
    for file in folder.root.rglob(".htaccess"):
        inner = file.parent.relative_to(folder.root).as_posix()
        if inner != ".":
            path = re.escape(f"{folder.mount}/{quote(inner)}")
            yield EdgePaths(
                (compile_linear(f"{path}(?:/.*)?"),), "depends on .htaccess of a folder"
            )

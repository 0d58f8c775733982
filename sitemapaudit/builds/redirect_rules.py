"""The redirects of a site, in the order in which the hosting tries them."""

import re
from collections.abc import Callable, Mapping, Sequence
from heapq import merge
from operator import itemgetter
from urllib.parse import parse_qsl, quote_plus

from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.builds.edge import forward
from sitemapaudit.builds.file_server import FileServer
from sitemapaudit.builds.patterns import expand
from sitemapaudit.builds.replies import HostedReply, redirect, unknown
from sitemapaudit.builds.requests import HostedRequest, add_query, encode, path_of, stay_on_host
from sitemapaudit.regexes import Regex


class RedirectRule(Struct, frozen=True):
    """One redirect or rewrite; ``path`` is as written, ``pattern`` matches it.

    ``force``: it also applies where a file exists. ``query``: the parameters that the request must
    have. ``conditions`` are about the visitor, so no folder can know them. ``names`` are those of
    the groups of the pattern that cannot have the name of their placeholder.
    """

    name: str
    path: str
    pattern: Regex
    to: str
    status: int
    host: str | None = None
    scheme: str | None = None
    force: bool = False
    query: Mapping[str, str] = {}
    conditions: tuple[str, ...] = ()
    names: Mapping[str, str] = {}

    def match(self, request: HostedRequest, path: str) -> dict[str, str] | None:
        """Return the values of the placeholders, or None if the rule does not match."""
        if self.host not in (None, request.host) or self.scheme not in (None, request.scheme):
            return None
        values, query = self.path_values(path), self._match_query(request.query)
        if values is None or query is None:
            return None
        return values | {name: query[name] for name in query if name not in values}

    def path_values(self, path: str) -> dict[str, str] | None:
        """Return the values of the placeholders in the path, or None if it does not match."""
        match = self.pattern.fullmatch(path)
        if match is None:
            return None
        groups = match.groupdict().items()
        return {self.names.get(name, name): value or "" for name, value in groups}

    def _match_query(self, query: str) -> dict[str, str] | None:
        if not self.query:
            return {}
        sent = dict(parse_qsl(query, keep_blank_values=True))
        if not sent.keys() >= self.query.keys():
            return None
        values = {}
        for name, wanted in self.query.items():
            if wanted.startswith(":"):
                values[wanted[1:]] = quote_plus(sent[name])
            elif sent[name] != wanted:
                return None
        return values


class RedirectHabits(Struct, frozen=True):
    """The habits of a kind of hosting when it applies redirects."""

    files_win: bool = True
    """A file hides a redirect, unless the redirect is forced."""
    keeps_query: bool = True
    """The query of the request is added to the location."""
    decodes_path: bool = False
    """Rules are compared with the decoded path."""
    fill_in: Callable[[str, Mapping[str, str]], str] = expand
    """Replaces the placeholders of a target by their values."""
    repeats_itself: Callable[[RedirectRule, str], bool] | None = None
    """Says of a redirect and a path whether no redirect applies, because this one would loop."""
    follows_slashes: bool = True
    """A rewrite to a folder serves its index.html, without a redirect to its slash."""
    functions: re.Pattern[str] | None = None
    """The start of the paths at which rewrites find functions."""


class Redirects:
    """Applies the first rule that matches.

    Rules with a literal path are found by it: a site may have thousands, and as many pages.
    """

    def __init__(
        self, rules: Sequence[RedirectRule], habits: RedirectHabits, files: FileServer
    ) -> None:
        self._literal: dict[str, list[tuple[int, RedirectRule]]] = {}
        self._others: list[tuple[int, RedirectRule]] = []
        for number, rule in enumerate(rules):
            if rule.pattern.groups:
                self._others.append((number, rule))
            else:
                self._literal.setdefault(_key(rule.path), []).append((number, rule))
        self._habits = habits
        self._files = files

    def reply(self, request: HostedRequest, found: HostedReply | None) -> HostedReply | None:
        """Return the reply of the rules; ``found`` is that of the files.

        None means that no rule matches, or that the file hides the matching rule.
        """
        path = request.decoded_text if self._habits.decodes_path else request.path
        literal = self._literal.get(_key(path), [])
        for _, rule in merge(literal, self._others, key=itemgetter(0)):
            if self._repeats_itself(rule, path):
                return None
            values = rule.match(request, path)
            if values is not None:
                if found is not None and self._habits.files_win and not rule.force:
                    return None
                return self._apply(rule, values, request)
        return None

    def _repeats_itself(self, rule: RedirectRule, path: str) -> bool:
        repeats_itself = self._habits.repeats_itself
        return repeats_itself is not None and repeats_itself(rule, path)

    def _apply(
        self, rule: RedirectRule, values: dict[str, str], request: HostedRequest
    ) -> HostedReply:
        if rule.conditions:
            return unknown(f"depends on the visitor: {', '.join(rule.conditions)}", rule.name)
        to = self._habits.fill_in(rule.to, values)
        if 300 <= rule.status < 400:
            query = "" if rule.query or not self._habits.keeps_query else request.query
            return redirect(rule.status, add_query(stay_on_host(encode(to)), query), rule.name)
        forwarded = forward(to, self._habits.functions, rule.name)
        return forwarded or self._rewrite(rule, request.with_path(path_of(to)))

    def _rewrite(self, rule: RedirectRule, request: HostedRequest) -> HostedReply:
        found = self._files.find(request)
        if found is not None and found.file is None and self._habits.follows_slashes:
            found = self._files.find(request.with_path(_other_slash(request.path)))
        if found is None or found.status >= 400:
            return replace(self._files.not_found(request), rule=rule.name)
        return replace(
            found, rule=rule.name, status=found.status if rule.status == 200 else rule.status
        )


def _key(path: str) -> str:
    """Return the same key for all paths that some hosting does not distinguish."""
    return re.sub("//+", "/", path).rstrip("/").lower()


def _other_slash(path: str) -> str:
    return path[:-1] if path.endswith("/") else path + "/"

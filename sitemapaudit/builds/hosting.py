"""The base class of all kinds of hosting, and the lookup of a kind by its name."""

from collections.abc import Sequence
from importlib import import_module
from typing import ClassVar

from sitemapaudit.builds import hostings
from sitemapaudit.builds.edge import EdgePaths, find_reason
from sitemapaudit.builds.file_rules import FileRules
from sitemapaudit.builds.file_server import FileServer
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.header_rules import HeaderRule, add_headers
from sitemapaudit.builds.redirect_rules import RedirectHabits, RedirectRule, Redirects
from sitemapaudit.builds.replies import HostedReply, unknown
from sitemapaudit.builds.requests import HostedRequest
from sitemapaudit.builds.rule_file import Problem, RuleFile


class Hosting:
    """A hosting with the files of a build. Each subclass is one kind of hosting.

    A kind states how files answer for URLs. If sites can have their own rules, its constructor
    reads them.
    """

    file_rules: ClassVar[FileRules]
    redirect_habits: ClassVar[RedirectHabits] = RedirectHabits()
    joins_headers: ClassVar[bool] = False
    """A header that two blocks set has both values. Otherwise the later block wins."""

    def __init__(
        self,
        folder: Folder,
        *,
        file_rules: FileRules | None = None,
        files: FileServer | None = None,
        redirects: Sequence[RedirectRule] = (),
        headers: Sequence[HeaderRule] = (),
        edge: Sequence[EdgePaths] = (),
        rule_files: Sequence[RuleFile] = (),
    ) -> None:
        """Serve a folder with the rules that were read from ``rule_files``.

        ``file_rules`` replace those of the kind, for sites that configure them. ``files`` finds
        files by other rules than a ``FileServer`` does.
        """
        self._files = files or FileServer(folder, file_rules or self.file_rules)
        self._redirects = Redirects(redirects, self.redirect_habits, self._files)
        self._headers = headers
        self._edge = edge
        self._rule_files = rule_files

    @property
    def preset(self) -> str | None:
        """The generator for whose builds the hosting has own rules, if it made this build."""
        return None

    def reply(self, request: HostedRequest) -> HostedReply:
        """Return the reply to a request."""
        reason = find_reason(request, self._edge)
        return self.respond(request) if reason is None else unknown(reason)

    def respond(self, request: HostedRequest) -> HostedReply:
        """Return the reply to a request that no code answers."""
        reply = self.serve(request)
        if reply.unknown is not None:
            return reply
        blocks = filter(None, (rule.match(request) for rule in self._headers))
        return add_headers(reply, blocks, joins=self.joins_headers)

    def serve(self, request: HostedRequest) -> HostedReply:
        """Return the reply without the headers that the site adds."""
        found = self._files.find(request)
        return self._redirects.reply(request, found) or found or self._files.not_found(request)

    def problems(self) -> list[Problem]:
        """Return the rules that the hosting ignores, by file and line."""
        problems = (problem for file in self._rule_files for problem in file.problems)
        return sorted(problems, key=lambda problem: (problem.file, problem.line or 0))


def load_hosting(name: str) -> type[Hosting]:
    """Return the kind of hosting of that name; its module is imported only now."""
    module = import_module(f"{hostings.__name__}.{name}")
    (kind,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Hosting) and value is not Hosting
    )
    return kind

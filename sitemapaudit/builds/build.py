"""A build folder, and the replies of its hosting."""

from pathlib import Path

from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.generator import find_generator_of_build
from sitemapaudit.builds.hosting import load_hosting
from sitemapaudit.builds.hostings import hosting_names
from sitemapaudit.builds.replies import HostedReply, unknown
from sitemapaudit.builds.requests import decode, read_request
from sitemapaudit.builds.rule_file import Problem


class Build:
    """The files of a site, served by one kind of hosting."""

    def __init__(self, folder: Path, hosting: str, path: str = "") -> None:
        """Read the rules of the site.

        ``path`` is that of the URL at which the folder is published, without a slash at its end.

        Raises ``ValueError`` for a missing folder and for an unknown hosting; the message
        continues a sentence that begins with the name of the option.
        """
        if hosting not in hosting_names():
            raise ValueError(f"must be one of {', '.join(hosting_names())}, not {hosting!r}")
        if not folder.is_dir():
            raise ValueError(f"must be a folder that exists, not {str(folder)!r}")
        self._folder = Folder(folder, decode(path))
        self._hosting = load_hosting(hosting)(self._folder)

    @property
    def preset(self) -> str | None:
        """The generator for whose builds the hosting has own rules, if it made this build."""
        return self._hosting.preset

    @property
    def generator(self) -> str | None:
        """The known generator that files of the build show, or files of its project."""
        return find_generator_of_build(self._folder)

    @property
    def deployment_fault(self) -> str | None:
        """The rule for which the hosting refuses to publish the build, if there is one."""
        for problem in filter(lambda problem: problem.fails_deployment, self._hosting.problems()):
            line = f", line {problem.line}" if problem.line else ""
            return f"{problem.file.name}{line}: {problem.reason}"
        return None

    def reply(self, host: str, target: str, scheme: str = "https") -> HostedReply:
        """Return the reply to a GET request for a path and its query."""
        request = read_request(host, target, scheme)
        if not self._folder.contains(request.decoded):
            return unknown(f"is outside of {self._folder.mount}/, where the build is published")
        return self._hosting.reply(request)

    def problems(self) -> list[Problem]:
        """Return the lines of the rules that the hosting ignores."""
        return self._hosting.problems()

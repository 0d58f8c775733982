"""The permissions of a robots.txt."""

from protego import Protego

from sitemapaudit.items import Permission
from sitemapaudit.robots.groups import lines_for, read_groups
from sitemapaudit.robots.path_rules import PathRules


class Policy:
    """The rules of one robots.txt, for any agent."""

    def __init__(self, permission: Permission, text: str = "") -> None:
        self.permission = permission
        self._groups = read_groups(text)
        self._rules: dict[str, PathRules] = {}

    def allows(self, url: str, agent: str) -> bool | None:
        """Return whether ``agent`` may fetch a normalized URL; None if that is unknown."""
        if self.permission is Permission.RULES:
            return self._rules_for(agent).allow(url)
        if self.permission is Permission.UNREACHABLE:
            return None
        return self.permission is Permission.ALL

    def crawl_delay(self, agent: str) -> float | None:
        """Return the ``Crawl-delay`` for ``agent`` in seconds; common, but not in RFC 9309."""
        lines = (
            line.text for line in lines_for(self._groups, agent) if line.field.startswith("crawl")
        )
        return Protego.parse("\n".join(["User-agent: *", *lines])).crawl_delay(agent)

    def _rules_for(self, agent: str) -> PathRules:
        """Return the rules of the groups that an agent obeys."""
        if agent not in self._rules:
            self._rules[agent] = PathRules(lines_for(self._groups, agent))
        return self._rules[agent]

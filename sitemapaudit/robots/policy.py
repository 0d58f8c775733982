"""The permissions of a robots.txt: the only place that asks Protego about URLs."""

import re
from typing import Final

from protego import Protego

from sitemapaudit.items import Permission
from sitemapaudit.robots.groups import USAGE_FIELDS, lines_for, read_groups

# Protego also breaks lines at other characters, so these are percent-encoded before it reads the
# file.
_OTHER_BREAKS: Final = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


class Policy:
    """The rules of one robots.txt, for any agent."""

    def __init__(self, permission: Permission, text: str = "") -> None:
        self.permission = permission
        self._groups = read_groups(text)
        self._rules: dict[str, Protego] = {}

    def allows(self, url: str, agent: str) -> bool | None:
        """Return whether ``agent`` may fetch a URL; None if robots.txt was unreachable.

        The longest match wins; in a tie, the URL is allowed (RFC 9309 section 2.2.2).
        """
        if self.permission is Permission.RULES:
            return self._rules_for(agent).can_fetch(url, agent)
        if self.permission is Permission.UNREACHABLE:
            return None
        return self.permission is Permission.ALL

    def crawl_delay(self, agent: str) -> float | None:
        """Return the ``Crawl-delay`` for ``agent`` in seconds; common, but not in RFC 9309."""
        return self._rules_for(agent).crawl_delay(agent)

    def _rules_for(self, agent: str) -> Protego:
        """Return the rules of the groups that an agent obeys."""
        if agent not in self._rules:
            lines = lines_for(self._groups, agent)
            own = (_prepare(line.text) for line in lines if line.field not in USAGE_FIELDS)
            self._rules[agent] = Protego.parse("\n".join(["User-agent: *", *own]))
        return self._rules[agent]


def _prepare(line: str) -> str:
    """Return a line that Protego does not break."""
    return _OTHER_BREAKS.sub(_percent_encode, line)


def _percent_encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())

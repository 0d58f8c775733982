"""The permissions of a robots.txt: the only place that asks Protego about URLs."""

import re
from typing import Final

from protego import Protego

from sitemapaudit.items import Permission
from sitemapaudit.robots.groups import EOL, USAGE_FIELDS

# Protego also breaks lines at other characters, so these are percent-encoded before it reads the
# file.
_OTHER_BREAKS: Final = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")

_AGENT: Final = re.compile(
    r"(\s*user(?:-|\s*)agent(?:\s*:\s*|\s+(?![^#:]*:(?:\s|#|$))))([^#]+)", re.IGNORECASE
)
"""Every form of a User-agent line that Protego accepts: the colon can be missing."""

_NOBODY: Final = "\ue000"
"""Stands for all agents but the one in question: no crawler has this name."""


class Policy:
    """The rules of one robots.txt, for any agent."""

    def __init__(self, permission: Permission, text: str = "") -> None:
        self.permission = permission
        self._text = _prepare(text)
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
        """Return the rules as one agent sees them.

        Protego keeps each rule once for each agent of its group: with thousands of both, that
        takes minutes. So all other agents get the same name.
        """
        if agent not in self._rules:
            lines = (_rename_others(line, agent.lower()) for line in self._text.split("\n"))
            self._rules[agent] = Protego.parse("\n".join(lines))
        return self._rules[agent]


def _prepare(text: str) -> str:
    """Return the lines without those of content usage: Protego would end a group there."""
    lines = (_OTHER_BREAKS.sub(_percent_encode, line) for line in EOL.split(text))
    return "\n".join("" if _is_usage_line(line) else line for line in lines)


def _is_usage_line(line: str) -> bool:
    return line.partition(":")[0].strip().lower() in USAGE_FIELDS


def _percent_encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())


def _rename_others(line: str, agent: str) -> str:
    """Replace the name in the User-agent line of another agent; return other lines unchanged."""
    match = _AGENT.match(line)
    if match is None or match[2].strip().lower().replace("*", "") in agent:
        return line
    return match[1] + _NOBODY

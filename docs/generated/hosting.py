"""The kinds of hosting of a build folder."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from docs.generated.markdown import bullets, contents, table
from sitemapaudit.builds.table import HOSTS, HostRules

_QUESTIONS: Final[Mapping[str, str]] = {
    "html_for_file": "`/file` serves `file.html`",
    "html_for_slash": "`/file/` serves `file.html`",
    "extension": "`/file.html` serves the file",
    "index_name": "`/folder/index.html` serves the file",
    "folder": "`/folder` serves its `index.html`",
    "slash_status": "status of a redirect to a slash",
    "listing_status": "status of a folder without `index.html`",
    "not_found": "where `404.html` is looked for",
    "files_win": "a file hides a redirect",
    "charset": "`Content-Type` of texts has a charset",
}
"""The fields of a kind of hosting that the table shows, and what they say."""


def hosting() -> str:
    """Return how each kind of hosting serves a folder, and where that is documented."""
    head = ("", *HOSTS)
    rows = [
        (text, *(_answer(rules, field) for rules in HOSTS.values()))
        for field, text in _QUESTIONS.items()
    ]
    sources = [f"### {name}\n\n{bullets(map(_link, host.sources))}" for name, host in HOSTS.items()]
    return "\n\n".join([table(head, rows), "## Sources", contents(HOSTS), *sources])


def _answer(rules: HostRules, field: str) -> str:
    return _word(getattr(rules, field)) + ("?" if field in rules.unverified else "")


def _word(value: Any) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _link(url: str) -> str:
    return f"<{url}>"

from __future__ import annotations

import re
from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.preferences import DEFAULTS, Preferences
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL_FAQ


class LocSessionId(RowRule[Entry]):
    """A loc carries a session ID

    When: a parameter of the query, or of the path behind a semicolon, is named jsessionid,
    phpsessid, sid, sessionid, session_id or aspsessionid with anything behind it, in any case
    (`AUDIT_SESSION_NAMES` names others); or the path has an ASP.NET session in parentheses,
    `(S(…))`.

    Why: The address is another one for each visitor: engines find many copies of one page, and
    the session has ended long ago.

    Fix: Remove it.
    """

    severity = Severity.WARNING
    message = "the loc carries the session ID {name}"
    references = (PROTOCOL_FAQ,)

    def __init__(self, preferences: Preferences = DEFAULTS) -> None:
        super().__init__(preferences)
        names = (re.escape(name).replace(r"\*", r"\w*") for name in preferences.session_names)
        self._session = re.compile(
            rf"[?&;]({'|'.join(names) or '(?!)'})=|/\(S\([a-z0-9]{{20,}}\)\)/", re.IGNORECASE
        )

    def check(self, row: Entry) -> Iterator[Finding]:
        match = self._session.search(row.url) if row.url else None
        if match:
            yield self.finding(row, name=match[1] or "(S(…))", loc=row.loc)

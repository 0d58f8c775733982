import re
from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.concerns import has_parameters
from sitemapaudit.rules.needs import Choice
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.rule_options import DEFAULTS, RuleOptions
from sitemapaudit.rules.sources import PROTOCOL_FAQ


class LocSessionId(RowRule[Entry]):
    """loc contains a session ID

    When: a parameter of the query, or of the path after a semicolon, is named jsessionid,
    phpsessid, sid, sessionid or session_id, or its name begins with aspsessionid, in any case
    (`AUDIT_SESSION_PARAMS` sets other names). Or the path contains an ASP.NET session in
    parentheses, `(S(…))`.

    Why: The URL is different for every visitor. Search engines find many copies of one page, and
    the session has ended long ago.

    Fix: Remove the session ID.
    """

    severity = Severity.WARNING
    message = "loc contains a session ID: {parameter}"
    cause = "have a session ID: {parameter}"
    concern = has_parameters
    references = (PROTOCOL_FAQ,)
    depends_on = (Choice("session_params", list),)

    def __init__(self, rule_options: RuleOptions = DEFAULTS) -> None:
        super().__init__(rule_options)
        names = (re.escape(name).replace(r"\*", r"\w*") for name in rule_options.session_params)
        self._session = re.compile(
            rf"[?&;]({'|'.join(names) or '(?!)'})=|/\(S\([a-z0-9]{{20,}}\)\)/", re.IGNORECASE
        )

    def check(self, row: Entry) -> Iterator[Finding]:
        match = self._session.search(row.url) if row.url else None
        if match:
            yield self.finding(row, parameter=match[1] or "(S(…))", loc=row.loc)

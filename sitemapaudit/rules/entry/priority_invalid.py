import re
from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.concerns import has_priority
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import BING, PROTOCOL, SEARCH_CONSOLE, XSD


class PriorityInvalid(RowRule[Entry]):
    """priority is not a number from 0.0 to 1.0

    When: the trimmed priority is not a decimal number, or is below 0.0 or above 1.0. Decimal
    numbers are those of xsd:decimal: 1, 0 and .5 are valid, but 0,5 and 1e-1 are not.

    Why: The schema rejects the file. Google and Bing ignore priority, but report invalid values.

    Fix: Correct the value, or remove the element.
    """

    severity = Severity.WARNING
    message = "priority {priority!r} is not a number from 0.0 to 1.0"
    cause = "have a priority that is not a number from 0.0 to 1.0"
    concern = has_priority
    references = (PROTOCOL, XSD, SEARCH_CONSOLE, BING)

    _decimal = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.priority is None:
            return
        text = row.priority.strip()
        if not self._decimal.fullmatch(text) or not 0 <= float(text) <= 1:
            yield self.finding(row, priority=row.priority)

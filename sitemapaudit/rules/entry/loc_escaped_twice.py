import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.concerns import is_unusual
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, RFC_3986


class LocEscapedTwice(RowRule[Entry]):
    """loc is escaped twice

    When: the path of a loc with a valid URL contains `%25` where the percent sign of an encoded
    space or of an encoded character outside ASCII was encoded again, as in `%25C3%25A9`; or the
    loc contains `&amp;` after its entities are decoded, as in `&amp;amp;`.

    Why: The entry lists another URL than that of the page. Most servers return 404 for it.

    Fix: Percent-encode each URL once, and escape it once for XML. The message has the URL that is
    probably meant.
    """

    severity = Severity.WARNING
    message = "loc is escaped twice; it probably means {once}"
    cause = "have a loc that is escaped twice"
    concern = is_unusual
    references = (RFC_3986, PROTOCOL)

    _encoded = re.compile("(?:%25[0-9a-f]{2})+", re.IGNORECASE)

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.url is None or row.loc is None or not ("%25" in row.loc or "&amp;" in row.loc):
            return
        path, mark, query = row.loc.partition("?")
        once = (self._encoded.sub(_decode, path) + mark + query).replace("&amp;", "&")
        if once != row.loc:
            yield self.finding(row, once=once.strip(), loc=row.loc)


def _decode(match: re.Match[str]) -> str:
    """Return a text that was percent-encoded twice as encoded once, if it is clear that it was."""
    once = match.group().replace("%25", "%")
    try:
        text = unquote_to_bytes(once).decode()
    except UnicodeDecodeError:
        return match.group()
    return match.group() if text.isascii() and " " not in text else once

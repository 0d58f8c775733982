"""``_redirects``: a redirect per line, in several dialects."""

import re
from collections.abc import Callable, Container
from urllib.parse import urlsplit

from sitemapaudit.builds.redirect_rules import RedirectRule
from sitemapaudit.builds.requests import ABSOLUTE
from sitemapaudit.builds.rule_file import MAX_RULES, IgnoredError, RuleFile

ReadRule = Callable[[str, list[str]], RedirectRule]
"""Reads the fields of a line. The first argument is the name of the rule."""


def read_redirects(
    file: RuleFile, read: ReadRule, *, max_rules: int = MAX_RULES
) -> list[RedirectRule]:
    """Read the first ``max_rules`` lines but those that ``read`` rejects by ``IgnoredError``."""
    rules = []
    for count, (number, line) in enumerate(file.lines(), start=1):
        with file.ignoring(number):
            if count > max_rules:
                raise IgnoredError(f"there are more than {max_rules:,} redirects")
            fields = re.sub(r"\s#.*", "", line).split()
            rules.append(read(f"{file.name}:{number}", fields))
    return rules


def is_target(field: str) -> bool:
    """Return whether a field is a path or a URL."""
    return field.startswith("/") or ABSOLUTE.match(field) is not None


def read_status(field: str, supported: Container[int]) -> int:
    """Return the status of a line. Raises ``IgnoredError``."""
    if not field.isdecimal() or int(field) not in supported:
        raise IgnoredError(f"{field!r} is not a supported status")
    return int(field)


def split_source(source: str) -> tuple[str | None, str]:
    """Return the host of a source, None for any host, and its path."""
    if not ABSOLUTE.match(source):
        return None, source
    try:
        parts = urlsplit(source)
    except ValueError as error:
        raise IgnoredError("the URL cannot be parsed") from error
    return parts.hostname, parts.path or "/"

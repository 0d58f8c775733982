"""Paths and targets of Netlify's redirects, as its redirect engine reads them.

The engine is ``netlify-redirector``, which ``netlify dev`` runs; the tests compare these rules with
what it answers.
"""

import re
from collections.abc import Mapping

from sitemapaudit.builds.redirect_rules import RedirectRule
from sitemapaudit.builds.rule_file import IgnoredError
from sitemapaudit.regexes import Regex, compile_linear

_WHOLE_SPLAT = re.compile(r"/:splat(?=$|/.)")


def compile_path(path: str) -> tuple[Regex, dict[str, str]]:
    """Return the pattern of a path, and the names of its groups. Raises ``IgnoredError``.

    A part that begins with a colon is a placeholder, whatever follows: ``:t.html`` has the name
    ``t.html``. Of several with one name, the first has the value; of several splats, too. A part
    that ends with a star is a splat after its letters. A star elsewhere is a letter.
    """
    names: dict[str, str] = {}
    pattern = ""
    parts = path.removeprefix("/").removesuffix("/").split("/")
    if path.strip("/") and "" in parts:
        raise IgnoredError("matches no path: a part of the path is empty")
    for part in filter(None, parts):
        if part == "*":
            pattern += f"(?:/{_group('splat', '.*', names)})?"
        elif part.startswith(":") and len(part) > 1:
            pattern += "/" + _group(part[1:], "[^/]+", names)
        elif part.endswith("*") and "*" not in part[:-1]:
            pattern += f"/{re.escape(part[:-1])}/?{_group('splat', '.*', names)}"
        else:
            pattern += "/" + re.escape(part)
    return compile_linear(pattern + "/?"), names


def _group(name: str, content: str, names: dict[str, str]) -> str:
    if name in names.values():
        return f"(?:{content})"
    key = f"group{len(names)}"
    names[key] = name
    return f"(?P<{key}>{content})"


def fill_in(to: str, values: Mapping[str, str]) -> str:
    """Replace the names of placeholders, wherever they stand; those without a value stay.

    If a name begins with another, the name that comes first in the path counts.
    """
    pattern = "|".join(re.escape(name) for name in filter(None, values))
    return re.sub(f":({pattern})", lambda match: values[match[1]], to) if pattern else to


def repeats_itself(rule: RedirectRule, request: str) -> bool:
    """Return whether no redirect applies to a path, because this one would match its own target.

    The rule must have a splat, and the request must begin as the target does.
    """
    whole_splat = _WHOLE_SPLAT.search(rule.to)
    beginning = rule.to[: whole_splat.start()] if whole_splat else rule.to
    if rule.status == 200 or "splat" not in rule.names.values() or not beginning:
        return False
    values = rule.path_values(request) if request.startswith(beginning) else None
    return values is not None and rule.pattern.fullmatch(fill_in(rule.to, values)) is not None

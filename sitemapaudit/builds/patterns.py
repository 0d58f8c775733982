"""Paths with splats and placeholders, as regular expressions: ``/news/*``, ``/:year/:name``.

The headers of Netlify are matched part by part, and without a slash at the end. Cloudflare matches
letters. Sources: ``packages/headers-parser/src/for_regexp.ts`` of netlify/build, and
``packages/workers-shared/asset-worker/src/utils/rules-engine.ts`` of cloudflare/workers-sdk.
"""

import re
from collections.abc import Mapping
from typing import Final

from sitemapaudit.builds.rule_file import IgnoredError
from sitemapaudit.regexes import Regex, RegexError, compile_linear

SPLAT_OR_PLACEHOLDER: Final = re.compile(r"\*|:[A-Za-z]\w*")
_PLACEHOLDER: Final = re.compile(r":([A-Za-z]\w*)")
_GROUP: Final = re.compile(r"\(\?P<(\w+)>")


def compile_parts(path: str, *, ignore_case: bool = False) -> Regex:
    """Compile a path part by part, without the values of its placeholders.

    A part that begins with a colon is a placeholder, whatever follows. ``/*`` at the end needs no
    slash: ``/news/*`` matches ``/newsletter``. A part with a star is otherwise a regular expression
    in which the star matches everything. Raises IgnoredError.
    """
    pattern = ""
    for part in filter(None, path.split("/")):
        if part == "*":
            pattern += "/?(?:.*)"
        elif part.startswith(":"):
            pattern += "/[^/]+"
        else:
            pattern += "/" + (part.replace("*", "(?:.*)") if "*" in part else re.escape(part))
    return compile_named((pattern or "/") + "/?", ignore_case=ignore_case)


def compile_letters(path: str, inner: str = "[^/]+") -> Regex:
    """Compile a path letter by letter, or a host with another ``inner`` of placeholders.

    Raises IgnoredError for more than one splat, and for a repeated placeholder.
    """
    pattern, end = "", 0
    for match in SPLAT_OR_PLACEHOLDER.finditer(path):
        name, content = ("splat", ".*") if match[0] == "*" else (match[0][1:], inner)
        pattern += f"{re.escape(path[end : match.start()])}(?P<{name}>{content})"
        end = match.end()
    return compile_named(pattern + re.escape(path[end:]))


def compile_named(pattern: str, *, ignore_case: bool = False) -> Regex:
    """Compile a pattern with a group per placeholder. Raises IgnoredError if one is repeated."""
    names = _GROUP.findall(pattern)
    if len(names) > len(set(names)):
        raise IgnoredError("a splat or a placeholder is repeated")
    try:
        return compile_linear(pattern, ignore_case=ignore_case)
    except RegexError as error:
        raise IgnoredError(f"the path cannot be parsed: {error}") from error


def expand(text: str, values: Mapping[str, str]) -> str:
    """Replace placeholders by their values; those without a value stay."""
    return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), text)

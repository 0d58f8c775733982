"""The paths of ``_redirects`` and ``_headers`` as regular expressions: splats and placeholders.

Netlify and GitLab match part by part, and ignore a slash at the end. Cloudflare matches letters.
Sources: for Netlify, ``packages/headers-parser/src/for_regexp.ts`` of netlify/build; for GitLab,
``internal/redirects/matching.go`` of gitlab-pages; for Cloudflare,
``packages/workers-shared/asset-worker/src/utils/rules-engine.ts`` of cloudflare/workers-sdk.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_PLACEHOLDER: Final = re.compile(r":([A-Za-z]\w*)")
_SPLAT_OR_PLACEHOLDER: Final = re.compile(r"\*|:[A-Za-z]\w*")


def compile_parts(path: str, *, ignore_case: bool = False, named: bool = True) -> re.Pattern[str]:
    """Compile a path of Netlify or GitLab; ``re.error`` if a named placeholder is repeated."""
    pattern, has_splat = "", not named
    for part in path.split("/"):
        if part == "*":
            pattern += "(?:/(.*))?" if has_splat else "(?:/(?P<splat>.*))?"
            has_splat = True
        elif _PLACEHOLDER.fullmatch(part):
            pattern += f"/(?P<{part[1:]}>[^/]+)" if named else "/[^/]+"
        elif part:
            pattern += "/" + ".*".join(map(re.escape, part.split("*")))
    return re.compile(pattern + "/?", re.IGNORECASE if ignore_case else 0)


def compile_letters(path: str, inner: str = "[^/]+") -> re.Pattern[str]:
    """Compile a path of Cloudflare, or its host with another ``inner`` of placeholders.

    Raises ``re.error`` for more than one splat, and for a placeholder that is repeated.
    """
    pattern, end = "", 0
    for match in _SPLAT_OR_PLACEHOLDER.finditer(path):
        name, content = ("splat", ".*") if match[0] == "*" else (match[0][1:], inner)
        pattern += f"{re.escape(path[end : match.start()])}(?P<{name}>{content})"
        end = match.end()
    return re.compile(pattern + re.escape(path[end:]))


def literal_path(path: str) -> str | None:
    """Return the path if it has neither a splat nor a placeholder."""
    return None if _SPLAT_OR_PLACEHOLDER.search(path) else path


def expand(text: str, values: Mapping[str, str], default: str | None = None) -> str:
    """Fill in what the placeholders of a path matched; None leaves other placeholders alone."""
    return _PLACEHOLDER.sub(
        lambda match: values.get(match[1], match[0] if default is None else default), text
    )

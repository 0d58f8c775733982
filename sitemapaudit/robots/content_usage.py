"""``Content-Signal`` and ``Content-Usage`` lines of a robots.txt: what they allow, and errors.

Content-Signal is Cloudflare's (contentsignals.org), with the known variant Content-Signals.
Content-Usage is an IETF draft (draft-ietf-aipref-attach). Both are a list of preferences, after an
optional path.
"""

import re
from typing import Final

from msgspec import Struct

_MEMBER: Final = re.compile(r"\s*([A-Za-z*][\w.*-]*)\s*=\s*([^\s,;=]+)\s*(?:;[^,]*)?")

_CATEGORIES: Final = {
    "content-signal": frozenset({"search", "ai-input", "ai-train"}),
    "content-usage": frozenset({"search", "ai-use", "train-ai"}),
}
_VARIANTS: Final = {"content-signals": "content-signal"}
_VALUES: Final = {"content-signal": ("yes", "no"), "content-usage": ("y", "n")}


class UsageLine(Struct, frozen=True):
    """A parsed line: its path, the categories that it allows, and its first error."""

    path: str
    allowed: tuple[str, ...]
    error: str | None


def read_usage(field: str, value: str) -> UsageLine:
    """Read the value of a line; ``field`` is in lower case.

    Unknown categories are ignored, because both formats may add more.
    """
    field = _VARIANTS.get(field, field)
    path, preferences = _split_path(value)
    stated: dict[str, str] = {}
    for member in preferences.split(","):
        match = _MEMBER.fullmatch(member)
        if match is None:
            return UsageLine(path, (), _describe_syntax_error(field, member.strip()))
        category, preference = match[1].lower(), match[2].lower()
        error = _find_error(field, category, preference, stated)
        if error is not None:
            return UsageLine(path, (), error)
        stated[category] = preference
    yes = _VALUES[field][0]
    return UsageLine(path, tuple(name for name, said in stated.items() if said == yes), None)


def _split_path(value: str) -> tuple[str, str]:
    if not value.startswith(("/", "*")):
        return "/", value
    path, _, preferences = value.partition(" ")
    return path, preferences


def _describe_syntax_error(field: str, member: str) -> str:
    yes = _VALUES[field][0]
    expected = f"{member!r} is not a preference such as search={yes}"
    return expected if member else "a preference is missing"


def _find_error(field: str, category: str, preference: str, stated: dict[str, str]) -> str | None:
    yes, no = _VALUES[field]
    if category in _CATEGORIES[field]:
        if preference not in (yes, no):
            return f"{category} is {preference!r}, not {yes} or {no}"
        if stated.get(category, preference) != preference:
            return f"{category} is both {yes} and {no}"
        return None
    for other, categories in _CATEGORIES.items():
        if category in categories:
            return f"{category} belongs to {other.title()}"
    return None

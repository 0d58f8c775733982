"""Codes of languages, scripts and regions.

The grammar of ``hreflang`` is Google's ("Localized versions of your pages"): an ISO 639-1
language, optionally followed by an ISO 15924 script, an ISO 3166-1 alpha-2 region, or both; or
``x-default``. Letter case does not matter.
"""

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files as resources
from typing import Final

X_DEFAULT: Final = "x-default"


@lru_cache(maxsize=4_096)
def find_code_error(code: str) -> str | None:
    """Say why an ``hreflang`` code is invalid; return None if it is valid."""
    if code.lower() == X_DEFAULT:
        return None
    if not code.isascii():  # The Kelvin sign, for example, is a "k" in lower case.
        return "it has a non-ASCII character"
    if "_" in code:
        return "it has an underscore instead of a hyphen"
    language, *rest = code.split("-")
    return _find_language_error(language) or _find_suffix_error(rest)


def is_iso_639(code: str) -> bool:
    """Return whether a lower-case code is an ISO 639 language of two or three letters."""
    if len(code) == 2:
        return code in _languages()
    return len(code) == 3 and code[2] in _long_languages().get(code[:2], "")


def _find_language_error(language: str) -> str | None:
    if language.lower() in _languages():
        return None
    if language.upper() in _regions():
        return f"{language!r} is a region, but the language must come first"
    return f"{language!r} is not an ISO 639-1 language code"


def _find_suffix_error(parts: list[str]) -> str | None:
    rest = list(parts)
    if rest and rest[0].title() in _scripts():
        rest.pop(0)
    if not rest:
        return None
    if rest[0].upper() not in _regions():
        hint = " (the United Kingdom is GB)" if rest[0].upper() == "UK" else ""
        kind = "ISO 15924 script code" if len(rest[0]) == 4 else "ISO 3166-1 alpha-2 region code"
        return f"{rest[0]!r} is not an {kind}{hint}"
    return f"unexpected {rest[1]!r} after the region" if len(rest) > 1 else None


@cache
def _codes() -> Mapping[str, frozenset[str]]:
    """Return the codes of each standard; `make languages` writes the file."""
    # The package can be an egg, which has no files.
    file = resources(__package__) / "language_codes.json"
    stored: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return {standard: frozenset(codes.split()) for standard, codes in stored.items()}


def _languages() -> frozenset[str]:
    return _codes()["ISO 639-1"]


@cache
def _long_languages() -> dict[str, str]:
    """Return the third letters of codes by their first two, with bibliographic codes."""
    return {word[:2]: word[3:] for word in _codes()["ISO 639-2 and 639-3"]}


def _scripts() -> frozenset[str]:
    return _codes()["ISO 15924"]


def _regions() -> frozenset[str]:
    return _codes()["ISO 3166-1"]

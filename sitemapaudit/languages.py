"""Codes of languages, scripts and regions.

The grammar of ``hreflang`` is Google's ("Localized versions of your pages"): a language of
ISO 639-1, then a script of ISO 15924, a region of ISO 3166-1 alpha-2, or
both; or ``x-default``. Case does not matter.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

import pycountry

X_DEFAULT: Final = "x-default"


@lru_cache(maxsize=4_096)
def fault_of(code: str) -> str | None:
    """Say why a code is none that engines know; None if it is one."""
    if code.lower() == X_DEFAULT:
        return None
    if not code.isascii():  # In another case it could be ASCII: the Kelvin sign is a "k".
        return "it holds a character beyond ASCII"
    if "_" in code:
        return "it holds an underscore instead of a hyphen"
    language, *rest = code.split("-")
    return _fault_of_language(language) or _fault_behind_language(rest)


def is_iso_639(code: str) -> bool:
    """Whether a code, in lower case, is a language of ISO 639: two letters, or three."""
    if len(code) == 2:
        return code in _languages()
    return pycountry.languages.get(alpha_3=code) is not None or (
        pycountry.languages.get(bibliographic=code) is not None
    )


def _fault_of_language(language: str) -> str | None:
    if language.lower() in _languages():
        return None
    if language.upper() in _regions():
        return f"{language!r} is a region, and the language comes first"
    return f"{language!r} is no language of ISO 639-1"


def _fault_behind_language(parts: list[str]) -> str | None:
    rest = list(parts)
    if rest and rest[0].title() in _scripts():
        rest.pop(0)
    if not rest:
        return None
    if rest[0].upper() not in _regions():
        hint = " (the United Kingdom is GB)" if rest[0].upper() == "UK" else ""
        kind = "script of ISO 15924" if len(rest[0]) == 4 else "region of ISO 3166-1 alpha-2"
        return f"{rest[0]!r} is no {kind}{hint}"
    return f"{rest[1]!r} follows the region" if len(rest) > 1 else None


@cache
def _languages() -> frozenset[str]:
    codes = (getattr(language, "alpha_2", None) for language in pycountry.languages)
    return frozenset(code for code in codes if code)


@cache
def _scripts() -> frozenset[str]:
    return frozenset(script.alpha_4 for script in pycountry.scripts)


@cache
def _regions() -> frozenset[str]:
    return frozenset(country.alpha_2 for country in pycountry.countries)

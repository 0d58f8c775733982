"""Makes the table of codes of languages, scripts and regions, for the package."""

from collections.abc import Iterable
from importlib.metadata import version
from itertools import groupby
from textwrap import wrap
from typing import Final

import pycountry

from tests.support import PROJECT

FILE: Final = PROJECT / "sitemapaudit" / "language_codes.py"

_TEMPLATE: Final = '''\
"""Codes of languages, scripts and regions.

`make languages` writes this module from pycountry {version}, a copy of Debian's iso-codes: its
version is its date.
"""

from __future__ import annotations

from typing import Final

ISO_639_1: Final = """
{languages}
"""
"""Languages, with two letters."""

ISO_639_2_AND_3: Final = """
{long_languages}
"""
"""Languages, with three letters: the first two, and each third one. Bibliographic codes too."""

ISO_15924: Final = """
{scripts}
"""
"""Scripts."""

ISO_3166_1: Final = """
{regions}
"""
"""Regions, with two letters."""
'''


def two_letter_languages() -> set[str]:
    codes = (getattr(language, "alpha_2", None) for language in pycountry.languages)
    return {code for code in codes if code}


def three_letter_languages() -> set[str]:
    names = ("alpha_3", "bibliographic")
    codes = (getattr(each, name, None) for each in pycountry.languages for name in names)
    return {code for code in codes if code}


def scripts() -> set[str]:
    return {script.alpha_4 for script in pycountry.scripts}


def regions() -> set[str]:
    return {country.alpha_2 for country in pycountry.countries}


def render_table() -> str:
    """Return the text of the module."""
    prefixes = groupby(sorted(three_letter_languages()), lambda code: code[:2])
    return _TEMPLATE.format(
        version=version("pycountry"),
        languages=_lines(two_letter_languages()),
        long_languages=_lines(
            f"{prefix}-{''.join(code[2] for code in codes)}" for prefix, codes in prefixes
        ),
        scripts=_lines(scripts()),
        regions=_lines(regions()),
    )


def _lines(words: Iterable[str]) -> str:
    return "\n".join(wrap(" ".join(sorted(words)), 100, break_on_hyphens=False))


if __name__ == "__main__":
    FILE.write_text(render_table(), encoding="utf-8")

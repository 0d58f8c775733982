"""Makes the table of codes of languages, scripts and regions, for the package."""

import json
from importlib.metadata import version
from itertools import groupby
from typing import Final

import pycountry

from tests.support.paths import PROJECT

FILE: Final = PROJECT / "sitemapaudit" / "language_codes.json"


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
    """Return the text of the file: codes in groups that begin with the same two letters."""
    prefixes = groupby(sorted(three_letter_languages()), lambda code: code[:2])
    codes = {
        "source": f"pycountry {version('pycountry')}, a copy of Debian's iso-codes",
        "ISO 639-1": " ".join(sorted(two_letter_languages())),
        "ISO 639-2 and 639-3": " ".join(
            f"{prefix}-{''.join(code[2] for code in group)}" for prefix, group in prefixes
        ),
        "ISO 15924": " ".join(sorted(scripts())),
        "ISO 3166-1": " ".join(sorted(regions())),
    }
    return json.dumps(codes, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(render_table(), encoding="utf-8")

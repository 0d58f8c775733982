"""The table of codes of languages, scripts and regions is that of pycountry."""

from itertools import product
from string import ascii_lowercase

import pycountry

from sitemapaudit import language_codes
from sitemapaudit.languages import is_iso_639
from tests.language_codes import FILE, render_table


def test_the_table_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == render_table(), "run make languages"


def test_the_table_has_every_code_and_no_other() -> None:
    scripts = {script.alpha_4 for script in pycountry.scripts}
    regions = {country.alpha_2 for country in pycountry.countries}
    assert set(language_codes.ISO_15924.split()) == scripts
    assert set(language_codes.ISO_3166_1.split()) == regions
    for length in (2, 3):
        names = {2: ["alpha_2"], 3: ["alpha_3", "bibliographic"]}[length]
        languages = {getattr(each, name, "") for each in pycountry.languages for name in names}
        words = map("".join, product(ascii_lowercase, repeat=length))
        assert {word for word in words if is_iso_639(word)} == languages - {""}

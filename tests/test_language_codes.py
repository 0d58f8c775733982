"""The table of codes of languages, scripts and regions is that of pycountry."""

from itertools import product
from string import ascii_lowercase

from sitemapaudit.languages import find_code_error, is_iso_639
from tests.language_codes import (
    FILE,
    regions,
    render_table,
    scripts,
    three_letter_languages,
    two_letter_languages,
)


def test_the_table_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == render_table(), "run make languages"


def test_every_code_is_known_and_no_other() -> None:
    pairs, triples = (set(map("".join, product(ascii_lowercase, repeat=n))) for n in (2, 3))
    assert set(filter(is_iso_639, pairs | triples)) == (
        two_letter_languages() | three_letter_languages()
    )
    valid = {f"en-{pair}" for pair in pairs if find_code_error(f"en-{pair}") is None}
    assert valid == {f"en-{region.lower()}" for region in regions()}
    assert not any(find_code_error(f"en-{script}") for script in scripts())

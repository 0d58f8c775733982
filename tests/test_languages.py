"""Codes of languages and regions."""

import pytest

from sitemapaudit.languages import fault_of, is_iso_639


@pytest.mark.parametrize(
    "code",
    [
        "de", "DE", "en-GB", "en-gb", "EN-us", "zh-Hant", "zh-hans-CN", "sr-Latn", "sr-Latn-RS",
        "x-default", "X-Default", "pt-BR", "he", "nb", "es-MX", "de-AT", "ku-Arab-IQ",
    ],
)  # fmt: skip
def test_known_codes(code: str) -> None:
    assert fault_of(code) is None


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("en-UK", "'UK' is no region of ISO 3166-1 alpha-2 (the United Kingdom is GB)"),
        ("en-EU", "'EU' is no region of ISO 3166-1 alpha-2"),
        ("es-419", "'419' is no region of ISO 3166-1 alpha-2"),
        ("en_GB", "it holds an underscore instead of a hyphen"),
        ("GB", "'GB' is a region, and the language comes first"),
        ("jp", "'jp' is a region, and the language comes first"),
        ("eng", "'eng' is no language of ISO 639-1"),
        ("fil", "'fil' is no language of ISO 639-1"),
        ("xx", "'xx' is no language of ISO 639-1"),
        ("", "'' is no language of ISO 639-1"),
        ("english", "'english' is no language of ISO 639-1"),
        ("zh-Abcd", "'Abcd' is no script of ISO 15924"),
        ("en-", "'' is no region of ISO 3166-1 alpha-2"),
        ("en-GB-US", "'US' follows the region"),
        ("en-GB-Latn", "'Latn' follows the region"),
        ("de-Latn-DE-1996", "'1996' follows the region"),
        ("x-defaults", "'x' is no language of ISO 639-1"),
        (" de", "' de' is no language of ISO 639-1"),
        ("*", "'*' is no language of ISO 639-1"),
    ],
)
def test_faults_of_codes(code: str, fault: str) -> None:
    assert fault_of(code) == fault


@pytest.mark.parametrize("code", ["en", "de", "eng", "deu", "ger", "fil", "zh", "cmn"])
def test_languages_of_iso_639(code: str) -> None:
    assert is_iso_639(code)


@pytest.mark.parametrize("code", ["", "xx", "e", "english", "en-us", "EN", "qqq", "uk-"])
def test_what_is_no_language_of_iso_639(code: str) -> None:
    assert not is_iso_639(code)

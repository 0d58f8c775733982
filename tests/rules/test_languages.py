"""Codes of languages, scripts and regions."""

import pytest

from sitemapaudit.languages import find_code_error, is_iso_639


@pytest.mark.parametrize(
    "code",
    [
        "de", "DE", "en-GB", "en-gb", "EN-us", "zh-Hant", "zh-hans-CN", "sr-Latn", "sr-Latn-RS",
        "x-default", "X-Default", "pt-BR", "he", "nb", "es-MX", "de-AT", "ku-Arab-IQ",
    ],
)  # fmt: skip
def test_valid_codes(code: str) -> None:
    assert find_code_error(code) is None


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("en-UK", "'UK' is not an ISO 3166-1 alpha-2 region code (the United Kingdom is GB)"),
        ("en-EU", "'EU' is not an ISO 3166-1 alpha-2 region code"),
        ("es-419", "'419' is not an ISO 3166-1 alpha-2 region code"),
        ("en_GB", "it has an underscore instead of a hyphen"),
        ("GB", "'GB' is a region, but the language must come first"),
        ("jp", "'jp' is a region, but the language must come first"),
        ("eng", "'eng' is not an ISO 639-1 language code"),
        ("fil", "'fil' is not an ISO 639-1 language code"),
        ("xx", "'xx' is not an ISO 639-1 language code"),
        ("", "'' is not an ISO 639-1 language code"),
        ("english", "'english' is not an ISO 639-1 language code"),
        ("zh-Abcd", "'Abcd' is not an ISO 15924 script code"),
        ("en-", "'' is not an ISO 3166-1 alpha-2 region code"),
        ("en-GB-US", "unexpected 'US' after the region"),
        ("en-GB-Latn", "unexpected 'Latn' after the region"),
        ("de-Latn-DE-1996", "unexpected '1996' after the region"),
        ("x-defaults", "'x' is not an ISO 639-1 language code"),
        (" de", "' de' is not an ISO 639-1 language code"),
        ("*", "'*' is not an ISO 639-1 language code"),
    ],
)
def test_invalid_codes(code: str, error: str) -> None:
    assert find_code_error(code) == error


@pytest.mark.parametrize("code", ["en", "de", "eng", "deu", "ger", "fil", "zh", "cmn"])
def test_codes_of_iso_639(code: str) -> None:
    assert is_iso_639(code)


@pytest.mark.parametrize("code", ["", "xx", "e", "english", "en-us", "EN", "qqq", "uk-"])
def test_other_codes_are_not_in_iso_639(code: str) -> None:
    assert not is_iso_639(code)

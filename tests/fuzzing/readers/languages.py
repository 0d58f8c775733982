"""A valid code is ASCII, and is valid in any letter case; an invalid one is explained."""

from sitemapaudit.languages import find_code_error, is_iso_639

WORDS = (
    b"x-default", b"de", b"en-GB", b"zh-Hant", b"zh-Hant-TW", b"sr-Latn", b"UK", b"_", b"-", b"deu",
    b"\xe2\x84\xaa", b"\xc4\xb1", b"\xc3\x9f", b"\xef\xac\x86", b"\0",
)  # fmt: skip


def check(data: bytes) -> None:
    """Check a code."""
    code = data.decode(errors="replace")
    error = find_code_error(code)
    is_iso_639(code.lower())
    if error is None:
        assert code.isascii(), code
        assert find_code_error(code.upper()) is None
        assert find_code_error(code.lower()) is None
    else:
        assert error.strip()

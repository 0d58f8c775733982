"""A code that is known is so in any case, and of ASCII; of another it is said why not."""

from sitemapaudit.languages import fault_of, is_iso_639

WORDS = (
    b"x-default", b"de", b"en-GB", b"zh-Hant", b"zh-Hant-TW", b"sr-Latn", b"UK", b"_", b"-", b"deu",
    b"\xe2\x84\xaa", b"\xc4\xb1", b"\xc3\x9f", b"\xef\xac\x86", b"\0",
)  # fmt: skip


def check(data: bytes) -> None:
    """Judge a code."""
    code = data.decode(errors="replace")
    fault = fault_of(code)
    is_iso_639(code.lower())
    if fault is None:
        assert code.isascii(), code
        assert fault_of(code.upper()) is None
        assert fault_of(code.lower()) is None
    else:
        assert fault.strip()

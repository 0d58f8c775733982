"""Exceptions of requests: those of the network are errors of the site, others are not."""

import json

import pytest

from sitemapaudit.fetching.failures import classify_error, describe_error, translate_error
from sitemapaudit.items import Error

OF_PYTHON = (
    ValueError("not a number"),
    json.JSONDecodeError("no JSON", "", 0),
    UnicodeDecodeError("ascii", b"\xff", 0, 1, "no ASCII"),
    FileNotFoundError(2, "no such file"),
    ConnectionRefusedError("no database"),
    TimeoutError(),
    KeyError("x"),
)


@pytest.mark.parametrize("error", OF_PYTHON, ids=lambda error: type(error).__name__)
def test_an_exception_of_a_component_is_no_error_of_the_site(error: Exception) -> None:
    assert classify_error(error) is Error.INTERNAL


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ValueError("a header"), Error.INVALID_HTTP),
        (ConnectionResetError(), Error.RESET),
        (TimeoutError(), Error.TIMEOUT),
    ],
)
def test_an_exception_of_the_handler_is_one_of_the_network(
    error: Exception, expected: Error
) -> None:
    with pytest.raises(Exception) as raised:  # noqa: PT011 - of several classes
        raise translate_error(error) from error
    assert classify_error(raised.value) is expected


@pytest.mark.parametrize("option", ["default", "<ssl.SSLContext object at 0x7f58085769f0>"])
def test_a_description_has_no_object_of_python(option: str) -> None:
    error = OSError(f"Cannot connect to host proxy.example:3128 ssl:{option} [refused]")
    described = describe_error(error, Error.INTERNAL, 1)
    assert described == "OSError: Cannot connect to host proxy.example:3128 [refused]"

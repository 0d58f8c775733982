"""render-script-error: an exception that nothing caught, unless the browser lacked something."""

from typing import Any

import pytest

from tests.rules.tables import rule_on, tables_of
from tests.support.rows import fetched_page, listed, rendered

RULE = "render-script-error"
URL = "https://www.example.com/a"
ERROR = "TypeError: Cannot read properties of undefined (reading 'price')"


def example() -> list[Any]:
    """Return a page with a script error."""
    page = fetched_page(URL, noindex=False)
    return [listed(URL), page, rendered(page, script_errors=1, script_error=ERROR)]


def test_an_uncaught_exception_is_reported() -> None:
    expected = [(URL, "notice", f"1 script error in the browser: {ERROR}")]
    assert rule_on(tables_of(example(), RULE), RULE) == expected


@pytest.mark.parametrize(
    "values",
    [
        {"console_errors": 2, "console": ["logged"]},
        {"script_errors": 1, "script_error": ERROR, "blocked_requests": 1},
        {
            "script_errors": 1,
            "script_error": ERROR,
            "failed": ["http://10.0.0.1/x.js (the host may not be contacted)"],
        },
    ],
    ids=["logged", "blocked", "not contacted"],
)
def test_other_errors_are_not_reported(values: dict[str, Any]) -> None:
    page = fetched_page(URL, noindex=False)
    assert rule_on(tables_of([listed(URL), page, rendered(page, **values)], RULE), RULE) == []

"""Detects URLs of login pages: a redirect there says nothing about the page."""

import re
from typing import Final

LOGIN: Final = (
    r"[/.](log-?in|sign-?in|sso|auth|oauth2?|saml2?|cas|accounts?/login|wp-login\.php"
    r"|session/new|users/sign_in)([/.?]|$)"
)
"""The pattern of such a URL in lower case, for Python and SQL."""

_LOGIN: Final = re.compile(LOGIN)


def is_login(url: str) -> bool:
    """Return whether a URL looks like that of a login page."""
    return _LOGIN.search(url.lower()) is not None

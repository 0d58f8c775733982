"""Options of single rules, other than their severity."""

from typing import Final

from msgspec import Struct

SESSION_PARAMS: Final = (
    "jsessionid",
    "phpsessid",
    "sid",
    "sessionid",
    "session_id",
    "aspsessionid*",
)


class RuleOptions(Struct, frozen=True):
    """The options that users can set for single rules."""

    session_params: tuple[str, ...] = SESSION_PARAMS
    """Parameters that contain a session ID, in any case; a ``*`` at the end stands for any more."""
    loc_notice_length: int = 0
    """Length of a loc in characters above which there is a notice; 0 means never."""

    slow_seconds: float = 1.8
    """Seconds until the response after which a page is slow; 0 means never."""

    deep_clicks: int = 5
    """Clicks from the home page above which a page is deep; 0 means never."""


DEFAULTS: Final = RuleOptions()

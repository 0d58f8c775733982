"""The title and the logo of a report, from its settings."""

from msgspec import Struct


class Brand(Struct, frozen=True):
    """The title, and the logo as a data URI; empty if there is none."""

    title: str = ""
    logo: str = ""

"""The title, the logo and the color of a report, from its settings."""

from msgspec import Struct


class Brand(Struct, frozen=True):
    """The title, the logo as a data URI, and the color as ``#rrggbb``; empty if there is none."""

    title: str = ""
    logo: str = ""
    color: str = ""

    @property
    def css(self) -> str:
        """The styles of the color, for white pages and paper."""
        if not self.color:
            return ""
        return (
            "@media print, (prefers-color-scheme: light) {"
            f" :root {{ --accent: {self.color}; --link: {self.color}; --focus: {self.color}; }}"
            f" .brand, h1, h2 {{ color: {self.color}; }} }}"
        )

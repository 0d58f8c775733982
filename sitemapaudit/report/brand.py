"""The title and the logo of a report, as its settings give them."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Self

from msgspec import Struct

from sitemapaudit.config.logo import media_type


class Brand(Struct, frozen=True):
    """The title, and the logo as a data URI; empty if there is none."""

    title: str = ""
    logo: str = ""

    @classmethod
    def read(cls, title: str, logo: Path | None) -> Self:
        """Read the file of the logo; raises OSError, or ValueError if it is no picture."""
        if logo is None:
            return cls(title)
        content = logo.read_bytes()
        text = base64.b64encode(content).decode()
        return cls(title, f"data:{media_type(content)};base64,{text}")

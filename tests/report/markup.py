"""What readers and scripts get from the file of a report."""

import html
import json
import re
from typing import Any


def text_of(markup: str) -> str:
    """Return the visible text of the markup."""
    text = re.sub(r"(?s)<(script|style)\b.*?</\1>|<[^>]*>", " ", markup)
    return re.sub(r"\s+", " ", html.unescape(text))


def data_of(markup: str) -> Any:
    found = re.search(r'(?s)id="data">(.*?)</script>', markup)
    assert found is not None
    return json.loads(found[1])

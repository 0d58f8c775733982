"""The color of a report: CSS colors in hexadecimal digits that can be read on white."""

import pytest

from sitemapaudit.config import AuditSettings, ConfigError
from sitemapaudit.config.color import contrast_to_white


@pytest.mark.parametrize(
    ("given", "color"),
    [("", ""), (" #0B57C2 ", "#0b57c2"), ("#06c", "#0066cc"), ("#767676", "#767676")],
)
def test_dark_colors_are_read(given: str, color: str) -> None:
    assert AuditSettings.from_scrapy({"AUDIT_REPORT_COLOR": given}).report_color == color


@pytest.mark.parametrize(
    "given", ["red", "#12", "0b57c2", "#0b57c2; } body { display: none", "rgb(0,0,0)", "#gggggg"]
)
def test_anything_else_is_refused(given: str) -> None:
    with pytest.raises(ConfigError, match=r"^AUDIT_REPORT_COLOR: .* is not a color such as"):
        AuditSettings.from_scrapy({"AUDIT_REPORT_COLOR": given})


@pytest.mark.parametrize(("given", "contrast"), [("#777777", "4.5"), ("#ff0", "1.1")])
def test_light_colors_are_refused(given: str, contrast: str) -> None:
    with pytest.raises(ConfigError, match=rf"too light: its contrast to white is {contrast}, and"):
        AuditSettings.from_scrapy({"AUDIT_REPORT_COLOR": given})


def test_contrasts_are_those_of_the_guidelines() -> None:
    assert round(contrast_to_white("000000"), 6) == 21
    assert contrast_to_white("ffffff") == 1
    assert 4.54 < contrast_to_white("767676") < 4.55

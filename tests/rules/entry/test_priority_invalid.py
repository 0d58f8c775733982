"""priority-invalid: not a decimal number from 0.0 to 1.0."""

import json

import pytest

from tests.rules.sitemap.files import PAGE, entries_of, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "priority-invalid"


def severities_with(more: str) -> list[str]:
    (entry,) = entries_of(urlset(url(more=more)))
    return severities(RULE, entry)


@pytest.mark.parametrize(
    "value",
    ["0.0", "0", "0.5", ".5", "0.", "1", "1.", "1.0", "1.000", "+0.5", "-0.0", "00.5", " 0.5\n"],
)
def test_valid(value: str) -> None:
    assert severities_with(f"<priority>{value}</priority>") == []


@pytest.mark.parametrize("value", ["1.1", "1.0001", "2", "10", "-0.1", "-1", "+1.5", "9" * 400])
def test_out_of_range(value: str) -> None:
    assert severities_with(f"<priority>{value}</priority>") == ["warning"]


@pytest.mark.parametrize(
    "value",
    [
        *("0,5", "high", "1e-1", "1E0", "0x1", "NaN", "inf", "-", ".", "+", "", " ", "0 5"),
        *("0.5.", "50%", "0.5f", "0_1", "--0", "1/2", "\u0660.\u0665", "\uff11"),
    ],
)
def test_not_a_decimal_number(value: str) -> None:
    assert severities_with(f"<priority>{value}</priority>") == ["warning"]


def test_empty_element() -> None:
    assert severities_with("<priority/>") == ["warning"]


@pytest.mark.parametrize("more", ["", "<x:priority xmlns:x='urn:x'>9</x:priority>"])
def test_no_priority(more: str) -> None:
    assert severities_with(more) == []


def test_message_evidence_and_place() -> None:
    _, entry = entries_of(urlset(url(), url(more="<priority>0,5</priority>")))
    (finding,) = found(RULE, entry)
    assert finding.message == "priority '0,5' is not a number from 0.0 to 1.0"
    assert (finding.url, finding.sitemap, finding.position) == (PAGE, SITEMAP, 2)
    assert json.loads(finding.evidence or "") == {"priority": "0,5"}

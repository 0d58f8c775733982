"""changefreq-invalid: not one of the seven allowed values, in lower case."""

import json

import pytest

from tests.rules.sitemap.files import PAGE, entries_of, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "changefreq-invalid"
VALUES = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]


def severities_with(more: str) -> list[str]:
    (entry,) = entries_of(urlset(url(more=more)))
    return severities(RULE, entry)


@pytest.mark.parametrize("value", VALUES)
def test_allowed_values_in_lower_case(value: str) -> None:
    assert severities_with(f"<changefreq>{value}</changefreq>") == []
    assert severities_with(f"<changefreq>\n {value}\t</changefreq>") == []
    assert severities_with(f"<changefreq>{value.title()}</changefreq>") == ["warning"]
    assert severities_with(f"<changefreq>{value.upper()}</changefreq>") == ["warning"]


@pytest.mark.parametrize("value", ["", " ", "day", "annually", "daily,weekly", "daily weekly", "1"])
def test_other_values(value: str) -> None:
    assert severities_with(f"<changefreq>{value}</changefreq>") == ["warning"]


def test_empty_element() -> None:
    assert severities_with("<changefreq/>") == ["warning"]


@pytest.mark.parametrize("more", ["", "<x:changefreq xmlns:x='urn:x'>now</x:changefreq>"])
def test_no_changefreq(more: str) -> None:
    assert severities_with(more) == []


def test_message_evidence_and_place() -> None:
    _, entry = entries_of(urlset(url(), url(more="<changefreq>Daily</changefreq>")))
    (finding,) = found(RULE, entry)
    assert finding.message == "changefreq 'Daily' is not one of the allowed values"
    assert (finding.url, finding.sitemap, finding.position) == (PAGE, SITEMAP, 2)
    assert json.loads(finding.evidence or "") == {"changefreq": "Daily"}

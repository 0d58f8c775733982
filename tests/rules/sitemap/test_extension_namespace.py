"""extension-namespace: an element has a variant of an extension namespace."""

import pytest

from tests.rules.sitemap.files import DECLARATION, NAMESPACE, PAGE, row_of
from tests.support.findings import found, severities

RULE = "extension-namespace"
GOOGLE = "http://www.google.com/schemas"


def body(prefix: str, namespace: str, markup: str) -> str:
    return (
        f'{DECLARATION}<urlset xmlns="{NAMESPACE}" xmlns:{prefix}="{namespace}">'
        f"<url><loc>{PAGE}</loc>{markup}</url></urlset>"
    )


@pytest.mark.parametrize(
    ("prefix", "namespace"),
    [
        ("image", f"{GOOGLE}/sitemap-image/1.1"),
        ("video", f"{GOOGLE}/sitemap-video/1.1"),
        ("news", f"{GOOGLE}/sitemap-news/0.9"),
        ("xhtml", "http://www.w3.org/1999/xhtml"),
        ("pictures", f"{GOOGLE}/sitemap-image/1.1"),
        ("mobile", f"{GOOGLE}/sitemap-mobile/1.0"),
        ("own", "https://www.example.com/own"),
    ],
)
def test_correct_and_unrelated_namespaces(prefix: str, namespace: str) -> None:
    assert severities(RULE, row_of(body(prefix, namespace, f"<{prefix}:image/>"))) == []


@pytest.mark.parametrize(
    ("prefix", "namespace"),
    [
        ("image", "https://www.google.com/schemas/sitemap-image/1.1"),
        ("image", f"{GOOGLE}/sitemap-image/1.1/"),
        ("image", f"{GOOGLE}/sitemap-image/1.0"),
        ("image", "https://www.example.com/own"),
        ("i", "https://www.google.com/schemas/sitemap-image/1.1"),
        ("video", f"{GOOGLE}/sitemap-video/1.0"),
        ("news", f"{GOOGLE}/sitemap-news/1.0"),
        ("xhtml", "https://www.w3.org/1999/xhtml"),
        ("xhtml", "http://www.w3.org/TR/xhtml11/xhtml11_schema.html"),
    ],
)
def test_incorrect_namespaces(prefix: str, namespace: str) -> None:
    (finding,) = found(RULE, row_of(body(prefix, namespace, f"<{prefix}:image/>")))
    assert finding.severity == "error"
    assert finding.message == f"uses the incorrect namespace {namespace} for {prefix}"


def test_an_unused_declaration_is_not_reported() -> None:
    wrong = "https://www.google.com/schemas/sitemap-image/1.1"
    assert severities(RULE, row_of(body("image", wrong, ""))) == []

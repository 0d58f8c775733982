"""Generators are recognized by what their pages say, and each setting corrects rules that exist."""

import fnmatch

import pytest

from sitemapaudit.generators.generator import Setting
from sitemapaudit.generators.recognition import GENERATORS, find_generator, known_name, settings_for
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.urls import normalize
from tests.pages.responses import head, page_of

SETTINGS = [
    (name, setting) for name, generator in GENERATORS.items() for setting in generator.settings
]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<meta name="generator" content="Hugo 0.154.0">', "Hugo 0.154.0"),
        ("<META NAME=' Generator ' CONTENT=' Docusaurus  v3.9.2 '>", "Docusaurus v3.9.2"),
        ('<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.6">', "MkDocs"),
        (
            '<meta name="generator" content="Docutils 0.21.2: https://docutils.sourceforge.io/">',
            "Sphinx",
        ),
        ('<meta name="generator" content="Nikola (getnikola.com)">', "Nikola"),
        (
            "<meta name=generator content='Elementor'><meta name=generator content='WordPress 6'>",
            "WordPress 6",
        ),
        ('<meta name="generator" content="My own program">', "My own program"),
        ('<script src="/_next/static/chunks/main.js" defer></script>', "Next.js"),
        ('<link rel="stylesheet" href="/docs/_astro/index.BX1.css">', "Astro"),
        ('<script type="module" src="/_nuxt/DlAUqK2U.js"></script>', "Nuxt"),
        ('<script src="../_static/documentation_options.js?v=1"></script>', "Sphinx"),
        ('<link rel="stylesheet" href="https://a.example/wp-content/a.css">', "WordPress"),
    ],
)
def test_the_generator_of_a_page(markup: str, expected: str) -> None:
    found = page_of(head(markup)).generator
    assert expected in (found, known_name(found or ""))


def test_other_pages_have_no_generator() -> None:
    assert page_of(head("<p>The folder /_next/static/ has the files.")).generator is None
    assert page_of(head('<meta name="generator" content="">')).generator is None


def test_headers_name_the_generator() -> None:
    assert page_of(head(), "X-Powered-By: Next.js").generator == "Next.js"
    assert page_of(head(), "X-Generator: Drupal 11 (https://www.drupal.org)").generator == "Drupal"
    assert page_of(head(), "X-Powered-By: PHP/8.3").generator is None


def test_a_generator_that_is_named_comes_before_one_that_is_only_seen() -> None:
    assert find_generator(["Gatsby 5.14"], [], ["/_next/static/a.js"]) == "Gatsby 5.14"
    assert find_generator(["Unknown"], [], ["/_next/static/a.js"]) == "Next.js"


def test_enough_generators_and_rules_are_known() -> None:
    rules = [rule for rule in catalog() if settings_for(rule)]
    assert len(GENERATORS) >= 15
    assert len(rules) >= 12


@pytest.mark.parametrize(("name", "setting"), SETTINGS)
def test_each_setting_corrects_rules_and_has_a_source(name: str, setting: Setting) -> None:
    for pattern in setting.rules:
        assert fnmatch.filter(catalog(), pattern), (name, pattern)
    assert normalize(setting.source) is not None
    assert setting.source.startswith("https://")
    assert setting.how[-1] not in ".:"

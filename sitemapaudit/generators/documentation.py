"""Generators of documentation."""

from typing import Final

from sitemapaudit.generators.generator import (
    MOVED,
    NOT_TO_LIST,
    OTHER_FORM,
    OTHER_HOST,
    SAME_DATES,
    Generator,
    Setting,
)

_DOCUSAURUS: Final = "https://docusaurus.io/docs/api"
_DOCUSAURUS_SITEMAP: Final = f"{_DOCUSAURUS}/plugins/@docusaurus/plugin-sitemap"
_VITEPRESS: Final = "https://vitepress.dev"
_MKDOCS: Final = "https://www.mkdocs.org/user-guide/configuration"
_SPHINX: Final = "https://www.sphinx-doc.org/en/master/usage/configuration.html"
_SPHINX_SITEMAP: Final = "https://sphinx-sitemap.readthedocs.io/en/latest"
_CHECKOUT: Final = "https://github.com/actions/checkout#usage"

DOCUMENTATION: Final = (
    Generator(
        "Docusaurus",
        meta=("docusaurus",),
        settings=(
            Setting(
                (*MOVED, *OTHER_FORM),
                "set `trailingSlash` in docusaurus.config.js to `true` or `false`, as the host"
                " serves the pages",
                f"{_DOCUSAURUS}/docusaurus-config#trailingSlash",
            ),
            Setting(
                OTHER_HOST,
                "set `url` and `baseUrl` in docusaurus.config.js to the address of the site",
                f"{_DOCUSAURUS}/docusaurus-config#url",
            ),
            Setting(
                NOT_TO_LIST,
                "add the pages to `ignorePatterns` of the sitemap plugin",
                f"{_DOCUSAURUS_SITEMAP}#ignorePatterns",
            ),
            Setting(
                ("lastmod-missing",),
                "set `lastmod: 'date'` in the options of the sitemap plugin",
                f"{_DOCUSAURUS_SITEMAP}#lastmod",
            ),
            Setting(
                SAME_DATES,
                "dates come from the history of Git: check out all of it, with `fetch-depth: 0` in"
                " GitHub Actions",
                _CHECKOUT,
            ),
            Setting(
                ("priority-identical",),
                "set `priority: null` and `changefreq: null` in the options of the sitemap plugin",
                f"{_DOCUSAURUS_SITEMAP}#configuration",
            ),
        ),
    ),
    Generator(
        "VitePress",
        meta=("vitepress",),
        settings=(
            Setting(
                (*MOVED, "page-not-found", *OTHER_FORM),
                "set `cleanUrls` in .vitepress/config.js to `true` only where the host serves"
                " `/page` from page.html",
                f"{_VITEPRESS}/reference/site-config#cleanurls",
            ),
            Setting(
                OTHER_HOST,
                "set `sitemap.hostname` in .vitepress/config.js to the address of the site, with"
                " its `base`",
                f"{_VITEPRESS}/guide/sitemap-generation",
            ),
            Setting(
                NOT_TO_LIST,
                "remove the pages in `sitemap.transformItems`",
                f"{_VITEPRESS}/guide/sitemap-generation#transformitems-hook",
            ),
            Setting(
                ("lastmod-missing",),
                "set `lastUpdated: true` in .vitepress/config.js",
                f"{_VITEPRESS}/reference/default-theme-last-updated",
            ),
            Setting(
                SAME_DATES,
                "dates come from the history of Git: check out all of it, with `fetch-depth: 0` in"
                " GitHub Actions",
                _CHECKOUT,
            ),
        ),
    ),
    Generator(
        "MkDocs",
        meta=("mkdocs",),
        settings=(
            Setting(
                OTHER_HOST,
                "set `site_url` in mkdocs.yml to the address of the site",
                f"{_MKDOCS}/#site_url",
            ),
            Setting(
                (*MOVED, "page-not-found"),
                "set `use_directory_urls` in mkdocs.yml as the host serves the pages",
                f"{_MKDOCS}/#use_directory_urls",
            ),
            Setting(
                ("canonical-missing", "canonical-relative"),
                "set `site_url` in mkdocs.yml: without it, pages have no canonical",
                f"{_MKDOCS}/#site_url",
            ),
            Setting(
                SAME_DATES,
                "MkDocs writes the date of the build: the plugin git-revision-date-localized writes"
                " that of each page, with `fetch-depth: 0` in GitHub Actions",
                "https://timvink.github.io/mkdocs-git-revision-date-localized-plugin/",
            ),
        ),
    ),
    Generator(
        "Sphinx",
        meta=("docutils", "sphinx"),
        marks=("_static/documentation_options.js",),
        settings=(
            Setting(
                (*OTHER_HOST, "canonical-missing", "canonical-relative"),
                "set `html_baseurl` in conf.py to the address of the site",
                f"{_SPHINX}#confval-html_baseurl",
            ),
            Setting(
                (*MOVED, "page-not-found"),
                "set `sitemap_url_scheme` of sphinx-sitemap in conf.py: by default, each URL has"
                " the language and the version",
                f"{_SPHINX_SITEMAP}/advanced-configuration.html",
            ),
            Setting(
                NOT_TO_LIST,
                "add the pages to `sitemap_excludes` of sphinx-sitemap in conf.py",
                f"{_SPHINX_SITEMAP}/advanced-configuration.html",
            ),
            Setting(
                ("lastmod-missing",),
                "set `sitemap_show_lastmod = True` of sphinx-sitemap in conf.py",
                f"{_SPHINX_SITEMAP}/advanced-configuration.html",
            ),
        ),
    ),
)

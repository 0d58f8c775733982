"""Generators of documentation."""

from typing import Final

from sitemapaudit.generators.generator import (
    MOVED,
    NO_SITEMAP,
    NOT_TO_LIST,
    OTHER_FORM,
    OTHER_HOST,
    SAME_DATES,
    Generator,
    Setting,
    Sign,
    Where,
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
        signs=(
            Sign(
                Where.META,
                "docusaurus",
                "https://github.com/facebook/docusaurus/blob/main/packages/docusaurus/src/ssg/ssgTemplate.html.ts",
            ),
            Sign(Where.PROJECT, "docusaurus.config.js", "https://docusaurus.io/docs/configuration"),
            Sign(Where.PROJECT, "docusaurus.config.ts", "https://docusaurus.io/docs/configuration"),
        ),
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
                ("built-sitemap-undeclared",),
                "write a `Sitemap:` line for each language into static/robots.txt",
                "https://docusaurus.io/docs/seo#robots-file",
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
        signs=(
            Sign(
                Where.META,
                "vitepress",
                "https://github.com/vuejs/vitepress/blob/main/src/node/build/render.ts",
            ),
            Sign(
                Where.FILE,
                "vp-icons.css",
                "https://github.com/vuejs/vitepress/blob/main/src/node/build/build.ts",
            ),
        ),
        settings=(
            Setting(
                (*MOVED, "page-not-found", *OTHER_FORM),
                "set `cleanUrls` in .vitepress/config.js to `true` only where the host serves"
                " `/page` from page.html",
                f"{_VITEPRESS}/reference/site-config#cleanurls",
            ),
            Setting(
                (*OTHER_HOST, *NO_SITEMAP),
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
        signs=(
            Sign(
                Where.META,
                "mkdocs",
                "https://github.com/squidfunk/mkdocs-material/blob/master/material/templates/base.html",
            ),
            Sign(
                Where.COMMENT,
                "mkdocs version",
                "https://github.com/mkdocs/mkdocs/blob/master/mkdocs/themes/mkdocs/base.html",
            ),
            Sign(
                Where.FILE,
                "search/search_index.json",
                "https://github.com/mkdocs/mkdocs/blob/master/mkdocs/contrib/search/__init__.py",
            ),
            Sign(Where.PROJECT, "mkdocs.yml", "https://www.mkdocs.org/user-guide/configuration/"),
            Sign(Where.PROJECT, "mkdocs.yaml", "https://www.mkdocs.org/user-guide/configuration/"),
        ),
        settings=(
            Setting(
                (*OTHER_HOST, "sitemap-no-entries"),
                "set `site_url` in mkdocs.yml to the address of the site",
                f"{_MKDOCS}/#site_url",
            ),
            Setting(
                (*MOVED, *OTHER_FORM, "page-not-found"),
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
        signs=(
            Sign(
                Where.META,
                "docutils",
                "https://github.com/sphinx-doc/sphinx/blob/master/sphinx/themes/basic/layout.html",
            ),
            Sign(
                Where.META,
                "sphinx",
                "https://github.com/sphinx-doc/sphinx/blob/master/sphinx/themes/basic/layout.html",
            ),
            Sign(
                Where.ASSET,
                "_static/documentation_options.js",
                "https://github.com/sphinx-doc/sphinx/blob/master/sphinx/builders/html/__init__.py",
            ),
            Sign(
                Where.FILE,
                "_static/documentation_options.js",
                "https://github.com/sphinx-doc/sphinx/blob/master/sphinx/builders/html/__init__.py",
            ),
        ),
        settings=(
            Setting(
                (*OTHER_HOST, "canonical-missing", "canonical-relative"),
                "set `html_baseurl` in conf.py to the address of the site",
                f"{_SPHINX}#confval-html_baseurl",
            ),
            Setting(
                ("page-not-found",),
                "set `sitemap_url_scheme = '{link}'` of sphinx-sitemap in conf.py: by default, each"
                " URL has the language and the version",
                f"{_SPHINX_SITEMAP}/advanced-configuration.html",
            ),
            Setting(
                (*MOVED, *OTHER_FORM),
                "build with `-b dirhtml`, whose pages end with a slash, where the host removes"
                " `.html`",
                "https://www.sphinx-doc.org/en/master/usage/builders/index.html",
            ),
            Setting(
                NO_SITEMAP,
                "add `sphinx_sitemap` to `extensions` in conf.py, and set `html_baseurl`",
                f"{_SPHINX_SITEMAP}/getting-started.html",
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

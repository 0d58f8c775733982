"""Generators of static sites, such as blogs."""

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

_HUGO: Final = "https://gohugo.io"
_JEKYLL: Final = "https://jekyllrb.com/docs"
_JEKYLL_SITEMAP: Final = "https://github.com/jekyll/jekyll-sitemap"
_HEXO: Final = "https://hexo.io/docs/configuration"
_HEXO_SITEMAP: Final = "https://github.com/hexojs/hexo-generator-sitemap"
_NIKOLA: Final = "https://getnikola.com/handbook.html"
_ELEVENTY: Final = "https://www.11ty.dev/docs"

STATIC_SITES: Final = (
    Generator(
        "Hugo",
        meta=("hugo",),
        settings=(
            Setting(
                OTHER_HOST,
                "set `baseURL` in hugo.toml to the address of the site, and build with `hugo`, not"
                " `hugo server`",
                f"{_HUGO}/configuration/all/#baseurl",
            ),
            Setting(
                ("page-soft-404", "duplicate-content", "built-not-listed", "orphan-*"),
                "add `taxonomy` and `term` to `disableKinds` in hugo.toml, if the site needs no"
                " lists of tags and categories",
                f"{_HUGO}/configuration/all/#disablekinds",
            ),
            Setting(
                NOT_TO_LIST,
                "set `disable = true` under `[sitemap]` in the front matter of the pages",
                f"{_HUGO}/templates/sitemap/",
            ),
            Setting(
                (*SAME_DATES, "lastmod-missing"),
                "set `enableGitInfo = true` in hugo.toml, with `fetch-depth: 0` in GitHub Actions",
                f"{_HUGO}/configuration/all/#enablegitinfo",
            ),
            Setting(
                MOVED,
                "set `uglyURLs` in hugo.toml as the host serves the pages",
                f"{_HUGO}/configuration/ugly-urls/",
            ),
        ),
    ),
    Generator(
        "Jekyll",
        meta=("jekyll",),
        settings=(
            Setting(
                OTHER_HOST,
                "set `url` and `baseurl` in _config.yml, and build with `JEKYLL_ENV=production`"
                " and `jekyll build`",
                f"{_JEKYLL}/configuration/options/",
            ),
            Setting(
                NOT_TO_LIST,
                "set `sitemap: false` in the front matter of the pages",
                f"{_JEKYLL_SITEMAP}#exclusions",
            ),
            Setting(
                MOVED,
                "set `permalink` in _config.yml as the host serves the pages: `pretty` ends them"
                " with a slash",
                f"{_JEKYLL}/permalinks/",
            ),
            Setting(
                (*SAME_DATES, "lastmod-missing"),
                "set `last_modified_at` in the front matter, or use the plugin"
                " jekyll-last-modified-at with `fetch-depth: 0` in GitHub Actions",
                f"{_JEKYLL_SITEMAP}#lastmod-tag",
            ),
        ),
    ),
    Generator(
        "Hexo",
        meta=("hexo",),
        settings=(
            Setting(
                OTHER_HOST,
                "set `url` in _config.yml to the address of the site",
                f"{_HEXO}#URL",
            ),
            Setting(
                ("built-not-listed", "duplicate-content", "page-soft-404", "orphan-*"),
                "set `tags` and `categories` under `sitemap` in _config.yml",
                f"{_HEXO_SITEMAP}#options",
            ),
            Setting(
                NOT_TO_LIST,
                "set `sitemap: false` in the front matter of the pages",
                f"{_HEXO_SITEMAP}#exclude-postspages",
            ),
            Setting(
                (*MOVED, *OTHER_FORM),
                "set `trailing_index` and `trailing_html` under `pretty_urls` in _config.yml",
                f"{_HEXO}#URL",
            ),
        ),
    ),
    Generator(
        "Nikola",
        meta=("nikola",),
        settings=(
            Setting(
                OTHER_HOST,
                "set `SITE_URL` in conf.py to the address of the site",
                _NIKOLA,
            ),
            Setting(
                (*MOVED, *OTHER_FORM),
                "set `PRETTY_URLS` and `STRIP_INDEXES` in conf.py as the host serves the pages",
                _NIKOLA,
            ),
        ),
    ),
    Generator(
        "Eleventy",
        meta=("eleventy",),
        settings=(
            Setting(
                SAME_DATES,
                "set `date: git Last Modified` in the data of the pages, with `fetch-depth: 0` in"
                " GitHub Actions",
                f"{_ELEVENTY}/dates/",
            ),
            Setting(
                NOT_TO_LIST,
                "set `eleventyExcludeFromCollections: true` in the front matter of the pages",
                f"{_ELEVENTY}/collections/#how-to-exclude-content-from-collections",
            ),
            Setting(
                MOVED,
                "set `permalink` in the front matter as the host serves the pages",
                f"{_ELEVENTY}/permalinks/",
            ),
        ),
    ),
)

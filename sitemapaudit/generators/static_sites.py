"""Generators of static sites, such as blogs."""

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

_HUGO: Final = "https://gohugo.io"
_JEKYLL: Final = "https://jekyllrb.com/docs"
_JEKYLL_SITEMAP: Final = "https://github.com/jekyll/jekyll-sitemap"
_HEXO: Final = "https://hexo.io/docs/configuration"
_HEXO_SITEMAP: Final = "https://github.com/hexojs/hexo-generator-sitemap"
_NIKOLA: Final = "https://getnikola.com/handbook.html"
_ELEVENTY: Final = "https://www.11ty.dev/docs"
_PELICAN: Final = "https://docs.getpelican.com/en/latest/settings.html"
_PELICAN_SITEMAP: Final = "https://github.com/pelican-plugins/sitemap"

STATIC_SITES: Final = (
    Generator(
        "Hugo",
        signs=(
            Sign(Where.META, "hugo", "https://gohugo.io/functions/hugo/generator/"),
            Sign(Where.PROJECT, "hugo.toml", "https://gohugo.io/configuration/introduction/"),
            Sign(Where.PROJECT, "hugo.yaml", "https://gohugo.io/configuration/introduction/"),
            Sign(Where.PROJECT, "hugo.json", "https://gohugo.io/configuration/introduction/"),
        ),
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
                (*MOVED, *OTHER_FORM),
                "set `uglyURLs` in hugo.toml as the host serves the pages: `false`, the default,"
                " ends them with a slash",
                f"{_HUGO}/configuration/ugly-urls/",
            ),
        ),
    ),
    Generator(
        "Jekyll",
        signs=(
            Sign(
                Where.META,
                "jekyll",
                "https://github.com/jekyll/jekyll-seo-tag/blob/master/lib/template.html",
            ),
            Sign(
                Where.COMMENT,
                "begin jekyll seo tag",
                "https://github.com/jekyll/jekyll-seo-tag/blob/master/lib/template.html",
            ),
        ),
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
                NO_SITEMAP,
                "add jekyll-sitemap to `plugins` in _config.yml",
                _JEKYLL_SITEMAP,
            ),
            Setting(
                (*MOVED, *OTHER_FORM, "page-not-found"),
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
        signs=(Sign(Where.META, "hexo", "https://hexo.io/docs/configuration#Metadata-elements"),),
        settings=(
            Setting(
                OTHER_HOST,
                "set `url` in _config.yml to the address of the site",
                f"{_HEXO}#URL",
            ),
            Setting(
                NO_SITEMAP,
                "install the plugin hexo-generator-sitemap",
                f"{_HEXO_SITEMAP}#install",
            ),
            Setting(
                ("built-not-listed",),
                "set `enabled: false` under `archive_generator` in _config.yml if the site needs no"
                " archives: the sitemap lists tags and categories, but no archive",
                "https://github.com/hexojs/hexo-generator-archive#options",
            ),
            Setting(
                ("duplicate-content", "page-soft-404", "orphan-*"),
                "set `tags: false` and `categories: false` under `sitemap` in _config.yml",
                f"{_HEXO_SITEMAP}#options",
            ),
            Setting(
                NOT_TO_LIST,
                "set `sitemap: false` in the front matter of the pages",
                f"{_HEXO_SITEMAP}#exclude-postspages",
            ),
            Setting(
                (*MOVED, *OTHER_FORM, "page-not-found"),
                "set `trailing_index` and `trailing_html` under `pretty_urls` in _config.yml",
                f"{_HEXO}#URL",
            ),
        ),
    ),
    Generator(
        "Nikola",
        signs=(
            Sign(
                Where.META,
                "nikola",
                "https://github.com/getnikola/nikola/blob/master/nikola/data/themes/base/templates/base_helper.tmpl",
            ),
        ),
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
        signs=(
            Sign(
                Where.META,
                "eleventy",
                "https://www.11ty.dev/docs/data-eleventy-supplied/#eleventy-variable",
            ),
            Sign(Where.PROJECT, "eleventy.config.js", "https://www.11ty.dev/docs/config/"),
            Sign(Where.PROJECT, "eleventy.config.mjs", "https://www.11ty.dev/docs/config/"),
            Sign(Where.PROJECT, "eleventy.config.cjs", "https://www.11ty.dev/docs/config/"),
            Sign(Where.PROJECT, ".eleventy.js", "https://www.11ty.dev/docs/config/"),
        ),
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
                (*MOVED, *OTHER_FORM, "page-not-found"),
                "set `permalink` in the front matter as the host serves the pages",
                f"{_ELEVENTY}/permalinks/",
            ),
            Setting(
                OTHER_HOST,
                "correct the address in the template of the sitemap, or in the data that it uses,"
                " such as `url` in _data/metadata.js",
                "https://github.com/11ty/eleventy-base-blog",
            ),
            Setting(
                NO_SITEMAP,
                "add a template with the permalink `/sitemap.xml` that lists `collections.all`",
                "https://github.com/11ty/eleventy-base-blog/blob/main/content/sitemap.xml.njk",
            ),
            Setting(
                ("built-not-listed",),
                "set `addAllPagesToCollections: true` under `pagination` in the front matter:"
                " otherwise collections contain only the first page of a template",
                f"{_ELEVENTY}/pagination/",
            ),
        ),
    ),
    Generator(
        "Pelican",
        signs=(
            Sign(
                Where.META,
                "pelican",
                "https://github.com/getpelican/pelican/blob/main/pelican/themes/simple/templates/base.html",
            ),
            Sign(Where.PROJECT, "pelicanconf.py", _PELICAN),
        ),
        settings=(
            Setting(
                OTHER_HOST,
                "set `SITEURL` in publishconf.py to the address of the site, and build with"
                " `pelican content -s publishconf.py`",
                _PELICAN,
            ),
            Setting(
                NO_SITEMAP,
                "install the plugin pelican-sitemap",
                _PELICAN_SITEMAP,
            ),
            Setting(
                NOT_TO_LIST,
                "add regular expressions for the pages to `exclude` of `SITEMAP` in pelicanconf.py",
                _PELICAN_SITEMAP,
            ),
            Setting(
                ("duplicate-content",),
                "set `AUTHOR_SAVE_AS` and `CATEGORY_SAVE_AS` in pelicanconf.py to an empty text, if"
                " the site needs no such lists",
                f"{_PELICAN}#url-settings",
            ),
            Setting(
                (*MOVED, *OTHER_FORM, "page-not-found"),
                "set `ARTICLE_URL` and `PAGE_URL` in pelicanconf.py as the host serves the files"
                " of `ARTICLE_SAVE_AS` and `PAGE_SAVE_AS`",
                f"{_PELICAN}#url-settings",
            ),
        ),
    ),
)

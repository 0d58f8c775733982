"""Frameworks of web applications that also make static sites."""

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

_NEXT: Final = "https://nextjs.org/docs/app/api-reference"
_ASTRO: Final = "https://docs.astro.build/en"
_ASTRO_CONFIG: Final = f"{_ASTRO}/reference/configuration-reference"
_ASTRO_SITEMAP: Final = f"{_ASTRO}/guides/integrations-guide/sitemap"
_GATSBY: Final = "https://www.gatsbyjs.com"
_GATSBY_CONFIG: Final = f"{_GATSBY}/docs/reference/config-files/gatsby-config"
_GATSBY_SITEMAP: Final = f"{_GATSBY}/plugins/gatsby-plugin-sitemap"
_NUXT: Final = "https://nuxtseo.com"
_DJANGO: Final = "https://docs.djangoproject.com/en/stable"

FRAMEWORKS: Final = (
    Generator(
        "Next.js",
        meta=("next.js",),
        marks=("/_next/static/",),
        headers=("next.js",),
        settings=(
            Setting(
                ("canonical-outside-head", "canonical-missing", "agents-disagree"),
                "set `htmlLimitedBots` in next.config.js: other agents get streamed metadata in the"
                " body",
                f"{_NEXT}/config/next-config-js/htmlLimitedBots",
            ),
            Setting(
                (*OTHER_FORM, "canonical-missing", "canonical-offsite", "canonical-relative"),
                "set `metadataBase` to the address of the site, and `alternates.canonical` on each"
                " page: a page without it takes that of its layout",
                f"{_NEXT}/functions/generate-metadata#metadatabase",
            ),
            Setting(
                (*MOVED, "page-not-found"),
                "set `trailingSlash` in next.config.js as the host serves the pages",
                f"{_NEXT}/config/next-config-js/trailingSlash",
            ),
            Setting(
                (*OTHER_HOST, *NOT_TO_LIST),
                "correct the URLs that app/sitemap.ts returns",
                f"{_NEXT}/file-conventions/metadata/sitemap",
            ),
            Setting(
                SAME_DATES,
                "give `lastModified` in app/sitemap.ts the date when each page changed, not"
                " `new Date()`",
                f"{_NEXT}/file-conventions/metadata/sitemap",
            ),
            Setting(
                ("page-soft-404",),
                "call `notFound()` before anything is sent: a page that streams has status 200",
                f"{_NEXT}/functions/not-found",
            ),
        ),
    ),
    Generator(
        "Nuxt",
        meta=("nuxt",),
        marks=("/_nuxt/",),
        headers=("nuxt",),
        settings=(
            Setting(
                OTHER_HOST,
                "set `site.url` in nuxt.config.ts to the address of the site",
                f"{_NUXT}/docs/site-config/getting-started/introduction",
            ),
            Setting(
                (*MOVED, *OTHER_FORM),
                "set `site.trailingSlash` in nuxt.config.ts as the host serves the pages",
                f"{_NUXT}/learn-seo/nuxt/routes-and-rendering/trailing-slashes",
            ),
            Setting(
                NOT_TO_LIST,
                "add the pages to `sitemap.exclude` in nuxt.config.ts, or set `robots: false` for"
                " them in `routeRules`",
                f"{_NUXT}/docs/sitemap/guides/filtering-urls",
            ),
            Setting(
                SAME_DATES,
                "set `sitemap.autoLastmod` in nuxt.config.ts to `false`",
                f"{_NUXT}/docs/sitemap/api/config",
            ),
        ),
    ),
    Generator(
        "Astro",
        meta=("astro", "starlight"),
        marks=("/_astro/",),
        settings=(
            Setting(
                OTHER_HOST,
                "set `site` and `base` in astro.config.mjs to the address of the site",
                f"{_ASTRO_CONFIG}/#site",
            ),
            Setting(
                MOVED,
                "set `trailingSlash` in astro.config.mjs as the host serves the pages",
                f"{_ASTRO_CONFIG}/#trailingslash",
            ),
            Setting(
                ("page-not-found", *MOVED),
                "set `build.format` in astro.config.mjs: `directory` makes page/index.html, `file`"
                " makes page.html",
                f"{_ASTRO_CONFIG}/#buildformat",
            ),
            Setting(
                NOT_TO_LIST,
                "exclude the pages with `filter` of the sitemap integration",
                f"{_ASTRO_SITEMAP}/#filter",
            ),
            Setting(
                (*SAME_DATES, "lastmod-missing"),
                "set the date of each page with `serialize` of the sitemap integration",
                f"{_ASTRO_SITEMAP}/#serialize",
            ),
            Setting(
                ("hreflang-*",),
                "set `i18n` of the sitemap integration: `defaultLocale` and `locales`",
                f"{_ASTRO_SITEMAP}/#i18n",
            ),
        ),
    ),
    Generator(
        "Gatsby",
        meta=("gatsby",),
        settings=(
            Setting(
                OTHER_HOST,
                "set `siteMetadata.siteUrl` in gatsby-config.js to the address of the site",
                _GATSBY_SITEMAP,
            ),
            Setting(
                MOVED,
                "set `trailingSlash` in gatsby-config.js as the host serves the pages",
                f"{_GATSBY_CONFIG}/#trailingslash",
            ),
            Setting(
                NOT_TO_LIST,
                "add the pages to `excludes` of gatsby-plugin-sitemap",
                _GATSBY_SITEMAP,
            ),
            Setting(
                ("priority-identical", "lastmod-missing"),
                "write `lastmod`, and no `priority`, in `serialize` of gatsby-plugin-sitemap",
                _GATSBY_SITEMAP,
            ),
        ),
    ),
    Generator(
        "Django",
        settings=(
            Setting(
                OTHER_HOST,
                "correct the domain of the site in the Sites framework: a new one is example.com",
                f"{_DJANGO}/ref/contrib/sites/",
            ),
            Setting(
                ("loc-scheme-mismatch",),
                "set `protocol = 'https'` of the Sitemap class",
                f"{_DJANGO}/ref/contrib/sitemaps/#django.contrib.sitemaps.Sitemap.protocol",
            ),
            Setting(
                (*SAME_DATES, "lastmod-missing"),
                "return the date when each object changed from `lastmod` of the Sitemap class",
                f"{_DJANGO}/ref/contrib/sitemaps/#django.contrib.sitemaps.Sitemap.lastmod",
            ),
            Setting(
                NOT_TO_LIST,
                "omit the objects in `items` of the Sitemap class",
                f"{_DJANGO}/ref/contrib/sitemaps/#django.contrib.sitemaps.Sitemap.items",
            ),
        ),
    ),
)

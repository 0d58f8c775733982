"""Frameworks of web applications that also make static sites."""

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

_NEXT: Final = "https://nextjs.org/docs/app/api-reference"
_ASTRO: Final = "https://docs.astro.build/en"
_ASTRO_CONFIG: Final = f"{_ASTRO}/reference/configuration-reference"
_ASTRO_SITEMAP: Final = f"{_ASTRO}/guides/integrations-guide/sitemap"
_GATSBY: Final = "https://www.gatsbyjs.com"
_GATSBY_CONFIG: Final = f"{_GATSBY}/docs/reference/config-files/gatsby-config"
_GATSBY_SITEMAP: Final = f"{_GATSBY}/plugins/gatsby-plugin-sitemap"
_NUXT: Final = "https://nuxtseo.com"
_SVELTE: Final = "https://svelte.dev/docs/kit"
_DJANGO: Final = "https://docs.djangoproject.com/en/stable"

FRAMEWORKS: Final = (
    Generator(
        "Next.js",
        signs=(
            Sign(
                Where.META,
                "next.js",
                "https://nextjs.org/docs/app/api-reference/functions/generate-metadata#generator",
            ),
            Sign(
                Where.HEADER,
                "next.js",
                "https://nextjs.org/docs/app/api-reference/config/next-config-js/poweredByHeader",
            ),
            Sign(
                Where.ASSET,
                "/_next/static/",
                "https://nextjs.org/docs/app/api-reference/config/next-config-js/assetPrefix",
            ),
            Sign(Where.FILE, "_next/static", "https://nextjs.org/docs/app/guides/static-exports"),
            Sign(
                Where.PROJECT,
                "next.config.js",
                "https://nextjs.org/docs/app/api-reference/config/next-config-js",
            ),
            Sign(
                Where.PROJECT,
                "next.config.mjs",
                "https://nextjs.org/docs/app/api-reference/config/next-config-js",
            ),
            Sign(
                Where.PROJECT,
                "next.config.ts",
                "https://nextjs.org/docs/app/api-reference/config/next-config-js",
            ),
        ),
        settings=(
            Setting(
                (
                    *("canonical-outside-head", "hreflang-outside-head", "canonical-missing"),
                    "agents-disagree",
                ),
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
                ("built-for-other-host", "staging-origin-leaked"),
                "set `metadataBase` to the address of the site, and correct the URLs that"
                " app/sitemap.ts returns, or `siteUrl` of next-sitemap",
                f"{_NEXT}/functions/generate-metadata#metadatabase",
            ),
            Setting(
                (*OTHER_HOST, *NOT_TO_LIST, *NO_SITEMAP),
                "correct the URLs that app/sitemap.ts returns, or `siteUrl` of next-sitemap",
                f"{_NEXT}/file-conventions/metadata/sitemap",
            ),
            Setting(
                SAME_DATES,
                "give `lastModified` in app/sitemap.ts the date when each page changed, not"
                " `new Date()`; set `autoLastmod: false` of next-sitemap",
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
        signs=(
            Sign(Where.META, "nuxt", "https://nuxt.com/docs/4.x/api/nuxt-config#head"),
            Sign(
                Where.HEADER,
                "nuxt",
                "https://github.com/nuxt/nuxt/blob/main/packages/nitro-server/src/runtime/handlers/renderer.ts",
            ),
            Sign(
                Where.ASSET, "/_nuxt/", "https://nuxt.com/docs/4.x/api/nuxt-config#buildassetsdir"
            ),
            Sign(
                Where.SITEMAP,
                "/__sitemap__/style.xsl",
                "https://github.com/nuxt-modules/sitemap/blob/main/src/module.ts",
            ),
            Sign(Where.FILE, "_nuxt", "https://nuxt.com/docs/4.x/api/nuxt-config#buildassetsdir"),
            Sign(Where.PROJECT, "nuxt.config.ts", "https://nuxt.com/docs/4.x/api/nuxt-config"),
            Sign(Where.PROJECT, "nuxt.config.js", "https://nuxt.com/docs/4.x/api/nuxt-config"),
        ),
        settings=(
            Setting(
                NO_SITEMAP,
                "add @nuxtjs/sitemap to `modules` in nuxt.config.ts, and set `site.url`",
                f"{_NUXT}/docs/sitemap/getting-started/installation",
            ),
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
        signs=(
            Sign(
                Where.META,
                "astro",
                "https://docs.astro.build/en/reference/api-reference/#generator",
            ),
            Sign(
                Where.META,
                "starlight",
                "https://github.com/withastro/starlight/blob/main/packages/starlight/utils/head.ts",
            ),
            Sign(
                Where.ASSET,
                "/_astro/",
                "https://docs.astro.build/en/reference/configuration-reference/#buildassets",
            ),
            Sign(
                Where.FILE,
                "_astro",
                "https://docs.astro.build/en/reference/configuration-reference/#buildassets",
            ),
            Sign(
                Where.PROJECT,
                "astro.config.mjs",
                "https://docs.astro.build/en/guides/configuring-astro/",
            ),
            Sign(
                Where.PROJECT,
                "astro.config.ts",
                "https://docs.astro.build/en/guides/configuring-astro/",
            ),
            Sign(
                Where.PROJECT,
                "astro.config.js",
                "https://docs.astro.build/en/guides/configuring-astro/",
            ),
        ),
        settings=(
            Setting(
                OTHER_HOST,
                "set `site` and `base` in astro.config.mjs to the address of the site",
                f"{_ASTRO_CONFIG}/#site",
            ),
            Setting(
                (*MOVED, *OTHER_FORM, "page-not-found"),
                "set `trailingSlash` and `build.format` in astro.config.mjs as the host serves the"
                " pages: `always` and `directory` for page/index.html, `never` and `file` for"
                " page.html",
                f"{_ASTRO_CONFIG}/#buildformat",
            ),
            Setting(
                NO_SITEMAP,
                "add `sitemap()` of @astrojs/sitemap to `integrations` in astro.config.mjs, and set"
                " `site`",
                f"{_ASTRO_SITEMAP}/",
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
        signs=(
            Sign(
                Where.META,
                "gatsby",
                "https://github.com/gatsbyjs/gatsby/blob/master/packages/gatsby/cache-dir/static-entry.js",
            ),
            Sign(
                Where.FILE,
                "page-data/app-data.json",
                "https://www.gatsbyjs.com/docs/how-to/performance/caching/",
            ),
            Sign(
                Where.PROJECT,
                "gatsby-config.js",
                "https://www.gatsbyjs.com/docs/reference/config-files/gatsby-config/",
            ),
            Sign(
                Where.PROJECT,
                "gatsby-config.ts",
                "https://www.gatsbyjs.com/docs/reference/config-files/gatsby-config/",
            ),
            Sign(
                Where.PROJECT,
                "gatsby-config.mjs",
                "https://www.gatsbyjs.com/docs/reference/config-files/gatsby-config/",
            ),
        ),
        settings=(
            Setting(
                (*OTHER_HOST, *NO_SITEMAP),
                "set `siteMetadata.siteUrl` in gatsby-config.js to the address of the site, and add"
                " gatsby-plugin-sitemap to `plugins`",
                _GATSBY_SITEMAP,
            ),
            Setting(
                (*MOVED, *OTHER_FORM),
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
        "SvelteKit",
        signs=(
            Sign(Where.ASSET, "_app/immutable/", f"{_SVELTE}/configuration#appDir"),
            Sign(Where.FILE, "_app/immutable", f"{_SVELTE}/configuration#appDir"),
        ),
        settings=(
            Setting(
                (*MOVED, *OTHER_FORM, "page-not-found"),
                "set `trailingSlash` in src/routes/+layout.js as the host serves the pages:"
                " `'always'` makes page/index.html, `'never'` page.html",
                f"{_SVELTE}/page-options#trailingSlash",
            ),
            Setting(
                (*OTHER_HOST, *NO_SITEMAP, "built-not-listed"),
                "correct the URLs that src/routes/sitemap.xml/+server.js returns",
                f"{_SVELTE}/seo#Manual-setup-Sitemaps",
            ),
        ),
    ),
    Generator(
        "Django",
        signs=(),
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

"""Content management systems."""

from typing import Final

from sitemapaudit.generators.generator import (
    MOVED,
    NOT_TO_LIST,
    OTHER_FORM,
    OTHER_HOST,
    Generator,
    Setting,
)

_WORDPRESS: Final = "https://wordpress.org/documentation/article"
_SITEMAPS: Final = (
    "https://make.wordpress.org/core/2020/07/22/new-xml-sitemaps-functionality-in-wordpress-5-5/"
)
_YOAST: Final = "https://yoast.com/help"
_DRUPAL: Final = "https://www.drupal.org/project/simple_sitemap"
_GHOST: Final = "https://docs.ghost.org/config"

CONTENT_SYSTEMS: Final = (
    Generator(
        "WordPress",
        meta=("wordpress",),
        marks=(
            "/wp-content/",
            "/wp-includes/",
        ),
        settings=(
            Setting(
                OTHER_HOST,
                "Settings, General: correct the WordPress address and the site address",
                f"{_WORDPRESS}/settings-general-screen/",
            ),
            Setting(
                ("noindex-*", "page-blocked-by-robots"),
                "Settings, Reading: clear “Discourage search engines from indexing this site”",
                f"{_WORDPRESS}/settings-reading-screen/",
            ),
            Setting(
                ("noindex-*", "page-soft-404", "built-not-listed"),
                "with Yoast SEO: switch off “Show in search results” for the content type or"
                " taxonomy, which also removes it from the sitemap",
                f"{_YOAST}/how-do-i-noindex-urls/",
            ),
            Setting(
                (*OTHER_FORM, "canonical-offsite", "canonical-to-*"),
                "with Yoast SEO: correct the canonical URL in the advanced part of each page",
                f"{_YOAST}/canonical-urls-in-wordpress-seo/",
            ),
            Setting(
                (*MOVED, "page-not-found"),
                "Settings, Permalinks: save the structure again, as the server serves the pages",
                f"{_WORDPRESS}/settings-permalinks-screen/",
            ),
            Setting(
                NOT_TO_LIST,
                "remove posts, taxonomies or users with the filters of the sitemaps, such as"
                " `wp_sitemaps_posts_query_args`",
                _SITEMAPS,
            ),
        ),
    ),
    Generator(
        "Drupal",
        meta=("drupal",),
        headers=("drupal",),
        settings=(
            Setting(
                OTHER_HOST,
                "Simple XML Sitemap, Settings: set the default base URL, and generate again",
                _DRUPAL,
            ),
            Setting(
                NOT_TO_LIST,
                "Simple XML Sitemap, Inclusion: exclude content types or single pages",
                _DRUPAL,
            ),
        ),
    ),
    Generator(
        "Ghost",
        meta=("ghost",),
        settings=(
            Setting(
                OTHER_HOST,
                "set `url` in config.production.json to the address of the site, with https",
                f"{_GHOST}/#url",
            ),
            Setting(
                (*OTHER_FORM, "canonical-offsite", "canonical-to-*"),
                "correct the canonical URL in the settings of each post",
                "https://ghost.org/help/post-settings/",
            ),
        ),
    ),
)

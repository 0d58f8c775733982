"""How each host maps URLs to files: one row per host, each with its source.

``MEASURED`` is the matrix of the trailing slash guide at commit 9a184c7; it gives paths, and no
status of a redirect. A field that no source confirms is named in ``unverified``. Locations are
paths here; nginx and GitHub send them with the scheme and the host.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

MEASURED: Final = "https://github.com/slorber/trailing-slash-guide"
_ANSWERS: Final = "https://qask.org/server/2023/06/20"
_CLOUDFLARE: Final = "https://github.com/cloudflare/workers-sdk/blob/main/packages"
_GITHUB: Final = "https://docs.github.com/en/pages/getting-started-with-github-pages"
_GITLAB: Final = "https://gitlab.com/gitlab-org/gitlab-pages/-/blob/master"


class Served(Enum):
    """What a host does with a URL that means a file by another name."""

    NO = "no"
    DIRECTLY = "directly"
    BY_REDIRECT = "by redirect"


class NotFoundPage(Enum):
    """Where a host looks for the 404.html of a URL."""

    NONE = "none"
    ROOT = "root"
    NEAREST = "nearest"


class HostRules(Struct, frozen=True):
    """A row of the table; its examples are file.html, folder/index.html, both.html and both/."""

    name: str
    sources: tuple[str, ...]
    html_for_file: bool
    """``/file`` gives file.html."""
    html_for_slash: Served
    """``/file/`` gives file.html, or redirects to ``/file``."""
    extension: Served
    """``/file.html`` gives the file, or redirects to ``/file``."""
    index_name: Served
    """``/folder/index.html`` gives the file, or redirects to ``/folder/``."""
    folder: Served
    """``/folder`` gives its index.html, or redirects to ``/folder/``."""
    slash_status: int
    """The status of these redirects."""
    not_found: NotFoundPage
    folder_needs_index: bool = True
    """``/folder`` only redirects if it has an index.html."""
    folder_first: bool = False
    """Where file and folder have one name, the folder hides the file."""
    slash_prefers_file: bool = False
    """``/both/`` means both.html, not both/index.html."""
    listing_status: int = 404
    """The status of ``/folder/`` without index.html."""
    single_page: bool = False
    """Without any 404.html, every other URL gives the index.html of the root, with 200."""
    location_has_host: bool = False
    """The location of a folder begins with two slashes and the host."""
    charset: bool = True
    """The content type of texts ends with a charset."""
    merges_slashes: bool = False
    """``//file`` is ``/file``."""
    files_win: bool = True
    """A file hides a redirect, unless the redirect is forced."""
    hidden: frozenset[str] = frozenset()
    """Names in the root that are not served."""
    hidden_anywhere: frozenset[str] = frozenset()
    """Names in all folders that are not served, with all that is in them."""
    unverified: tuple[str, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether sources confirm the entire row."""
        return not self.unverified


_PLAIN: Final = HostRules(
    # nginx and Apache as they come: index.html for a folder, after a redirect to its slash.
    name="plain",
    sources=(
        "https://nginx.org/en/docs/http/ngx_http_index_module.html",
        "https://httpd.apache.org/docs/2.4/mod/mod_dir.html#directoryslash",
    ),
    html_for_file=False,
    html_for_slash=Served.NO,
    extension=Served.DIRECTLY,
    index_name=Served.DIRECTLY,
    folder=Served.BY_REDIRECT,
    slash_status=301,
    not_found=NotFoundPage.NONE,
    folder_needs_index=False,
    charset=False,
    merges_slashes=True,
    # A server may also answer 403, or list the files.
    unverified=("listing_status",),
)

_NETLIFY: Final = HostRules(
    name="netlify",
    sources=(
        # The guide has 200 for /file.html, where others read of a redirect.
        MEASURED,
        # 301 to /folder/, and to /file.
        "https://github.com/dillonkearns/elm-pages/issues/340",
        "https://github.com/opennextjs/opennextjs-netlify/issues/256",
        "https://docs.netlify.com/routing/redirects/redirect-options/#trailing-slash",
        "https://docs.netlify.com/routing/redirects/redirect-options/#custom-404-page-handling",
    ),
    html_for_file=True,
    html_for_slash=Served.BY_REDIRECT,
    extension=Served.DIRECTLY,
    index_name=Served.DIRECTLY,
    folder=Served.BY_REDIRECT,
    slash_status=301,
    not_found=NotFoundPage.ROOT,
    slash_prefers_file=True,
    hidden=frozenset({"_redirects", "_headers"}),
    unverified=("hidden", "folder_needs_index", "listing_status"),
)

_VERCEL: Final = HostRules(
    # cleanUrls and trailingSlash redirect before any file is looked up: see vercel_config.py.
    name="vercel",
    sources=(
        MEASURED,
        "https://vercel.com/docs/project-configuration/vercel-json",
        "https://github.com/vercel/vercel/blob/main/packages/routing-utils/src/superstatic.ts",
    ),
    html_for_file=False,
    html_for_slash=Served.NO,
    extension=Served.DIRECTLY,
    index_name=Served.DIRECTLY,
    folder=Served.DIRECTLY,
    slash_status=308,
    not_found=NotFoundPage.ROOT,
    hidden=frozenset({"vercel.json"}),
    unverified=("hidden", "listing_status"),
)

_ROWS: Final = (
    _PLAIN,
    HostRules(
        # `error_page 404 /404.html` and `try_files $uri $uri.html $uri/ =404`: files before
        # folders, which the index module then redirects to the slash.
        name="nginx",
        sources=(
            "https://nextjs.org/docs/app/guides/static-exports#deploying",
            "https://nginx.org/en/docs/http/ngx_http_core_module.html#try_files",
            "https://nginx.org/en/docs/http/ngx_http_core_module.html#merge_slashes",
            # 301 for any folder, then 403 if it has no index.html.
            f"{_ANSWERS}/what-is-the-difference-beween-uri-and-uri-in-the-try_files-directive",
        ),
        html_for_file=True,
        html_for_slash=Served.NO,
        extension=Served.DIRECTLY,
        index_name=Served.DIRECTLY,
        folder=Served.BY_REDIRECT,
        slash_status=301,
        not_found=NotFoundPage.ROOT,
        folder_needs_index=False,
        listing_status=403,
        charset=False,
        merges_slashes=True,
    ),
    HostRules(
        name="github",
        sources=(
            MEASURED,
            # 301 for any folder, then 404 if it has no index.html.
            "https://github.com/isaacs/github/issues/289",
            f"{_GITHUB}/creating-a-custom-404-page-for-your-github-pages-site",
        ),
        html_for_file=True,
        html_for_slash=Served.NO,
        extension=Served.DIRECTLY,
        index_name=Served.DIRECTLY,
        folder=Served.BY_REDIRECT,
        slash_status=301,
        not_found=NotFoundPage.ROOT,
        folder_needs_index=False,
        hidden_anywhere=frozenset({".git"}),
        unverified=("hidden_anywhere",),
    ),
    HostRules(
        name="gitlab",
        sources=(
            "https://docs.gitlab.com/user/project/pages/introduction/#resolving-ambiguous-urls",
            f"{_GITLAB}/internal/serving/disk/reader.go",
        ),
        html_for_file=True,
        html_for_slash=Served.DIRECTLY,
        extension=Served.DIRECTLY,
        index_name=Served.DIRECTLY,
        folder=Served.BY_REDIRECT,
        slash_status=302,
        not_found=NotFoundPage.ROOT,
        folder_needs_index=False,
        folder_first=True,
        location_has_host=True,
    ),
    _NETLIFY,
    HostRules(
        name="cloudflare",
        sources=(
            MEASURED,
            "https://developers.cloudflare.com/pages/configuration/serving-pages/",
            f"{_CLOUDFLARE}/pages-shared/asset-server/handler.ts",
            f"{_CLOUDFLARE}/wrangler/src/pages/validate.ts",
        ),
        html_for_file=True,
        html_for_slash=Served.BY_REDIRECT,
        extension=Served.BY_REDIRECT,
        index_name=Served.BY_REDIRECT,
        folder=Served.BY_REDIRECT,
        slash_status=308,
        not_found=NotFoundPage.NEAREST,
        single_page=True,
        files_win=False,
        hidden=frozenset({"_redirects", "_headers", "_routes.json", "_worker.js", "functions"}),
        hidden_anywhere=frozenset({".git", ".DS_Store", "node_modules"}),
    ),
    _VERCEL,
)

HOSTS: Final = {row.name: row for row in _ROWS}
HOSTINGS: Final = tuple(HOSTS)
"""The names of the hosts."""

NETLIFY_WITHOUT_PRETTY_URLS: Final = replace(
    _NETLIFY,
    name="netlify without pretty URLs",
    html_for_slash=Served.DIRECTLY,
    folder=Served.DIRECTLY,
    slash_prefers_file=False,
    unverified=("hidden", "listing_status", "slash_prefers_file"),
)
VERCEL_CLEAN_URLS: Final = replace(
    _VERCEL,
    name="vercel with cleanUrls",
    html_for_file=True,
    html_for_slash=Served.DIRECTLY,
    slash_prefers_file=True,
    unverified=("hidden", "listing_status", "slash_prefers_file"),
)

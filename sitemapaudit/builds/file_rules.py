"""The rules from URLs to files in which kinds of hosting differ.

The URLs are those of file.html, folder/index.html, both.html and both/index.html. The trailing
slash guide measured them (https://github.com/slorber/trailing-slash-guide, at commit 9a184c7): it
has the paths, and no status of a redirect. Locations are paths here; nginx and GitHub send them
with the scheme and the host.
"""

from enum import Enum

from msgspec import Struct


class Served(Enum):
    """The reply to a URL that means a file by another name."""

    NO = "no"
    DIRECTLY = "directly"
    BY_REDIRECT = "by redirect"


class NotFoundPage(Enum):
    """The place where a hosting looks for the 404.html of a URL."""

    NONE = "none"
    ROOT = "root"
    NEAREST = "nearest"


class FileRules(Struct, frozen=True):
    """The rules of one kind of hosting, as it deviates from the most common ones."""

    html_for_file: bool = True
    """``/file`` gives file.html."""
    html_for_slash: Served = Served.NO
    """``/file/`` gives file.html, or redirects to ``/file``."""
    extension: Served = Served.DIRECTLY
    """``/file.html`` gives the file, redirects to ``/file``, or is not found."""
    index_name: Served = Served.DIRECTLY
    """``/folder/index.html`` gives the file, or redirects to ``/folder/``."""
    folder: Served = Served.BY_REDIRECT
    """``/folder`` gives its index.html, or redirects to ``/folder/``."""
    slash_status: int = 301
    """The status of these redirects."""
    not_found: NotFoundPage = NotFoundPage.ROOT
    folder_needs_index: bool = True
    """``/folder`` only redirects if it has an index.html."""
    folder_first: bool = False
    """The folder hides a file of the same name."""
    slash_prefers_file: bool = False
    """``/both/`` means both.html, not both/index.html."""
    listing_status: int = 404
    """The status of ``/folder/`` without index.html."""
    single_page: bool = False
    """Without any 404.html, every other URL gives the index.html of the root, with 200."""
    location_has_host: bool = False
    """Locations begin with two slashes and the host."""
    charset: bool = True
    """The content type of texts ends with a charset."""
    resolves_decoded: bool = False
    """``//file`` is ``/file``, and so is ``/a%2F../file``."""
    index_names: tuple[str, ...] = ("index.html",)
    """The names of the index files of folders; the first that exists counts."""
    other_index: str | None = None
    """The name of an index file that some servers know, depending on a setting."""
    hidden: frozenset[str] = frozenset()
    """Names in the root that are not served."""
    hidden_anywhere: frozenset[str] = frozenset()
    """Names in all folders that are not served, nor anything below them."""

import re
from collections.abc import Mapping
from typing import Final

from sitemapaudit.builds.edge import own_paths
from sitemapaudit.builds.file_rules import FileRules, Served
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.hosting import Hosting
from sitemapaudit.builds.patterns import compile_named
from sitemapaudit.builds.redirect_rules import RedirectHabits, RedirectRule
from sitemapaudit.builds.redirects_file import (
    is_target,
    read_redirects,
    read_status,
    split_source,
)
from sitemapaudit.builds.rule_file import IgnoredError, RuleFile
from sitemapaudit.regexes import Regex

MAX_RULES: Final = 1_000
"""Rules that are read, unless the instance is configured otherwise."""

MAX_BYTES: Final = 64 * 1024
"""Size of the file; a larger one has no rules."""

MAX_PARTS: Final = 25
"""Parts of a path or a target (``maxPathSegments``)."""

_STATUSES: Final = frozenset({200, 301, 302})


_PLACEHOLDER: Final = re.compile(":([A-Za-z]+)")


def _fill_in(to: str, values: Mapping[str, str]) -> str:
    """Replace placeholders, which are letters, and slashes that follow each other."""
    filled = _PLACEHOLDER.sub(lambda match: values.get(match[1], ""), to)
    return re.sub("(?<!:)//+", "/", filled)


def _compile_path(path: str) -> Regex:
    """Compile a path as ``matchesRule`` of gitlab-pages does. Raises ``IgnoredError``.

    A splat is a whole part, and needs no slash before it: ``/news/*`` matches ``/newsletter``. A
    placeholder is a whole part of letters.
    """
    pattern = ""
    for part in filter(None, path.split("/")):
        if part == "*":
            pattern += "/*(?P<splat>.*)/*"
        elif match := _PLACEHOLDER.fullmatch(part):
            pattern += f"/+(?P<{match[1]}>[^/]+)"
        else:
            pattern += "/+" + re.escape(part)
    return compile_named(pattern + "/*", ignore_case=True)


class GitLab(Hosting):
    """GitLab Pages: URLs without `.html`, `404.html`, `_redirects`.

    `/page` and `/page/` give `page.html`, unless there is a folder of that name. Every folder
    redirects to its slash with 302, and gives 404 if it has no `index.html`.

    Files win over redirects. A redirect drops the query of the request. `/_redirects` is GitLab's
    own report about the file. If the site is below a path, such as `/project/`, the paths in
    `_redirects` begin with it.

    Sources:

    - <https://docs.gitlab.com/user/project/pages/introduction/#resolving-ambiguous-urls>
    - <https://docs.gitlab.com/user/project/pages/redirects/>
    - <https://gitlab.com/gitlab-org/gitlab-pages/-/blob/master/internal/serving/disk/reader.go>
      (`tryRedirects`: files first, and only the path of a location)
    - <https://gitlab.com/gitlab-org/gitlab-pages/-/tree/master/internal/redirects>
    """

    file_rules = FileRules(
        html_for_slash=Served.DIRECTLY,
        slash_status=302,
        folder_needs_index=False,
        folder_first=True,
        location_has_host=True,
    )
    redirect_habits = RedirectHabits(keeps_query=False, decodes_path=True, fill_in=_fill_in)

    def __init__(self, folder: Folder) -> None:
        file = RuleFile(folder, "_redirects")
        super().__init__(
            folder,
            redirects=_read_file(file),
            edge=(own_paths(re.escape(f"{folder.mount}/_redirects"), "GitLab"),),
            rule_files=(file,),
        )


def _read_file(file: RuleFile) -> list[RedirectRule]:
    if len(file.text.encode()) > MAX_BYTES:
        file.ignore(f"is larger than {MAX_BYTES:,} bytes")
        return []
    return read_redirects(file, _read_redirect, max_rules=MAX_RULES)


def _read_redirect(name: str, fields: list[str]) -> RedirectRule:
    if not 2 <= len(fields) <= 3:
        raise IgnoredError("parameters and conditions are not supported")
    source, to, status = [*fields, "301"][:3]
    if not is_target(source) or not is_target(to):
        raise IgnoredError("path and target must begin with a slash, http:// or https://")
    host, path = split_source(source)
    if max(path.count("/"), split_source(to)[1].count("/")) > MAX_PARTS:
        raise IgnoredError(f"there are more than {MAX_PARTS} parts")
    code = read_status(status, _STATUSES)
    return RedirectRule(name, path, _compile_path(path), to, code, host)

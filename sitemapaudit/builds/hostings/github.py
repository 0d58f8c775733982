from sitemapaudit.builds.edge import EdgePaths
from sitemapaudit.builds.file_rules import FileRules
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.hosting import Hosting
from sitemapaudit.regexes import compile_linear


class GitHub(Hosting):
    """GitHub Pages: URLs without `.html`, `404.html`, `.nojekyll`.

    `/page` gives `page.html`. Every folder redirects to its slash with 301, and gives 404 if it
    has no `index.html`.

    Jekyll does not publish files and folders that begin with `_` or `.`, but a workflow does. The
    build does not say who publishes it, so these URLs are unknown, unless there is a file
    `.nojekyll`.

    Unconfirmed: `.git` is not served, in any folder.

    Sources:

    - <https://github.com/slorber/trailing-slash-guide>
    - <https://github.com/isaacs/github/issues/289> (301 for any folder, then 404)
    - <https://docs.github.com/en/pages/getting-started-with-github-pages/creating-a-custom-404-page-for-your-github-pages-site>
    - <https://github.blog/news-insights/bypassing-jekyll-on-github-pages/>
    """

    file_rules = FileRules(folder_needs_index=False, hidden_anywhere=frozenset({".git"}))

    def __init__(self, folder: Folder) -> None:
        has_marker = (folder.root / ".nojekyll").exists()
        super().__init__(folder, edge=() if has_marker else (_LEFT_TO_WORKFLOWS,))


_LEFT_TO_WORKFLOWS = EdgePaths(
    (compile_linear(r"(?:/.*)?/[_.].*"),),
    "is only published by a workflow, or with a file .nojekyll",
)

from sitemapaudit.builds.edge import own_paths
from sitemapaudit.builds.file_rules import FileRules
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.header_rules import add_headers
from sitemapaudit.builds.hosting import Hosting
from sitemapaudit.builds.hostings.firebase.config import decode_path, read_config
from sitemapaudit.builds.hostings.firebase.files import FirebaseFiles
from sitemapaudit.builds.replies import HostedReply, redirect, unknown
from sitemapaudit.builds.requests import HostedRequest, encode, stay_on_host
from sitemapaudit.builds.rule_file import RuleFile
from sitemapaudit.regexes import SlowRegexError


class Firebase(Hosting):
    """Firebase Hosting: `404.html`, `firebase.json` with `cleanUrls`, `trailingSlash` and rules.

    `/page` gives 404 and `/page.html` the file, unless `cleanUrls` is true: then `/page.html`
    redirects to `/page`. `/folder` redirects to `/folder/`, unless `cleanUrls` or `trailingSlash`
    is set. These redirects have the status 301.

    Redirects of the site win over files, and files over rewrites. Sources are globs or regular
    expressions (`regex`). A rewrite to a function or to Cloud Run is unknown, and so are the paths
    below `/__/`, and pages that `i18n` has for a language or a country. Files that `ignore` names
    are not served. Of several sites in `firebase.json`, that counts whose `public` is the build.
    The file may be in a folder above the build, up to the root of its repository. An error in it
    fails a deployment, and the audit is then incomplete.

    Unconfirmed: the replies are those of Firebase's own emulator, `superstatic`, which compares the
    globs of rewrites without adding a slash before them. `firebase.json` is not served.

    Sources:

    - <https://firebase.google.com/docs/hosting/full-config>
    - <https://firebase.google.com/docs/hosting/i18n-rewrites>
    - <https://www.npmjs.com/package/superstatic>
    """

    file_rules = FileRules(hidden=frozenset({"firebase.json"}))

    def __init__(self, folder: Folder) -> None:
        file = RuleFile(folder, "firebase.json", in_project=True, is_strict=True)
        self._config = read_config(file, folder)
        self._found = FirebaseFiles(folder, self.file_rules, self._config)
        self._error_page = f"{folder.mount}/404.html"
        super().__init__(
            folder,
            files=self._found,
            headers=tuple(self._config.headers.values()),
            edge=(own_paths("/__/.*", "Firebase"),),
            rule_files=(file,),
        )

    def respond(self, request: HostedRequest) -> HostedReply:
        """Redirect first: redirects have none of the headers."""
        try:
            return self._redirect(request) or super().respond(request)
        except SlowRegexError as error:
            return unknown(f"has a rule that takes too long to match: {error}")

    def serve(self, request: HostedRequest) -> HostedReply:
        """Serve the file, or that of the first rewrite that matches."""
        found = self._files.find(request) or self._rewrite(request)
        return found or self._not_found(request)

    def _redirect(self, request: HostedRequest) -> HostedReply | None:
        path = decode_path(request)
        for name, rule in self._config.redirects.items():
            target = rule.target(path)
            if target is not None:
                sign = "&" if "?" in target else "?"
                query = f"{sign}{request.query}" if request.query else ""
                return redirect(rule.status, stay_on_host(encode(target)) + query, name)
        return None

    def _rewrite(self, request: HostedRequest) -> HostedReply | None:
        path = decode_path(request)
        for name, rule in self._config.rewrites.items():
            if rule.matches(path):
                if rule.destination is None:
                    return unknown("is served by a function", name)
                if not rule.destination.startswith("/"):
                    return unknown("depends on a destination without a slash at its start", name)
                return self._found.serve_name(rule.destination)
        return None

    def _not_found(self, request: HostedRequest) -> HostedReply:
        """Return the page of errors with its own headers, which those of the request replace."""
        page = request.with_path(self._error_page)
        blocks = filter(None, (rule.match(page) for rule in self._headers))
        return add_headers(self._files.not_found(request), blocks, joins=False)

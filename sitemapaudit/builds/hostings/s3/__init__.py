from collections.abc import Iterator

from msgspec.structs import replace

from sitemapaudit.builds.file_rules import FileRules, NotFoundPage
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.hosting import Hosting
from sitemapaudit.builds.hostings.s3.config import Rule, find_config, read_config
from sitemapaudit.builds.replies import HostedReply, redirect, unknown
from sitemapaudit.builds.requests import (
    HostedRequest,
    add_query,
    encode,
    location_of,
    stay_on_host,
)

_ERROR_PAGES = ("404.html", "error.html")
"""The usual names of the page of errors, where no configuration has it."""


class S3(Hosting):
    """Amazon S3, website endpoint: files, index document, error document, routing rules.

    `/page` does not give `page.html`. `/folder` redirects to `/folder/` with 302 if there is a
    `folder/index.html`. A missing URL gives the error document with 404.

    The website configuration is read from `website.json` or `website.xml`, as the command
    `aws s3api put-bucket-website` and the API have it, in the build or in a folder above it, up to
    the root of its repository: `IndexDocument`, `ErrorDocument`, `RoutingRules` and
    `RedirectAllRequestsTo`. A list of routing rules alone is read too. Without the file, the index
    document is `index.html`, and the error document `404.html` or `error.html`.

    Unconfirmed: all replies, which are those of the documentation. A bucket that does not allow to
    list its objects answers 403 in place of 404, so a rule for 403 makes missing URLs unknown. A
    redirect keeps the query. Redirects in the metadata of objects are not read.

    Sources:

    - <https://docs.aws.amazon.com/AmazonS3/latest/userguide/IndexDocumentSupport.html>
    - <https://docs.aws.amazon.com/AmazonS3/latest/userguide/CustomErrorDocSupport.html>
    - <https://docs.aws.amazon.com/AmazonS3/latest/userguide/how-to-page-redirect.html>
    - <https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketWebsite.html>
    """

    file_rules = FileRules(
        html_for_file=False, slash_status=302, not_found=NotFoundPage.NONE, charset=False
    )

    def __init__(self, folder: Folder) -> None:
        file = find_config(folder)
        self._website = read_config(file)
        self._folder = folder
        suffix = self._website.index_document.suffix
        rules = replace(self.file_rules, index_names=(suffix,))
        super().__init__(folder, file_rules=rules, rule_files=(file,))

    def serve(self, request: HostedRequest) -> HostedReply:
        """Redirect first, then find the file; some rules apply to missing files only."""
        everything = self._website.redirect_all_requests_to
        key = request.decoded.removeprefix("/")
        if everything is not None:
            return self._redirect(Rule(everything), key, request)
        for rule in self._rules(key, None):
            return self._redirect(rule, key, request)
        return self._files.find(request) or self._missing(key, request)

    def _rules(self, key: str, status: int | None) -> Iterator[Rule]:
        """Yield the rules that apply to a key, and to the status of an error or to all requests."""
        for rule in self._website.routing_rules:
            condition = rule.condition
            is_meant = condition.http_error_code_returned_equals == status
            if is_meant and key.startswith(condition.key_prefix_equals):
                yield rule

    def _missing(self, key: str, request: HostedRequest) -> HostedReply:
        if any(self._rules(key, 403)):
            return unknown("depends on whether the bucket allows to list its objects")
        for rule in self._rules(key, 404):
            return self._redirect(rule, key, request)
        page = self._website.error_document
        names = _ERROR_PAGES if page is None else (page.key,)
        files = (self._folder.file(f"{self._folder.mount}/{name}") for name in names)
        found = next(filter(None, files), None)
        return HostedReply(404) if found is None else self._files.serve(found, 404)

    def _redirect(self, rule: Rule, key: str, request: HostedRequest) -> HostedReply:
        target, new = rule.redirect, f"/{rule.key(key)}"
        # A question mark of the rule begins a query, and one of the key is a part of the name.
        is_query = "?" in rule.key("")
        location = stay_on_host(encode(new)) if is_query else location_of(new)
        location = add_query(location, request.query)
        if target.host_name is not None or target.protocol is not None:
            origin = f"{target.protocol or request.scheme}://{target.host_name or request.host}"
            location = encode(origin) + location
        return redirect(target.http_redirect_code, location, "RoutingRules")

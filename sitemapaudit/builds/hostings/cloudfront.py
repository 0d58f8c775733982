from sitemapaudit.builds.file_rules import FileRules
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.hosting import Hosting
from sitemapaudit.builds.replies import HostedReply
from sitemapaudit.builds.requests import HostedRequest


class CloudFront(Hosting):
    """Amazon CloudFront with the REST endpoint of an S3 bucket: files by their exact names.

    Only the root has an index: `/` gives `index.html`, the default root object. `/page`, `/folder`
    and `/folder/` give 404, even if there is a `page.html` or a `folder/index.html`. A missing URL
    gives `404.html` with 404, as a custom error response.

    Unconfirmed: all replies, which are those of the documentation. Functions of a distribution,
    which often add `index.html`, and its settings are not read. A bucket that does not allow to
    list its objects answers 403 in place of 404. Below a path, the root of the build has the index.

    Sources:

    - <https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/DefaultRootObject.html>
    - <https://docs.aws.amazon.com/AmazonS3/latest/userguide/WebsiteEndpoints.html> (REST: no index)
    - <https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages.html>
    """

    file_rules = FileRules(html_for_file=False, charset=False)

    def __init__(self, folder: Folder) -> None:
        self._mount = folder.mount
        super().__init__(folder)

    def serve(self, request: HostedRequest) -> HostedReply:
        """Serve the file of that name, or the index of the root."""
        found = self._files.find(request)
        is_root = not request.decoded.removeprefix(self._mount).strip("/")
        if found is not None and (is_root or (found.file and not request.path.endswith("/"))):
            return found
        return self._files.not_found(request)

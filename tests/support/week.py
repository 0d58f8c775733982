"""The demo website of two weeks, audited at the same addresses so that runs can be compared."""

from functools import cached_property
from pathlib import Path
from subprocess import CompletedProcess

from sitemapaudit.demo.planted_pages import Origins
from sitemapaudit.demo.website import EXCLUDE, SETTINGS, Demo
from tests.support.audits import Audited, crawl
from tests.support.commands import scrapy


class Week:
    """Audits of the demo website and of the same a week later, each made on first use."""

    def __init__(self, website: Demo, folder: Path) -> None:
        self.website = website
        self._folder = folder

    @cached_property
    def earlier(self) -> Audited:
        """The audit of the first week."""
        return audit_website(self.website, self._folder / "earlier")

    @cached_property
    def later(self) -> Audited:
        """The audit a week later."""
        assert self.earlier
        self.website.serve_week(later=True)
        return audit_website(self.website, self._folder / "later")

    @cached_property
    def comparison(self) -> CompletedProcess[str]:
        """The command that compared both audits, and wrote the table of the differences."""
        return scrapy("compare", str(self.earlier.audits), str(self.later.audits))

    @property
    def origins(self) -> Origins:
        """The origins of the website."""
        return self.website.origins

    @property
    def expected(self) -> list[tuple[str, str]]:
        """The findings that comparing both audits must report: rule and sitemap."""
        return self.website.expected_from_comparison()


def audit_website(website: Demo, folder: Path, sitemap: str = "") -> Audited:
    """Audit the sites of a demo website that is served, or a sitemap of it."""
    given = {"sitemap": sitemap} if sitemap else {"site": ",".join(website.sites)}
    given["exclude"] = EXCLUDE
    settings = {name: str(value) for name, value in SETTINGS.items()}
    settings["AUDIT_PRIVATE_HOSTS"] = ",".join(website.private_hosts)
    return crawl(folder, given, settings)

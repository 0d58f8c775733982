"""The demo website of two weeks, audited at the same addresses so that runs can be compared."""

from functools import cached_property
from pathlib import Path

from sitemapaudit.demo.planted_pages import Origins
from sitemapaudit.demo.website import EXCLUDE, SETTINGS, Demo
from tests.support.audits import Audited, crawl


class Week:
    """Audits of the demo website and of the same a week later, each made on first use."""

    def __init__(self, website: Demo, folder: Path) -> None:
        self._website = website
        self._folder = folder

    @cached_property
    def earlier(self) -> Audited:
        """The audit of the first week."""
        return audit_website(self._website, self._folder / "earlier")

    @cached_property
    def later(self) -> Audited:
        """The audit a week later."""
        assert self.earlier
        self._website.advance_week()
        return audit_website(self._website, self._folder / "later")

    @property
    def origins(self) -> Origins:
        """The origins of the website."""
        return self._website.origins

    @property
    def expected(self) -> list[tuple[str, str]]:
        """The findings that comparing both audits must report: rule and sitemap."""
        return self._website.expected_from_comparison()


def audit_website(website: Demo, folder: Path, **arguments: str) -> Audited:
    """Audit the sites of a demo website that is served."""
    given = {"site": ",".join(website.sites), "exclude": EXCLUDE, **arguments}
    settings = {name: str(value) for name, value in SETTINGS.items()}
    settings["AUDIT_PRIVATE_HOSTS"] = ",".join(website.private_hosts)
    return crawl(folder, given, settings)

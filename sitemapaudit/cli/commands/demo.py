"""Audit a website with planted faults, served by the program itself."""

from argparse import _ArgumentGroup

from sitemapaudit.cli.commands import audit
from sitemapaudit.runs.manifest import DEMO, DEMO_LATER


class Command(audit.Command):
    """The same as ``scrapy crawl sitemap -a site=demo``."""

    def add_site(self, audit_group: _ArgumentGroup) -> None:
        """Add the choice of the week."""
        audit_group.add_argument(
            "--later",
            dest=audit.SITE,
            action="store_const",
            const=[DEMO_LATER],
            default=[DEMO],
            help="audit the website one week later, to compare with",
        )

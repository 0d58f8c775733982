"""The page and the tables of a fleet of sites."""

from pathlib import Path

from sitemapaudit.cli.command import SUCCESS, refuse
from sitemapaudit.cli.refusals import refuse_error
from sitemapaudit.report.fleet.page import write_fleet_page
from sitemapaudit.report.fleet.reading import read_fleet
from sitemapaudit.report.fleet.summary import fleet_summary
from sitemapaudit.report.fleet.tables import write_tables
from sitemapaudit.report.terminal import Terminal


def report_fleet(folder: Path) -> int:
    """Write the page and the tables of all sites in a folder, and print their summary.

    Return the exit status.
    """
    try:
        fleet = read_fleet(folder)
        write_tables(fleet)
        write_fleet_page(fleet)
    except OSError as error:
        return refuse_error(error, folder) if error.errno else refuse(error)
    Terminal().print(fleet_summary(fleet), highlight=False, crop=False)
    return SUCCESS

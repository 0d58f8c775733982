"""How tests are named, and the audit that several of them look at."""

import os
from dataclasses import dataclass

import pytest

from sitemapaudit.demo.website import EXCLUDE, SETTINGS, Demo
from tests.support import Audited, crawl


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name bytes by their length: a compressed file holds the time at which it was made."""
    return f"{len(val)} bytes" if isinstance(val, bytes) else None


def pytest_xdist_auto_num_workers() -> int:
    """Use half as many workers more as there are cores: much of what is tested is waiting."""
    return (os.cpu_count() or 1) * 3 // 2


@dataclass(frozen=True)
class Week:
    """The demo and the same a week later, both audited, and what comparing them must find."""

    earlier: Audited
    later: Audited
    expected: list[tuple[str, str]]


@pytest.fixture(scope="session")
def week(tmp_path_factory: pytest.TempPathFactory) -> Week:
    """Audit the demo twice in the same place: each run of its own may get other ports."""
    folder = tmp_path_factory.mktemp("week")
    with Demo() as website:
        given = {"site": ",".join(website.sites), "exclude": EXCLUDE}
        settings = {name: str(value) for name, value in SETTINGS.items()}
        settings["AUDIT_PRIVATE_HOSTS"] = ",".join(website.private_hosts)
        earlier = crawl(folder / "earlier", given, settings)
        website.let_a_week_pass()
        later = crawl(folder / "later", given, settings)
        return Week(earlier, later, website.expected_of_comparison())


@pytest.fixture(scope="session")
def demo(week: Week) -> Audited:
    """Return an audit of the demo website; for the tests of the group ``demo``."""
    return week.earlier

"""The name of an audited website that turns while the audit is stopped gains nothing."""

from pathlib import Path

import pytest

from tests.fetching.isolated_site import can_isolate
from tests.worlds.case import Case
from tests.worlds.faults import Turn
from tests.worlds.files import USUAL, WorldEntry, WorldFile
from tests.worlds.pages import Kind, WorldPage
from tests.worlds.story import Stop, Story
from tests.worlds.world import World

LOOKUPS = 3
"""The lookups of the name by the first process: it exists, its addresses, and a connection."""

PATHS = tuple(f"/{number}" for number in range(6))


@pytest.mark.skipif(not can_isolate(), reason="resolvers can only be chosen by root")
def test_a_resumed_audit_contacts_no_other_private_address(tmp_path: Path) -> None:
    pages = {path: WorldPage(path, Kind.FINE, manner="slow") for path in PATHS}
    sitemap = WorldFile(USUAL, "urlset", tuple(map(WorldEntry, PATHS)))
    world = World(pages, {USUAL: sitemap}, turn=Turn(after=LOOKUPS, times=99))
    story = Story(named=True, stops=(Stop(1, "interrupt"),))
    Case((world,), (world,), story).tell(tmp_path)

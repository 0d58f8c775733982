"""A Scrapyd server for all tests of the folder."""

import json
from collections.abc import Iterator

import pytest

from tests.scheduling.node import Server


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("scrapyd")) as started:
        assert json.loads(started.deploy())["spiders"] == 1
        yield started
